import Glibc
import Sockets

/// The two streams of the program: results on standard output, everything else on standard error.
///
/// A line is written by one system call and never kept back, so that a pipe's reader has it at once, and lines of
/// several tasks do not mix. The progress line, which only a terminal gets, is taken away before anything else is
/// written.
final class Console: Sendable {
    /// What the streams are attached to.
    let terminal: Terminal
    /// How much is said on standard error.
    let verbosity: Verbosity

    private let canAsk: @Sendable () -> Bool
    private let output: Writer
    private let error: Writer
    private let progressIsShown: Locked<Bool>

    /// Writes octets; gives the error when they cannot be written.
    typealias Writer = @Sendable ([UInt8]) -> Errno?

    /// How much is said on standard error.
    enum Verbosity: Int, Comparable, Sendable {
        /// Failures only.
        case quiet
        /// Failures, warnings, progress.
        case normal
        /// Also what is being done.
        case verbose

        static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// - Parameters:
    ///   - terminal: what the streams are attached to.
    ///   - verbosity: how much is said on standard error.
    ///   - canAsk: whether nobody else reads what is typed.
    ///   - output: writes to standard output.
    ///   - error: writes to standard error.
    init(
        terminal: Terminal, verbosity: Verbosity, canAsk: @escaping @Sendable () -> Bool = { true },
        output: @escaping Writer, error: @escaping Writer
    ) {
        self.canAsk = canAsk
        self.terminal = terminal
        self.verbosity = verbosity
        self.output = output
        self.error = error
        progressIsShown = Locked(false)
    }

    /// The same streams with another verbosity, on a terminal that may have changed its size.
    init(_ console: Console, verbosity: Verbosity, terminal: Terminal) {
        self.terminal = terminal
        self.verbosity = verbosity
        (canAsk, output, error) = (console.canAsk, console.output, console.error)
        progressIsShown = console.progressIsShown
    }

    /// The streams of the process.
    static func standard(_ terminal: Terminal, _ verbosity: Verbosity) -> Console {
        Console(
            terminal: terminal, verbosity: verbosity, output: { writeAll($0, to: STDOUT_FILENO) },
            error: { writeAll($0, to: STDERR_FILENO) })
    }

    /// Writes a line to standard output.
    /// - Throws: `outputClosed` when nobody reads it any more; why it cannot be written, such as for a disk that is full.
    func line(_ text: String) throws(Failure) {
        try raw(text + "\n")
    }

    /// Writes an object as a line to standard output.
    func line(_ object: JSONObject) throws(Failure) {
        try line(object.line)
    }

    /// Writes text as it is to standard output.
    func raw(_ text: String) throws(Failure) {
        try raw(octets: Array(text.utf8))
    }

    /// Writes octets as they are to standard output.
    func raw(octets: [UInt8]) throws(Failure) {
        clearProgress()
        switch output(octets) {
        case nil: break
        case Errno.brokenPipe?, Errno.connectionReset?: throw .outputClosed
        case let problem?: throw Failure(.usage, "cannot write to standard output: \(problem)")
        }
    }

    /// Whether somebody can be asked something now.
    var isInteractive: Bool { terminal.isInteractive && canAsk() }

    private func say(_ text: String) { _ = error(Array(text.utf8)) }

    /// Says on standard error what failed or is doubtful.
    func warn(_ text: String) {
        clearProgress()
        say("btatt: \(printable(text))\n")
    }

    /// Asks something on standard error; the answer is typed on the same line.
    func ask(_ text: String) {
        clearProgress()
        say("\(printable(text)) ")
    }

    /// Ends the line of a question that nobody answered.
    func endLine() { say("\n") }

    /// Says on standard error what is being done, when that was asked for.
    func note(_ text: String) {
        guard verbosity >= .verbose else { return }
        clearProgress()
        say("btatt: \(printable(text))\n")
    }

    /// Writes a line of a trace to standard error.
    func trace(_ text: String) {
        clearProgress()
        say(text + "\n")
    }

    /// Shows how far long work is, on a terminal, in place of what was shown before.
    func progress(_ text: String) {
        guard terminal.errorIsTerminal, verbosity >= .normal else { return }
        progressIsShown.withLock { $0 = true }
        say("\r\u{1B}[K" + shortened(printable(text), to: terminal.width - 1))
    }

    /// Takes the progress line away.
    func clearProgress() {
        let wasShown = progressIsShown.withLock { shown in
            defer { shown = false }
            return shown
        }
        if wasShown { say("\r\u{1B}[K") }
    }
}

/// Writes all octets.
/// - Returns: why the descriptor takes no more, if it does not.
func writeAll(_ octets: [UInt8], to descriptor: Int32) -> Errno? {
    var written = 0
    while written < octets.count {
        // In bounds: `written` is less than the count, and the length is what is left.
        let count = unsafe octets.withUnsafeBytes { buffer in
            unsafe Glibc.write(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
        }
        if count >= 0 {
            written += count
        } else if errno == EAGAIN {
            // A shell may leave the terminal in non-blocking mode: wait until it takes more.
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = unsafe poll(&ready, 1, -1)
        } else if errno != EINTR {
            return Errno(rawValue: errno)
        }
    }
    return nil
}
