/// The address of a Unix domain socket: a path, as the octets of a `sockaddr_un`.
public struct UnixAddress: Hashable, Sendable, CustomStringConvertible {
    /// The path of the socket file.
    public let path: String

    /// The longest path in octets: `sun_path` holds 108 with the zero at its end.
    public static let maximumLength = 107

    /// An address.
    /// - Throws: `nameTooLong` above 107 octets, `invalidArgument` for an empty path or one with a zero octet.
    public init(path: String) throws(Errno) {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .invalidArgument }
        guard path.utf8.count <= Self.maximumLength else { throw .nameTooLong }
        self.path = path
    }

    /// `unix:` and the path.
    public var description: String { "unix:\(path)" }

    /// The `sockaddr_un`: the family in the machine's order, the path, a zero.
    var octets: [UInt8] {
        let family = UInt16(truncatingIfNeeded: LinuxNumbers.unixDomain)
        var octets: [UInt8] = []
        octets.reserveCapacity(3 + path.utf8.count)
        unsafe withUnsafeBytes(of: family) { unsafe octets.append(contentsOf: $0) }
        octets.append(contentsOf: path.utf8)
        octets.append(0)
        return octets
    }
}
