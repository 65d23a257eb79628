import Glibc
import Sockets

/// The longest attribute value (Core Specification, Vol 3, Part F, 3.2.9); nothing longer can be meant.
let maximumValueLength = 512

extension CommandContext {
    /// The octets of a value, read from where they are.
    func octets(of value: ValueSource) throws(Failure) -> [UInt8] {
        let octets =
            switch value {
            case .octets(let value): value
            case .standardInput where session?.readsStandardInput == true:
                throw Failure(.usage, "standard input has the commands: it cannot have the value too")
            case .standardInput: try readAll(STDIN_FILENO, "standard input", limit: maximumValueLength)
            case .file(let path): try readFile(path, limit: maximumValueLength)
            }
        guard octets.count <= maximumValueLength else {
            throw Failure(.usage, "the value is too long: an attribute has at most \(maximumValueLength) octets")
        }
        return octets
    }
}

/// The octets of a file; of one that is longer than `limit`, a few more than that.
func readFile(_ path: String, limit: Int = 1 << 24) throws(Failure) -> [UInt8] {
    // The path is a C string for the time of the call.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(.usage, "cannot read \(path): \(lastErrorText())") }
    defer { close(descriptor) }
    return try readAll(descriptor, path, limit: limit)
}

/// Reads to the end, or until there is more than `limit`.
private func readAll(_ descriptor: Int32, _ what: String, limit: Int) throws(Failure) -> [UInt8] {
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while octets.count <= limit {
        // The buffer is as long as is said, for the time of the call.
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
            octets += buffer[..<count]
        } else if count == 0 {
            break
        } else if errno != EINTR {
            throw Failure(.usage, "cannot read \(what): \(lastErrorText())")
        }
    }
    return octets
}

/// Writes a file, in place of one that is there.
func writeFile(_ octets: [UInt8], to path: String) throws(Failure) {
    // The path is a C string for the time of the call.
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Failure(.usage, "cannot write \(path): \(lastErrorText())") }
    let problem = writeAll(octets, to: descriptor)
    guard close(descriptor) == 0, problem == nil else {
        throw Failure(.usage, "cannot write \(path): \(problem?.message ?? lastErrorText())")
    }
}

/// What the last system call's error number means.
func lastErrorText() -> String {
    // strerror gives a C string that stays valid until its next call on this thread.
    unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
}
