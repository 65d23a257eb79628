import Central
import Sockets

/// The lines that were typed in shells, kept in a file that only its owner can read and that several shells may share.
final class ShellHistory: Sendable {
    /// How many lines are kept.
    static let limit = 1_000
    /// The longest line that is kept, in octets.
    static let longestLine = 1_024

    /// The lines of earlier shells, the oldest first.
    let lines: [String]
    private let file: StateFile?
    private let system: any SystemCalls = LinuxSystemCalls()
    private let last: Locked<String?>
    private let isBroken = Locked(false)

    /// - Parameter path: the file, which need not exist; `nil` keeps nothing.
    init(path: String?) {
        let file = path.map { StateFile(path: $0) }
        let lines = (try? file?.read()).map { Self.lines(of: $0) } ?? []
        self.file = file
        self.lines = lines
        last = Locked(lines.last)
    }

    /// Whether a line is kept: blank ones are not, those that begin with a blank, and those with a key or a passkey.
    static func keeps(_ line: String) -> Bool {
        guard let first = line.utf8.first, first != UInt8(ascii: " "), first != UInt8(ascii: "\t"),
            line.utf8.count <= longestLine, !line.utf8.contains(where: { $0 < 0x20 })
        else { return false }
        let secrets = ["--csrk", "--passkey"]
        return !ShellLine(line.utf8).words.contains { word in secrets.contains { word.text.hasPrefix($0) } }
    }

    /// Adds a line to the file, unless it is the one before again.
    /// - Returns: why that is not possible, the first time.
    func add(_ line: String) async -> String? {
        guard let file, Self.keeps(line), !isBroken.withLock({ $0 }) else { return nil }
        let isNew = last.withLock { last in
            defer { last = line }
            return last != line
        }
        guard isNew else { return nil }
        let problem: String
        do throws(StateFileError) {
            do throws(Errno) {
                try system.makeFolders(file.folder)
            } catch {
                throw StateFileError(.system(error), file.path)
            }
            let lock = try await file.lock(waitingAtMost: .milliseconds(500))
            // Others may have added lines.
            var lines = Self.lines(of: try file.read() ?? [])
            lines.append(line)
            try lock.replace(with: Array(lines.suffix(Self.limit).map { "\($0)\n" }.joined().utf8))
            return nil
        } catch {
            problem = error.description
        }
        isBroken.withLock { $0 = true }
        return problem
    }

    private static func lines(of octets: [UInt8]?) -> [String] {
        let lines = (octets ?? []).split(separator: UInt8(ascii: "\n")).suffix(limit)
        return lines.map { String(decoding: $0, as: UTF8.self) }.filter(keeps)
    }
}
