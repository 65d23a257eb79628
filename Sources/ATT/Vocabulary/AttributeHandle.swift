/// The number of an attribute on one server (Core Specification, Vol 3, Part F, 3.2.2).
///
/// Attributes have handles 0x0001–0xFFFF. 0x0000 is reserved and can still be held, because an Error Response that
/// concerns no attribute carries it and because a peer may send it anywhere.
@frozen
public struct AttributeHandle: RawRepresentable, Hashable, Sendable {
    /// The number.
    public var rawValue: UInt16

    /// A handle of any number, the reserved 0x0000 included.
    @inlinable
    @inline(__always)
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A handle of any number, the reserved 0x0000 included.
    @inlinable
    @inline(__always)
    public init(_ rawValue: UInt16) { self.rawValue = rawValue }

    /// The reserved handle 0x0000, which no attribute has.
    @inlinable
    public static var none: AttributeHandle { AttributeHandle(0) }

    /// The handle 0xFFFF, after which no other can come.
    @inlinable
    public static var maximum: AttributeHandle { AttributeHandle(0xFFFF) }

    /// The next handle; `nil` after 0xFFFF.
    @inlinable
    public var next: AttributeHandle? {
        rawValue == 0xFFFF ? nil : AttributeHandle(rawValue &+ 1)
    }
}

extension AttributeHandle: Comparable {
    /// Whether the number of `a` is below that of `b`.
    @inlinable
    @inline(__always)
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension AttributeHandle: ExpressibleByIntegerLiteral {
    /// A handle from a literal, as in `let handle: AttributeHandle = 0x0025`.
    @inlinable
    public init(integerLiteral value: UInt16) { rawValue = value }
}

extension AttributeHandle: CustomStringConvertible {
    /// Four lower-case hexadecimal digits after `0x`, as in `0x0025`.
    public var description: String { "0x" + hexadecimalDigits(of: rawValue, count: 4) }
}

/// `count` lower-case hexadecimal digits of a number.
func hexadecimalDigits(of number: some BinaryInteger, count: Int) -> String {
    var text = ""
    for digit in stride(from: count - 1, through: 0, by: -1) {
        text.append(hexadecimalCharacter(UInt8(truncatingIfNeeded: number >> (digit * 4))))
    }
    return text
}
