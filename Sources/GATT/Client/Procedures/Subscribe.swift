// Notifications and indications (Core Specification, Vol 3, Part G, 4.10 and 4.11) are switched on by writing the Client
// Characteristic Configuration descriptor (3.3.3.3), which exists once for each client. Several callers share it: the
// first writes, the last one to leave writes zero. It is found by its UUID. Some servers declare notifications without
// such a descriptor and send them all the same; a subscription to one holds with nothing written.

/// One more subscriber of a characteristic.
struct Subscribe: ProcedureMachine {
    private enum Phase {
        case looking(HandleCursor)
        case writing(AttributeHandle)
        /// The caller has gone and nobody else subscribes: what was switched on is switched off.
        case undoing
    }

    private let target: SubscriptionTarget
    private let mode: SubscriptionMode
    private var indicates = false
    private var phase = Phase.undoing
    private var isAbandoned = false

    init(_ target: SubscriptionTarget, mode: SubscriptionMode) {
        self.target = target
        self.mode = mode
    }

    mutating func start(_ client: inout ClientState) -> ProcedureStep {
        if let present = client.subscribers[target.valueHandle] {
            client.subscribers[target.valueHandle]?.count += 1
            return .finish(.subscribed(present.subscription))
        }
        switch (mode, target.properties) {
        case (.notify, _), (.automatic, nil): indicates = false
        case (.indicate, _): indicates = true
        case (.automatic, let properties?):
            // Where both are possible, a notification costs one PDU and an indication two and a wait.
            guard !properties.isDisjoint(with: [.notify, .indicate]) else {
                return .fail(.cannotSubscribe(valueHandle: target.valueHandle))
            }
            indicates = !properties.contains(.notify)
        }
        if let handle = target.configurationHandle { return write(handle) }
        guard let first = target.valueHandle.next,
            let range = HandleRange(first: first, last: target.endHandle ?? .maximum)
        else { return hold(nil, &client) }
        return look(HandleCursor(range))
    }

    private mutating func look(_ cursor: HandleCursor) -> ProcedureStep {
        phase = .looking(cursor)
        return .ask(FindInformationRequest(first: cursor.first, last: cursor.last), about: cursor.first)
    }

    private mutating func write(_ handle: AttributeHandle) -> ProcedureStep {
        phase = .writing(handle)
        let value: [UInt8] = [indicates ? 0x02 : 0x01, 0x00]
        return .ask(WriteRequest(handle: handle, value: value.octets), about: handle)
    }

    /// The subscription holds.
    private func hold(_ handle: AttributeHandle?, _ client: inout ClientState) -> ProcedureStep {
        let subscription = ActiveSubscription(
            valueHandle: target.valueHandle, indicates: indicates, configurationHandle: handle)
        client.subscribers[target.valueHandle] = ClientState.Subscribers(count: 1, subscription: subscription)
        return .finish(.subscribed(subscription))
    }

    mutating func receive(_ response: RawSpan, _ client: inout ClientState) throws(MalformedError) -> ProcedureStep {
        switch phase {
        case .looking(var cursor):
            let response = try FindInformationResponse(parsing: response)
            var end = cursor.first
            var entries = response.entries.makeIterator()
            while let entry = entries.next() {
                if let refusal = cursor.refusal(of: entry.handle, in: .findInformationResponse) {
                    return .fail(refusal)
                }
                switch entry.uuid {
                case .clientCharacteristicConfiguration: return write(entry.handle)
                case .primaryService, .secondaryService, .include, .characteristic: return hold(nil, &client)
                default: end = max(end, entry.handle)
                }
            }
            return cursor.advance(past: end) ? look(cursor) : hold(nil, &client)
        case .writing(let handle):
            _ = try WriteResponse(parsing: response)
            guard isAbandoned else { return hold(handle, &client) }
            phase = .undoing
            let off: [UInt8] = [0x00, 0x00]
            return .ask(WriteRequest(handle: handle, value: off.octets), about: handle)
        case .undoing:
            return .fail(.cancelled)
        }
    }

    mutating func receive(_ error: AttributeError, _ client: inout ClientState) -> ProcedureStep {
        if case .looking = phase, error.code == .attributeNotFound { return hold(nil, &client) }
        return .fail(error.failure)
    }

    mutating func abandon() -> Bool {
        guard case .writing = phase else { return false }
        isAbandoned = true
        return true
    }
}

/// One subscriber less.
struct Unsubscribe: ProcedureMachine {
    private let valueHandle: AttributeHandle

    init(valueHandle: AttributeHandle) {
        self.valueHandle = valueHandle
    }

    mutating func start(_ client: inout ClientState) -> ProcedureStep {
        guard let present = client.subscribers[valueHandle] else {
            return .fail(.notSubscribed(valueHandle: valueHandle))
        }
        guard present.count == 1 else {
            client.subscribers[valueHandle]?.count -= 1
            return .finish(.done)
        }
        client.subscribers[valueHandle] = nil
        guard let handle = present.subscription.configurationHandle else { return .finish(.done) }
        let off: [UInt8] = [0x00, 0x00]
        return .ask(WriteRequest(handle: handle, value: off.octets), about: handle)
    }

    mutating func receive(_ response: RawSpan, _ client: inout ClientState) throws(MalformedError) -> ProcedureStep {
        _ = try WriteResponse(parsing: response)
        return .finish(.done)
    }
}
