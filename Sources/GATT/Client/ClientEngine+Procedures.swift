// How the engine drives its procedures: whose turn it is, what a step leads to, and how everything ends.

extension ClientEngine {
    /// Queues a Write Command, which needs no slot.
    mutating func startCommand(_ handle: AttributeHandle, _ value: [UInt8], _ id: OperationID) {
        let maximum = mtu - 3
        guard value.count <= maximum else {
            actions.append(.completed(id, .failure(.valueTooLong(length: value.count, maximum: maximum))))
            return
        }
        guard let octets = encoded(WriteCommand(handle: handle, value: value.octets)) else {
            actions.append(.completed(id, .failure(.invalidArgument("the command cannot be sent"))))
            return
        }
        outbox.append(command: octets, for: id)
    }

    /// Signs and queues a Signed Write Command. Counters have to go out in their order, as the queue does. On an encrypted
    /// link it is a plain Write Command (Vol 3, Part G, 4.9.2).
    mutating func startSignedCommand(_ handle: AttributeHandle, _ value: [UInt8], _ id: OperationID) {
        guard !isEncrypted else { return startCommand(handle, value, id) }
        func refuse(_ text: String) { actions.append(.completed(id, .failure(.invalidArgument(text)))) }
        let maximum = mtu - 15
        guard value.count <= maximum else {
            actions.append(.completed(id, .failure(.valueTooLong(length: value.count, maximum: maximum))))
            return
        }
        guard signer != nil else { return refuse("there is no key to sign with") }
        let low = UInt8(truncatingIfNeeded: handle.rawValue)
        let high = UInt8(truncatingIfNeeded: handle.rawValue >> 8)
        let message = [Opcode.signedWriteCommand.rawValue, low, high] + value
        guard let signature = signer?.sign(message) else {
            return refuse(
                signer?.counter == nil ? "every counter of the key was used" : "the signature cannot be computed")
        }
        outbox.append(command: message + signature, for: id)
    }

    /// Lets the next procedure begin, while none is active.
    mutating func takeTurns(at now: MonotonicTime) {
        while !queue.isEmpty, active == nil, closeReason == nil, var operation = queue.popFirst() {
            let step = operation.machine.start(&client)
            active = operation
            perform(step, at: now)
        }
    }

    /// Does what the active procedure wants next.
    mutating func perform(_ step: ProcedureStep, at now: MonotonicTime) {
        switch step {
        case .request(let request):
            let maximum = configuration.maximumRounds
            guard let operation = active, operation.rounds < maximum || operation.machine.isBoundedByCaller else {
                settle(.failure(.tooManyRounds(maximum: maximum)))
                return
            }
            // A PDU longer than ATT_MTU must not be sent, whatever the caller wanted.
            guard request.octets.count <= mtu else {
                settle(.failure(.valueTooLong(length: request.octets.count, maximum: mtu)))
                return
            }
            active?.rounds += 1
            slot = .awaitingResponse(request, deadline: now + configuration.requestTimeout)
            outbox.request = request.octets
        case .finish(let outcome): settle(.success(outcome))
        case .fail(let error): settle(.failure(error))
        }
    }

    /// Ends the active procedure.
    mutating func settle(_ result: Result<Outcome, GATTError>) {
        let operation = active
        active = nil
        slot = .free
        guard let operation else { return }
        lastWasMaintenance = operation.id == nil
        tell(operation, result)
        scheduleMaintenance()
    }

    /// Says how an operation ended to whoever waits for it.
    private mutating func tell(_ operation: Operation, _ result: Result<Outcome, GATTError>) {
        guard let id = operation.id else { return finishMaintenance(result) }
        if !operation.isAbandoned { actions.append(.completed(id, result)) }
    }

    /// Gives a response to the active procedure.
    mutating func answer(_ response: RawSpan, _ request: OutgoingRequest, at now: MonotonicTime) {
        guard var operation = takeActive() else { return }
        var step: ProcedureStep
        do throws(MalformedError) {
            if var waiting = operation.resynchronisation {
                step = try waiting.reader.receive(response, &client)
                step = stepAfterResynchronising(&operation, waiting, step)
            } else {
                step = try operation.machine.receive(response, &client)
            }
        } catch {
            step = self.step(of: &operation, afterUndecodable: .malformedResponse(request.responseOpcode, error))
        }
        resume(operation, step, at: now)
    }

    /// Gives an Error Response to the active procedure.
    mutating func answer(_ error: AttributeError, at now: MonotonicTime) {
        guard var operation = takeActive() else { return }
        let step =
            if let waiting = operation.resynchronisation {
                stepAfterResynchronising(&operation, waiting, .fail(error.failure))
            } else {
                operation.machine.receive(error, &client)
            }
        resume(operation, step, at: now)
    }

    /// Tells the active procedure that its answer could not be decoded.
    mutating func answer(undecodable failure: GATTError, at now: MonotonicTime) {
        guard var operation = takeActive() else { return }
        let step = step(of: &operation, afterUndecodable: failure)
        resume(operation, step, at: now)
    }

    private mutating func step(of operation: inout Operation, afterUndecodable failure: GATTError) -> ProcedureStep {
        if let waiting = operation.resynchronisation {
            return stepAfterResynchronising(&operation, waiting, .fail(failure))
        }
        return operation.machine.receive(undecodable: failure, &client)
    }

    /// Frees the slot and takes the active procedure out of the engine, so that its arrays have one owner and grow in
    /// place; nil when its caller has gone and there is nothing to go on with.
    private mutating func takeActive() -> Operation? {
        let operation = active
        active = nil
        slot = .free
        guard let operation, !operation.isAbandoned || operation.goesOn else { return nil }
        return operation
    }

    private mutating func resume(_ operation: consuming Operation, _ step: ProcedureStep, at now: MonotonicTime) {
        if case .request = step, let id = operation.id, !operation.isAbandoned,
            let progress = operation.machine.progress
        {
            actions.append(.progress(id, done: progress.done, total: progress.total))
        }
        active = operation
        perform(step, at: now)
    }

    /// Asks for more security, when the error is for want of it and it was not asked for before.
    /// - Returns: whether it did.
    mutating func raiseSecurity(_ request: OutgoingRequest, _ error: AttributeError) -> Bool {
        guard configuration.elevatesSecurity,
            error.code == .insufficientAuthentication || error.code == .insufficientEncryption,
            let operation = active, !operation.isAbandoned, !operation.hasRaisedSecurity,
            operation.machine.mayRaiseSecurity
        else { return false }
        active?.hasRaisedSecurity = true
        slot = .awaitingSecurity(request, error)
        actions.append(.raiseSecurity(error.code))
        return true
    }

    /// The caller of the active procedure has gone.
    mutating func abandonActive(at now: MonotonicTime) {
        let goesOn = active?.machine.abandon() ?? false
        active?.isAbandoned = true
        active?.goesOn = goesOn
        switch slot {
        case .free: break
        case .awaitingResponse:
            // A request that was not sent yet need not be, and has no answer to wait for.
            guard !goesOn, outbox.request != nil else { return }
            outbox.request = nil
            active = nil
            slot = .free
        case .awaitingSecurity(_, let error): answer(error, at: now)
        }
        takeTurns(at: now)
    }

    /// Closes the bearer: everything fails, and the program is told to hang up.
    mutating func close(_ reason: BearerCloseReason) {
        failEverything(reason)
        actions.append(.close(reason))
    }

    /// Fails every procedure, in the order they were started, and stays closed.
    mutating func failEverything(_ reason: BearerCloseReason) {
        closeReason = reason
        settle(.failure(.bearerClosed(reason)))
        while let operation = queue.popFirst() {
            tell(operation, .failure(.bearerClosed(reason)))
        }
        while let id = outbox.removeOldestCommand() {
            actions.append(.completed(id, .failure(.bearerClosed(reason))))
        }
        outbox = Outbox()
        client.subscribers = [:]
    }
}

extension Procedure {
    /// The procedure as a state machine; nil for a command, which has no states.
    var machine: (any ProcedureMachine)? {
        switch self {
        case .exchangeMTU: ExchangeMTU()
        case .discoverPrimaryServices(let range): DiscoverServices(in: range, isPrimary: true)
        case .discoverPrimaryServicesByUUID(let uuid, let range, let stopsEarly):
            DiscoverServicesByUUID(uuid, in: range, stopsEarly: stopsEarly)
        case .discoverSecondaryServices(let range): DiscoverServices(in: range, isPrimary: false)
        case .findIncludedServices(let range): FindIncludedServices(in: range)
        case .discoverCharacteristics(let range, let uuid, let isWholeService):
            DiscoverCharacteristics(in: range, uuid: uuid, isWholeService: isWholeService)
        case .discoverDescriptors(let range): DiscoverDescriptors(in: range)
        case .discoverAll(let options): DiscoverAll(options)
        case .read(let handle, let offset): ReadValue(handle, offset: offset, readsOn: true)
        case .readOnce(let handle, let offset): ReadValue(handle, offset: offset, readsOn: false)
        case .readByUUID(let uuid, let range, let first): ReadByUUID(uuid, in: range, firstOnly: first)
        case .readMultiple(let handles): ReadMultiple(handles)
        case .readMultipleVariable(let handles): ReadMultipleVariable(handles)
        case .write(let handle, let value, let offset): WriteValue(handle, value, offset: offset)
        case .writeCommand, .signedWriteCommand: nil
        case .reliableWrite(let parts): PreparedWrite(parts)
        case .announceFeatures(let features): AnnounceFeatures(features)
        case .subscribe(let target, let mode): Subscribe(target, mode: mode)
        case .unsubscribe(let valueHandle): Unsubscribe(valueHandle: valueHandle)
        }
    }
}
