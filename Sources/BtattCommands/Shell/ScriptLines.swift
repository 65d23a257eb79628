import Glibc
import Sockets

/// Where a shell gets its lines from.
protocol LineSource: Sendable {
    /// The next line, which is waited for without holding a thread; `nil` at the end. Cancelling the task ends the wait.
    func next() async throws(Failure) -> SourceLine?
}

/// A line, without its end.
struct SourceLine: Hashable, Sendable {
    var text: String
    /// Where it is, in a script.
    var place: ScriptPlace?
}

/// The lines of a file, a pipe or a socket as they come.
final class ScriptLines: LineSource {
    /// The longest line, in octets: many times what any command can need.
    static let longestLine = 65_536

    /// What stands for the file in messages.
    let name: String
    private let descriptor: Int32
    private let ownsDescriptor: Bool
    private let state = Locked(State())

    private struct State {
        var octets: [UInt8] = []
        /// How many of them are done with.
        var used = 0
        /// How many of those after them are known to hold no line's end.
        var searched = 0
        var line = 0
        var isAtEnd = false
    }

    /// - Parameter path: the file; `-` or `nil` for standard input.
    init(_ path: String?) throws(Failure) {
        guard let path, path != "-" else {
            (name, descriptor, ownsDescriptor) = ("standard input", STDIN_FILENO, false)
            return
        }
        name = path
        ownsDescriptor = true
        // The path is a C string for the time of the call. A named pipe is not waited for here.
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Failure(.usage, "cannot read \(path): \(lastErrorText())") }
        var status = stat()
        // The structure is as long as the call expects.
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
            close(descriptor)
            throw Failure(.usage, "cannot read \(path): it is a folder")
        }
    }

    deinit {
        if ownsDescriptor { close(descriptor) }
    }

    func next() async throws(Failure) -> SourceLine? {
        while true {
            if let line = try state.withLock({ (state) throws(Failure) in try take(&state) }) { return line }
            guard !state.withLock({ $0.isAtEnd }) else { return nil }
            guard await ReadableWait().wait(for: descriptor) else { throw .interrupted }
            try read()
        }
    }

    /// The next line among what was read.
    private func take(_ state: inout State) throws(Failure) -> SourceLine? {
        let rest = state.octets[state.used...]
        let end = rest.dropFirst(state.searched).firstIndex(of: UInt8(ascii: "\n"))
        guard let end = end ?? (state.isAtEnd && !rest.isEmpty ? rest.endIndex : nil) else {
            state.searched = rest.count
            if rest.count > Self.longestLine { throw tooLong(state.line + 1) }
            return nil
        }
        state.line += 1
        state.searched = 0
        state.used = min(end + 1, state.octets.endIndex)
        var line = rest[..<end]
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        guard line.count <= Self.longestLine else { throw tooLong(state.line) }
        let place = ScriptPlace(file: name, line: state.line)
        guard !line.contains(0) else { throw Failure(.usage, "the line has a NUL in it: it is no text", at: place) }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw Failure(.usage, "the line is not UTF-8", at: place)
        }
        return SourceLine(text: text, place: place)
    }

    private func tooLong(_ line: Int) -> Failure {
        Failure(
            .usage, "the line is longer than \(Self.longestLine) octets", at: ScriptPlace(file: name, line: line))
    }

    private func read() throws(Failure) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        // The call writes no more than the array holds.
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
        let problem = count < 0 ? errno : 0
        if problem == EINTR || problem == EAGAIN { return }
        if problem != 0 { throw Failure(.usage, "cannot read \(name): \(lastErrorText())") }
        state.withLock { state in
            state.octets.removeFirst(state.used)
            state.used = 0
            if count == 0 { state.isAtEnd = true } else { state.octets += buffer[..<count] }
        }
    }
}
