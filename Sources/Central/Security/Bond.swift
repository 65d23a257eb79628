public import GAP

/// What is kept of a device that this machine is bonded with, but for the keys themselves.
public struct Bond: Hashable, Sendable {
    /// The adapter with which it was paired; keys are of no use to another one. Zeros for an adapter without a public
    /// address.
    public var adapter: AddressOctets
    /// The device's identity: the address that it is connected to by, also when it advertises others.
    public var address: DeviceAddress
    /// Whether pairing was protected against a man in the middle.
    public var isAuthenticated: Bool
    /// Whether the key was made by LE Secure Connections, which who listens to the pairing cannot compute.
    public var isSecureConnections: Bool
    /// The strength of the key in octets, 7 to 16.
    public var keySize: Int
    /// Whether the device is recognised behind resolvable private addresses.
    public var hasIdentityKey: Bool
    /// When it was paired, in seconds since 1970, UTC.
    public var unixSeconds: Int64
}

extension Bond: CustomStringConvertible {
    /// The device and what sort of key there is, for a person.
    public var description: String {
        let protection = isAuthenticated ? "protected" : "not protected against a man in the middle"
        let kind = isSecureConnections ? "LE Secure Connections" : "LE legacy pairing"
        return "\(address), \(kind), \(protection), key of \(keySize) octets"
    }
}
