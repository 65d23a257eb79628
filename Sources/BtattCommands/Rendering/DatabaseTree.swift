import GATT
import Presentation

/// What was read of an attribute.
enum ReadValue: Hashable, Sendable {
    case value([UInt8])
    case failed(GATTError)
}

/// A GATT database as lines for people or objects for programs, one for each attribute with a handle of its own.
struct DatabaseTree {
    let database: DiscoveredDatabase
    /// Values by handle, where they were read.
    var values: [AttributeHandle: ReadValue] = [:]

    /// The lines of the tree: handle, branch, attribute, value.
    func lines(_ style: Style) -> [String] {
        database.services.flatMap { node in
            var lines = ["\(style.faint("\(node.service.handle)"))  \(node.service.line(style))"]
            let count = node.includes.count + node.characteristics.count
            var number = 0
            func branch() -> (branch: String, below: String) {
                number += 1
                return number == count ? ("└─ ", "   ") : ("├─ ", "│  ")
            }
            for include in node.includes {
                lines.append(line(include.handle, branch().branch, include.line(style), nil, style))
            }
            for characteristic in node.characteristics {
                let (own, below) = branch()
                lines += self.lines(characteristic, own, below, style)
            }
            return lines
        }
    }

    private func lines(
        _ node: DiscoveredDatabase.CharacteristicNode, _ branch: String, _ below: String, _ style: Style
    ) -> [String] {
        let characteristic = node.characteristic
        let value = shown(characteristic.valueHandle, of: characteristic.uuid, in: node, style)
        var lines = [line(characteristic.valueHandle, branch, characteristic.line(style), value, style)]
        for (index, descriptor) in node.descriptors.enumerated() {
            let value = shown(descriptor.handle, of: descriptor.uuid, in: nil, style)
            let own = index == node.descriptors.count - 1 ? "└─ " : "├─ "
            lines.append(line(descriptor.handle, below + own, descriptor.line(style), value, style))
        }
        return lines
    }

    private func line(
        _ handle: AttributeHandle, _ branch: String, _ text: String, _ value: String?, _ style: Style
    ) -> String {
        "\(style.faint("\(handle)"))  \(style.faint(branch))\(text)" + (value.map { "  \($0)" } ?? "")
    }

    private func shown(
        _ handle: AttributeHandle, of uuid: BluetoothUUID, in node: DiscoveredDatabase.CharacteristicNode?,
        _ style: Style
    ) -> String? {
        switch values[handle] {
        case nil: nil
        case .failed(let error): style.failure(error.brief)
        case .value(let value):
            valueText(value, decoded: decoded(value, of: uuid, in: node), style, longest: 32)
        }
    }

    /// The objects of the tree, in the order of the handles within each service.
    func objects() -> [JSONObject] {
        database.services.flatMap { node in
            [node.service.json] + node.includes.map { with($0.json, service: node) }
                + node.characteristics.flatMap { objects($0, service: node) }
        }
    }

    private func objects(
        _ node: DiscoveredDatabase.CharacteristicNode, service: DiscoveredDatabase.ServiceNode
    ) -> [JSONObject] {
        let characteristic = node.characteristic
        var object = with(characteristic.json, service: service)
        append(characteristic.valueHandle, of: characteristic.uuid, in: node, to: &object)
        return [object]
            + node.descriptors.map { descriptor in
                var object = with(descriptor.json, service: service)
                object["characteristic"] = characteristic.valueHandle.json
                append(descriptor.handle, of: descriptor.uuid, in: nil, to: &object)
                return object
            }
    }

    private func with(_ object: JSONObject, service: DiscoveredDatabase.ServiceNode) -> JSONObject {
        var object = object
        object["service"] = service.service.handle.json
        return object
    }

    private func append(
        _ handle: AttributeHandle, of uuid: BluetoothUUID, in node: DiscoveredDatabase.CharacteristicNode?,
        to object: inout JSONObject
    ) {
        switch values[handle] {
        case nil: break
        case .failed(let error): object["error"] = .object(error.json)
        case .value(let value): object.append(value: value, decoded: decoded(value, of: uuid, in: node))
        }
    }

    /// A value explained by its UUID, else by the presentation format that its characteristic has, or by several that an
    /// aggregate format puts in order.
    private func decoded(
        _ value: [UInt8], of uuid: BluetoothUUID, in node: DiscoveredDatabase.CharacteristicNode?
    ) -> DecodedValue? {
        if let known = decodeValue(uuid, value) { return known }
        func octets(_ type: BluetoothUUID) -> [[UInt8]] {
            let descriptors = node?.descriptors.filter { $0.uuid == type } ?? []
            return descriptors.compactMap { if case .value(let octets) = values[$0.handle] { octets } else { nil } }
        }
        if let aggregate = octets(.characteristicAggregateFormat).first.flatMap({ AggregateFormat($0) }) {
            // The formats may belong to other characteristics.
            let formats = aggregate.handles.compactMap { handle in
                if case .value(let octets) = values[handle] { PresentationFormat(octets) } else { nil }
            }
            guard formats.count == aggregate.handles.count else { return nil }
            return PresentationFormat.decode(value, by: formats).map { DecodedValue($0) }
        }
        let formats = octets(.characteristicPresentationFormat)
        guard formats.count == 1, let format = formats.first.flatMap({ PresentationFormat($0) }) else { return nil }
        return format.decode(value).map { DecodedValue($0) }
    }
}

/// A value for people: its octets and, when it could be explained, its meaning.
/// - Parameter longest: how many octets are shown at most; a tree is for looking, `read` shows all.
func valueText(_ value: [UInt8], decoded: DecodedValue?, _ style: Style, longest: Int = .max) -> String {
    var octets = value.isEmpty ? "(empty)" : Array(value.prefix(longest)).hexadecimal
    if value.count > longest { octets += "… (\(value.count) octets)" }
    return style.value(octets) + (decoded.map { "  \($0.text)" } ?? "")
}

extension GATTError {
    /// The error in a few words, where what was attempted is plain to see.
    var brief: String {
        if case .attributeError(let code, _, _) = self { return "\(code)" }
        return description
    }

    /// The error for programs: `code`, `name`, `opcode` and `handle` of an ATT error, else a `message`.
    var json: JSONObject {
        switch self {
        case .attributeError(let code, let request, let handle):
            [
                "code": .integer(Int(code.rawValue)), "name": .string(code.name),
                "opcode": .integer(Int(request.rawValue)), "handle": handle.json,
            ]
        case .malformedResponse(let opcode, let error):
            ["message": .string("malformed response: \(error)"), "opcode": .integer(Int(opcode.rawValue))]
        case .timedOut(let opcode, let handle):
            ["message": "timed out", "opcode": .integer(Int(opcode.rawValue)), "handle": handle.json]
        default: ["message": .string(description)]
        }
    }
}
