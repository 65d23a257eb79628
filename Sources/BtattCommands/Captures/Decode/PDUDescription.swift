import AssignedNumbers
import Captures
import GATT
import Presentation

/// One PDU of a capture within its conversation, in words for people and as fields for programs: both are made in one
/// walk over the PDU, so that they tell the same.
struct PDUDescription {
    /// A piece of the line, and how it may be dressed.
    enum Part: Hashable {
        case word(String)
        case handle(String)
        case name(String)
        case value(String)
        case failure(String)
        case aside(String)
    }

    /// The pieces of the line after the PDU's name.
    private(set) var parts: [Part] = []
    /// The fields, `opcode` and `operation` first.
    private(set) var json: JSONObject = [:]
    /// The opcode; `nil` for an empty PDU.
    private(set) var opcode: Opcode?
    /// Whether it is an Error Response, malformed, or answers nothing.
    private(set) var isFailure = false
    /// Whether it only says that there are no more attributes, which is how every discovery ends.
    private(set) var endsDiscovery = false
    /// The attributes it speaks of.
    private(set) var handles: [AttributeHandle] = []

    private let attributes: AttributeTable
    /// The entries of a list, for programs.
    private var entries: [JSONValue] = []

    /// The PDU's name in the specification.
    var name: String { opcode?.name ?? "Empty PDU" }

    init(_ pdu: borrowing CapturedConversations.PDU) {
        attributes = pdu.attributes
        var reader = OctetReader(pdu.octets)
        guard let octet = try? reader.uint8() else {
            isFailure = true
            json["operation"] = .string(name)
            return
        }
        let opcode = Opcode(rawValue: octet)
        self.opcode = opcode
        json["opcode"] = .integer(Int(octet))
        json["operation"] = .string(opcode.name)
        do throws(MalformedError) {
            if try !addClientPDU(pdu) {
                if try !addServerPDU(pdu) { addUnknown(opcode, reader.rest()) }
            }
            if !entries.isEmpty { json["entries"] = .array(entries) }
        } catch {
            isFailure = true
            parts.append(.failure("malformed: \(error)"))
            parts.append(.value(pdu.octets.hexadecimal))
            json["malformed"] = .string("\(error)")
        }
        addInsight(pdu.insight)
    }

    /// The line after the name.
    func text(_ style: Style) -> String {
        parts.map { part in
            switch part {
            case .word(let text), .name(let text): text
            case .handle(let text), .aside(let text): style.faint(text)
            case .value(let text): style.value(text)
            case .failure(let text): style.failure(text)
            }
        }.joined(separator: " ")
    }
}

extension PDUDescription {
    /// The line without what is said elsewhere, such as the time to answer.
    var summary: String {
        parts.compactMap { part in
            if case .aside(let text) = part, text.hasPrefix("(") { nil } else { part.text }
        }.joined(separator: " ")
    }

    /// The line without octets, for a place where they stand already.
    var comment: String {
        var words = [name]
        for part in parts {
            switch part {
            case .word, .name, .handle, .failure: words.append(part.text)
            case .value, .aside: break
            }
        }
        return words.joined(separator: " ")
    }
}

// MARK: - PDUs of clients

extension PDUDescription {
    private mutating func addClientPDU(_ pdu: borrowing CapturedConversations.PDU) throws(MalformedError) -> Bool {
        switch try ClientPDU(parsing: pdu.octets) {
        case .exchangeMTURequest(let request): addMTU(Int(request.clientReceiveMTU))
        case .findInformationRequest(let request): addRange(request.first, request.last)
        case .findByTypeValueRequest(let request):
            addRange(request.first, request.last)
            addType(BluetoothUUID(request.attributeType))
            addSought([UInt8](octets: request.value), type: BluetoothUUID(request.attributeType))
        case .readByTypeRequest(let request):
            addRange(request.first, request.last)
            addType(request.attributeType)
        case .readByGroupTypeRequest(let request):
            addRange(request.first, request.last)
            addType(request.groupType)
        case .readRequest(let request): addHandle(request.handle)
        case .readBlobRequest(let request):
            addHandle(request.handle)
            addOffset(request.valueOffset)
        case .readMultipleRequest(let request): addHandles(request.handles)
        case .readMultipleVariableRequest(let request): addHandles(request.handles)
        case .writeRequest(let request): addHandle(request.handle, value: request.value)
        case .writeCommand(let command): addHandle(command.handle, value: command.value)
        case .signedWriteCommand(let command):
            addHandle(command.handle, value: command.value)
            parts.append(.word("signed \(command.signature.hexadecimal)"))
            json["signature"] = .string(command.signature.hexadecimal)
        case .prepareWriteRequest(let request):
            addHandle(request.handle)
            addOffset(request.valueOffset)
            addPart(of: request.value)
        case .executeWriteRequest(let request):
            parts.append(.word(request.flags == .write ? "write" : request.flags == .cancel ? "cancel" : "unknown"))
            json["flags"] = .integer(Int(request.flags.rawValue))
        case .handleValueConfirmation: addAnswered(pdu.insight)
        case .unknown: return false
        }
        return true
    }

    private mutating func addMTU(_ mtu: Int) {
        parts.append(.word("MTU \(mtu)"))
        json["mtu"] = .integer(mtu)
    }

    private mutating func addRange(_ first: AttributeHandle, _ last: AttributeHandle) {
        parts.append(.handle("\(first)…\(last)"))
        json["start"] = first.json
        json["end"] = last.json
    }

    private mutating func addType(_ type: BluetoothUUID) {
        parts.append(.name(Self.label(type)))
        json["type"] = .string("\(type.shortened)")
        json["typeName"] = attributeTypeName(type).map { .string($0) }
    }

    /// What a Find By Type Value Request looks for, which is a service most of the time.
    private mutating func addSought(_ value: [UInt8], type: BluetoothUUID) {
        addValue(value, decoded: decodeValue(type, value))
    }

    private mutating func addOffset(_ offset: UInt16) {
        parts.append(.word("from \(offset)"))
        json["offset"] = .integer(Int(offset))
    }

    private mutating func addHandles(_ list: HandleList) {
        var iterator = list.makeIterator()
        var numbers: [JSONValue] = []
        while let handle = iterator.next() {
            numbers.append(handle.json)
            parts.append(.handle("\(handle)"))
            if let label = label(handle) { parts.append(.name(label)) }
            handles.append(handle)
        }
        json["handles"] = .array(numbers)
    }
}

// MARK: - PDUs of servers

extension PDUDescription {
    private mutating func addServerPDU(_ pdu: borrowing CapturedConversations.PDU) throws(MalformedError) -> Bool {
        let insight = pdu.insight
        switch try ServerPDU(parsing: pdu.octets) {
        case .errorResponse(let error): addError(error)
        case .exchangeMTUResponse(let response):
            addMTU(Int(response.serverReceiveMTU))
            if insight.answers != nil {
                parts.append(.aside("→ \(pdu.mtu)"))
                json["agreed"] = .integer(pdu.mtu)
            }
        case .findInformationResponse(let response):
            var entries = response.entries.makeIterator()
            while let entry = entries.next() { add(Entry(handle: entry.handle, uuid: entry.uuid)) }
        case .findByTypeValueResponse(let response):
            var entries = response.entries.makeIterator()
            while let entry = entries.next() { add(Entry(handle: entry.found, end: entry.groupEnd)) }
        case .readByTypeResponse(let response):
            var entries = response.entries.makeIterator()
            let type = insight.answers?.attributeType
            while let entry = entries.next() {
                add(Entry(handle: entry.handle, type: type, value: [UInt8](octets: entry.value)))
            }
        case .readByGroupTypeResponse(let response):
            var entries = response.entries.makeIterator()
            let type = insight.answers?.attributeType
            while let entry = entries.next() {
                add(
                    Entry(
                        handle: entry.handle, end: entry.endGroup, type: type, value: [UInt8](octets: entry.value)))
            }
        case .readResponse(let response):
            addAnswered(insight)
            addValue([UInt8](octets: response.value), of: insight.handle)
        case .readBlobResponse(let response):
            addAnswered(insight)
            addPart(of: response.value)
        case .readMultipleResponse(let response): addPart(of: response.value)
        case .readMultipleVariableResponse(let response):
            var values = response.values.makeIterator()
            var list: [JSONValue] = []
            while let value = values.next() {
                parts.append(.value(Self.shown(value.value)))
                if value.isCutShort { parts.append(.aside("(cut short, of \(value.length))")) }
                list.append(.string(value.value.hexadecimal))
            }
            json["values"] = .array(list)
        case .writeResponse: addAnswered(insight)
        case .prepareWriteResponse(let response):
            addHandle(response.handle)
            addOffset(response.valueOffset)
            addPart(of: response.value)
        case .executeWriteResponse: break
        case .handleValueNotification(let notification):
            addHandle(notification.handle, value: notification.value)
        case .handleValueIndication(let indication): addHandle(indication.handle, value: indication.value)
        case .multipleHandleValueNotification(let notification):
            var tuples = notification.tuples.makeIterator()
            while let tuple = tuples.next() {
                add(Entry(handle: tuple.handle, value: [UInt8](octets: tuple.value), isValue: true))
            }
            if !entries.isEmpty { json["entries"] = .array(entries) }
            if let malformation = tuples.malformation {
                isFailure = true
                parts.append(.failure("malformed: \(malformation)"))
                json["malformed"] = .string("\(malformation)")
            }
        case .unknown: return false
        }
        return true
    }

    private mutating func addError(_ error: ErrorResponse) {
        isFailure = true
        endsDiscovery = error.code == .attributeNotFound && error.requestOpcode.isDiscovery
        parts.append(.word("to \(error.requestOpcode.name)"))
        addHandle(error.handle)
        parts.append(.failure("\(error.code)"))
        json["error"] = .object([
            "code": .integer(Int(error.code.rawValue)), "name": .string(error.code.name),
            "opcode": .integer(Int(error.requestOpcode.rawValue)), "handle": error.handle.json,
        ])
    }

    /// One entry of a list.
    private struct Entry {
        var handle: AttributeHandle
        var end: AttributeHandle?
        /// What Find Information tells of the attribute.
        var uuid: BluetoothUUID?
        /// The attribute's type, as it was asked for.
        var type: BluetoothUUID?
        var value: [UInt8]?
        /// Whether the value is that of the attribute itself, known by its handle.
        var isValue = false
    }

    private mutating func add(_ entry: Entry) {
        if !entries.isEmpty, let last = parts.popLast() { parts.append(last.followedBySemicolon) }
        handles.append(entry.handle)
        var object: JSONObject = ["handle": entry.handle.json, "end": entry.end?.json]
        parts.append(.handle(entry.end.map { "\(entry.handle)…\($0)" } ?? "\(entry.handle)"))
        if let uuid = entry.uuid {
            parts.append(.name(Self.label(uuid)))
            object["uuid"] = .string("\(uuid.shortened)")
            object["name"] = attributeTypeName(uuid).map { .string($0) }
        }
        if let value = entry.value {
            if entry.isValue, let label = label(entry.handle) { parts.append(.name(label)) }
            let uuid = entry.isValue ? attributes[entry.handle]?.valueUUID : entry.type
            let decoded = uuid.flatMap { decodeValue($0, value) }
            // A declaration says no more than its meaning does.
            if entry.isValue || decoded == nil { parts.append(.value(value.isEmpty ? "(empty)" : value.hexadecimal)) }
            if let decoded { parts.append(.word(decoded.text)) }
            object.append(value: value, decoded: decoded)
        }
        entries.append(.object(object))
    }
}

// MARK: - Attributes and values

extension PDUDescription {
    private mutating func addUnknown(_ opcode: Opcode, _ rest: RawSpan) {
        parts.append(.word("0x\([opcode.rawValue].hexadecimal)"))
        if !rest.isEmpty { parts.append(.value(rest.hexadecimal)) }
    }

    private mutating func addHandle(_ handle: AttributeHandle) {
        handles.append(handle)
        parts.append(.handle("\(handle)"))
        json["handle"] = handle.json
        guard let entry = attributes[handle] else { return }
        if let label = label(handle) { parts.append(.name(label)) }
        json["uuid"] = .string("\(entry.uuid.shortened)")
        json["name"] = entry.assignedName.map { .string($0) }
        if let characteristic = ownerOfDescriptor(entry) {
            json["characteristic"] = .string("\(characteristic.uuid.shortened)")
        }
    }

    private mutating func addHandle(_ handle: AttributeHandle, value: RawSpan) {
        addHandle(handle)
        addValue([UInt8](octets: value), of: handle)
    }

    /// The attribute of the request that is answered, which the answer does not name.
    private mutating func addAnswered(_ insight: ConversationTracker.Insight) {
        if let handle = insight.handle { addHandle(handle) }
    }

    private mutating func addValue(_ value: [UInt8], of handle: AttributeHandle?) {
        let uuid = handle.flatMap { attributes[$0]?.valueUUID }
        addValue(value, decoded: uuid.flatMap { decodeValue($0, value) })
    }

    private mutating func addValue(_ value: [UInt8], decoded: DecodedValue?) {
        parts.append(.value(value.isEmpty ? "(empty)" : value.hexadecimal))
        if let decoded { parts.append(.word(decoded.text)) }
        json.append(value: value, decoded: decoded)
    }

    /// Part of a value, which means nothing by itself.
    private mutating func addPart(of value: RawSpan) {
        parts.append(.value(Self.shown(value)))
        json["value"] = .string(value.hexadecimal)
    }

    private mutating func addInsight(_ insight: ConversationTracker.Insight) {
        if insight.isUnasked {
            isFailure = true
            parts.append(.failure("answers nothing that was captured"))
            json["unasked"] = true
        }
        guard let latency = insight.latency else { return }
        let (seconds, attoseconds) = latency.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        parts.append(.aside("(\(milliseconds(microseconds)))"))
        json["latency"] = .decimal(.finite(mantissa: Int128(microseconds), exponent: -6))
    }

    private static func shown(_ value: RawSpan) -> String { value.isEmpty ? "(empty)" : value.hexadecimal }

    /// An attribute's type with its name.
    private static func label(_ uuid: BluetoothUUID) -> String {
        attributeTypeName(uuid).map { "\(uuid.shortened) \(printable($0))" } ?? "\(uuid.shortened)"
    }

    /// What is known of the attribute at a handle.
    private func label(_ handle: AttributeHandle) -> String? {
        guard let entry = attributes[handle] else { return nil }
        let name = entry.assignedName.map { "\(entry.uuid.shortened) \(printable($0))" } ?? "\(entry.uuid.shortened)"
        switch entry.role {
        case .characteristic: return "declaration of \(name)"
        case .include: return "include of \(name)"
        case .service, .value: return name
        case .other: return ownerOfDescriptor(entry).map { "\(name) of \($0.uuid.shortened)" } ?? name
        }
    }

    private func ownerOfDescriptor(_ entry: AttributeTable.Entry) -> AttributeTable.Entry? {
        guard entry.role == .other, AssignedNumbers.name(of: entry.uuid, as: .descriptor) != nil else { return nil }
        return attributes.characteristic(of: entry.handle)
    }
}

extension PDUDescription.Part {
    /// The words, plain.
    var text: String {
        switch self {
        case .word(let text), .name(let text), .handle(let text), .value(let text), .failure(let text),
            .aside(let text):
            text
        }
    }

    /// The same with a semicolon behind.
    fileprivate var followedBySemicolon: Self {
        switch self {
        case .word(let text): .word(text + ";")
        case .handle(let text): .handle(text + ";")
        case .name(let text): .name(text + ";")
        case .value(let text): .value(text + ";")
        case .failure(let text): .failure(text + ";")
        case .aside(let text): .aside(text + ";")
        }
    }
}

extension AttributeTable.Entry {
    /// The UUID by which the attribute's value is laid out: its type.
    var valueUUID: BluetoothUUID? {
        switch role {
        case .service(_, let isPrimary): isPrimary ? .primaryService : .secondaryService
        case .include: .include
        case .characteristic: .characteristic
        case .value, .other: uuid
        }
    }

    /// The assigned name of its UUID.
    var assignedName: String? {
        switch role {
        case .service, .include: AssignedNumbers.name(of: uuid, as: .service)
        case .characteristic, .value: AssignedNumbers.name(of: uuid, as: .characteristic)
        case .other: attributeTypeName(uuid)
        }
    }
}

/// The name of an attribute's type, which is never that of a service.
func attributeTypeName(_ uuid: BluetoothUUID) -> String? {
    for kind in [AssignedNumbers.Kind.declaration, .descriptor, .characteristic] {
        if let name = AssignedNumbers.name(of: uuid, as: kind) { return name }
    }
    return nil
}

/// Microseconds as milliseconds: `12.3 ms`, `0.04 ms`, `31,000 ms` never.
func milliseconds(_ microseconds: Int64) -> String {
    if microseconds >= 10_000_000 { return "\(fixed(microseconds, 1_000_000, digits: 1)) s" }
    return "\(fixed(microseconds, 1_000, digits: microseconds < 1_000 ? 3 : microseconds < 100_000 ? 2 : 1)) ms"
}

/// `number / unit` with so many decimals, rounded down.
func fixed(_ number: Int64, _ unit: Int64, digits: Int) -> String {
    var scale: Int64 = 1
    for _ in 0..<digits { scale *= 10 }
    let fraction = number % unit * scale / unit
    return digits == 0 ? "\(number / unit)" : "\(number / unit).\(zeros(fraction, digits))"
}
