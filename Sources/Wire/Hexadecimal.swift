/// The value of an ASCII hexadecimal digit in either case; `nil` for any other octet.
@inlinable
public func hexadecimalDigit(_ unit: UInt8) -> UInt8? {
    switch unit {
    case 0x30...0x39: unit &- 0x30
    case 0x41...0x46: unit &- 0x41 &+ 10
    case 0x61...0x66: unit &- 0x61 &+ 10
    default: nil
    }
}

/// The lower-case character of a value below 16; the four low bits count.
@inlinable
public func hexadecimalCharacter(_ value: UInt8) -> Character {
    let digit = value & 0xF
    return Character(Unicode.Scalar(digit < 10 ? 0x30 &+ digit : 0x57 &+ digit))
}

extension RawSpan {
    /// The octets as lower-case hexadecimal digits, without spaces, in order of transmission.
    public var hexadecimal: String {
        var text = ""
        text.reserveCapacity(byteCount * 2)
        for offset in 0..<byteCount {
            // In bounds by the loop.
            let octet = unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt8.self)
            text.append(hexadecimalCharacter(octet >> 4))
            text.append(hexadecimalCharacter(octet))
        }
        return text
    }
}

extension [UInt8] {
    /// The octets as lower-case hexadecimal digits, without spaces.
    public var hexadecimal: String { octets.hexadecimal }

    /// Octets from hexadecimal digits in either case; spaces between octets are allowed. `nil` for anything else.
    public init?(hexadecimal text: some StringProtocol) {
        self = []
        var pending: UInt8?
        for unit in text.utf8 {
            if unit == 0x20 {
                guard pending == nil else { return nil }
                continue
            }
            guard let digit = hexadecimalDigit(unit) else { return nil }
            if let high = pending {
                append(high << 4 | digit)
                pending = nil
            } else {
                pending = digit
            }
        }
        guard pending == nil else { return nil }
    }
}
