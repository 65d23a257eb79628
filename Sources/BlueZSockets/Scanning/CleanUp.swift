internal import Glibc
public import Sockets

/// What must be undone before the program ends, whatever ends it: scans to switch off, links to close.
///
/// Whoever changes the state of an adapter registers how to change it back, and withdraws that once it has done so.
/// `run` performs what is left, the latest first, each once, on the loop's thread. `catchSignals` has that done when the
/// program is told to end.
public final class CleanUp: Sendable {
    /// The registry of the program.
    public static let shared = CleanUp(on: .shared)

    /// A registered action, for withdrawing it.
    public struct Token: Hashable, Sendable {
        fileprivate var number: Int
    }

    /// SIGINT, SIGTERM and SIGHUP: Ctrl-C, the end that others ask for, and a closed terminal.
    public static let usualSignals: [Int32] = [SIGINT, SIGTERM, SIGHUP]

    /// The loop on whose thread the actions run.
    public let loop: EventLoop

    private let state = Locked(State())

    private struct State {
        var nextNumber = 0
        var actions: [(number: Int, name: String, body: @Sendable () -> Void)] = []
        var signals: SignalSource?
    }

    /// A registry of its own, for tests and for programs with several loops.
    public init(on loop: EventLoop) {
        self.loop = loop
    }

    /// Adds an action. It must be quick and must not wait: system calls that do not block.
    /// - Parameter name: what it does, for a log: `switch off the scan on hci0`.
    public func register(_ name: String, _ body: @escaping @Sendable () -> Void) -> Token {
        state.withLock { state in
            defer { state.nextNumber += 1 }
            state.actions.append((state.nextNumber, name, body))
            return Token(number: state.nextNumber)
        }
    }

    /// Takes an action out, because what it would undo is undone. Idempotent.
    public func withdraw(_ token: Token) {
        state.withLock { $0.actions.removeAll { $0.number == token.number } }
    }

    /// The names of what is left to undo, in the order it would be done.
    public var pending: [String] { state.withLock { $0.actions.reversed().map(\.name) } }

    /// Performs what is left, on the loop's thread, then `completion` there.
    public func run(then completion: @escaping @Sendable () -> Void = {}) {
        loop.execute {
            self.perform()
            completion()
        }
    }

    /// Performs what is left, and returns when it is done. For the end of a program; not on the loop's thread.
    public func runAndWait() async {
        await withCheckedContinuation { continuation in run { continuation.resume() } }
    }

    private func perform() {
        while let action = state.withLock({ $0.actions.popLast() }) { action.body() }
    }

    /// Has the clean-up done when one of `signals` arrives, then `handler` called with it on the loop's thread, which
    /// usually ends the program.
    ///
    /// A second signal finds nothing left to undo and calls `handler` again. A signal that the program was started to
    /// ignore stays ignored.
    /// - Throws: the error number of `socketpair`, `sigaction` or `epoll_ctl`.
    public func catchSignals(
        _ signals: [Int32] = CleanUp.usualSignals, then handler: @escaping @Sendable (Int32) -> Void
    ) throws(Errno) {
        let source = try SignalSource(signals, on: loop) { signal in
            self.perform()
            handler(signal)
        }
        state.withLock { $0.signals = source }
    }
}
