// What the engine makes of a PDU: a value the server sends unasked, an answer to the outstanding request, or a request
// of the peer, which is a client as well. Whatever is none of these is ignored and logged; it never completes a request
// and is never answered, since an Error Response answers requests only (Core Specification, Vol 3, Part F, 3.4.1.1).

extension ClientEngine {
    /// Where values go that the server sends unasked.
    typealias ValueSink = (AttributeHandle, RawSpan, ValueKind, inout FIFO<ClientAction>) -> Void

    mutating func receive(_ pdu: RawSpan, at now: MonotonicTime, sink: ValueSink) {
        guard closeReason == nil else { return }
        guard pdu.byteCount > 0 else {
            actions.append(.log("an empty PDU was ignored"))
            return
        }
        guard pdu.byteCount <= client.longestPDU else {
            close(.oversizedPDU(length: pdu.byteCount, maximum: client.longestPDU))
            return
        }
        let opcode = Opcode(pdu.unsafeOpcode)
        switch opcode {
        case .handleValueNotification, .handleValueIndication, .multipleHandleValueNotification:
            receiveValue(pdu, opcode, sink)
            // A change of the server's attributes may have come.
            takeTurns(at: now)
        default:
            let before = mtu
            switch opcode.kind {
            case .response: receiveResponse(pdu, opcode, at: now)
            case .request: receiveRequest(pdu, opcode)
            case .unknown where opcode.mayBeRequest: receiveRequest(pdu, opcode)
            default: ignore(pdu, "not for a client")
            }
            if mtu < before { withdrawWhatIsTooLong(at: now) }
        }
    }

    /// ATT_MTU has fallen, because the peer said less the second time: what waits to be sent may be too long now.
    private mutating func withdrawWhatIsTooLong(at now: MonotonicTime) {
        while let command = outbox.removeCommand(longerThan: mtu) {
            // An opcode and a handle stand before the value, perhaps a signature after it.
            let others = command.octets.first.map { Opcode($0).hasSignature } == true ? 15 : 3
            let error = GATTError.valueTooLong(length: command.octets.count - others, maximum: mtu - others)
            actions.append(.completed(command.id, .failure(error)))
        }
        guard let request = outbox.request, request.count > mtu else { return }
        outbox.request = nil
        answer(undecodable: .valueTooLong(length: request.count, maximum: mtu), at: now)
        takeTurns(at: now)
    }

    private mutating func ignore(_ pdu: RawSpan, _ reason: String) {
        actions.append(.log("ignored, \(reason): \(describe(pdu))"))
    }

    // MARK: Values sent unasked

    private mutating func receiveValue(_ pdu: RawSpan, _ opcode: Opcode, _ sink: ValueSink) {
        do throws(MalformedError) {
            switch opcode {
            case .handleValueNotification:
                let notification = try HandleValueNotification(parsing: pdu)
                deliver(notification.handle, notification.value, .notification, sink)
            case .handleValueIndication:
                let indication = try HandleValueIndication(parsing: pdu)
                deliver(indication.handle, indication.value, .indication, sink)
                // After it was delivered, also when nobody knows the handle: the server sends no other until then.
                outbox.owedConfirmations += 1
            default:
                var tuples = try MultipleHandleValueNotification(parsing: pdu).tuples.makeIterator()
                while let tuple = tuples.next() { deliver(tuple.handle, tuple.value, .multiple, sink) }
                if let malformation = tuples.malformation {
                    actions.append(.log("the last value of \(opcode) was dropped: \(malformation)"))
                }
            }
        } catch {
            ignore(pdu, "\(error)")
        }
    }

    private mutating func deliver(
        _ handle: AttributeHandle, _ value: RawSpan, _ kind: ValueKind, _ sink: ValueSink
    ) {
        guard value.byteCount <= ReadValue.longest else {
            actions.append(.log("a value of \(value.byteCount) octets for handle \(handle) was dropped: too long"))
            return
        }
        sink(handle, value, kind, &actions)
        if handle == client.serviceChangedHandle, kind == .indication { noteServicesChanged(value) }
    }

    /// Service Changed (Vol 3, Part G, 7.1): the first and the last handle of what changed.
    private mutating func noteServicesChanged(_ value: RawSpan) {
        var reader = OctetReader(value)
        guard value.byteCount == 4, let first = try? reader.uint16(), let last = try? reader.uint16(),
            let range = HandleRange(first: AttributeHandle(first), last: AttributeHandle(last))
        else {
            actions.append(.log("a Service Changed value was ignored, because it is no range: \(value.hexadecimal)"))
            return
        }
        note(changed: range)
    }

    // MARK: Answers

    private mutating func receiveResponse(_ pdu: RawSpan, _ opcode: Opcode, at now: MonotonicTime) {
        // A request that has not left yet cannot have been answered.
        guard case .awaitingResponse(let request, _) = slot, outbox.request == nil else {
            ignore(pdu, "no request is outstanding")
            return
        }
        if opcode == .errorResponse {
            receiveError(pdu, request, at: now)
        } else if opcode == request.responseOpcode {
            answer(pdu, request, at: now)
        } else {
            // A duplicate or late one: taking it would give its caller the answer to another question. The right answer
            // may still come, and when it does not, the time limit ends the wait.
            ignore(pdu, "\(request.opcode) is outstanding")
        }
        takeTurns(at: now)
    }

    private mutating func receiveError(_ pdu: RawSpan, _ request: OutgoingRequest, at now: MonotonicTime) {
        do throws(MalformedError) {
            let response = try ErrorResponse(parsing: pdu)
            guard response.requestOpcode == request.opcode else {
                ignore(pdu, "\(request.opcode) is outstanding")
                return
            }
            let error = AttributeError(
                code: response.code, request: response.requestOpcode, handle: response.handle)
            if !raiseSecurity(request, error), !resynchronise(request, error, at: now) { answer(error, at: now) }
        } catch {
            // Whose error it is stands in the second octet, if there is one.
            var reader = OctetReader(pdu, at: 1)
            guard let opcode = try? reader.uint8(), Opcode(opcode) == request.opcode else {
                ignore(pdu, "\(error)")
                return
            }
            answer(undecodable: .malformedResponse(.errorResponse, error), at: now)
        }
    }

    // MARK: Requests of the peer

    private mutating func receiveRequest(_ pdu: RawSpan, _ opcode: Opcode) {
        // Only a transport that is full keeps an answer back; a peer that goes on asking would fill the memory.
        guard outbox.reply == nil else {
            close(.requestBeforeResponse(opcode))
            return
        }
        outbox.reply = PeerRequests.answer(pdu, &client)
    }
}

extension Opcode {
    /// Whether an unassigned opcode can be a request. Every assigned one is even, responses and notifications are odd;
    /// what has the signature flag could only be a request or a command.
    fileprivate var mayBeRequest: Bool { !isCommand && (rawValue & 1 == 0 || hasSignature) }
}
