import AssignedNumbers
import Wire

/// How a device wants a value to be shown: the value of its Characteristic Presentation Format descriptor (Core
/// Specification, Vol 3, Part G, 3.3.3.5).
struct PresentationFormat: Hashable, Sendable {
    var format: ValueFormat
    /// The value is to be multiplied by ten to this power.
    var exponent: Int
    var unit: UInt16
    /// 1 for the Bluetooth SIG's descriptions.
    var nameSpace: UInt8
    var detail: UInt16

    init(_ reader: inout OctetReader) throws(MalformedError) {
        format = ValueFormat(rawValue: try reader.uint8())
        exponent = Int(try reader.signed(1))
        unit = try reader.uint16()
        nameSpace = try reader.uint8()
        detail = try reader.uint16()
    }

    /// The format in a descriptor's value; `nil` when that has not seven octets.
    init?(_ octets: [UInt8]) {
        var reader = OctetReader(octets.octets)
        guard octets.count == 7, let format = try? PresentationFormat(&reader) else { return nil }
        self = format
    }

    var description: String {
        var text = format.name ?? "reserved format \(hexadecimal(UInt16(format.rawValue)))"
        if exponent != 0, format.usesExponent { text += " × 10^\(exponent)" }
        if unit != 0x2700 { text += ", \(AssignedNumbers.unitName(unit) ?? "unit \(hexadecimal(unit))")" }
        return text
    }

    var json: JSONObject {
        [
            "format": .string(format.name ?? String(format.rawValue)), "exponent": .integer(exponent),
            "unit": .integer(Int(unit)), "unitName": AssignedNumbers.unitName(unit).map { .string($0) },
            "namespace": .integer(Int(nameSpace)), "description": .integer(Int(detail)),
        ]
    }

    /// Explains a value by its format.
    /// - Returns: `nil` when the octets do not have the format's length, or the format is opaque or reserved.
    func decode(_ octets: [UInt8]) -> DecodedValue? {
        var reader = OctetReader(octets.octets)
        guard let reading = format.reading, let value = try? decode(reading, &reader), reader.isAtEnd else {
            return nil
        }
        return value
    }

    private func decode(
        _ reading: ValueFormat.Reading, _ reader: inout OctetReader
    ) throws(MalformedError) -> DecodedValue? {
        let sign = AssignedNumbers.unitSymbol(unit) ?? AssignedNumbers.unitName(unit) ?? ""
        switch reading {
        case .boolean:
            let value = try reader.uint8()
            return value < 2 ? DecodedValue(value == 1 ? "true" : "false", .boolean(value == 1)) : nil
        case .unsigned(let bits):
            // Formats of 2, 4 and 12 bits fill whole octets, the upper bits unused.
            let raw = try reader.unsigned((bits + 7) / 8)
            guard bits < 128 else {
                return raw < 0 ? nil : DecodedValue(.finite(mantissa: raw, exponent: exponent), sign)
            }
            return DecodedValue(.finite(mantissa: raw & ((1 << Int128(bits)) - 1), exponent: exponent), sign)
        case .signed(let bits):
            let raw = try reader.signed((bits + 7) / 8)
            let isNegative = raw >> Int128(bits - 1) & 1 == 1
            let low = bits < 128 ? raw & ((1 << Int128(bits)) - 1) : raw
            let number = bits < 128 && isNegative ? low - (1 << Int128(bits)) : low
            return DecodedValue(.finite(mantissa: number, exponent: exponent), sign)
        case .float(let bits):
            let number =
                bits == 32 ? Double(Float(bitPattern: try reader.uint32())) : Double(bitPattern: try reader.uint64())
            let text = bits == 32 ? "\(Float(number))" : "\(number)"
            return DecodedValue(sign.isEmpty ? text : "\(text) \(sign)", .number(number))
        case .medicalFloat(let bits):
            return DecodedValue(bits == 16 ? try reader.medicalFloat16() : try reader.medicalFloat32(), sign)
        case .pair:
            let first = try reader.uint16()
            let second = try reader.uint16()
            return DecodedValue("\(first), \(second)", [.integer(Int(first)), .integer(Int(second))])
        case .text(let bits):
            guard bits == 16 else { return try ValueLayout.text.decode(&reader) }
            var units: [UInt16] = []
            while reader.remaining >= 2 { units.append(try reader.uint16()) }
            let text = String(decoding: units, as: UTF16.self)
            return DecodedValue("\"\(printable(text))\"", .string(text))
        case .opaque: return nil
        }
    }
}
