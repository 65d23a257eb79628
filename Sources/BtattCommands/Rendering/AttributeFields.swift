import AssignedNumbers
import GATT

// The words and JSON fields that all commands share, so that an attribute looks the same wherever it is shown.

extension BluetoothUUID {
    /// The UUID in its shortest form with its assigned name: `2a37 Heart Rate Measurement`.
    func label(_ kind: AssignedNumbers.Kind) -> String {
        AssignedNumbers.name(of: self, as: kind).map { "\(shortened) \(printable($0))" } ?? "\(shortened)"
    }
}

extension CharacteristicProperties {
    /// The names of the properties, the specification's words with hyphens.
    var names: [String] { isEmpty ? [] : description.components(", ") }

    var json: JSONValue { .array(names.map { .string($0) }) }
}

extension String {
    /// The parts between `separator`s.
    fileprivate func components(_ separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}

extension JSONObject {
    /// Appends `uuid` and, when it has one, its assigned `name`.
    mutating func append(_ uuid: BluetoothUUID, as kind: AssignedNumbers.Kind) {
        self["uuid"] = .string("\(uuid.shortened)")
        self["name"] = AssignedNumbers.name(of: uuid, as: kind).map { .string($0) }
    }

    /// Appends `value`, and `decoded` with its `text` when it could be explained.
    mutating func append(value: [UInt8], decoded: DecodedValue?) {
        self["value"] = .string(value.hexadecimal)
        self["decoded"] = decoded?.json
        self["text"] = decoded.map { .string($0.text) }
    }
}

extension AttributeHandle {
    var json: JSONValue { .integer(Int(rawValue)) }
}

extension Service {
    var json: JSONObject {
        var object: JSONObject = [
            "kind": "service", "handle": handle.json, "start": range.first.json, "end": range.last.json,
        ]
        object.append(uuid, as: .service)
        object["primary"] = .boolean(isPrimary)
        return object
    }

    /// The service in one line, without its first handle.
    func line(_ style: Style) -> String {
        let kind = isPrimary ? "service" : "secondary service"
        return "\(style.bold(uuid.label(.service)))  \(style.faint("\(kind) to \(range.last)"))"
    }
}

extension IncludedService {
    var json: JSONObject {
        var object: JSONObject = [
            "kind": "include", "handle": handle.json, "start": range.first.json, "end": range.last.json,
        ]
        object.append(uuid, as: .service)
        return object
    }

    func line(_ style: Style) -> String {
        "\(uuid.label(.service))  \(style.faint("included, \(range.first) to \(range.last)"))"
    }
}

extension Characteristic {
    var json: JSONObject {
        var object: JSONObject = [
            "kind": "characteristic", "handle": valueHandle.json, "declaration": declarationHandle.json,
            "end": endHandle.json,
        ]
        object.append(uuid, as: .characteristic)
        object["properties"] = properties.json
        return object
    }

    func line(_ style: Style) -> String {
        "\(style.bold(uuid.label(.characteristic)))  \(style.faint("\(properties)"))"
    }
}

extension Descriptor {
    var json: JSONObject {
        var object: JSONObject = ["kind": "descriptor", "handle": handle.json]
        object.append(uuid, as: .descriptor)
        return object
    }

    /// Descriptors are also found as plain attributes, declarations among them.
    func line(_ style: Style) -> String {
        let kinds: [AssignedNumbers.Kind] = [.descriptor, .declaration, .characteristic]
        let kind = kinds.first { AssignedNumbers.name(of: uuid, as: $0) != nil } ?? .descriptor
        return uuid.label(kind)
    }
}
