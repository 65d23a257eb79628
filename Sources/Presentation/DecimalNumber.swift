// Numbers of GATT values are decimal: an integer and a power of ten. They are kept so, because a binary fraction would show
// digits that the device never sent.

public import Wire

/// A decimal number of exact digits: `mantissa` × 10^`exponent`, or one of the values that are no numbers.
public enum DecimalNumber: Hashable, Sendable, CustomStringConvertible {
    /// A number.
    case finite(mantissa: Int128, exponent: Int)
    /// Larger than what the format can hold.
    case infinity(isNegative: Bool)
    /// No number, or one that does not fit: IEEE 11073 tells them apart, people do not.
    case undefined(String)

    /// The number, in plain digits as long as they are few: `36.6`, `1200`, `5e-30`.
    public var description: String {
        switch self {
        case .finite(let mantissa, let exponent): Self.digits(mantissa, exponent)
        case .infinity(let isNegative): isNegative ? "-infinity" : "infinity"
        case .undefined(let what): what
        }
    }

    private static func digits(_ mantissa: Int128, _ exponent: Int) -> String {
        let sign = mantissa < 0 ? "-" : ""
        let digits = String(mantissa.magnitude)
        guard exponent != 0, mantissa != 0 else {
            let zeros = exponent < 0 && exponent > -20 ? "." + String(repeating: "0", count: -exponent) : ""
            return sign + digits + zeros
        }
        guard abs(exponent) < 20 else { return "\(sign)\(digits)e\(exponent)" }
        if exponent > 0 { return sign + digits + String(repeating: "0", count: exponent) }
        let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
        return "\(sign)\(padded.dropLast(-exponent)).\(padded.suffix(-exponent))"
    }
}

extension OctetReader {
    /// A number without sign of at most 15 octets, least significant first; the topmost bit of a sixteenth is a sign.
    /// - Throws: `truncated` when there are fewer.
    public mutating func unsigned(_ count: Int) throws(MalformedError) -> Int128 {
        var number: UInt128 = 0
        for index in 0..<count { number |= UInt128(try uint8()) << UInt128(index * 8) }
        return Int128(truncatingIfNeeded: number)
    }

    /// A two's complement number of at most 16 octets, least significant first.
    /// - Throws: `truncated` when there are fewer.
    public mutating func signed(_ count: Int) throws(MalformedError) -> Int128 {
        let number = try unsigned(count)
        let bits = Int128(count * 8)
        guard bits < 128, number >> (bits - 1) & 1 == 1 else { return number }
        return number - (1 << bits)
    }

    /// An IEEE 11073 FLOAT: a 24-bit mantissa and an 8-bit exponent, both with sign.
    /// - Throws: `truncated`.
    public mutating func medicalFloat32() throws(MalformedError) -> DecimalNumber {
        let mantissa = try signed(3)
        let exponent = try signed(1)
        switch mantissa {
        case 0x7F_FFFE where exponent == 0: return .infinity(isNegative: false)
        case -0x7F_FFFE where exponent == 0: return .infinity(isNegative: true)
        case 0x7F_FFFF where exponent == 0: return .undefined("not a number")
        case -0x80_0000 where exponent == 0: return .undefined("not at this resolution")
        case -0x7F_FFFF where exponent == 0: return .undefined("reserved")
        default: return .finite(mantissa: mantissa, exponent: Int(exponent))
        }
    }

    /// An IEEE 11073 SFLOAT: a 12-bit mantissa and a 4-bit exponent, both with sign.
    /// - Throws: `truncated`.
    public mutating func medicalFloat16() throws(MalformedError) -> DecimalNumber {
        let word = try uint16()
        let mantissa = Int(word & 0xFFF) - (word & 0x800 != 0 ? 0x1000 : 0)
        let exponent = Int(word >> 12) - (word & 0x8000 != 0 ? 0x10 : 0)
        switch mantissa {
        case 0x7FE where exponent == 0: return .infinity(isNegative: false)
        case -0x7FE where exponent == 0: return .infinity(isNegative: true)
        case 0x7FF where exponent == 0: return .undefined("not a number")
        case -0x800 where exponent == 0: return .undefined("not at this resolution")
        case -0x7FF where exponent == 0: return .undefined("reserved")
        default: return .finite(mantissa: Int128(mantissa), exponent: exponent)
        }
    }
}
