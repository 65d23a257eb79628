// The requests that find attributes (Core Specification, Vol 3, Part F, 3.4.3 and 3.4.4.9). Each asks for a range of
// handles; the response lists what is there until the MTU is full, and the client asks again from the handle after the
// last one. A range that starts at 0x0000 or ends before it starts is answered by Invalid Handle with its first handle, a
// range without a match by Attribute Not Found.

extension ServerEngine {
    /// Answers a Find Information Request (3.4.3.1): handles and types. A response holds UUIDs of one size only.
    mutating func findInformation(_ request: FindInformationRequest) {
        let opcode = FindInformationRequest.opcode
        guard let range = HandleRange(first: request.first, last: request.last) else {
            return refuse(opcode, request.first, .invalidHandle)
        }
        let attributes = database.attributes
        var index = database.firstIndex(from: range.first)
        guard index < attributes.count, attributes[index].handle <= range.last else {
            return refuse(opcode, range.first, .attributeNotFound)
        }
        let width = attributes[index].type.onWire.width
        let format: FindInformationResponse.Format = width == .bits16 ? .uuid16 : .uuid128
        let pdu = encoded(mtu) { output throws(EncodeError) in
            try FindInformationResponse.begin(format: format, into: &output)
            while index < attributes.count, output.freeCapacity >= format.entryByteCount {
                let (handle, type) = (attributes[index].handle, attributes[index].type.onWire)
                guard handle <= range.last, type.width == width else { break }
                try FindInformationResponse.append(handle: handle, uuid: type, format: format, into: &output)
                index += 1
            }
        }
        respond(to: opcode, pdu)
    }

    /// Answers a Find By Type Value Request (3.4.3.3): the handles and group ends of attributes of a 16-bit type that
    /// have exactly this value and may be read.
    mutating func findByTypeValue(_ request: FindByTypeValueRequest) {
        let opcode = FindByTypeValueRequest.opcode
        guard let range = HandleRange(first: request.first, last: request.last) else {
            return refuse(opcode, request.first, .invalidHandle)
        }
        let type = BluetoothUUID(request.attributeType)
        let value = [UInt8](octets: request.value)
        var next = indexOfMatch(type, value, from: database.firstIndex(from: range.first), upTo: range.last)
        guard next != nil else { return refuse(opcode, range.first, .attributeNotFound) }
        let pdu = encoded(mtu) { output throws(EncodeError) in
            try FindByTypeValueResponse.begin(into: &output)
            while let index = next, output.freeCapacity >= 4 {
                let attribute = database.attributes[index]
                try FindByTypeValueResponse.append(
                    found: attribute.handle, groupEnd: attribute.groupEnd, into: &output)
                next = indexOfMatch(type, value, from: index + 1, upTo: range.last)
            }
        }
        respond(to: opcode, pdu)
    }

    /// Answers a Read By Group Type Request (3.4.4.9): declarations of services, with the end of each. Only the two
    /// kinds of service are groups (Part G, 2.5.3); another type is answered by Unsupported Group Type.
    mutating func readByGroupType(_ request: ReadByGroupTypeRequest) {
        let opcode = ReadByGroupTypeRequest.opcode
        guard let range = HandleRange(first: request.first, last: request.last) else {
            return refuse(opcode, request.first, .invalidHandle)
        }
        let type = request.groupType
        guard type == .primaryService || type == .secondaryService else {
            return refuse(opcode, range.first, .unsupportedGroupType)
        }
        let first = indexOfAttribute(type, from: database.firstIndex(from: range.first), upTo: range.last)
        guard let first else { return refuse(opcode, range.first, .attributeNotFound) }
        if let refusal = refusalOfReading(at: first) {
            return refuse(opcode, database.attributes[first].handle, refusal)
        }
        let length = min(value(at: first).count, min(mtu - 6, 251))
        let pdu = encoded(mtu) { output throws(EncodeError) in
            try ReadByGroupTypeResponse.begin(entryLength: length + 4, into: &output)
            var next: Int? = first
            while let index = next, output.freeCapacity >= length + 4 {
                let value = value(at: index)
                guard value.count == length, refusalOfReading(at: index) == nil else { break }
                let attribute = database.attributes[index]
                try ReadByGroupTypeResponse.append(
                    handle: attribute.handle, endGroup: attribute.groupEnd, value: value.octets, into: &output)
                next = indexOfAttribute(type, from: index + 1, upTo: range.last)
            }
        }
        respond(to: opcode, pdu)
    }

    /// The place of the first attribute of this type, from place `start` and up to the handle `last`.
    func indexOfAttribute(_ type: BluetoothUUID, from start: Int, upTo last: AttributeHandle) -> Int? {
        var index = start
        let attributes = database.attributes
        while index < attributes.count, attributes[index].handle <= last {
            if attributes[index].type == type { return index }
            index += 1
        }
        return nil
    }

    /// The place of the first readable attribute of this type and value.
    private func indexOfMatch(
        _ type: BluetoothUUID, _ wanted: [UInt8], from start: Int, upTo last: AttributeHandle
    ) -> Int? {
        var start = start
        while let index = indexOfAttribute(type, from: start, upTo: last) {
            if value(at: index) == wanted, refusalOfReading(at: index) == nil { return index }
            start = index + 1
        }
        return nil
    }
}
