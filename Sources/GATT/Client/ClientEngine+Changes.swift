// What the engine does when the server's attributes change under it.
//
// Service Changed indications may come at any time, several of them, about handles that overlap. They are collected while
// a rediscovery is under way, which begins before whatever else waits, since that may use handles that are no longer
// what they were. A rediscovery that follows another waits its turn: a server that announces changes without end would
// otherwise keep everybody waiting.
//
// With robust caching (Core Specification, Vol 3, Part G, 2.5.2.1) a server does not let a client use its handles after a
// change that the client does not know of: it answers one request by Database Out Of Sync (0x12). The client then reads
// the Database Hash. When it is the one it knows, nothing has changed for it, and the request is repeated. Otherwise the
// request fails, and everything is discovered again.

extension ClientEngine {
    /// A request that was answered by Database Out Of Sync, while the Database Hash is read.
    struct Resynchronisation: Sendable {
        var request: OutgoingRequest
        var error: AttributeError
        var reader: ReadByUUID
    }

    /// What is known of the server's attributes; nil when nothing is, and while a change is being looked into.
    ///
    /// A complete discovery sets this. A client that has it from a cache sets it itself, after it has compared the
    /// Database Hash; changes are looked into from then on.
    public var database: KnownDatabase? {
        get { client.changedRanges.isEmpty && !hasPendingMaintenance ? client.database : nil }
        set {
            client.database = newValue
            client.changedRanges = []
            if let characteristics = newValue?.database.characteristics.map(\.characteristic) {
                client.note(characteristics)
            }
        }
    }

    // MARK: Service Changed

    /// Collects a range that has changed.
    mutating func note(changed range: HandleRange) {
        actions.append(.servicesChanged(range))
        // A discovery that is under way may have seen the old attributes.
        guard client.database != nil || active?.machine.usesNoHandles == true else { return }
        client.changedRanges = (client.changedRanges + [range]).merged
        client.freshHash = nil
        scheduleMaintenance()
    }

    /// Queues a rediscovery, when there is something to rediscover.
    mutating func scheduleMaintenance() {
        guard !client.changedRanges.isEmpty, client.database != nil, !hasPendingMaintenance, closeReason == nil else {
            return
        }
        hasPendingMaintenance = true
        let operation = Operation(id: nil, machine: Rediscover())
        if lastWasMaintenance { queue.append(operation) } else { queue.prepend(operation) }
    }

    /// Tells the program how a rediscovery ended.
    mutating func finishMaintenance(_ result: Result<Outcome, GATTError>) {
        hasPendingMaintenance = false
        switch result {
        case .success:
            if let database = client.database { actions.append(.databaseChanged(database)) }
        case .failure(.bearerClosed): break
        case .failure(let error):
            client.database = nil
            client.changedRanges = []
            actions.append(.databaseLost(error))
        }
    }

    // MARK: Database Out Of Sync

    /// Finds out what Database Out Of Sync means for the active procedure.
    /// - Returns: false when the error is another one, or came a second time.
    mutating func resynchronise(
        _ request: OutgoingRequest, _ error: AttributeError, at now: MonotonicTime
    ) -> Bool {
        guard error.code == .databaseOutOfSync, let operation = active, !operation.isAbandoned,
            !operation.hasResynchronised
        else { return false }
        active?.hasResynchronised = true
        if operation.machine.usesNoHandles {
            perform(.request(request), at: now)
        } else {
            var reader = ReadByUUID(.databaseHash, in: .all, firstOnly: true)
            let step = reader.start(&client)
            active?.resynchronisation = Resynchronisation(request: request, error: error, reader: reader)
            perform(step, at: now)
        }
        return true
    }

    /// The step of a procedure after the Database Hash was read, or could not be.
    mutating func stepAfterResynchronising(
        _ operation: inout Operation, _ waiting: Resynchronisation, _ answer: ProcedureStep
    ) -> ProcedureStep {
        operation.resynchronisation = nil
        var hash: DatabaseHash?
        if case .finish(.handleValues(let values)) = answer {
            hash = values.first.flatMap { DatabaseHash(octets: $0.value) }
        }
        if let hash, hash == client.database?.hash, !operation.isAbandoned { return .request(waiting.request) }
        actions.append(.servicesChanged(.all))
        if client.database != nil {
            client.changedRanges = [.all]
            client.freshHash = hash
            scheduleMaintenance()
        }
        return operation.machine.receive(waiting.error, &client)
    }
}

extension [HandleRange] {
    /// The same handles in ranges that do not touch, in ascending order.
    fileprivate var merged: [HandleRange] {
        var result: [HandleRange] = []
        for range in sorted(by: { $0.first < $1.first }) {
            if let last = result.last, range.first.rawValue <= last.last.next?.rawValue ?? .max {
                result[result.count - 1] = last.union(range)
            } else {
                result.append(range)
            }
        }
        return result
    }
}
