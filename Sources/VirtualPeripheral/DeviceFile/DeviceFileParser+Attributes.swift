// The `service` blocks: what the server has and how it behaves.

import GATT
import Wire

extension DeviceFileParser {
    /// Reads `service UUID [at HANDLE] [to HANDLE] [as NAME]` and the lines under it.
    mutating func service(_ line: inout DeviceFileLine, isPrimary: Bool) throws(DeviceFileError) {
        var service = ServiceDefinition(uuid: try line.uuid(), isPrimary: isPrimary)
        let number = services.count
        while !line.isAtEnd {
            if line.takes("at") {
                service.handle = try line.handle()
            } else if line.takes("to") {
                service.end = try line.handle()
            } else if line.takes("as") {
                let label = try line.word("a name")
                guard labels.updateValue(number, forKey: label.text) == nil else {
                    throw line.error(label, "another service is called \"\(label.text)\" already")
                }
            } else {
                let rest = try line.word("the end of the line")
                throw line.error(rest, "\"\(rest.text)\" is not known here", expected: "at, to, as or nothing more")
            }
            line.skipSpaces()
        }
        places[.init(service: number)] = line
        services.append(service)
        let repeatable: Set<String> = ["include", "characteristic"]
        try block(under: line.indentation, repeatable: repeatable) { parser, line, keyword throws(DeviceFileError) in
            switch keyword.text {
            case "include":
                let name = try line.word("the UUID or name of a service")
                let handle = try line.fixedHandle()
                let include = parser.services[number].includes.count
                parser.places[.init(service: number, include: include)] = line
                parser.services[number].includes.append(.init(service: 0, handle: handle))
                parser.includes.append((number, include, line, name))
            case "characteristic": try parser.characteristic(&line, service: number)
            default: throw parser.unknown(keyword, in: line, "include or characteristic")
            }
        }
    }

    /// Reads `characteristic UUID [at HANDLE]` and the lines under it.
    private mutating func characteristic(
        _ header: inout DeviceFileLine, service: Int
    ) throws(DeviceFileError) {
        var characteristic = CharacteristicDefinition(uuid: try header.uuid(), properties: [])
        characteristic.handle = try header.fixedHandle()
        let number = services[service].characteristics.count
        let place = DatabaseError.Place(service: service, characteristic: number)
        places[place] = header
        var attribute = AttributeLines()
        var behaviour = CharacteristicBehaviour()
        var moves: [(CharacteristicBehaviour.Movement, DeviceFileLine)] = []
        let repeatable: Set<String> = ["descriptor", "accepts", "moves", "next"]
        try block(
            under: header.indentation, repeatable: repeatable
        ) { parser, line, keyword throws(DeviceFileError) in
            if try attribute.read(keyword, &line) { return }
            switch keyword.text {
            case "properties": characteristic.properties = try line.properties()
            case "extended-properties": characteristic.extendedProperties = try line.extendedProperties()
            case "notify-before-response": attribute.behaviour.sendsValueBeforeWriteResponse = true
            case "every": behaviour.interval = try line.duration()
            case "moves":
                let start = line
                moves.append((try line.movement(), start))
            case "next": behaviour.values.append(try line.value())
            case "echo":
                line.skipSpaces()
                if line.isAtEnd {
                    behaviour.echo = .itself
                } else {
                    let start = line
                    let uuid = try line.uuid()
                    behaviour.echo = .characteristic(uuid)
                    parser.echoes.append((service, uuid, start))
                }
            case "fills-mtu": behaviour.fillsReadResponse = true
            case "descriptor":
                let (descriptor, line) = try parser.descriptor(&line)
                var place = place
                place.descriptor = characteristic.descriptors.count
                parser.places[place] = line
                characteristic.descriptors.append(descriptor)
            default:
                throw parser.unknown(
                    keyword, in: line,
                    "properties, extended-properties, \(AttributeLines.keywords), every, moves, next, echo, fills-mtu, "
                        + "notify-before-response or descriptor")
            }
        }
        if behaviour.fillsReadResponse { attribute.value = CharacteristicBehaviour.pattern(22) }
        for (movement, line) in moves {
            let length = ([attribute.value] + behaviour.values).map(\.count).min() ?? 0
            guard movement.offset + movement.octetCount <= length else {
                throw line.error(
                    "the number ends at octet \(movement.offset + movement.octetCount) of the value",
                    expected: "a value that long; it has \(length) octets")
            }
            behaviour.movements.append(movement)
        }
        if !behaviour.values.isEmpty { behaviour.values.insert(attribute.value, at: 0) }
        characteristic.value = attribute.value
        characteristic.behaviour = attribute.behaviour
        characteristic.length = attribute.length
        let usual = characteristic.effectivePermissions
        characteristic.permissions = attribute.permissions(usual)
        services[service].characteristics.append(characteristic)
        if behaviour != CharacteristicBehaviour() {
            behaviours[.init(service: service, characteristic: number)] = behaviour
        }
    }

    /// Reads `descriptor UUID [at HANDLE]` and the lines under it.
    private mutating func descriptor(
        _ header: inout DeviceFileLine
    ) throws(DeviceFileError) -> (DescriptorDefinition, DeviceFileLine) {
        var descriptor = DescriptorDefinition(uuid: try header.uuid())
        descriptor.handle = try header.fixedHandle()
        var attribute = AttributeLines()
        try block(
            under: header.indentation, repeatable: ["accepts"]
        ) { parser, line, keyword throws(DeviceFileError) in
            guard try attribute.read(keyword, &line) else {
                throw parser.unknown(keyword, in: line, AttributeLines.keywords)
            }
        }
        descriptor.value = attribute.value
        descriptor.behaviour = attribute.behaviour
        let isConfiguration = descriptor.uuid == .clientCharacteristicConfiguration
        descriptor.permissions = attribute.permissions(isConfiguration ? .readWrite : .readOnly)
        let canBeWritten = descriptor.permissions?.write != nil && !isConfiguration
        descriptor.length =
            attribute.length ?? (canBeWritten ? .variable(maximum: AttributeDatabase.maximumValueLength) : .fixed)
        return (descriptor, header)
    }
}

/// The lines that characteristics and descriptors share.
private struct AttributeLines {
    static let keywords = "value, length, reading, writing, read-error, write-error, accepts, read-delay"

    var value: [UInt8] = []
    var length: Attribute.Length?
    /// The outer `nil`: not said; the inner: forbidden.
    var reading: AccessRule??
    var writing: AccessRule??
    var behaviour = AttributeBehaviour()

    /// Reads a line, when its keyword is one of these.
    mutating func read(_ keyword: DeviceFileLine.Word, _ line: inout DeviceFileLine) throws(DeviceFileError) -> Bool {
        switch keyword.text {
        case "value": value = try line.value()
        case "length":
            if line.takes("fixed") {
                length = .fixed
            } else if line.takes("up-to") {
                length = .variable(maximum: Int(try line.number("the longest value", in: 0...512)))
            } else {
                throw line.error("the length is not known", expected: "fixed, or up-to and a number")
            }
        case "reading": reading = .some(try line.accessRule())
        case "writing": writing = .some(try line.accessRule())
        case "read-error": behaviour.readError = try line.errorCode()
        case "write-error": behaviour.writeError = try line.errorCode()
        case "accepts": behaviour.acceptedValues.append(try line.value())
        case "read-delay": behaviour.readDelay = try line.duration()
        default: return false
        }
        return true
    }

    func permissions(_ usual: AttributePermissions) -> AttributePermissions {
        AttributePermissions(read: reading ?? usual.read, write: writing ?? usual.write)
    }
}

extension DeviceFileLine {
    /// `at HANDLE`, when the line says so.
    fileprivate mutating func fixedHandle() throws(DeviceFileError) -> AttributeHandle? {
        takes("at") ? try handle() : nil
    }

    /// The properties of a characteristic.
    fileprivate mutating func properties() throws(DeviceFileError) -> CharacteristicProperties {
        var properties: CharacteristicProperties = []
        repeat {
            properties.formUnion(
                try choice(
                    "property",
                    [
                        "broadcast": .broadcast, "read": .read, "write-without-response": .writeWithoutResponse,
                        "write": .write, "notify": .notify, "indicate": .indicate,
                        "signed-write": .authenticatedSignedWrites,
                    ]))
            _ = comma()
        } while !isAtEnd
        return properties
    }

    /// The extended properties of a characteristic.
    fileprivate mutating func extendedProperties() throws(DeviceFileError) -> ExtendedProperties {
        var properties: ExtendedProperties = []
        repeat {
            properties.formUnion(
                try choice(
                    "extended property",
                    ["none": [], "reliable-write": .reliableWrite, "writable-auxiliaries": .writableAuxiliaries]))
            _ = comma()
        } while !isAtEnd
        return properties
    }

    /// Who may read or write.
    fileprivate mutating func accessRule() throws(DeviceFileError) -> AccessRule? {
        var rule = try choice(
            "access",
            [
                "open": AccessRule.open, "encrypted": .encrypted, "authenticated": .authenticated,
                "authorized": .authorized, "forbidden": nil,
            ] as KeyValuePairs<String, AccessRule?>)
        if takes("key-size") { rule?.minimumKeySize = UInt8(clamping: try number("the length of the key", in: 7...16)) }
        return rule
    }

    /// An ATT error code.
    fileprivate mutating func errorCode() throws(DeviceFileError) -> ErrorCode {
        ErrorCode(rawValue: UInt8(clamping: try number("an ATT error code", in: 1...0xFF)))
    }

    /// `u8 at OFFSET from N to N by N`.
    fileprivate mutating func movement() throws(DeviceFileError) -> CharacteristicBehaviour.Movement {
        let start = self
        let forms: KeyValuePairs<String, (octets: Int, isSigned: Bool)> = [
            "u8": (1, false), "u16": (2, false), "u24": (3, false), "u32": (4, false), "i8": (1, true),
            "i16": (2, true), "i24": (3, true), "i32": (4, true),
        ]
        let form = try choice("kind of number", forms)
        let bits = Int64(form.octets * 8)
        let range: ClosedRange<Int64> =
            form.isSigned ? -(1 << (bits - 1))...(1 << (bits - 1)) - 1 : 0...(1 << bits) - 1
        func expect(_ word: String) throws(DeviceFileError) {
            guard takes(word) else { throw error("\"\(word)\" is missing", expected: "u8 at 1 from 60 to 99 by 1") }
        }
        try expect("at")
        let offset = Int(try number("an offset", in: 0...511))
        try expect("from")
        let first = try number("the first number", in: range)
        try expect("to")
        let last = try number("the last number", in: range)
        try expect("by")
        let step = try number("what is added at each step", in: -(1 << bits)...(1 << bits))
        guard step != 0, first == last || (last > first) == (step > 0) else {
            throw start.error(
                "steps of \(step) never lead from \(first) to \(last)", expected: "steps in that direction")
        }
        return .init(offset: offset, octetCount: form.octets, first: first, last: last, step: step)
    }
}
