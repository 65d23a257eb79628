/// How well a link is secured: the kernel's `BT_SECURITY` levels, which are the levels of LE security mode 1
/// (Core Specification, Vol 3, Part C, 10.2.1).
public struct SecurityLevel: RawRepresentable, Hashable, Comparable, Sendable {
    public let rawValue: UInt8

    /// The level of the kernel's number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// No encryption (level 1).
    public static let low = SecurityLevel(rawValue: 1)
    /// Encrypted with a key from pairing that need not be authenticated, as Just Works (level 2).
    public static let medium = SecurityLevel(rawValue: 2)
    /// Encrypted with an authenticated key: a passkey or a comparison (level 3).
    public static let high = SecurityLevel(rawValue: 3)
    /// Encrypted with an authenticated key of 128 bits from LE Secure Connections (level 4).
    public static let fips = SecurityLevel(rawValue: 4)

    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

    /// The next stronger level; `nil` when there is none.
    public var next: SecurityLevel? {
        self < .fips ? SecurityLevel(rawValue: rawValue &+ 1) : nil
    }
}

extension SecurityLevel: LosslessStringConvertible {
    /// Reads a name of the command line: `low`, `medium`, `high`, `fips`; anything else is `nil`.
    public init?(_ description: String) {
        let levels: [SecurityLevel] = [.low, .medium, .high, .fips]
        guard let level = levels.first(where: { $0.description == description }) else { return nil }
        self = level
    }

    /// The level's name on the command line: `low`, `medium`, `high` or `fips`.
    public var description: String {
        switch self {
        case .low: "low"
        case .medium: "medium"
        case .high: "high"
        case .fips: "fips"
        default: "level \(rawValue)"
        }
    }
}

/// The security of a link at one moment.
public struct LinkSecurity: Hashable, Sendable {
    /// The level.
    public var level: SecurityLevel
    /// The octets of the encryption key, 7 to 16; 0 on a link that is not encrypted.
    public var keySize: Int

    /// A security of its parts.
    public init(level: SecurityLevel, keySize: Int) {
        self.level = level
        self.keySize = keySize
    }
}
