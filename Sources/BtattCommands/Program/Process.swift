import BlueZSockets
import Glibc
import Sockets
import Synchronization

extension Btatt {
    /// Gives standard streams that the program was started without to `/dev/null`. Otherwise the next descriptor that is
    /// opened, such as a socket, would get the number, and what is meant for people would go there. To be called before
    /// anything asynchronous begins, which opens some.
    public static func fillStandardStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The path is a C string for the time of the call; the lowest number that is free is the one that is missing.
            _ = unsafe open("/dev/null", O_RDWR)
        }
    }

    /// The whole life of the process: signals, streams, one command line, exit status. To be called on the main thread,
    /// before anything else was started.
    ///
    /// The first SIGINT, SIGTERM or SIGHUP cancels the command, which then leaves link and adapter as they were; the
    /// second ends the process at once. SIGPIPE is ignored: a reader that goes away is noticed by the writing, and by
    /// watching standard output, and the command ends as quietly.
    public static func main() async -> Never {
        signal(SIGPIPE, SIG_IGN)
        let ending = Ending()
        let signals = try? SignalSource([SIGINT, SIGTERM, SIGHUP]) { _ in ending.interrupt() }
        let terminal = Terminal.current()
        let work = Task {
            await run(Array(CommandLine.arguments.dropFirst()), terminal) { Console.standard(terminal, $0) }
        }
        ending.cancels(work)
        // Fails for what is no pipe, socket or terminal, whose reader cannot go away.
        let output = try? DescriptorSource(STDOUT_FILENO, on: .shared, interest: []) { readiness in
            if readiness.contains(.error) { ending.outputClosed() }
        }
        let status = await work.value
        // The commands undo what they did; this is for what was still on its way.
        await CleanUp.shared.runAndWait()
        output?.cancel()
        withExtendedLifetime(signals) {}
        exit(ending.isOutputClosed ? ExitStatus.done.rawValue : status.rawValue)
    }
}

/// Why the command is to end before it is done.
private final class Ending: Sendable {
    private struct State {
        var work: Task<ExitStatus, Never>?
        var isInterrupted = false
        var isOutputClosed = false
    }

    private let state = Mutex(State())

    var isOutputClosed: Bool { state.withLock { $0.isOutputClosed && !$0.isInterrupted } }

    /// Takes the command, which may be to end already.
    func cancels(_ work: Task<ExitStatus, Never>) {
        let isEnding = state.withLock { state in
            state.work = work
            return state.isInterrupted || state.isOutputClosed
        }
        if isEnding { work.cancel() }
    }

    func interrupt() {
        let wasInterrupted = state.withLock { state in
            defer { state.isInterrupted = true }
            return state.isInterrupted
        }
        // Somebody is in a hurry: no more clean-up.
        if wasInterrupted { _exit(ExitStatus.interrupted.rawValue) }
        state.withLock { $0.work }?.cancel()
    }

    func outputClosed() {
        state.withLock { $0.isOutputClosed = true }
        state.withLock { $0.work }?.cancel()
    }
}
