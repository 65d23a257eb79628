// One line for people about a PDU: the specification's name, then the fields in the order of transmission. Handles are
// written 0x0025, UUIDs and values as hexadecimal digits without a prefix, decimal numbers plain.

/// One readable line about a PDU, as in `Read By Type Request 0x0001…0xffff 2803`, for traces.
///
/// Never fails: a malformed PDU is shown as its name, what is wrong and its octets.
/// - Parameter pdu: every octet of the PDU, the opcode first.
public func describe(_ pdu: RawSpan) -> String {
    guard pdu.byteCount > 0 else { return "Empty PDU" }
    // In bounds: there is one octet.
    let opcode = unsafe Opcode(pdu.octet(at: 0))
    do throws(MalformedError) {
        if let fields = try clientFields(pdu) { return opcode.name + fields }
        if let fields = try serverFields(pdu) { return opcode.name + fields }
        return opcode.name + unknownFields(pdu, opcode)
    } catch {
        return "\(opcode.name), malformed: \(error): \(pdu.hexadecimal)"
    }
}

/// The fields of an unassigned opcode: its number and the octets after it.
private func unknownFields(_ pdu: RawSpan, _ opcode: Opcode) -> String {
    // In bounds: there is one octet.
    let parameters = unsafe pdu.octets(from: 1)
    return " 0x" + hexadecimalDigits(of: opcode.rawValue, count: 2) + field(parameters)
}

/// The fields of a PDU that a client sends, each after a space; `nil` for any other.
private func clientFields(_ pdu: RawSpan) throws(MalformedError) -> String? {
    switch try ClientPDU(parsing: pdu) {
    case .exchangeMTURequest(let pdu): " \(pdu.clientReceiveMTU)"
    case .findInformationRequest(let pdu): " \(pdu.first)…\(pdu.last)"
    case .findByTypeValueRequest(let pdu):
        " \(pdu.first)…\(pdu.last) \(BluetoothUUID(pdu.attributeType))\(field(pdu.value))"
    case .readByTypeRequest(let pdu): " \(pdu.first)…\(pdu.last) \(pdu.attributeType)"
    case .readRequest(let pdu): " \(pdu.handle)"
    case .readBlobRequest(let pdu): " \(pdu.handle) from \(pdu.valueOffset)"
    case .readMultipleRequest(let pdu): fields(pdu.handles)
    case .readByGroupTypeRequest(let pdu): " \(pdu.first)…\(pdu.last) \(pdu.groupType)"
    case .readMultipleVariableRequest(let pdu): fields(pdu.handles)
    case .writeRequest(let pdu): " \(pdu.handle)\(field(pdu.value))"
    case .writeCommand(let pdu): " \(pdu.handle)\(field(pdu.value))"
    case .signedWriteCommand(let pdu): " \(pdu.handle)\(field(pdu.value)) signed\(field(pdu.signature))"
    case .prepareWriteRequest(let pdu): " \(pdu.handle) from \(pdu.valueOffset)\(field(pdu.value))"
    case .executeWriteRequest(let pdu): " \(name(of: pdu.flags))"
    case .handleValueConfirmation: ""
    case .unknown: nil
    }
}

/// The fields of a PDU that a server sends, each after a space; `nil` for any other.
private func serverFields(_ pdu: RawSpan) throws(MalformedError) -> String? {
    switch try ServerPDU(parsing: pdu) {
    case .errorResponse(let pdu): " to \(pdu.requestOpcode) \(pdu.handle) \(pdu.code)"
    case .exchangeMTUResponse(let pdu): " \(pdu.serverReceiveMTU)"
    case .findInformationResponse(let pdu): fields(pdu.entries)
    case .findByTypeValueResponse(let pdu): fields(pdu.entries)
    case .readByTypeResponse(let pdu): fields(pdu.entries)
    case .readResponse(let pdu): field(pdu.value)
    case .readBlobResponse(let pdu): field(pdu.value)
    case .readMultipleResponse(let pdu): field(pdu.value)
    case .readByGroupTypeResponse(let pdu): fields(pdu.entries)
    case .readMultipleVariableResponse(let pdu): fields(pdu.values)
    case .writeResponse: ""
    case .prepareWriteResponse(let pdu): " \(pdu.handle) from \(pdu.valueOffset)\(field(pdu.value))"
    case .executeWriteResponse: ""
    case .handleValueNotification(let pdu): " \(pdu.handle)\(field(pdu.value))"
    case .handleValueIndication(let pdu): " \(pdu.handle)\(field(pdu.value))"
    case .multipleHandleValueNotification(let pdu): fields(pdu.tuples)
    case .unknown: nil
    }
}

/// A value after a space; nothing for an empty one.
private func field(_ value: RawSpan) -> String {
    value.byteCount == 0 ? "" : " " + value.hexadecimal
}

/// A value after an equals sign, with nothing between the quotes of an empty one.
private func assigned(_ value: RawSpan) -> String {
    value.byteCount == 0 ? "=empty" : "=" + value.hexadecimal
}

private func name(of flags: ExecuteWriteRequest.Flags) -> String {
    switch flags {
    case .cancel: "cancel"
    case .write: "write"
    default: "flags 0x" + hexadecimalDigits(of: flags.rawValue, count: 2)
    }
}

private func fields(_ handles: HandleList) -> String {
    var text = ""
    var iterator = handles.makeIterator()
    while let handle = iterator.next() { text += " \(handle)" }
    return text
}

private func fields(_ entries: FindInformationResponse.Entries) -> String {
    var text = ""
    var iterator = entries.makeIterator()
    while let entry = iterator.next() { text += " \(entry.handle)=\(entry.uuid)" }
    return text
}

private func fields(_ entries: FindByTypeValueResponse.Entries) -> String {
    var text = ""
    var iterator = entries.makeIterator()
    while let entry = iterator.next() { text += " \(entry.found)…\(entry.groupEnd)" }
    return text
}

private func fields(_ entries: ReadByTypeResponse.Entries) -> String {
    var text = ""
    var iterator = entries.makeIterator()
    while let entry = iterator.next() { text += " \(entry.handle)" + assigned(entry.value) }
    return text
}

private func fields(_ entries: ReadByGroupTypeResponse.Entries) -> String {
    var text = ""
    var iterator = entries.makeIterator()
    while let entry = iterator.next() { text += " \(entry.handle)…\(entry.endGroup)" + assigned(entry.value) }
    return text
}

private func fields(_ values: ReadMultipleVariableResponse.Values) -> String {
    var text = ""
    var iterator = values.makeIterator()
    while let value = iterator.next() {
        text += value.value.byteCount == 0 ? " empty" : field(value.value)
        if value.isCutShort { text += " (cut short, of \(value.length))" }
    }
    return text
}

private func fields(_ tuples: MultipleHandleValueNotification.Tuples) -> String {
    var text = ""
    var iterator = tuples.makeIterator()
    while let tuple = iterator.next() { text += " \(tuple.handle)" + assigned(tuple.value) }
    if let malformation = iterator.malformation { text += ", malformed: \(malformation)" }
    return text
}
