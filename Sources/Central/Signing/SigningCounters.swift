public import Sockets

/// Keeps the counters of signing keys between runs of a program. A counter that was used once must never be used again,
/// whoever uses it: it counts as used before the message is sent, and several processes share the file.
public struct SigningCounters: Sendable {
    private let file: StateFile
    private let system: any SystemCalls

    /// Counters in a file, which need not exist.
    public init(path: String, system: any SystemCalls = LinuxSystemCalls()) {
        file = StateFile(path: path, system: system)
        self.system = system
    }

    /// Takes the next counter of a key.
    /// - Parameters:
    ///   - fingerprint: names the key; see `SigningKey.fingerprint`.
    ///   - least: a counter that is not to be fallen short of, when the key was used elsewhere.
    /// - Returns: the counter; `nil` when all of the key have been used.
    /// - Throws: why the file cannot be used.
    public func take(_ fingerprint: String, atLeast least: UInt32 = 0) async throws(StateFileError) -> UInt32? {
        do throws(Errno) {
            try system.makeFolders(file.folder)
        } catch {
            throw StateFileError(.system(error), file.path)
        }
        let lock = try await file.lock()
        var lines = String(decoding: try file.read() ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
        let prefix = "\(fingerprint) "
        let index = lines.firstIndex { $0.hasPrefix(prefix) }
        let kept = index.flatMap { UInt64(lines[$0].dropFirst(prefix.count)) } ?? 0
        guard let counter = UInt32(exactly: max(kept, UInt64(least))) else { return nil }
        let line = prefix + String(UInt64(counter) + 1)
        if let index { lines[index] = line } else { lines.append(line) }
        try lock.replace(with: Array((lines.joined(separator: "\n") + "\n").utf8))
        return counter
    }
}
