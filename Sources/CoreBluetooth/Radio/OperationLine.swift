/// Operations of one session, which begin in the order in which they were asked for, one at a time.
///
/// Writes without response follow each other without waiting: the transport takes them in their order. Everything else
/// waits for them, because the engine lets requests overtake them. Used on the loop only.
final class OperationLine {
    /// Begins an operation, and calls what it is given when the operation is done.
    typealias Start = (_ done: @escaping () -> Void) -> Void

    private struct Entry {
        let isCommand: Bool
        let start: Start
    }

    private var waiting: [Entry] = []
    /// How many of `waiting` have begun.
    private var head = 0
    private var runningCommands = 0
    private var isBusy = false
    private var isPumping = false
    private var isClosed = false

    /// Puts an operation at the end.
    func append(isCommand: Bool = false, _ start: @escaping Start) {
        guard !isClosed else { return }
        waiting.append(Entry(isCommand: isCommand, start: start))
        pump()
    }

    /// Forgets what has not begun; nothing begins any more.
    func close() {
        isClosed = true
        waiting = []
        head = 0
    }

    private func pump() {
        // Operations that end at once come back here: they are taken in the loop, not in a deeper call.
        guard !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        while head < waiting.count, !isBusy, waiting[head].isCommand || runningCommands == 0 {
            let entry = waiting[head]
            head += 1
            if head == waiting.count || head >= 256 {
                waiting.removeFirst(head)
                head = 0
            }
            if entry.isCommand {
                runningCommands += 1
                entry.start { [self] in
                    runningCommands -= 1
                    pump()
                }
            } else {
                isBusy = true
                entry.start { [self] in
                    isBusy = false
                    pump()
                }
            }
        }
    }
}
