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
    /// - Throws: why the file cannot be used; `damaged` when a line of it makes no sense: a counter that is guessed may be
    ///   one that was used.
    public func take(_ fingerprint: String, atLeast least: UInt32 = 0) async throws(StateFileError) -> UInt32? {
        do throws(Errno) {
            try system.makeFolders(file.folder)
        } catch {
            throw StateFileError(.system(error), file.path)
        }
        let lock = try await file.lock()
        let text = String(decoding: try file.read() ?? [], as: UTF8.self)
        var lines = text.split(separator: "\n").map(String.init)
        // A line that was cut off may have a smaller number.
        guard text.isEmpty || text.hasSuffix("\n"), lines.allSatisfy({ Self.next($0) != nil }) else {
            throw StateFileError(.damaged, file.path)
        }
        let prefix = "\(fingerprint) "
        let kept = lines.filter { $0.hasPrefix(prefix) }.compactMap(Self.next).max() ?? 0
        guard let counter = UInt32(exactly: max(kept, UInt64(least))) else { return nil }
        lines.removeAll { $0.hasPrefix(prefix) }
        lines.append(prefix + String(UInt64(counter) + 1))
        try lock.replace(with: Array((lines.joined(separator: "\n") + "\n").utf8))
        return counter
    }

    /// The next counter of a line, a fingerprint and a number up to 2³², at which all have been used; `nil` for any other
    /// line.
    private static func next(_ line: String) -> UInt64? {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, !words[0].isEmpty, let next = UInt64(words[1]), next <= 1 << 32 else { return nil }
        return next
    }
}
