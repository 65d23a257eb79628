public import GAP

/// A long-term key as the kernel tells it and takes it back (`mgmt_ltk_info`): what encrypts later connections to a device.
public struct LongTermKey: Hashable, Sendable {
    /// How a key came about, open to kinds of later kernels.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        public let rawValue: UInt8

        /// The kind of a number.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// LE legacy pairing, without protection against a man in the middle.
        public static let unauthenticated = Self(rawValue: 0x00)
        /// LE legacy pairing by a passkey.
        public static let authenticated = Self(rawValue: 0x01)
        /// LE Secure Connections, without protection against a man in the middle.
        public static let unauthenticatedP256 = Self(rawValue: 0x02)
        /// LE Secure Connections by a passkey or a comparison.
        public static let authenticatedP256 = Self(rawValue: 0x03)
        /// LE Secure Connections with the debug key that everybody knows.
        public static let debugP256 = Self(rawValue: 0x04)
    }

    /// The device's identity: a public or random static address.
    public var address: DeviceAddress
    /// How it came about.
    public var kind: Kind
    /// Whether it is for connections in which this side is the central; legacy pairing makes a key for each role, Secure
    /// Connections one for both, which the kernel tells with 0 here.
    public var isForCentral: Bool
    /// The strength of the key in octets, 7 to 16.
    public var size: UInt8
    /// EDIV, by which the device finds the key again; 0 for Secure Connections.
    public var diversifier: UInt16
    /// Rand, by which the device finds the key again; 0 for Secure Connections.
    public var random: UInt64
    /// The sixteen octets of the key, in order of transmission.
    public var value: UInt128

    /// A key of its parts.
    public init(
        address: DeviceAddress, kind: Kind, isForCentral: Bool, size: UInt8, diversifier: UInt16, random: UInt64,
        value: UInt128
    ) {
        self.address = address
        self.kind = kind
        self.isForCentral = isForCentral
        self.size = size
        self.diversifier = diversifier
        self.random = random
        self.value = value
    }

    /// Whether pairing protected it against a man in the middle.
    public var isAuthenticated: Bool { kind == .authenticated || kind == .authenticatedP256 }

    /// Whether it is of LE Secure Connections.
    public var isSecureConnections: Bool { kind.rawValue >= Kind.unauthenticatedP256.rawValue }

    init(_ reader: inout OctetReader) throws(MalformedError) {
        address = try reader.managementAddress()
        kind = Kind(rawValue: try reader.uint8())
        isForCentral = try reader.uint8() != 0
        size = try reader.uint8()
        diversifier = try reader.uint16()
        random = try reader.uint64()
        value = try reader.uint128()
    }

    func append(to octets: inout [UInt8]) {
        octets.append(address)
        octets.append(kind.rawValue)
        octets.append(isForCentral ? 1 : 0)
        octets.append(size)
        octets.append(littleEndian: diversifier)
        octets.append(littleEndian: random)
        octets.append(littleEndian: value)
    }
}

extension OctetReader {
    /// Reads an address and its type as the management interface counts it: 1 public, 2 random.
    /// - Throws: `invalidValue` for BR/EDR, which is no LE address.
    mutating func managementAddress() throws(MalformedError) -> DeviceAddress {
        let octets = try addressOctets()
        let place = offset
        switch try uint8() {
        case 1: return DeviceAddress(octets, type: .public)
        case 2: return DeviceAddress(octets, type: .random)
        default: throw MalformedError(.invalidValue, at: place)
        }
    }

    /// Reads a number of sixteen octets.
    mutating func uint128() throws(MalformedError) -> UInt128 {
        let low = try uint64()
        return UInt128(try uint64()) << 64 | UInt128(low)
    }
}

extension [UInt8] {
    /// Appends a number, its least significant octet first.
    mutating func append<Number: FixedWidthInteger>(littleEndian value: Number) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: value >> Number(shift)))
        }
    }

    /// Appends an address and its type as the management interface counts it.
    mutating func append(_ address: DeviceAddress) {
        let octets = address.octets.inTransmissionOrder
        self += [octets.0, octets.1, octets.2, octets.3, octets.4, octets.5, address.type == .public ? 1 : 2]
    }
}
