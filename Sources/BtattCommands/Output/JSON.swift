// JSON Lines: one object a line. Written by hand, because the keys keep the order in which the code names them, numbers
// keep the digits that were decoded, and a static binary without Foundation stays small. RFC 8259 gives the grammar.

import Presentation

/// A JSON value.
enum JSONValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int)
    /// A number whose digits are written as they are.
    case decimal(DecimalNumber)
    /// A number; one that is not finite is written as `null`, because JSON has none.
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
}

/// A JSON object whose keys stay in order.
struct JSONObject: Hashable, Sendable {
    /// A key and its value.
    struct Field: Hashable, Sendable {
        var key: String
        var value: JSONValue
    }

    /// The fields, in the order of the output.
    private(set) var fields: [Field] = []

    /// The value of a key; setting `nil` leaves the key out.
    subscript(key: String) -> JSONValue? {
        get { fields.first { $0.key == key }?.value }
        set {
            let index = fields.firstIndex { $0.key == key }
            switch (index, newValue) {
            case (let index?, let value?): fields[index].value = value
            case (let index?, nil): fields.remove(at: index)
            case (nil, let value?): fields.append(Field(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    /// The object on one line, without the line's end.
    var line: String {
        var text = ""
        write(to: &text)
        return text
    }

    fileprivate func write(to text: inout String) {
        text += "{"
        for (index, field) in fields.enumerated() {
            if index > 0 { text += "," }
            JSONValue.string(field.key).write(to: &text)
            text += ":"
            field.value.write(to: &text)
        }
        text += "}"
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Fields in the order of the literal; `nil` leaves a key out.
    init(dictionaryLiteral elements: (String, JSONValue?)...) {
        for (key, value) in elements { self[key] = value }
    }
}

extension JSONValue {
    fileprivate func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .decimal(let value): text += value.json
        case .number(let value): text += value.isFinite ? "\(value)" : "null"
        case .string(let value): Self.write(value, to: &text)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let object): object.write(to: &text)
        }
    }

    private static func write(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar.value {
            case 0x22: text += "\\\""
            case 0x5C: text += "\\\\"
            case 0x08: text += "\\b"
            case 0x09: text += "\\t"
            case 0x0A: text += "\\n"
            case 0x0C: text += "\\f"
            case 0x0D: text += "\\r"
            // Control characters must be escaped; the two Unicode line ends are, so that a line stays a line everywhere.
            case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
    init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}

extension DecimalNumber {
    /// The number as JSON, which has no word for what is not a finite number.
    var json: String {
        if case .finite = self { return description }
        return "null"
    }
}
