/// Which connection: 12 bits the controller chose (Core Specification, Vol 4, Part E, 5.3).
@frozen
public struct ConnectionHandle: RawRepresentable, Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
    public let rawValue: UInt16

    /// A handle, of which the low 12 bits count.
    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue & 0x0FFF }

    /// A handle, of which the low 12 bits count.
    @inlinable
    public init(integerLiteral value: UInt16) { self.init(rawValue: value) }

    @inlinable
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension ConnectionHandle: CustomStringConvertible {
    /// The number: `0x0040`.
    public var description: String {
        "0x\([UInt8(truncatingIfNeeded: rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)].hexadecimal)"
    }
}
