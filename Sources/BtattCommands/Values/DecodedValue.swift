// Values of common characteristics and descriptors, explained. The layouts are those of the GATT Specification
// Supplement (characteristics) and of the Core Specification, Vol 3, Part G, 3.3.3 (descriptors). A peer may send
// anything under any UUID: what does not have the layout stays undecoded, and is shown as octets.

import Presentation
import Wire

/// A value, explained.
struct DecodedValue: Hashable, Sendable {
    /// For people, in one line: `72 bpm, contact`.
    var text: String
    /// For programs.
    var json: JSONValue

    init(_ text: String, _ json: JSONValue) {
        self.text = text
        self.json = json
    }

    /// A number with its unit.
    init(_ number: DecimalNumber, _ unit: String) {
        self.init(unit.isEmpty ? number.description : "\(number) \(unit)", .decimal(number))
    }

    /// A code with its name; one without a name stays a number.
    init(code: some BinaryInteger, _ name: String?) {
        self.init(
            name ?? "reserved (\(code))", ["code": .integer(Int(code)), "name": name.map { .string($0) }] as JSONObject)
    }

    init(_ text: String, _ object: JSONObject) { self.init(text, .object(object)) }
}

/// Reads one value; a thrown error means that the value does not have the layout.
typealias ValueDecoder = @Sendable (inout OctetReader) throws(MalformedError) -> DecodedValue

/// Explains a value by the UUID of its attribute.
/// - Returns: `nil` when nothing is known about the UUID, or the octets do not have its layout.
func decodeValue(_ uuid: BluetoothUUID, _ octets: [UInt8]) -> DecodedValue? {
    guard let short = uuid.uint16, let layout = layout(of: short) else { return nil }
    var reader = OctetReader(octets.octets)
    guard let value = try? layout.decode(&reader) else { return nil }
    // What a layout with flags does not name may be there for a later version of it; a plain value has one length.
    guard layout.isOpen || reader.isAtEnd else { return nil }
    return value
}

/// How the value of an attribute is laid out.
struct ValueLayout: Sendable {
    /// Whether octets after the known fields are allowed.
    var isOpen: Bool
    var decode: ValueDecoder

    /// A value of exactly the fields that the decoder reads.
    static func exact(_ decode: @escaping ValueDecoder) -> Self { Self(isOpen: false, decode: decode) }
    /// A value that may have more fields.
    static func open(_ decode: @escaping ValueDecoder) -> Self { Self(isOpen: true, decode: decode) }

    /// Text in UTF-8.
    static let text = open { (reader) throws(MalformedError) in
        let text = reader.utf8()
        return DecodedValue("\"\(printable(text))\"", .string(text))
    }

    /// A number without sign, in units of 10^`exponent`.
    static func unsigned(_ octets: Int, exponent: Int = 0, _ unit: String, unknown: Int128? = nil) -> Self {
        exact { (reader) throws(MalformedError) in
            let number = try reader.unsigned(octets)
            if number == unknown { return DecodedValue("not known", .null) }
            return DecodedValue(.finite(mantissa: number, exponent: exponent), unit)
        }
    }

    /// A number with sign, in units of 10^`exponent`.
    static func signed(_ octets: Int, exponent: Int = 0, _ unit: String, unknown: Int128? = nil) -> Self {
        exact { (reader) throws(MalformedError) in
            let number = try reader.signed(octets)
            if number == unknown { return DecodedValue("not known", .null) }
            return DecodedValue(.finite(mantissa: number, exponent: exponent), unit)
        }
    }

    /// One octet that stands for one of `names`, from 0 on.
    static func code(_ names: [String]) -> Self {
        exact { (reader) throws(MalformedError) in
            let code = try reader.uint8()
            return DecodedValue(code: code, Int(code) < names.count ? names[Int(code)] : nil)
        }
    }

    /// Bits with names, from the lowest on, in at most `octets` octets; fewer octets mean zeros.
    static func bits(_ octets: Int, _ names: [String]) -> Self {
        open { (reader) throws(MalformedError) in
            let bits = try reader.unsigned(min(max(1, reader.remaining), octets))
            return DecodedValue(bits: bits, names)
        }
    }
}

extension DecodedValue {
    /// Bits with names; a set bit without a name is called by its number.
    init(bits: Int128, _ names: [String]) {
        let set = (0..<64).filter { bits >> Int128($0) & 1 == 1 }
        let words = set.map { $0 < names.count ? names[$0] : "bit \($0)" }
        self.init(
            words.isEmpty ? "none" : words.joined(separator: ", "),
            ["bits": .integer(Int(truncatingIfNeeded: bits)), "names": .array(words.map { .string($0) })])
    }
}

extension OctetReader {
    /// All octets that are left, as UTF-8; NULs at the end, which many devices send, are left out, and what is no
    /// UTF-8 is replaced.
    mutating func utf8() -> String {
        var octets = [UInt8](octets: rest())
        while octets.last == 0 { octets.removeLast() }
        return String(decoding: octets, as: UTF8.self)
    }
}
