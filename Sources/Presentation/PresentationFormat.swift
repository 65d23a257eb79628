// What a value means can stand beside it. A Characteristic Presentation Format descriptor (Core Specification, Vol 3, Part
// G, 3.3.3.5) says how to read the octets, by which power of ten to multiply, in which unit the number is, and which of
// several equal things it describes. A characteristic of several values put together has one such descriptor for each, and
// a Characteristic Aggregate Format descriptor (3.3.3.6) with their handles in the order of the values.

public import AssignedNumbers
public import GATT
internal import Wire

/// How a device wants a value to be read and shown.
public struct PresentationFormat: Hashable, Sendable {
    /// How the octets are to be read.
    public var format: ValueFormat
    /// The value is to be multiplied by ten to this power, −128 to 127; for integers only.
    public var exponent: Int
    /// The 16-bit UUID of the unit; 0x2700 for none.
    public var unit: UInt16
    /// Who gives out the descriptions: 1 is the Bluetooth SIG.
    public var nameSpace: UInt8
    /// Which of several equal things the value is of, by that name space: 1 is "first", 0x010D "left".
    public var detail: UInt16

    /// The value of a descriptor.
    /// - Returns: nil when it has not seven octets.
    public init?(_ octets: [UInt8]) {
        guard octets.count == 7 else { return nil }
        func number(_ index: Int) -> UInt16 { UInt16(octets[index]) | UInt16(octets[index + 1]) << 8 }
        format = ValueFormat(rawValue: octets[0])
        exponent = Int(Int8(bitPattern: octets[1]))
        unit = number(2)
        nameSpace = octets[4]
        detail = number(5)
    }

    /// The name of the unit in the Assigned Numbers; nil for a number that is not assigned.
    public var unitName: String? { AssignedNumbers.unitName(unit) }

    /// Explains a value by its format.
    /// - Returns: nil when the octets have not the format's length, or the format is opaque or reserved.
    public func decode(_ octets: [UInt8]) -> PresentedValue? {
        var reader = OctetReader(octets.octets)
        guard let content = try? content(&reader), reader.isAtEnd else { return nil }
        return PresentedValue(content: content, format: self)
    }

    /// Explains the values of an aggregate, which stand one after the other.
    /// - Parameter formats: the formats in the order of the Characteristic Aggregate Format.
    /// - Returns: nil when the octets are not what the formats say. Text takes all octets that are left, and can only be the
    ///   last.
    public static func decode(_ octets: [UInt8], by formats: [PresentationFormat]) -> [PresentedValue]? {
        var reader = OctetReader(octets.octets)
        var values: [PresentedValue] = []
        for format in formats {
            guard let content = try? format.content(&reader) else { return nil }
            values.append(PresentedValue(content: content, format: format))
        }
        return reader.isAtEnd ? values : nil
    }

    private func content(_ reader: inout OctetReader) throws(MalformedError) -> PresentedValue.Content? {
        guard let reading = format.reading else { return nil }
        switch reading {
        case .boolean:
            let value = try reader.uint8()
            return value < 2 ? .boolean(value == 1) : nil
        case .unsigned(let bits):
            // Formats of 2, 4 and 12 bits fill whole octets, the upper bits unused.
            let raw = try reader.unsigned((bits + 7) / 8)
            guard bits < 128 else { return raw < 0 ? .large(UInt128(bitPattern: raw)) : decimal(raw) }
            return decimal(raw & ((1 << Int128(bits)) - 1))
        case .signed(let bits):
            let raw = try reader.signed((bits + 7) / 8)
            guard bits < 128 else { return decimal(raw) }
            let low = raw & ((1 << Int128(bits)) - 1)
            return decimal(low >> Int128(bits - 1) == 1 ? low - (1 << Int128(bits)) : low)
        case .float(let bits):
            return bits == 32
                ? .float32(Float(bitPattern: try reader.uint32())) : .float64(Double(bitPattern: try reader.uint64()))
        case .medicalFloat(let bits):
            return .decimal(bits == 16 ? try reader.medicalFloat16() : try reader.medicalFloat32())
        case .pair:
            let first = try reader.uint16()
            return .pair(first, try reader.uint16())
        case .text(let bits):
            guard bits == 16 else {
                var octets = [UInt8](octets: reader.rest())
                // Many devices send NULs at the end.
                while octets.last == 0 { octets.removeLast() }
                return .text(String(decoding: octets, as: UTF8.self))
            }
            var units: [UInt16] = []
            while reader.remaining >= 2 { units.append(try reader.uint16()) }
            return .text(String(decoding: units, as: UTF16.self))
        case .opaque: return nil
        }
    }

    private func decimal(_ mantissa: Int128) -> PresentedValue.Content {
        .decimal(.finite(mantissa: mantissa, exponent: exponent))
    }
}

extension PresentationFormat: CustomStringConvertible {
    /// In words: `sint16 × 10^-2, Celsius temperature (degree Celsius)`.
    public var description: String {
        var text = format.name ?? "reserved format \(Self.hexadecimal(UInt16(format.rawValue)))"
        if exponent != 0, format.usesExponent { text += " × 10^\(exponent)" }
        if unit != 0x2700 { text += ", \(unitName ?? "unit \(Self.hexadecimal(unit))")" }
        return text
    }

    private static func hexadecimal(_ number: UInt16) -> String {
        "0x\([UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)].hexadecimal)"
    }
}

/// The value of a Characteristic Aggregate Format descriptor: which formats apply, in the order of the values.
public struct AggregateFormat: Hashable, Sendable {
    /// The handles of Characteristic Presentation Format descriptors.
    public var handles: [AttributeHandle]

    /// The value of a descriptor.
    /// - Returns: nil when it is no list of two or more handles.
    public init?(_ octets: [UInt8]) {
        guard octets.count >= 4, octets.count % 2 == 0 else { return nil }
        handles = stride(from: 0, to: octets.count, by: 2).map {
            AttributeHandle(rawValue: UInt16(octets[$0]) | UInt16(octets[$0 + 1]) << 8)
        }
    }
}
