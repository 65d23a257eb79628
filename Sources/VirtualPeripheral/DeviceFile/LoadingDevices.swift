private import Glibc
public import Sockets
import Wire

/// Why the device a person named could not be had.
public enum DeviceLoadError: Error, Hashable, Sendable {
    /// There is no built-in device of this name and no file at this path, or the file cannot be read.
    case unreadable(String, Errno)
    /// The file is no text, or far too long to be a device file.
    case notADeviceFile(String)
    /// The file says something wrong.
    case malformed(String, DeviceFileError)
}

extension DeviceLoadError: CustomStringConvertible {
    public var description: String {
        let names = BuiltInDevice.allCases.map(\.name).joined(separator: ", ")
        return switch self {
        case .unreadable(let name, .noSuchFile):
            "there is no file \(name) and no built-in device of that name (there are \(names))"
        case .unreadable(let path, let error): "the device file \(path) cannot be read: \(error)"
        case .notADeviceFile(let path): "\(path) is not a device file: it is not text, or longer than a megabyte"
        case .malformed(let path, let error): "\(path), \(error)"
        }
    }
}

extension DeviceDescription {
    /// The device a person named: a built-in one, such as `heart-rate`, or the path of a device file.
    public static func load(_ nameOrPath: String) throws(DeviceLoadError) -> DeviceDescription {
        if let builtIn = DeviceDescription(builtIn: nameOrPath) { return builtIn }
        let octets = try read(nameOrPath)
        guard let text = String(validating: octets, as: UTF8.self) else { throw .notADeviceFile(nameOrPath) }
        do throws(DeviceFileError) {
            return try DeviceDescription(parsing: text)
        } catch {
            throw .malformed(nameOrPath, error)
        }
    }

    private static let longestFile = 1_000_000

    private static func read(_ path: String) throws(DeviceLoadError) -> [UInt8] {
        guard let file = unsafe fopen(path, "re") else { throw .unreadable(path, Errno(rawValue: errno)) }
        defer { unsafe fclose(file) }
        var octets: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while true {
            // At most as many octets as the buffer has.
            let count = unsafe fread(&buffer, 1, buffer.count, file)
            octets += buffer[..<count]
            guard octets.count <= longestFile else { throw .notADeviceFile(path) }
            guard count < buffer.count else { continue }
            guard unsafe ferror(file) == 0 else { throw .unreadable(path, Errno(rawValue: errno)) }
            return octets
        }
    }
}
