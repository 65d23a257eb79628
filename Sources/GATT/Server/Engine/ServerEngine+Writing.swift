// The requests and the command that write values (Core Specification, Vol 3, Part F, 3.4.5 and 3.4.6).
//
// A value longer than one request, or several that belong together, are prepared part by part in a queue and then written
// by one Execute Write, or thrown away. A part is only looked at when it is executed: whether its offset lies in the value
// and whether the whole is too long are errors of the Execute Write (3.4.6.3). All parts are tried on copies first, so that
// a queue with an error in it writes nothing.

extension ServerEngine {
    /// Answers a Write Request (3.4.5.1).
    mutating func write(_ request: WriteRequest, at now: MonotonicTime) {
        switch newValue(request.handle, [UInt8](octets: request.value)) {
        case .failure(let refusal): refuse(WriteRequest.opcode, request.handle, refusal.code)
        case .success(let value):
            let enabled = store(value, at: request.handle)
            sendBeforeResponse(enabled, at: now)
            perform(.send([Opcode.writeResponse.rawValue]))
            report(value, at: request.handle)
        }
    }

    /// Does what a Write Command says (3.4.5.3), or nothing: it has no answer, not even an error.
    mutating func writeCommand(_ command: WriteCommand, at now: MonotonicTime) {
        switch newValue(command.handle, [UInt8](octets: command.value)) {
        case .failure(let refusal): log("a Write Command to \(command.handle) was ignored: \(refusal.code)")
        case .success(let value):
            let enabled = store(value, at: command.handle)
            sendBeforeResponse(enabled, at: now)
            report(value, at: command.handle)
        }
    }

    /// Does what a Signed Write Command says (3.4.5.4), when the signature is right, the characteristic allows it and the
    /// link is not encrypted; otherwise nothing. A signature is worth as much as encryption by a key that nobody
    /// authenticated (Part C, 10.2.2).
    mutating func signedWriteCommand(_ command: SignedWriteCommand, at now: MonotonicTime) {
        let handle = command.handle
        func ignore(_ reason: String) { log("a Signed Write Command to \(handle) was ignored: \(reason)") }
        guard signatureCheck != nil else { return ignore("there is no key to check it with") }
        guard !security.isEncrypted else { return ignore("the link is encrypted") }
        guard let index = database.index(of: handle), case .value(let properties) = database.attributes[index].role,
            properties.contains(.authenticatedSignedWrites)
        else { return ignore("the attribute is not written so") }
        let low = UInt8(truncatingIfNeeded: handle.rawValue)
        let high = UInt8(truncatingIfNeeded: handle.rawValue >> 8)
        let value = [UInt8](octets: command.value)
        let message = [Opcode.signedWriteCommand.rawValue, low, high] + value
        guard signatureCheck?.accepts(message, [UInt8](octets: command.signature)) == true else {
            return ignore("the signature is wrong, or was used before")
        }
        let known = security
        (security.isEncrypted, security.isAuthenticated, security.keySize) = (true, false, 16)
        writeCommand(WriteCommand(handle: handle, value: value.octets), at: now)
        security = known
    }

    /// Answers a Prepare Write Request (3.4.6.1) by what it said, and queues it.
    mutating func prepareWrite(_ request: PrepareWriteRequest) {
        let opcode = PrepareWriteRequest.opcode
        if let refusal = refusalOfWriting(request.handle) {
            return refuse(opcode, request.handle, refusal)
        }
        guard preparedWrites.count < configuration.maximumPreparedWrites else {
            return refuse(opcode, request.handle, .prepareQueueFull)
        }
        // No value is that long, so nothing but room is lost when such a part never gets into the queue.
        guard request.value.byteCount <= AttributeDatabase.maximumValueLength else {
            return refuse(opcode, request.handle, .invalidAttributeValueLength)
        }
        let value = [UInt8](octets: request.value)
        preparedWrites.append(
            PreparedWrite(handle: request.handle, offset: Int(request.valueOffset), value: value))
        let (handle, offset) = (request.handle, request.valueOffset)
        let pdu = encoded(value.count + 5) { output throws(EncodeError) in
            try PrepareWriteResponse(handle: handle, valueOffset: offset, value: value.octets).encode(into: &output)
        }
        respond(to: opcode, pdu)
    }

    /// Answers an Execute Write Request (3.4.6.3): writes the queue, or throws it away. It is empty afterwards, also
    /// after an error.
    mutating func executeWrite(_ request: ExecuteWriteRequest, at now: MonotonicTime) {
        let opcode = ExecuteWriteRequest.opcode
        let flags = request.flags.rawValue
        guard flags <= 1 else { return refuse(opcode, .none, .invalidPDU) }
        let queue = preparedWrites
        preparedWrites = []
        var handles: [AttributeHandle] = []
        var values: [AttributeHandle: [UInt8]] = [:]
        if flags == 1 {
            for part in queue {
                switch newValue(part.handle, part.value, at: part.offset, of: values[part.handle]) {
                case .failure(let refusal): return refuse(opcode, part.handle, refusal.code)
                case .success(let value):
                    if values.updateValue(value, forKey: part.handle) == nil { handles.append(part.handle) }
                }
            }
            for handle in handles {
                guard let value = values[handle], let refusal = refusal(ofValue: value, at: handle) else { continue }
                return refuse(opcode, handle, refusal)
            }
        }
        for handle in handles {
            guard let value = values[handle] else { continue }
            let enabled = store(value, at: handle)
            sendBeforeResponse(enabled, at: now)
        }
        perform(.send([Opcode.executeWriteResponse.rawValue]))
        for handle in handles {
            guard let value = values[handle] else { continue }
            report(value, at: handle)
        }
    }

    // MARK: What a write does

    /// Why a write is refused, as the failure of a result.
    private struct Refusal: Error {
        var code: ErrorCode
    }

    private func refusalOfWriting(_ handle: AttributeHandle) -> ErrorCode? {
        guard let index = database.index(of: handle) else { return .invalidHandle }
        return security.refusal(of: database.attributes[index].permissions.write, forbidden: .writeNotPermitted)
    }

    /// The value the attribute has after a whole write of `octets`.
    private func newValue(_ handle: AttributeHandle, _ octets: [UInt8]) -> Result<[UInt8], Refusal> {
        newValue(handle, octets, at: 0, of: nil).flatMap { value in
            if let code = refusal(ofValue: value, at: handle) { return .failure(Refusal(code: code)) }
            return .success(value)
        }
    }

    /// The value the attribute has after a write of `octets` at `offset` into `current`; `nil`: into what it has now.
    private func newValue(
        _ handle: AttributeHandle, _ octets: [UInt8], at offset: Int, of current: [UInt8]?
    ) -> Result<[UInt8], Refusal> {
        if let code = refusalOfWriting(handle) { return .failure(Refusal(code: code)) }
        guard let index = database.index(of: handle) else { return .failure(Refusal(code: .invalidHandle)) }
        let attribute = database.attributes[index]
        let current = current ?? value(at: index)
        guard offset <= current.count else { return .failure(Refusal(code: .invalidOffset)) }
        guard offset + octets.count <= min(attribute.maximumLength, AttributeDatabase.maximumValueLength) else {
            return .failure(Refusal(code: .invalidAttributeValueLength))
        }
        var value = current
        switch attribute.length {
        case .fixed: value.replaceSubrange(offset..<offset + octets.count, with: octets)
        case .variable: value.replaceSubrange(offset..., with: octets)
        }
        return .success(value)
    }

    /// Why the attribute may not have this value.
    private func refusal(ofValue value: [UInt8], at handle: AttributeHandle) -> ErrorCode? {
        guard let index = database.index(of: handle) else { return .invalidHandle }
        let attribute = database.attributes[index]
        switch attribute.role {
        case .clientConfiguration(_, let properties):
            let wanted = ClientCharacteristicConfiguration(octets: value)
            // Reserved bits are no value of the descriptor; the others ask for something the characteristic lacks.
            guard wanted.isSubset(of: [.notify, .indicate]) else { return .valueNotAllowed }
            if wanted.contains(.notify), !properties.contains(.notify) { return .improperlyConfigured }
            if wanted.contains(.indicate), !properties.contains(.indicate) { return .improperlyConfigured }
        case .clientFeatures:
            // A client may set bits and never clear them (Part G, 7.2).
            for (old, new) in zip(self.value(at: index), value) where old & ~new != 0 { return .valueNotAllowed }
        case .service, .plain, .value: break
        }
        return attribute.behaviour.refusal(ofWriting: value)
    }

    /// Keeps a value, in the database or for this connection.
    /// - Returns: The characteristic value whose notifications or indications this enables.
    private mutating func store(_ value: [UInt8], at handle: AttributeHandle) -> AttributeHandle? {
        guard let index = database.index(of: handle) else { return nil }
        switch database.attributes[index].role {
        case .clientConfiguration(let valueHandle, _):
            let old = ClientCharacteristicConfiguration(octets: self.value(at: index))
            ownValues[handle] = value
            return ClientCharacteristicConfiguration(octets: value).isSubset(of: old) ? nil : valueHandle
        case .clientFeatures: ownValues[handle] = value
        case .service, .plain, .value: database.setValue(value, at: handle)
        }
        return nil
    }

    /// Sends the value of a characteristic that was just enabled, when it does so before the write is answered.
    private mutating func sendBeforeResponse(_ enabled: AttributeHandle?, at now: MonotonicTime) {
        guard let enabled, let index = database.index(of: enabled) else { return }
        let attribute = database.attributes[index]
        guard attribute.behaviour.sendsValueBeforeWriteResponse else { return }
        if configuration(of: enabled).contains(.notify) {
            notify(enabled, value: attribute.value)
        } else {
            indicate(enabled, value: attribute.value, at: now)
        }
    }

    /// Tells the shell what was written.
    private mutating func report(_ value: [UInt8], at handle: AttributeHandle) {
        guard let index = database.index(of: handle) else { return }
        if case .clientConfiguration(let valueHandle, _) = database.attributes[index].role {
            perform(.subscriptionChanged(valueHandle, ClientCharacteristicConfiguration(octets: value)))
        } else {
            perform(.written(handle, value: value))
        }
    }
}

extension ClientCharacteristicConfiguration {
    /// The configuration in the octets of a descriptor, least significant first; octets that are missing count as 0.
    init(octets: [UInt8]) {
        let low = octets.first.map { UInt16($0) } ?? 0
        let high = octets.dropFirst().first.map { UInt16($0) } ?? 0
        self.init(rawValue: high << 8 | low)
    }
}
