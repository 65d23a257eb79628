public import GATT
internal import Sockets

/// A connection to a GATT server.
///
/// The actor is the shell around GATT's client engine: it feeds the engine what the socket received and what time it is,
/// and does what the engine asks for. It runs on the event loop's thread, where the socket's events arrive, so nothing
/// changes threads on its way in.
///
/// Every method can be cancelled by cancelling its task: the call returns at once with `cancelled`. A request that is on
/// its way by then keeps the bearer's one slot until its answer comes (Core Specification, Vol 3, Part F, 3.3.2).
///
/// Letting go of a connection, and of its subscriptions, closes it.
public actor Connection {
    /// The peer, for messages: an address, a name, a path.
    public nonisolated let peer: String

    nonisolated let loop: EventLoop
    /// The event loop, on whose thread the connection runs.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    private nonisolated let socket: SeqPacketSocket
    let bearer: Bearer
    private let operationTimeout: Duration?
    private let preferredMTU: Int
    private var observer: PDUObserver?
    /// Who is told of events in their order; see `listen`.
    var listener: (@Sendable (ConnectionEvent) -> Void)?
    let log: (@Sendable (String) -> Void)?
    var engine: ClientEngine

    let attributeStore: AttributeStore?
    /// What names the peer for good.
    let identity: String?
    let isBonded: Bool
    let procedureObserver: ProcedureObserver?
    /// How many requests the procedures that have ended took.
    var countedRequests = 0
    /// The peer's Database Hash, when it was read on this connection and nothing was said to have changed since.
    var freshHash: DatabaseHash?
    /// The last change of what is kept.
    var storeUpdate: Task<Void, Never>?

    private var operations: [OperationID: Operation] = [:]
    var subscribers = Subscribers()
    private var changeListeners: [BoundedQueue<HandleRange>] = []
    private var closeWaiters: [Promise<Disconnection?>] = []
    /// What the socket did not take yet.
    private var outbox: [[UInt8]] = []
    private var timer: LoopTimer?
    /// The raise of the link's security that goes on.
    var raising: Raising?
    /// What the link is known to have.
    var securityLevel = SecurityLevel.low
    private let wantedSecurity: SecurityLevel
    /// Why the security could not be raised when a request needed that.
    private var securityError: CentralError?

    /// How the connection ended; `nil` while it stands.
    public private(set) var disconnection: Disconnection?

    private struct Operation {
        /// Takes the outcome; whether somebody still wants it.
        let completion: @Sendable (Result<Outcome, CentralError>) -> Bool
        let action: String
        let failure: String
        let progress: ProgressHandler?
        let deadline: MonotonicTime?
    }

    init(bearer: Bearer, options: ConnectOptions, loop: EventLoop) {
        self.bearer = bearer
        self.loop = loop
        peer = bearer.peer
        socket = bearer.socket
        operationTimeout = options.operationTimeout
        preferredMTU = options.preferredMTU
        wantedSecurity = options.security
        observer = options.observer
        log = options.log
        attributeStore = options.attributeStore
        identity = options.identity ?? bearer.identity
        isBonded = options.isBonded || bearer.isBonded
        procedureObserver = options.procedureObserver
        engine = ClientEngine(configuration: options.configuration)
    }

    /// Begins to receive and exchanges the MTU.
    func open() async throws(CentralError) {
        let timer = LoopTimer(on: loop) { [weak self] in
            self?.assumeIsolated { $0.timerFired() }
        }
        self.timer = timer
        do throws(Errno) {
            try socket.start(
                SeqPacketHandlers(
                    received: { [weak self] batch in self?.assumeIsolated { $0.receive(batch) } },
                    writable: { [weak self] in self?.assumeIsolated { $0.socketIsWritable() } },
                    closed: { [weak self] reason in self?.assumeIsolated { $0.socketClosed(reason) } }))
        } catch {
            throw CentralError(
                .noConnection, failure: "cannot connect to \(peer)", reason: error.description, errno: error)
        }
        if wantedSecurity > .low, bearer.security != nil { try await raiseSecurity(to: wantedSecurity) }
        guard preferredMTU > 23 else { return }
        _ = try await perform(.exchangeMTU)
    }

    deinit {
        // The loop holds an armed timer; its handler holds nothing, and it goes when its time comes.
        let timer = timer
        loop.execute { timer?.invalidate() }
        socket.close()
    }

    /// The MTU of the bearer: the longest PDU either side may send, at least 23.
    public var mtu: Int { engine.mtu }

    /// Whether the connection stands.
    public var isConnected: Bool { disconnection == nil }

    /// How many requests were sent since the connection was made.
    public var requestCount: Int { engine.requestCount }

    /// Puts another observer of PDUs in place, or none.
    public func setObserver(_ observer: PDUObserver?) { self.observer = observer }

    // MARK: Procedures

    /// Told how far an operation is, on the loop's thread: how many of how many octets or handles; the total is `nil`
    /// while nobody knows it.
    public typealias ProgressHandler = @Sendable (_ done: Int, _ total: Int?) -> Void

    /// Performs any GATT procedure. The methods with names do this, and are easier to use.
    /// - Throws: `refused` with the GATT error when the peer refused; `linkLost`; `timedOut`; `cancelled`; `invalid`.
    public func perform(
        _ procedure: Procedure, progress: ProgressHandler? = nil
    ) async throws(CentralError) -> Outcome {
        let failure = procedure.failure(on: peer)
        guard !Task.isCancelled else { throw .cancelled(failure) }
        let promise = Promise<Result<Outcome, CentralError>>()
        let id = start(procedure, failure: failure, progress: progress) { promise.fulfil($0) }
        let result = await promise.value(
            whenCancelled: .failure(.cancelled(failure)),
            onCancel: {
                self.loop.execute { self.assumeIsolated { $0.cancel(id) } }
            })
        return try result.get()
    }

    @discardableResult
    func start(
        _ procedure: Procedure, failure: String, progress: ProgressHandler? = nil,
        completion: @escaping @Sendable (Result<Outcome, CentralError>) -> Bool
    ) -> OperationID {
        let now = loop.time
        if case .signedWriteCommand = procedure { engine.isEncrypted = isEncrypted }
        let id = engine.start(procedure, at: now)
        operations[id] = Operation(
            completion: completion, action: procedure.verb, failure: failure, progress: progress,
            deadline: operationTimeout.map { now + $0 })
        drain()
        return id
    }

    private func cancel(_ id: OperationID) {
        guard operations.removeValue(forKey: id) != nil else { return }
        engine.cancel(id, at: loop.time)
        drain()
    }

    // MARK: Events

    private func receive(_ batch: DatagramBatch) {
        guard disconnection == nil else { return }
        let time = Timestamp(loop)
        for index in 0..<batch.count {
            let octets = batch.octets(at: index)
            observer?(.received, time, octets)
            let mtu = engine.mtu
            engine.receive(octets, at: time.monotonic) { handle, value, kind in
                subscribers.stage(value, of: handle, kind: kind, at: time)
                listener?(.value([UInt8](octets: value), of: handle, kind))
            }
            if engine.mtu != mtu { listener?(.mtuChanged(engine.mtu)) }
            drain()
            if disconnection != nil { break }
        }
        subscribers.flush()
    }

    private func socketClosed(_ reason: SocketCloseReason) {
        guard disconnection == nil else { return }
        let end = bearer.security?.linkEnded()
        if let error = end?.error { endRaising(error) }
        let reason = end?.reason ?? bearer.closeReason(reason)
        engine.bearerClosed(reason, at: loop.time)
        ended(reason)
        drain()
        endRaising(raisingError())
    }

    private func timerFired() {
        let now = loop.time
        engine.advance(to: now)
        for (id, operation) in operations {
            guard let deadline = operation.deadline, deadline <= now, let operationTimeout else { continue }
            operations[id] = nil
            engine.cancel(id, at: now)
            _ = operation.completion(.failure(.timedOut(operation.failure, after: operationTimeout)))
        }
        drain()
    }

    // MARK: Actions

    /// Does what the engine asks for, until it asks for nothing more.
    private func drain() {
        while let action = engine.nextAction() {
            switch action {
            case .send(let pdu): send(pdu)
            case .completed(let id, let result): complete(id, result)
            case .progress(let id, let done, let total): operations[id]?.progress?(done, total)
            case .valueChanged(let handle, let value, let kind):
                subscribers.stage(value.octets, of: handle, kind: kind, at: Timestamp(loop))
            case .servicesChanged(let range):
                freshHash = nil
                // Without a hash nothing but this tells that what was kept does not hold.
                if isBonded { updateStore { await $0.forgetAttributes() } }
                listener?(.servicesChanged(range))
                for listener in changeListeners {
                    listener.append(range)
                    listener.wake()
                }
            case .databaseChanged:
                report("discover what has changed", nil)
                updateStore { await $0.keepAttributes() }
            case .databaseLost(let error):
                report("discover what has changed", error)
                updateStore { await $0.forgetAttributes() }
            case .raiseSecurity: raiseSecurity()
            case .close(let reason):
                ended(reason)
                socket.close()
            case .log(let text): log?(text)
            }
        }
        armTimer()
    }

    private func send(_ pdu: [UInt8]) {
        guard outbox.isEmpty else {
            outbox.append(pdu)
            return
        }
        if !sendNow(pdu) {
            outbox.append(pdu)
            engine.transportIsFull()
        }
    }

    /// Whether the socket took it, or never will.
    private func sendNow(_ pdu: [UInt8]) -> Bool {
        do throws(Errno) {
            guard try socket.send(pdu.octets) == .sent else { return false }
            observer?(.sent, Timestamp(loop), pdu.octets)
        } catch .notConnected where raising != nil {
            // The kernel takes nothing while it pairs; the socket is watched until it does.
            return false
        } catch .brokenPipe, .connectionReset, .notConnected, .badFileDescriptor {
            // The socket reports its end itself, after what was received before it.
        } catch {
            fail(.transportFailed("sending failed: \(error)"))
        }
        return true
    }

    /// Gives the bearer up, for a reason that the engine does not know of.
    private func fail(_ reason: BearerCloseReason) {
        engine.bearerClosed(reason, at: loop.time)
        ended(reason)
        socket.close()
        drain()
    }

    private func socketIsWritable() {
        bearer.security?.socketIsWritable()
        while let pdu = outbox.first {
            guard sendNow(pdu) else { return }
            outbox.removeFirst()
        }
        guard disconnection == nil else { return }
        engine.transportIsReady(at: loop.time)
        drain()
    }

    private func complete(_ id: OperationID, _ result: Result<Outcome, GATTError>) {
        let operation = operations.removeValue(forKey: id)
        var failure: GATTError?
        if case .failure(let error) = result { failure = error }
        report(operation?.action ?? "something nobody waits for", failure)
        guard let operation else { return }
        let isHeard = operation.completion(result.mapError { error($0, of: operation) })
        // The caller was cancelled as the answer came: nobody would ever end this subscription.
        if !isHeard, case .success(.subscribed(let agreement)) = result {
            startUnattended(.unsubscribe(valueHandle: agreement.valueHandle))
        }
    }

    private func error(_ error: GATTError, of operation: Operation) -> CentralError {
        guard let securityError, case .attributeError = error else {
            return CentralError(error, failure: operation.failure)
        }
        return CentralError(error, failure: operation.failure, after: securityError)
    }

    /// Starts a procedure whose outcome interests nobody.
    func startUnattended(_ procedure: Procedure) {
        _ = engine.start(procedure, at: loop.time)
        drain()
    }

    // MARK: Security

    private func raiseSecurity() {
        guard bearer.security != nil else {
            engine.securityChanged(.refused, at: loop.time)
            return
        }
        raise(to: nil) { [weak self] result in
            self?.assumeIsolated { $0.answerEngine(result) }
        }
    }

    private func answerEngine(_ result: Result<SecurityLevel, CentralError>) {
        switch result {
        case .success: engine.securityChanged(.raised, at: loop.time)
        case .failure(let error):
            securityError = error
            engine.securityChanged(.refused, at: loop.time)
            // Whoever waits is told of this failure, not of the next.
            drain()
            securityError = nil
        }
    }

    /// A raise has ended, and those who waited for it know.
    func securityHasChanged(_ result: Result<SecurityLevel, CentralError>) {
        if case .failure(let error) = result, bearer.security?.isBlocking() == true {
            // The kernel leaves a socket that waits for a pairing as it is for good.
            fail(.transportFailed(error.reason))
            return
        }
        guard disconnection == nil else { return }
        // What could not be sent meanwhile goes now.
        socketIsWritable()
    }

    private func armTimer() {
        var next = engine.nextDeadline
        if operationTimeout != nil {
            for operation in operations.values {
                guard let deadline = operation.deadline else { continue }
                next = min(next ?? deadline, deadline)
            }
        }
        if let next, disconnection == nil {
            timer?.arm(at: next.nanoseconds)
        } else {
            timer?.disarm()
        }
    }

    // MARK: The end

    private func ended(_ reason: BearerCloseReason) {
        guard disconnection == nil else { return }
        let disconnection = Disconnection(reason: reason, time: Timestamp(loop))
        self.disconnection = disconnection
        outbox.removeAll()
        subscribers.flush()
        let error = disconnection.isLocal ? nil : linkError("receive values")
        for subscriber in subscribers.all { subscriber.queue.finish(throwing: error) }
        for listener in changeListeners { listener.finish(throwing: error) }
        changeListeners.removeAll()
        for waiter in closeWaiters { waiter.fulfil(disconnection) }
        closeWaiters.removeAll()
        timer?.invalidate()
        listener?(.ended(disconnection))
        listener = nil
        if let security = bearer.security { Task { await security.close() } }
    }

    /// The error of something that is attempted on a connection that has ended.
    package func linkError(_ verb: String) -> CentralError {
        CentralError(
            .bearerClosed(disconnection?.reason ?? .closedLocally), failure: "cannot \(verb) from \(peer)")
    }

    /// Waits until the connection has ended, for whatever reason; returns at once when it has.
    /// - Throws: `cancelled` when the task is cancelled.
    public func waitUntilDisconnected() async throws(CentralError) -> Disconnection {
        if let disconnection { return disconnection }
        let promise = Promise<Disconnection?>()
        closeWaiters.append(promise)
        guard let disconnection = await promise.value(whenCancelled: nil) else {
            throw .cancelled("cannot wait for the disconnection of \(peer)")
        }
        return disconnection
    }

    /// Ends the connection. Operations that are not done fail, and subscriptions end.
    /// - Parameter writingBack: whether the peer's notifications are switched off first, as far as the peer answers;
    ///   for a peer that remembers them. Cancelling the task cuts that short.
    public func disconnect(writingBack: Bool = false) async {
        if writingBack, disconnection == nil { await writeBack() }
        guard disconnection == nil else {
            // What pairing changed at the adapter is changed back.
            await bearer.security?.close()
            return
        }
        engine.bearerClosed(.closedLocally, at: loop.time)
        ended(.closedLocally)
        socket.close()
        drain()
        endRaising(.cancelled("cannot raise the security of the link to \(peer)"))
        await bearer.security?.close()
        await bearer.endLink?()
    }

    private func writeBack() async {
        for subscriber in subscribers.all where subscriber.isSubscribed {
            guard disconnection == nil, !Task.isCancelled else { return }
            // A peer that refuses or is silent keeps them; the connection ends all the same.
            try? await end(subscriber)
        }
    }

    /// What the peer says about changes of its attributes (Service Changed, Core Specification, Vol 3, Part G, 7.1): the
    /// handles of which nothing known is valid any longer.
    public func serviceChanges() -> ServiceChanges {
        let peer = peer
        let queue = BoundedQueue<HandleRange>(capacity: 64, rule: .fail) {
            .overflow("cannot hear of changed services from \(peer)", capacity: $0)
        }
        if disconnection != nil {
            queue.finish(throwing: linkError("hear of changed services"))
        } else {
            changeListeners.append(queue)
        }
        return ServiceChanges(queue: queue)
    }
}

/// Ranges of handles that a peer declared changed, as an asynchronous sequence.
public struct ServiceChanges: AsyncSequence, Sendable {
    /// The handles of which nothing known is valid any longer.
    public typealias Element = HandleRange
    /// What a lost connection ends the sequence with.
    public typealias Failure = CentralError

    let queue: BoundedQueue<HandleRange>

    /// An iterator; several share what comes.
    public func makeAsyncIterator() -> Iterator { Iterator(queue: queue) }

    /// Takes ranges in the order in which they were declared.
    public struct Iterator: AsyncIteratorProtocol {
        let queue: BoundedQueue<HandleRange>

        /// The next range; `nil` when this side has disconnected and when the task is cancelled.
        /// - Throws: `linkLost` and the like when the connection was lost.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(CentralError) -> HandleRange? {
            try await queue.next(isolation: actor)
        }

        /// The next range, for callers without an isolation.
        public mutating func next() async throws(CentralError) -> HandleRange? {
            try await next(isolation: nil)
        }
    }
}
