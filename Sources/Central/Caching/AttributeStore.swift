public import GATT
public import Sockets

/// Keeps what was discovered of devices between connections and between runs of a program: one file for each device.
///
/// Several processes may use the same folder at once: a file is replaced as a whole, by one writer at a time. What it holds
/// is only believed when the device proves it by its Database Hash, or is bonded (see `Connection.attributes`).
public struct AttributeStore: Sendable {
    /// The folder.
    public let folder: String
    private let system: any SystemCalls

    /// A store in a folder, which is made when something is kept.
    public init(folder: String, system: any SystemCalls = LinuxSystemCalls()) {
        self.folder = folder
        self.system = system
    }

    /// What is kept of a device; `nil` when that is nothing, or nothing that can be used.
    /// - Parameter device: the device's identity: a stable address with its type, or whatever names it for good.
    public func attributes(of device: String) -> KnownDatabase? {
        guard let octets = try? file(of: device).read(), !octets.isEmpty else { return nil }
        return try? KnownDatabase(parsing: String(decoding: octets, as: UTF8.self), for: device)
    }

    /// Keeps what is known of a device.
    /// - Throws: why it cannot be kept.
    public func keep(_ attributes: KnownDatabase, of device: String) async throws(StateFileError) {
        try makeFolders()
        let lock = try await file(of: device).lock()
        try lock.replace(with: Array(attributes.text(for: device).utf8))
    }

    /// Forgets what is kept of a device.
    /// - Throws: why it cannot be forgotten.
    public func forget(_ device: String) async throws(StateFileError) {
        let file = file(of: device)
        guard let octets = try file.read(), !octets.isEmpty else { return }
        let lock = try await file.lock()
        // An empty file holds nothing; removing it would race with a writer that has just put a new one in its place.
        try lock.replace(with: [])
    }

    /// The file of a device: as much of its name as can stand in a file's, and a number that tells equal ones apart. The
    /// whole name stands in the file.
    func file(of device: String) -> StateFile {
        let plain = device.utf8.prefix(64).map { octet -> Character in
            let isPlain =
                (0x30...0x39).contains(octet) || (0x41...0x5A).contains(octet) || (0x61...0x7A).contains(octet)
            return isPlain ? Character(UnicodeScalar(octet)) : "-"
        }
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for octet in device.utf8 { sum = (sum ^ UInt64(octet)) &* 0x0000_0100_0000_01B3 }
        return StateFile(path: "\(folder)/\(String(plain))-\(String(sum, radix: 36)).attributes", system: system)
    }

    private func makeFolders() throws(StateFileError) {
        do throws(Errno) {
            try system.makeFolders(folder)
        } catch {
            throw StateFileError(.system(error), folder)
        }
    }
}

extension SystemCalls {
    /// Makes a folder and those above it, for their owner only, as far as they are missing.
    package func makeFolders(_ path: String) throws(Errno) {
        do throws(Errno) {
            try makeFolder(path, mode: 0o700)
        } catch .fileExists {
        } catch .noSuchFile {
            guard let end = path.lastIndex(of: "/"), end > path.startIndex else { throw .noSuchFile }
            try makeFolders(String(path[..<end]))
            do throws(Errno) { try makeFolder(path, mode: 0o700) } catch .fileExists {}
        }
    }
}
