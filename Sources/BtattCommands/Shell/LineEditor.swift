import CEditLine
import Glibc
import Sockets

/// Lines that are typed at a terminal, with history and completion, while others write to it.
///
/// Each line is read on a thread of its own, by libedit, or as the kernel edits it where libedit is not there. What is
/// written meanwhile goes to that thread: it takes prompt and line away, writes, and draws them again, so that what is
/// being typed stays as it is.
@safe
final class LineEditor: LineSource, @unchecked Sendable {
    // Sendable: what belongs to the thread that reads is used by one such thread at a time; the rest has a lock.

    /// What the thread that reads shares with others.
    private struct State {
        /// Whether prompt and line are on the terminal.
        var isEditing = false
        /// What others wrote meanwhile, and how many pieces were left out because the terminal does not take them.
        var pending: [UInt8] = []
        var lost = 0
        var requests: Requests = []
        /// Whether the cursor is at the left, as far as what was written tells.
        var isAtLeft = true
    }

    /// What the thread that reads is asked to do.
    private struct Requests: OptionSet {
        var rawValue: Int
        /// To give up the line.
        static let interrupt = Requests(rawValue: 1)
        /// To give up the line, and never to read another one.
        static let end = Requests(rawValue: 2)
        /// To draw for another size of the window.
        static let resize = Requests(rawValue: 4)
        /// To set the terminal's modes again.
        static let resume = Requests(rawValue: 8)
    }

    private enum Outcome {
        case line(String)
        case end
        case cancelled
    }

    /// How many octets wait for the terminal at most.
    private static let pendingLimit = 1 << 20

    private let prompt: String
    private let output: Int32
    private let isDumb: Bool
    private let history: ShellHistory
    private let complete: @Sendable ([UInt8], Int) -> ShellCompletion
    private let state = Locked(State())
    /// Readable when something is asked for, or something is to be written.
    private let wakeup: Int32

    // Of the thread that reads:
    private var editor: OpaquePointer?
    private var isOpen = false
    private var isLeaving = false
    private var decoder = ScalarDecoder()

    /// - Parameters:
    ///   - prompt: what stands before the line, without control characters.
    ///   - history: earlier lines.
    ///   - complete: completes a line, given its octets and the cursor's place; it is called while a line is read.
    init(
        prompt: String, history: ShellHistory, complete: @escaping @Sendable ([UInt8], Int) -> ShellCompletion
    ) {
        self.prompt = prompt
        self.history = history
        self.complete = complete
        output = isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : STDERR_FILENO
        isDumb = environment("TERM").map { $0.isEmpty || $0 == "dumb" } ?? true
        // Without one nothing wakes the thread, and what others write waits for the next key.
        wakeup = (try? LinuxSystemCalls().eventDescriptor()) ?? -1
    }

    deinit {
        // Nobody reads any more.
        unsafe ceditline_close(editor)
        close(wakeup)
    }

    // MARK: For others

    /// The streams of the process, on which nothing tears the line that is typed.
    func console(_ terminal: Terminal, _ verbosity: Console.Verbosity) -> Console {
        let writer = { [self] (descriptor: Int32) -> Console.Writer in
            guard isatty(descriptor) == 1 else { return { writeAll($0, to: descriptor) } }
            return { self.write($0, to: descriptor) }
        }
        return Console(
            terminal: terminal, verbosity: verbosity, canAsk: { !self.state.withLock { $0.isEditing } },
            output: writer(STDOUT_FILENO), error: writer(STDERR_FILENO))
    }

    /// Gives up the line that is being typed. If none is, the terminal has echoed the Ctrl-C, and the next prompt begins on
    /// a line of its own.
    func interrupt() {
        state.withLock { $0.isAtLeft = false }
        ask(.interrupt)
    }

    /// The window has another size.
    func resize() { ask(.resize) }

    /// The program goes on after it was stopped.
    func resume() { ask(.resume) }

    func next() async throws(Failure) -> SourceLine? {
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                do throws(Errno) {
                    try DetachedThread.run { caller.resume(returning: self.edit()) }
                } catch {
                    caller.resume(returning: .end)
                }
            }
        } onCancel: {
            state.withLock { _ = $0.requests.insert(.end) }
            wake()
        }
        switch outcome {
        case .cancelled: throw .interrupted
        case .end: return nil
        case .line(let text):
            if let problem = await history.add(text) {
                _ = write(Array("btatt: the history is not kept: \(printable(problem))\n".utf8), to: output)
            }
            return SourceLine(text: text)
        }
    }

    private func ask(_ request: Requests) {
        state.withLock { state in
            if state.isEditing { state.requests.insert(request) }
        }
        wake()
    }

    private func wake() {
        var one: UInt64 = 1
        // Eight octets, which is what the descriptor takes.
        _ = unsafe Glibc.write(wakeup, &one, 8)
    }

    private func write(_ octets: [UInt8], to descriptor: Int32) -> Errno? {
        state.withLock { state in
            guard state.isEditing else {
                // What takes a line away leaves the cursor at the left.
                state.isAtLeft = octets.last == UInt8(ascii: "\n") || octets == Self.eraseLine
                return writeAll(octets, to: descriptor)
            }
            if state.pending.count < Self.pendingLimit { state.pending += octets } else { state.lost += 1 }
            wake()
            return nil
        }
    }

    // MARK: The thread that reads

    private func edit() -> Outcome {
        open()
        while true {
            isLeaving = false
            state.withLock { state in
                if !state.isAtLeft { put("\n") }
                state.isEditing = true
                state.requests.formIntersection(.end)
            }
            let line = readLine()
            let requests = state.withLock { state in
                state.isEditing = false
                state.isAtLeft = true
                put(octets: Self.takePending(&state))
                return state.requests
            }
            if let line { return .line(line) }
            if requests.contains(.end) { return .cancelled }
            if !requests.contains(.interrupt) { return .end }
        }
    }

    private func open() {
        guard !isOpen else { return }
        isOpen = true
        let callbacks = unsafe ceditline_callbacks(
            context: Unmanaged.passUnretained(self).toOpaque(),
            next: { unsafe LineEditor.at($0)?.nextCharacter() ?? 0 }, complete: { unsafe LineEditor.at($0)?.tab() })
        // The C strings are read during the calls.
        unsafe editor = ceditline_open(STDIN_FILENO, output, prompt, Int32(ShellHistory.limit), callbacks)
        guard let editor = unsafe editor else { return }
        for line in history.lines { unsafe ceditline_remember(editor, line) }
    }

    /// The editor that the callbacks are for, which outlives them: they are called while it reads.
    private static func at(_ context: UnsafeMutableRawPointer?) -> LineEditor? {
        unsafe context.map { unsafe Unmanaged<LineEditor>.fromOpaque($0).takeUnretainedValue() }
    }

    /// A line without its end; `nil` when there is none.
    private func readLine() -> String? {
        guard let editor = unsafe editor else { return readPlainLine() }
        var octets: UnsafePointer<CChar>?
        // Points to as many octets as are said, until the next call.
        let count = unsafe ceditline_read(editor, &octets)
        guard count > 0, let octets = unsafe octets else {
            if !isLeaving { put("\n") }
            return nil
        }
        let buffer = unsafe UnsafeRawBufferPointer(start: octets, count: Int(count))
        let text = unsafe String(decoding: buffer.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        if ShellHistory.keeps(text) { unsafe ceditline_remember(editor, text) }
        return text
    }

    /// The same as the kernel edits lines.
    private func readPlainLine() -> String? {
        put(prompt)
        var text = ""
        while true {
            let code = nextCharacter()
            guard code > 0, let scalar = Unicode.Scalar(UInt32(code)) else {
                if code == 0 { put("\n") }
                return nil
            }
            if scalar == "\n" { return text }
            text.unicodeScalars.append(scalar)
        }
    }

    /// The next character that is typed; 0 at the end of the input, -1 when the line is given up. Serves others meanwhile.
    private func nextCharacter() -> Int32 {
        while true {
            guard serve() else { return -1 }
            var descriptors = [
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakeup, events: Int16(POLLIN), revents: 0),
            ]
            // There are two.
            guard unsafe poll(&descriptors, 2, -1) > 0 else { continue }
            if descriptors[1].revents != 0 {
                var count: UInt64 = 0
                // Eight octets, which is what the descriptor gives.
                _ = unsafe read(wakeup, &count, 8)
                continue
            }
            var octet: UInt8 = 0
            let count = unsafe read(STDIN_FILENO, &octet, 1)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return 0 }
            if let scalar = decoder.append(octet) { return Int32(scalar.value) }
        }
    }

    /// Does what others asked for; whether the line goes on.
    private func serve() -> Bool {
        guard !isLeaving else { return false }
        let (requests, pending) = state.withLock { state in
            let requests = state.requests
            state.requests.subtract([.resize, .resume])
            return (requests, Self.takePending(&state))
        }
        if requests.contains(.resume), let editor = unsafe editor { unsafe ceditline_take_terminal(editor) }
        if requests.contains(.resize), let editor = unsafe editor { unsafe ceditline_resize(editor) }
        if !pending.isEmpty || requests.contains(.resize) || requests.contains(.resume) { show(pending) }
        guard !requests.isDisjoint(with: [.end, .interrupt]) else { return true }
        isLeaving = true
        put((isDumb ? "" : toEnd) + (requests.contains(.interrupt) ? "^C\n" : "\n"))
        return false
    }

    /// Writes lines above the one that is typed.
    private func show(_ octets: [UInt8]) {
        let row = place.cursor.row
        let clear = isDumb ? "\n" : (row == 0 ? "" : "\u{1B}[\(row)A") + "\r\u{1B}[J"
        let isWhole = octets.isEmpty || octets.last == UInt8(ascii: "\n")
        put(octets: Array(clear.utf8) + octets + (isWhole ? [] : [UInt8(ascii: "\n")]))
        if let editor = unsafe editor { unsafe ceditline_draw(editor) } else { put(prompt) }
    }

    private func tab() {
        let (line, cursor) = line
        let completion = complete(line, cursor)
        if completion.deletion > 0 || !completion.insertion.isEmpty {
            unsafe ceditline_replace(editor, Int32(clamping: completion.deletion), completion.insertion)
        } else if !completion.candidates.isEmpty {
            let lines = columnLines(completion.candidates, width: Terminal.columns(of: output))
            show(Array(lines.map { "\($0)\n" }.joined().utf8))
        } else if let hint = completion.hint {
            show(Array("btatt: \(hint)\n".utf8))
        } else {
            put("\u{07}")
        }
    }

    /// The octets of the line, and the cursor's place among them.
    private var line: (octets: [UInt8], cursor: Int) {
        guard let editor = unsafe editor else { return ([], 0) }
        var octets: UnsafePointer<CChar>?
        var (length, cursor) = (0, 0)
        unsafe ceditline_line(editor, &octets, &length, &cursor)
        // Points to as many octets as are said, until the line is changed.
        return (unsafe Array(UnsafeRawBufferPointer(start: octets, count: length)), cursor)
    }

    /// Where the cursor and the end of the line are, counted from the prompt's beginning.
    private var place: (cursor: CursorPlace, end: CursorPlace) {
        let (line, cursor) = line
        let (width, height) = (Terminal.columns(of: output), Terminal.rows(of: output))
        let before = String(decoding: line[..<cursor], as: UTF8.self)
        let all = String(decoding: line, as: UTF8.self)
        return (
            CursorPlace(after: prompt + before, width: width, height: height),
            CursorPlace(after: prompt + all, width: width, height: height)
        )
    }

    /// What moves the cursor to the end of the line.
    private var toEnd: String {
        let (cursor, end) = place
        let down = end.row > cursor.row ? "\u{1B}[\(end.row - cursor.row)B" : ""
        return down + "\r" + (end.column > 0 ? "\u{1B}[\(end.column)C" : "")
    }

    // MARK: Writing

    private static let eraseLine = Array("\r\u{1B}[K".utf8)

    private static func takePending(_ state: inout State) -> [UInt8] {
        var octets = state.pending
        if state.lost > 0 { octets += Array("btatt: \(state.lost) lines are left out here\n".utf8) }
        state.pending = []
        state.lost = 0
        return octets
    }

    private func put(_ text: String) { put(octets: Array(text.utf8)) }

    private func put(octets: [UInt8]) {
        if !octets.isEmpty { _ = writeAll(octets, to: output) }
    }
}
