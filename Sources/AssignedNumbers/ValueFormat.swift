// A Characteristic Presentation Format descriptor (Core Specification, Vol 3, Part G, 3.3.3.5) says how to show a
// value: format, exponent, unit, name space and description. Formats are listed in Assigned Numbers, 2.4.1.

/// The format of a characteristic value, as a presentation format descriptor states it.
public struct ValueFormat: RawRepresentable, Hashable, Sendable {
    /// The number in the descriptor.
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// How the octets of a format are to be read.
    public enum Reading: Hashable, Sendable {
        /// True or false.
        case boolean
        /// A number without sign of so many bits, least significant octet first.
        case unsigned(bits: Int)
        /// A two's complement number of so many bits, least significant octet first.
        case signed(bits: Int)
        /// An IEEE 754 number of 32 or 64 bits.
        case float(bits: Int)
        /// A medical number of IEEE 11073: SFLOAT with 16 bits, FLOAT with 32.
        case medicalFloat(bits: Int)
        /// Two 16-bit numbers without sign ("duint16").
        case pair
        /// Text in UTF-8 or UTF-16.
        case text(bits: Int)
        /// A structure that only the value's own specification explains.
        case opaque
    }

    /// The format's name in Assigned Numbers, such as `uint16`; `nil` for a reserved number.
    public var name: String? { entry?.name }

    /// How the octets are to be read; `nil` for a reserved number.
    public var reading: Reading? { entry?.reading }

    /// Whether the exponent of the descriptor applies (Core Specification, Vol 3, Part G, 3.3.3.5.3: integers only).
    public var usesExponent: Bool {
        switch reading {
        case .unsigned, .signed: true
        default: false
        }
    }

    private var entry: (name: String, reading: Reading)? {
        guard rawValue >= 1, Int(rawValue) <= Self.entries.count else { return nil }
        return Self.entries[Int(rawValue) - 1]
    }

    /// From 0x01 on, in order.
    private static let entries: [(name: String, reading: Reading)] = [
        ("boolean", .boolean),
        ("uint2", .unsigned(bits: 2)),
        ("uint4", .unsigned(bits: 4)),
        ("uint8", .unsigned(bits: 8)),
        ("uint12", .unsigned(bits: 12)),
        ("uint16", .unsigned(bits: 16)),
        ("uint24", .unsigned(bits: 24)),
        ("uint32", .unsigned(bits: 32)),
        ("uint48", .unsigned(bits: 48)),
        ("uint64", .unsigned(bits: 64)),
        ("uint128", .unsigned(bits: 128)),
        ("sint8", .signed(bits: 8)),
        ("sint12", .signed(bits: 12)),
        ("sint16", .signed(bits: 16)),
        ("sint24", .signed(bits: 24)),
        ("sint32", .signed(bits: 32)),
        ("sint48", .signed(bits: 48)),
        ("sint64", .signed(bits: 64)),
        ("sint128", .signed(bits: 128)),
        ("float32", .float(bits: 32)),
        ("float64", .float(bits: 64)),
        ("medfloat16", .medicalFloat(bits: 16)),
        ("medfloat32", .medicalFloat(bits: 32)),
        ("uint16[2]", .pair),
        ("utf8s", .text(bits: 8)),
        ("utf16s", .text(bits: 16)),
        ("struct", .opaque),
        ("medASN1", .opaque),
    ]
}
