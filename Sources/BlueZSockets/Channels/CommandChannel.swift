internal import Sockets

/// A socket on which commands go out and answers and events come in: callers wait for the answers to their commands, each
/// with a time limit.
///
/// It belongs to an actor of its loop, and is used on the loop's thread only. What the packets mean is the actor's business:
/// it is given them as they come and says which of them answers which command. Answers to equal commands are taken for those
/// of the first caller, then of the second, and so on.
final class CommandChannel<Opcode: Hashable & Sendable, Reply: Sendable>: @unchecked Sendable {
    // Sendable: see above.

    /// What comes of a command.
    typealias Answer = Result<Reply, BluetoothSocketError>

    /// Why nothing is sent or heard any more; `nil` while the channel is open.
    private(set) var end: BluetoothSocketError?

    private let socket: PacketSocket
    private let loop: EventLoop
    /// What it means that the answer to a command did not come in time: reason and remedy.
    private let silence: @Sendable (Opcode) -> (reason: String, remedy: String)
    private var timer: LoopTimer?
    /// Whose answers are expected, in the order of their commands.
    private var expected: [Expectation] = []

    /// A command whose answer is expected. One whose caller gave up keeps its place, so that its answer does not reach the
    /// next caller.
    private final class Expectation: @unchecked Sendable {
        // Sendable: used on the loop's thread only.
        let opcode: Opcode
        let deadline: UInt64
        let failure: String
        private var answer: Answer?
        private var caller: CheckedContinuation<Answer, Never>?

        init(_ opcode: Opcode, deadline: UInt64, failure: String) {
            (self.opcode, self.deadline, self.failure) = (opcode, deadline, failure)
        }

        /// Gives the answer to the caller; the first one counts.
        func settle(_ answer: Answer) {
            guard self.answer == nil else { return }
            self.answer = answer
            caller?.resume(returning: answer)
            caller = nil
        }

        /// The caller begins to wait; the answer may be there already.
        func wait(_ caller: CheckedContinuation<Answer, Never>) {
            if let answer { caller.resume(returning: answer) } else { self.caller = caller }
        }
    }

    /// A channel over a socket that is not read yet.
    init(
        _ socket: PacketSocket, on loop: EventLoop,
        silence: @escaping @Sendable (Opcode) -> (reason: String, remedy: String)
    ) {
        self.socket = socket
        self.loop = loop
        self.silence = silence
    }

    /// Begins to read.
    /// - Throws: What epoll says.
    func start(_ handlers: PacketSocket.Handlers) throws(Errno) {
        try socket.start(on: loop, handlers)
        timer = LoopTimer(on: loop) { [weak self] in self?.expire() }
    }

    /// Closes the socket; callers that wait get the error, with the beginning of their own sentence. The first call counts.
    /// - Returns: Whether this is the first.
    @discardableResult
    func finish(_ error: BluetoothSocketError) -> Bool {
        guard end == nil else { return false }
        end = error
        socket.close()
        timer?.invalidate()
        timer = nil
        let expected = expected
        self.expected = []
        for expectation in expected {
            var error = error
            error.failure = expectation.failure
            expectation.settle(.failure(error))
        }
        return true
    }

    // MARK: Commands

    /// Sends a packet whose answer nobody waits for.
    /// - Throws: Why the channel has ended; what the kernel says.
    func write(_ packet: [UInt8], to adapter: String, failure: String) throws(BluetoothSocketError) {
        if var end {
            end.failure = failure
            throw end
        }
        do throws(Errno) {
            try socket.send(packet)
        } catch {
            throw BluetoothSocketError(error, in: .commanding(adapter: adapter), failure: failure)
        }
    }

    /// Sends a packet and waits for the answer to its command.
    /// - Parameters:
    ///   - adapter: the adapter's name, such as `hci0`.
    ///   - opcode: the command.
    ///   - timeout: how long to wait.
    ///   - failure: the beginning of the error's sentence.
    ///   - isCancellable: whether the caller gives up when its task is cancelled; the command goes on all the same.
    /// - Throws: as `write`; `timedOut`; `cancelled`.
    func send(
        _ packet: [UInt8], to adapter: String, _ opcode: Opcode, timeout: Duration, failure: String,
        isCancellable: Bool, isolation: isolated (any Actor)? = #isolation
    ) async throws(BluetoothSocketError) -> Reply {
        if isCancellable, Task.isCancelled { throw .cancelled(failure) }
        try write(packet, to: adapter, failure: failure)
        let expectation = Expectation(
            opcode, deadline: loop.now() &+ timeout.wholeNanoseconds, failure: failure)
        expected.append(expectation)
        armTimer()
        let answer: Answer = await withTaskCancellationHandler {
            await withCheckedContinuation(isolation: isolation) { expectation.wait($0) }
        } onCancel: {
            guard isCancellable else { return }
            loop.execute { expectation.settle(.failure(.cancelled(failure))) }
        }
        return try answer.get()
    }

    /// Gives an answer to whoever waits for it longest.
    func answer(_ opcode: Opcode, _ reply: Reply) {
        guard let index = expected.firstIndex(where: { $0.opcode == opcode }) else { return }
        let expectation = expected.remove(at: index)
        armTimer()
        expectation.settle(.success(reply))
    }

    private func armTimer() {
        if let earliest = expected.map(\.deadline).min() { timer?.arm(at: earliest) } else { timer?.disarm() }
    }

    private func expire() {
        let now = loop.now()
        let late = expected.filter { $0.deadline <= now }
        expected.removeAll { $0.deadline <= now }
        armTimer()
        for expectation in late {
            let (reason, remedy) = silence(expectation.opcode)
            expectation.settle(
                .failure(
                    BluetoothSocketError(.timedOut, failure: expectation.failure, reason: reason, remedy: remedy)))
        }
    }
}
