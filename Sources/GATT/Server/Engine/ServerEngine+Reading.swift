// The requests that read values (Core Specification, Vol 3, Part F, 3.4.4).

extension ServerEngine {
    /// Answers a Read By Type Request (3.4.4.1): handles and values of attributes of one type. The values of a response
    /// have one length, and each is cut at 253 octets and at what the MTU leaves; the first attribute that may not be
    /// read is an error when it is the first of all, otherwise the end of the list.
    mutating func readByType(_ request: ReadByTypeRequest, at now: MonotonicTime) {
        let opcode = ReadByTypeRequest.opcode
        guard let range = HandleRange(first: request.first, last: request.last) else {
            return refuse(opcode, request.first, .invalidHandle)
        }
        let type = request.attributeType
        let first = indexOfAttribute(type, from: database.firstIndex(from: range.first), upTo: range.last)
        guard let first else { return refuse(opcode, range.first, .attributeNotFound) }
        if let refusal = refusalOfReading(at: first) {
            return refuse(opcode, database.attributes[first].handle, refusal)
        }
        let limit = min(mtu - 4, 253)
        let length = min(value(at: first).count, limit)
        var delay = Duration.zero
        let pdu = encoded(mtu) { output throws(EncodeError) in
            try ReadByTypeResponse.begin(entryLength: length + 2, into: &output)
            var next: Int? = first
            while let index = next, output.freeCapacity >= length + 2 {
                let value = value(at: index)
                guard min(value.count, limit) == length, refusalOfReading(at: index) == nil else { break }
                try ReadByTypeResponse.append(
                    handle: database.attributes[index].handle, value: value.octets.extracting(first: length),
                    into: &output)
                delay = max(delay, database.attributes[index].behaviour.readDelay)
                next = indexOfAttribute(type, from: index + 1, upTo: range.last)
            }
        }
        respond(to: opcode, pdu, after: delay, at: now)
    }

    /// Answers a Read Request (3.4.4.3): the first MTU − 1 octets.
    mutating func read(_ request: ReadRequest, at now: MonotonicTime) {
        guard let index = readable(request.handle, ReadRequest.opcode) else { return }
        let value = value(at: index)
        let pdu = encoded(mtu) { output throws(EncodeError) in
            try ReadResponse(value: value.octets.extracting(first: mtu - 1)).encode(into: &output)
        }
        respond(to: ReadRequest.opcode, pdu, after: delay(of: [index]), at: now)
    }

    /// Answers a Read Blob Request (3.4.4.5): up to MTU − 1 octets from an offset. An offset at the end of the value
    /// gives an empty part, one beyond it Invalid Offset.
    mutating func readBlob(_ request: ReadBlobRequest, at now: MonotonicTime) {
        let opcode = ReadBlobRequest.opcode
        guard let index = readable(request.handle, opcode) else { return }
        let value = value(at: index)
        let offset = Int(request.valueOffset)
        if configuration.answersAttributeNotLong, value.count <= mtu - 1 {
            return refuse(opcode, request.handle, .attributeNotLong)
        }
        guard offset <= value.count else { return refuse(opcode, request.handle, .invalidOffset) }
        let pdu = encoded(mtu) { output throws(EncodeError) in
            let rest = value.octets.extracting(droppingFirst: offset)
            try ReadBlobResponse(value: rest.extracting(first: mtu - 1)).encode(into: &output)
        }
        respond(to: opcode, pdu, after: delay(of: [index]), at: now)
    }

    /// Answers a Read Multiple Request (3.4.4.7): the values of several attributes one after another, cut at the MTU.
    /// The first one that may not be read is the error of the whole request.
    mutating func readMultiple(_ request: ReadMultipleRequest, at now: MonotonicTime) {
        var indices: [Int] = []
        var handles = request.handles.makeIterator()
        while let handle = handles.next() {
            guard let index = readable(handle, ReadMultipleRequest.opcode) else { return }
            indices.append(index)
        }
        let pdu = encoded(mtu) { output throws(EncodeError) in
            try ReadMultipleResponse.begin(into: &output)
            for index in indices where !ReadMultipleResponse.append(value: value(at: index).octets, into: &output) {
                break
            }
        }
        respond(to: ReadMultipleRequest.opcode, pdu, after: delay(of: indices), at: now)
    }

    /// Answers a Read Multiple Variable Request (3.4.4.11): the same with the length before each value. A value that
    /// does not fit is cut, its length is not.
    mutating func readMultipleVariable(_ request: ReadMultipleVariableRequest, at now: MonotonicTime) {
        var indices: [Int] = []
        var handles = request.handles.makeIterator()
        while let handle = handles.next() {
            guard let index = readable(handle, ReadMultipleVariableRequest.opcode) else { return }
            indices.append(index)
        }
        let pdu = encoded(mtu) { output throws(EncodeError) in
            try ReadMultipleVariableResponse.begin(into: &output)
            for index in indices {
                let value = value(at: index)
                guard try ReadMultipleVariableResponse.append(value: value.octets, into: &output) else { break }
            }
        }
        respond(to: ReadMultipleVariableRequest.opcode, pdu, after: delay(of: indices), at: now)
    }

    /// The place of an attribute that may be read; answers the request when there is none or it may not.
    private mutating func readable(_ handle: AttributeHandle, _ opcode: Opcode) -> Int? {
        guard let index = database.index(of: handle) else {
            refuse(opcode, handle, .invalidHandle)
            return nil
        }
        if let refusal = refusalOfReading(at: index) {
            refuse(opcode, handle, refusal)
            return nil
        }
        return index
    }

    private func delay(of indices: [Int]) -> Duration {
        indices.reduce(.zero) { max($0, database.attributes[$1].behaviour.readDelay) }
    }
}
