import Foundation
import GAP
import Glibc
import Sockets

/// The file in which the devices of this machine are remembered, and how several programs share it.
///
/// `peripherals.json` holds a version, the secret that identifiers are made with, and the devices that were seen.
/// `peripherals.lock` beside it is locked (`flock`) while the file is read and replaced; it is replaced by renaming a
/// complete new one, so that who reads without the lock, or after a crash, finds a whole file.
struct StoreFile {
    /// What the file holds.
    struct Contents: Codable {
        /// How this program writes it; files of later versions are left alone.
        static let version = 1

        var version = Contents.version
        /// Thirty-two hexadecimal digits.
        var key: String
        var peripherals: [Entry] = []
    }

    /// One device.
    struct Entry: Codable {
        /// As `C0:FF:EE:00:00:01/random`.
        var address: String
        /// The name that its attribute server told.
        var name: String?
        /// The name that it advertised last.
        var advertisedName: String?
        /// When it was last seen, in seconds since 1970.
        var seen: Int
    }

    /// Why the file cannot be used.
    enum Failure: Error, CustomStringConvertible {
        case system(String, Int32)
        case laterVersion(Int)

        var description: String {
            switch self {
            case .system(let what, let number): "\(what): \(Errno(rawValue: number))"
            case .laterVersion(let version): "it is of version \(version), which this program does not know"
            }
        }
    }

    /// How many devices are remembered; beyond that those that were seen longest ago are forgotten.
    static let maximumCount = 10_000

    let directory: String
    var path: String { directory + "/peripherals.json" }

    /// Changes the file while no other program does: `body` gets what is there, or something new when there is nothing that
    /// can be read, and changes it in place.
    /// - Returns: what the file holds now.
    func update(_ body: (inout Contents) -> Void) throws -> Contents {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let lock = try openLock()
        defer { close(lock) }
        var contents = try read() ?? Contents(key: Self.newKey())
        body(&contents)
        if contents.peripherals.count > Self.maximumCount {
            contents.peripherals.sort { $0.seen > $1.seen }
            contents.peripherals.removeLast(contents.peripherals.count - Self.maximumCount)
        }
        try replace(contents)
        return contents
    }

    /// Waits for the lock; closing the descriptor gives it back.
    private func openLock() throws -> Int32 {
        let descriptor = unsafe open(directory + "/peripherals.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure.system("cannot open peripherals.lock", errno) }
        while flock(descriptor, LOCK_EX) != 0 {
            let number = errno
            guard number == EINTR else {
                close(descriptor)
                throw Failure.system("cannot lock peripherals.lock", number)
            }
        }
        return descriptor
    }

    private func read() throws -> Contents? {
        guard let data = FileManager.default.contents(atPath: path), !data.isEmpty else { return nil }
        struct Head: Decodable { var version: Int }
        if let head = try? JSONDecoder().decode(Head.self, from: data), head.version > Contents.version {
            throw Failure.laterVersion(head.version)
        }
        if let contents = try? JSONDecoder().decode(Contents.self, from: data), Self.key(contents.key) != nil {
            return contents
        }
        // Damaged, by whatever: it is kept for who wants to look, and a new one is begun.
        Diagnostics.log("\(path) cannot be read; it is kept as \(path).damaged, and devices get new identifiers")
        _ = unsafe rename(path, path + ".damaged")
        return nil
    }

    private func replace(_ contents: Contents) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(contents)
        // Under the lock nobody else writes it.
        let temporary = path + ".new"
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure.system("cannot write \(temporary)", errno) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: data)
        // A power cut must not leave an empty file under the final name.
        guard fsync(descriptor) == 0, unsafe rename(temporary, path) == 0 else {
            throw Failure.system("cannot replace \(path)", errno)
        }
        try handle.close()
    }

    private static func newKey() -> String {
        (0..<2).map { _ in Self.digits(.random(in: .min ... .max)) }.joined()
    }

    private static func digits(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The key as two numbers; `nil` when the text is none.
    static func key(_ text: String) -> (UInt64, UInt64)? {
        guard text.utf8.count == 32, let first = UInt64(text.prefix(16), radix: 16),
            let second = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        return (first, second)
    }
}
