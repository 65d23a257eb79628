/// The address of a Bluetooth LE device: six octets and whether they are public or random
/// (Core Specification, Vol 6, Part B, 1.3).
///
/// The type is part of the address. Connecting to the right octets with the wrong type reaches nobody.
@frozen
public struct DeviceAddress: Hashable, Sendable {
    /// Where the octets of an address come from.
    @frozen
    public enum AddressType: UInt8, Sendable, CaseIterable {
        /// Assigned by the IEEE to the maker of the device.
        case `public` = 0x00
        /// Chosen by the device; the two most significant bits say how (`Kind`).
        case random = 0x01
    }

    /// What sort of address it is (Core Specification, Vol 6, Part B, 1.3).
    @frozen
    public enum Kind: Sendable {
        /// A public address: for ever the same.
        case `public`
        /// A random static address: the same at least until the device is switched off.
        case staticRandom
        /// A resolvable private address: changes every few minutes; who has the identity resolving key recognises it.
        case resolvablePrivate
        /// A non-resolvable private address: changes and cannot be recognised.
        case nonResolvablePrivate
        /// A random address whose two most significant bits are reserved.
        case reserved
    }

    /// The address in the low 48 bits, the type in bit 48: equal exactly when two addresses are.
    public let packed: UInt64

    /// An address from its octets and type.
    @inlinable
    public init(_ octets: AddressOctets, type: AddressType) {
        packed = octets.value | UInt64(type.rawValue) << 48
    }

    /// An address from the low 48 bits of a number, most significant octet written first, and its type.
    @inlinable
    public init(value: UInt64, type: AddressType) {
        self.init(AddressOctets(value: value), type: type)
    }

    /// The six octets.
    @inlinable
    public var octets: AddressOctets { AddressOctets(value: packed) }

    /// Whether the address is public or random.
    @inlinable
    public var type: AddressType { packed >> 48 == 0 ? .public : .random }

    /// What sort of address it is, by its type and its two most significant bits.
    @inlinable
    public var kind: Kind {
        if type == .public { return .public }
        switch octets.value >> 46 {
        case 0b11: return .staticRandom
        case 0b01: return .resolvablePrivate
        case 0b00: return .nonResolvablePrivate
        default: return .reserved
        }
    }

    /// Whether the address still names the device after it was switched off and on, or after some minutes:
    /// public and random static ones do.
    @inlinable
    public var isStable: Bool { kind == .public || kind == .staticRandom }
}

extension DeviceAddress: LosslessStringConvertible {
    /// Reads `AA:BB:CC:DD:EE:FF/public` or `AA:BB:CC:DD:EE:FF/random`, in either case; anything else, an address
    /// without its type too, is `nil`. For text that may leave the type out see `AddressOctets`.
    public init?(_ description: String) {
        let parts = description.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let octets = AddressOctets(String(parts[0])) else { return nil }
        switch parts[1].lowercased() {
        case "public": self.init(octets, type: .public)
        case "random": self.init(octets, type: .random)
        default: return nil
        }
    }

    /// The address in upper case with its type: `C0:FF:EE:00:00:01/random`.
    public var description: String { "\(octets)/\(type)" }
}

extension DeviceAddress.AddressType: CustomStringConvertible {
    /// `public` or `random`.
    public var description: String { self == .public ? "public" : "random" }
}

extension DeviceAddress.Kind: CustomStringConvertible {
    /// The specification's words: `random static`, `resolvable private`, …
    public var description: String {
        switch self {
        case .public: "public"
        case .staticRandom: "random static"
        case .resolvablePrivate: "resolvable private"
        case .nonResolvablePrivate: "non-resolvable private"
        case .reserved: "reserved"
        }
    }
}

extension OctetReader {
    /// Reads the six octets of an address.
    /// - Throws: `truncated` when fewer than six octets are left.
    @inlinable
    @inline(__always)
    public mutating func addressOctets() throws(MalformedError) -> AddressOctets {
        guard remaining >= 6 else { throw MalformedError(.truncated, at: offset) }
        let low = try uint32()
        let high = try uint16()
        return AddressOctets(value: UInt64(low) | UInt64(high) << 32)
    }
}

extension OutputRawSpan {
    /// Appends the six octets of an address, least significant first. Six octets must be free.
    @inlinable
    @_lifetime(self: copy self)
    public mutating func append(_ address: AddressOctets) {
        append(littleEndian: UInt32(truncatingIfNeeded: address.value))
        append(littleEndian: UInt16(truncatingIfNeeded: address.value >> 32))
    }
}
