/// The six octets of a Bluetooth device address, without its type (Core Specification, Vol 6, Part B, 1.3).
///
/// Alone they do not name a device: the same octets may be a public and a random address. People often type only
/// them, hence the type of its own.
@frozen
public struct AddressOctets: Hashable, Sendable {
    /// The address as a number below 2⁴⁸: the octet that is written first is the most significant.
    public let value: UInt64

    /// An address from a number, of which the low 48 bits count.
    @inlinable
    public init(value: UInt64) {
        self.value = value & 0xFFFF_FFFF_FFFF
    }

    /// The octets in order of transmission: the least significant, written last, is first.
    @inlinable
    public var inTransmissionOrder: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) {
        (
            UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8),
            UInt8(truncatingIfNeeded: value >> 16), UInt8(truncatingIfNeeded: value >> 24),
            UInt8(truncatingIfNeeded: value >> 32), UInt8(truncatingIfNeeded: value >> 40)
        )
    }

    /// An address from its octets in order of transmission: the least significant, written last, is first.
    @inlinable
    public init(inTransmissionOrder octets: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8)) {
        value =
            UInt64(octets.0) | UInt64(octets.1) << 8 | UInt64(octets.2) << 16
            | UInt64(octets.3) << 24 | UInt64(octets.4) << 32 | UInt64(octets.5) << 40
    }
}

extension AddressOctets: LosslessStringConvertible {
    /// Reads `AA:BB:CC:DD:EE:FF`, in either case; anything else is `nil`.
    public init?(_ description: String) {
        var value: UInt64 = 0
        var position = 0
        for unit in description.utf8 {
            guard position < 17 else { return nil }
            if position % 3 == 2 {
                guard unit == 0x3A else { return nil }
            } else {
                guard let digit = hexadecimalDigit(unit) else { return nil }
                value = value << 4 | UInt64(digit)
            }
            position &+= 1
        }
        guard position == 17 else { return nil }
        self.init(value: value)
    }

    /// The address in upper case with colons: `AA:BB:CC:DD:EE:FF`.
    public var description: String {
        var text = ""
        text.reserveCapacity(17)
        for shift in stride(from: 44 as UInt64, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: value >> shift) & 0xF
            text.unicodeScalars.append(Unicode.Scalar(digit < 10 ? 0x30 &+ digit : 0x37 &+ digit))
            if shift % 8 == 0, shift > 0 { text.append(":") }
        }
        return text
    }
}
