/// A Bluetooth UUID of 16, 32 or 128 bits (Core Specification, Vol 3, Part B, 2.5.1).
///
/// The short forms abbreviate 128-bit UUIDs over the Bluetooth Base UUID `00000000-0000-1000-8000-00805F9B34FB`.
/// Equality and hashing compare the 128-bit values, so `180D`, `0000180D` and `0000180D-0000-1000-8000-00805F9B34FB`
/// are equal; `width` keeps the form in which the UUID was given, for encoding.
@frozen
public struct BluetoothUUID: Sendable {
    /// The number of bits of the form in which a UUID was given.
    @frozen
    public enum Width: UInt8, Sendable {
        case bits16 = 2
        case bits32 = 4
        case bits128 = 16

        /// How many octets the form takes on the wire.
        @inlinable
        public var octetCount: Int { Int(rawValue) }
    }

    /// The 64 most significant bits of the 128-bit value.
    public let high: UInt64
    /// The 64 least significant bits of the 128-bit value.
    public let low: UInt64
    /// The form in which the UUID was given.
    public let width: Width

    @usableFromInline static let baseHigh: UInt64 = 0x0000_0000_0000_1000
    @usableFromInline static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

    /// A 16-bit UUID.
    @inlinable
    public init(_ value: UInt16) {
        high = UInt64(value) << 32 | 0x1000
        low = 0x8000_0080_5F9B_34FB
        width = .bits16
    }

    /// A 32-bit UUID.
    @inlinable
    public init(_ value: UInt32) {
        high = UInt64(value) << 32 | 0x1000
        low = 0x8000_0080_5F9B_34FB
        width = .bits32
    }

    /// A 128-bit UUID from its halves; `high` holds the digits that are written first.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
        width = .bits128
    }

    /// The 16-bit value, when the UUID has one, whatever form it was given in.
    @inlinable
    public var uint16: UInt16? {
        guard low == 0x8000_0080_5F9B_34FB, high & 0xFFFF_FFFF == 0x1000 else { return nil }
        return UInt16(exactly: high >> 32)
    }

    /// The 32-bit value, when the UUID has one, whatever form it was given in.
    @inlinable
    public var uint32: UInt32? {
        guard low == 0x8000_0080_5F9B_34FB, high & 0xFFFF_FFFF == 0x1000 else { return nil }
        return UInt32(truncatingIfNeeded: high >> 32)
    }

    /// The same UUID in its 128-bit form.
    @inlinable
    public var expanded: BluetoothUUID { BluetoothUUID(high: high, low: low) }

    /// The same UUID in the shortest form that can hold it.
    @inlinable
    public var shortened: BluetoothUUID {
        if let uint16 { return BluetoothUUID(uint16) }
        if let uint32 { return BluetoothUUID(uint32) }
        return expanded
    }
}

extension BluetoothUUID: Hashable {
    @inlinable
    public static func == (a: Self, b: Self) -> Bool { a.high == b.high && a.low == b.low }

    @inlinable
    public func hash(into hasher: inout Hasher) {
        hasher.combine(high)
        hasher.combine(low)
    }
}

extension BluetoothUUID: ExpressibleByIntegerLiteral {
    /// A 16-bit UUID, as in `let heartRate: BluetoothUUID = 0x180D`.
    @inlinable
    public init(integerLiteral value: UInt16) { self.init(value) }
}

extension BluetoothUUID: LosslessStringConvertible {
    /// Reads `180d`, `0000180d` or `0000180d-0000-1000-8000-00805f9b34fb`, in either case; an `0x` before the short
    /// forms is allowed. Anything else is `nil`.
    public init?(_ description: String) {
        var digits: [UInt8] = []
        var hyphens: [Int] = []
        var text = description.utf8[...]
        let prefixed = text.starts(with: "0x".utf8) || text.starts(with: "0X".utf8)
        if prefixed { text = text.dropFirst(2) }
        for (index, unit) in text.enumerated() {
            if unit == 0x2D {
                hyphens.append(index)
            } else if let digit = hexadecimalDigit(unit) {
                digits.append(digit)
            } else {
                return nil
            }
            guard index < 36 else { return nil }
        }
        func number(_ range: Range<Int>) -> UInt64 {
            digits[range].reduce(0) { $0 << 4 | UInt64($1) }
        }
        switch (digits.count, hyphens) {
        case (4, []): self.init(UInt16(truncatingIfNeeded: number(0..<4)))
        case (8, []): self.init(UInt32(truncatingIfNeeded: number(0..<8)))
        case (32, [8, 13, 18, 23]) where !prefixed: self.init(high: number(0..<16), low: number(16..<32))
        case (32, []) where !prefixed: self.init(high: number(0..<16), low: number(16..<32))
        default: return nil
        }
    }

    /// The UUID in lower case and in the form it was given in: `180d`, `0000180d`,
    /// `0000180d-0000-1000-8000-00805f9b34fb`.
    public var description: String {
        var text = ""
        func append(_ value: UInt64, digits: Int) {
            for shift in stride(from: (digits - 1) * 4, through: 0, by: -4) {
                text.append(hexadecimalCharacter(UInt8(truncatingIfNeeded: value >> UInt64(shift)) & 0xF))
            }
        }
        switch width {
        case .bits16: append(high >> 32, digits: 4)
        case .bits32: append(high >> 32, digits: 8)
        case .bits128:
            append(high >> 32, digits: 8)
            text += "-"
            append(high >> 16, digits: 4)
            text += "-"
            append(high, digits: 4)
            text += "-"
            append(low >> 48, digits: 4)
            text += "-"
            append(low, digits: 12)
        }
        return text
    }
}
