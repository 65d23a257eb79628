import AssignedNumbers
import Presentation

extension PresentationFormat {
    var json: JSONObject {
        [
            "format": .string(format.name ?? String(format.rawValue)), "exponent": .integer(exponent),
            "unit": .integer(Int(unit)), "unitName": unitName.map { .string($0) },
            "namespace": .integer(Int(nameSpace)), "description": .integer(Int(detail)),
        ]
    }
}

extension DecodedValue {
    /// A value that was read by its presentation format.
    init(_ value: PresentedValue) {
        let text = if case .text(let text) = value.content { "\"\(printable(text))\"" } else { value.description }
        let json: JSONValue =
            switch value.content {
            case .boolean(let value): .boolean(value)
            case .decimal(let number): .decimal(number)
            // JSON's numbers have no limit, but those who read them do.
            case .large(let number): .string("\(number)")
            case .float32(let number): .number(Double(number))
            case .float64(let number): .number(number)
            case .pair(let first, let second): [.integer(Int(first)), .integer(Int(second))]
            case .text(let text): .string(text)
            }
        self.init(text, json)
    }

    /// The values of an aggregate, one after the other.
    init(_ values: [PresentedValue]) {
        let all = values.map { DecodedValue($0) }
        self.init(all.map(\.text).joined(separator: ", "), .array(all.map(\.json)))
    }
}
