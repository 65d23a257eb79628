internal import Glibc

/// Finds which programs have HCI sockets open: those that may be scanning.
///
/// `/proc/net/hci` lists the kernel's HCI sockets by inode, and `/proc/PID/fd` names the inodes a process has open. Other
/// users' processes can be looked into by root only; what cannot be read is left out.
public struct BluetoothSocketHolders: Sendable {
    /// The names and process numbers of other programs with HCI sockets: `bluetoothd (412)`.
    public var names: @Sendable () -> [String]
    /// The name and process number of BlueZ's daemon; `nil` when it does not run. Found by its name, by everybody.
    public var daemon: @Sendable () -> String?

    /// A finder of one's own, for tests.
    public init(names: @escaping @Sendable () -> [String], daemon: @escaping @Sendable () -> String? = { nil }) {
        self.names = names
        self.daemon = daemon
    }

    /// Reads `/proc`.
    public static let system = BluetoothSocketHolders(names: { readProcesses() }, daemon: { readDaemon() })

    /// The socket inodes of a table such as `/proc/net/hci`: the sixth column, named in the first line.
    static func inodes(of table: String) -> Set<String> {
        var inodes: Set<String> = []
        for line in table.split(separator: "\n").dropFirst() {
            let columns = line.split(separator: " ", omittingEmptySubsequences: true)
            if columns.count >= 6 { inodes.insert(String(columns[5])) }
        }
        return inodes
    }

    private static func readProcesses() -> [String] {
        guard let table = read("/proc/net/hci") else { return [] }
        let inodes = inodes(of: table)
        guard !inodes.isEmpty else { return [] }
        let own = getpid()
        var names: [String] = []
        for entry in list("/proc") {
            guard let process = Int32(entry), process != own else { continue }
            let holds = list("/proc/\(process)/fd").contains { descriptor in
                guard let target = link("/proc/\(process)/fd/\(descriptor)"), target.hasPrefix("socket:[") else {
                    return false
                }
                return inodes.contains(String(target.dropFirst(8).dropLast()))
            }
            guard holds else { continue }
            let name = read("/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init) ?? "process"
            names.append("\(name) (\(process))")
        }
        return names
    }

    private static func readDaemon() -> String? {
        for entry in list("/proc") {
            guard let process = Int32(entry), read("/proc/\(process)/comm") == "bluetoothd\n" else { continue }
            return "bluetoothd (\(process))"
        }
        return nil
    }

    private static func read(_ path: String) -> String? {
        guard let file = unsafe fopen(path, "re") else { return nil }
        defer { unsafe fclose(file) }
        var octets = [UInt8](repeating: 0, count: 64 * 1024)
        // The call writes no more than the array holds.
        let count = unsafe fread(&octets, 1, octets.count, file)
        return String(decoding: octets[..<count], as: UTF8.self)
    }

    private static func list(_ path: String) -> [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            // The kernel ends the name with a zero within the field.
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { field in
                unsafe String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func link(_ path: String) -> String? {
        var octets = [UInt8](repeating: 0, count: 128)
        let capacity = octets.count
        let count = unsafe octets.withUnsafeMutableBytes { buffer in
            guard let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return 0 }
            // The call writes no more than the array holds.
            return unsafe readlink(path, start, capacity)
        }
        guard count > 0 else { return nil }
        return String(decoding: octets[..<count], as: UTF8.self)
    }
}
