// A GATT client on one bearer. It is driven from outside: every PDU of the peer goes in by `receive`, the passing of
// time by `advance`, wishes by `start` and `cancel`; after each of these, `nextAction` gives, one by one, what has to be
// done. It reads no clock and opens nothing.
//
// ATT allows one outstanding request per bearer (Core Specification, Vol 3, Part F, 3.3.2), so that the engine has one
// *slot*. Procedures take their turns in the order they were started: each holds the slot from its first request to its
// end, which keeps a long write alone in the server's queue and the result independent of timing. Answers to the peer,
// confirmations and commands do not need the slot and overtake.
//
//                    start ──▶ queue ──▶ active procedure ──▶ request in the slot ──▶ outbox ──▶ .send
//                                              ▲                      │
//                                              └── response or error ─┘   30 s without: everything fails, .close

/// A GATT client: procedures in, PDUs in, time in; PDUs out, results out.
public struct ClientEngine: ~Copyable, Sendable {
    /// What the engine may do on its own, and how far it goes.
    public var configuration: ClientConfiguration { client.configuration }

    var client: ClientState
    var queue = FIFO<Operation>()
    var active: Operation?
    var slot = Slot.free
    var outbox = Outbox()
    var actions = FIFO<ClientAction>()

    /// Signs Signed Write Commands; nil without a key.
    public var signer: MessageSigner?
    /// Whether the link is encrypted. Signed Write Commands are for links that are not (Core Specification, Vol 3, Part C,
    /// 10.4.1); on one that is, what was to be signed goes as a Write Command.
    public var isEncrypted = false

    /// Why the bearer is closed; nil while it is open.
    public internal(set) var closeReason: BearerCloseReason?
    /// How many requests were sent.
    public private(set) var requestCount = 0
    private var lastID: UInt64 = 0
    /// Whether a rediscovery after a change waits or is under way.
    var hasPendingMaintenance = false
    /// Whether the last procedure that ended was such a rediscovery.
    var lastWasMaintenance = false

    /// A procedure that somebody waits for, or did.
    struct Operation: Sendable {
        /// What its caller calls it; nil when nobody asked for it: the server's attributes have changed.
        let id: OperationID?
        var machine: any ProcedureMachine
        /// How many requests it has made.
        var rounds = 0
        /// Whether the link's security was raised for it: that is done once.
        var hasRaisedSecurity = false
        /// Whether its caller has gone; the slot stays taken until the answer has come.
        var isAbandoned = false
        /// Whether it goes on although its caller has gone.
        var goesOn = false
        /// Whether a request of it was answered by Database Out Of Sync before: it is repeated once.
        var hasResynchronised = false
        /// What waits while the Database Hash is read.
        var resynchronisation: Resynchronisation?
    }

    /// What the one outstanding request waits for.
    enum Slot: Sendable {
        /// There is none.
        case free
        /// The answer, until the deadline.
        case awaitingResponse(OutgoingRequest, deadline: MonotonicTime)
        /// More security: the request failed for want of it, by this error. The clock stands still.
        case awaitingSecurity(OutgoingRequest, AttributeError)
    }

    /// An engine for a bearer that has just been opened.
    public init(configuration: ClientConfiguration = ClientConfiguration()) {
        client = ClientState(configuration: configuration)
    }

    // MARK: What is known

    /// ATT_MTU, in octets: no PDU of either side is longer. At least 23.
    public var mtu: Int { client.mtu }

    /// Whether the bearer is closed: nothing is sent any more, and what is started fails at once.
    public var isClosed: Bool { closeReason != nil }

    /// When `advance(to:)` has to be called, unless something else happens first; nil while nothing expires.
    public var nextDeadline: MonotonicTime? {
        if case .awaitingResponse(_, let deadline) = slot { deadline } else { nil }
    }

    /// How many subscriptions to the characteristic with this value handle hold.
    public func subscriberCount(valueHandle: AttributeHandle) -> Int {
        client.subscribers[valueHandle]?.count ?? 0
    }

    /// The value handle of the server's Service Changed characteristic, whose indications become `.servicesChanged`.
    /// Discovering it sets this; a client that knows it from a cache sets it itself.
    public var serviceChangedHandle: AttributeHandle? {
        get { client.serviceChangedHandle }
        set { client.serviceChangedHandle = newValue }
    }

    // MARK: What is wanted

    /// Starts a procedure, or queues it behind those started before.
    /// - Returns: its name, which its `completed` action will carry: exactly one comes.
    public mutating func start(_ procedure: Procedure, at now: MonotonicTime) -> OperationID {
        lastID += 1
        let id = OperationID(rawValue: lastID)
        if let closeReason {
            actions.append(.completed(id, .failure(.bearerClosed(closeReason))))
        } else if case .writeCommand(let handle, let value) = procedure {
            startCommand(handle, value, id)
        } else if case .signedWriteCommand(let handle, let value) = procedure {
            startSignedCommand(handle, value, id)
        } else if let machine = procedure.machine {
            queue.append(Operation(id: id, machine: machine))
            takeTurns(at: now)
        }
        return id
    }

    /// Drops the caller of a procedure, who gets `.cancelled`. A request that was sent keeps the slot until its answer
    /// has come; a long write then has the server drop the parts it has. Nothing happens when it has ended already.
    public mutating func cancel(_ id: OperationID, at now: MonotonicTime) {
        if queue.removeFirst(where: { $0.id == id }) != nil || outbox.removeCommand(id) {
            actions.append(.completed(id, .failure(.cancelled)))
        } else if active?.id == id, active?.isAbandoned == false {
            actions.append(.completed(id, .failure(.cancelled)))
            abandonActive(at: now)
        }
    }

    // MARK: What happens

    /// Takes one PDU from the peer. Values the server sends unasked become `.valueChanged` actions.
    /// - Parameters:
    ///   - pdu: all of it, and nothing else.
    ///   - now: the present.
    public mutating func receive(_ pdu: RawSpan, at now: MonotonicTime) {
        receive(pdu, at: now) { handle, value, kind, actions in
            actions.append(.valueChanged(handle, value: [UInt8](octets: value), kind: kind))
        }
    }

    /// Takes one PDU from the peer and hands values the server sends unasked to `deliver`, at once and without a copy.
    /// - Parameters:
    ///   - pdu: all of it, and nothing else.
    ///   - now: the present.
    ///   - deliver: gets the handle, the borrowed value and how it came. It comes before the confirmation is sent.
    public mutating func receive(
        _ pdu: RawSpan, at now: MonotonicTime, deliver: (AttributeHandle, RawSpan, ValueKind) -> Void
    ) {
        receive(pdu, at: now) { handle, value, kind, _ in deliver(handle, value, kind) }
    }

    /// The bearer has gone. Every procedure fails with `.bearerClosed(reason)`.
    public mutating func bearerClosed(_ reason: BearerCloseReason, at now: MonotonicTime) {
        guard closeReason == nil else { return }
        failEverything(reason)
    }

    /// Time has passed. A request whose 30 seconds are over fails, and the bearer with it (Vol 3, Part F, 3.3.3). An answer
    /// that `receive` gets before this call still counts, whatever the clock says.
    public mutating func advance(to now: MonotonicTime) {
        guard case .awaitingResponse(let request, let deadline) = slot, now >= deadline else { return }
        settle(.failure(.timedOut(request.opcode, handle: request.handle)))
        close(.requestTimedOut(request.opcode))
    }

    /// The transport did not take the PDU of the last `.send`, which the caller keeps. No other follows until
    /// `transportIsReady(at:)`.
    public mutating func transportIsFull() {
        outbox.isFull = true
    }

    /// The transport has taken the PDU it refused before.
    public mutating func transportIsReady(at now: MonotonicTime) {
        outbox.isFull = false
    }

    /// Answers `.raiseSecurity`. After `.raised` the request is repeated, once; after `.refused` it has failed.
    public mutating func securityChanged(_ result: SecurityResult, at now: MonotonicTime) {
        guard case .awaitingSecurity(let request, let error) = slot else { return }
        switch result {
        case .raised: perform(.request(request), at: now)
        case .refused: answer(error, at: now)
        }
        takeTurns(at: now)
    }

    // MARK: What to do

    /// The next thing to do; nil when there is nothing. Ask again after everything that goes in.
    public mutating func nextAction() -> ClientAction? {
        if let action = actions.popFirst() { return action }
        guard closeReason == nil, let packet = outbox.next() else { return nil }
        if packet.isRequest { requestCount += 1 }
        if let id = packet.completes { actions.append(.completed(id, .success(.done))) }
        return .send(packet.octets)
    }
}
