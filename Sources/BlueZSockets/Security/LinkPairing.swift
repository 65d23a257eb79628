internal import GAP
public import HCI
internal import L2CAP
public import Sockets

/// Raises the security of one link: encrypts it with a key that there is, or pairs.
///
/// The kernel's host stack does both, and can be asked in two ways, each of which is used for what it does well:
///
///     no key, or not one that is good enough ──▶ Pair Device on the management socket
///         The kernel says when pairing has ended, and how. The ATT bearer is left alone meanwhile, and stays usable
///         when pairing fails. What this side can show and enter is said for this pairing only.
///
///     a key ──▶ BT_SECURITY on the socket of the link
///         Until encryption is there the socket cannot be written to. When the device has lost its key, the kernel ends
///         the link; and a pairing that is begun in this way and fails leaves a socket of no use.
///
/// Meanwhile this is the agent that the kernel asks, and a `SecurityWatch` hears why things fail. With a daemon that owns
/// the keys, or without rights, only the second way is left, and the daemon answers.
public actor LinkPairing {
    /// The loop on whose thread everything here runs.
    public nonisolated let loop: EventLoop
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    let link: L2CAPLink
    let adapter: UInt16
    let settings: PairingSettings
    private nonisolated let system: any SystemCalls

    /// Under which the kernel knows the device: its identity, as soon as pairing told it.
    private(set) var identity: DeviceAddress
    /// The keys of the device, those of this connection too.
    private(set) var keys: [LongTermKey]
    /// What the link is known to have.
    private(set) var level = SecurityLevel.low

    private var agent: ManagementSocket?
    private var watch: SecurityWatch?
    private var isClosed = false
    private var keyringIsLoaded: Bool

    /// The raise that goes on.
    private var attempt: Attempt?
    private var attemptEnds: [CheckedContinuation<Void, Never>] = []
    /// Why the link ended, as the controller told.
    private var lastDisconnection: StatusCode?

    /// What is known of a raise of the security.
    struct Attempt {
        /// What is to be reached.
        let level: SecurityLevel
        let failure: String
        /// When it began.
        let start: UInt64
        /// Whether Pair Device was sent and has not been answered.
        var isPairing = false
        /// Whether a passkey is part of it, and so can be wrong.
        var usesPasskey = false
        /// Whether a person took part, which protects against a man in the middle.
        var isProtected = false
        /// Whether pairing made a key, or asked for something.
        var hasPaired = false
        /// Why it fails, once that is known.
        var cause: PairingFailure?
        /// Why the link ended, when it did.
        var disconnection: StatusCode?
        /// Waits for the end of encryption.
        var waiting: CheckedContinuation<PairingFailure?, Never>?
        /// The person who is asked.
        var question: Task<Void, Never>?
    }

    /// The thirty seconds of the Security Manager's own timer (Core Specification, Vol 3, Part H, 3.4), after which
    /// the kernel ends the link, and a little for its answer.
    private static let pairingTimeout: Duration = .seconds(32)
    /// From when on the end of a pairing is the end of those thirty seconds.
    private static let lateness: Duration = .seconds(29)

    /// - Parameter adapter: the adapter of the link.
    public init(
        link: L2CAPLink, adapter: UInt16, settings: PairingSettings, on loop: EventLoop = .shared,
        system: (any SystemCalls)? = nil
    ) {
        self.link = link
        self.adapter = adapter
        self.settings = settings
        self.loop = loop
        self.system = system ?? loop.system
        identity = link.peer
        keys = settings.keyring.longTermKeys.filter { $0.address == link.peer }
        keyringIsLoaded = settings.keyringIsLoaded
    }

    /// Begins to answer the kernel's questions: the device, too, may begin to pair. Without the right to it nothing
    /// happens.
    public func listen() async {
        guard settings.owner == nil, agent == nil, !isClosed else { return }
        agent = try? await ManagementSocket.open(adapter: adapter, on: loop, system: system) { [weak self] event in
            self?.assumeIsolated { $0.receive(event) }
        }
        if !keys.isEmpty { openWatch() }
    }

    /// Raises the security of the link.
    ///
    /// - Parameter wanted: the level to reach; `nil` for one step more than there is.
    /// - Returns: What the link has now.
    /// - Throws: an error of the situation `pairing`; `linkLost`; `cancelled` with the task.
    public func raise(to wanted: SecurityLevel?) async throws(BluetoothSocketError) -> SecurityLevel {
        let target = wanted ?? level.next ?? level
        let failure =
            isPaired(for: target) ? "cannot encrypt the link to \(link.peer)" : "cannot pair with \(link.peer)"
        guard !isClosed, attempt == nil else { throw .cancelled(failure) }
        if wanted != nil, level >= target { return level }
        guard target > level else {
            throw BluetoothSocketError(
                .protocolError, .security, failure: failure, reason: "the link has all the security that there is")
        }
        attempt = Attempt(level: target, failure: failure, start: loop.now())
        openWatch()
        watch?.setIncludesPairing(true)
        await listen()
        let result: Result<SecurityLevel, BluetoothSocketError> = await withTaskCancellationHandler {
            do throws(BluetoothSocketError) {
                try await reach(target)
                return .success(level)
            } catch {
                return .failure(error)
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.cancel() } }
        }
        attempt?.question?.cancel()
        attempt = nil
        watch?.setIncludesPairing(false)
        attemptHasEnded()
        return try result.get()
    }

    private func reach(_ target: SecurityLevel) async throws(BluetoothSocketError) {
        guard settings.owner == nil else { return try await encrypt() }
        guard let agent else { throw error(.missingRights) }
        try await load(by: agent)
        if isPaired(for: target) { return try await encrypt() }
        guard target <= .medium || settings.capability != .noInputNoOutput else { throw error(.notProtected) }
        let wasEncrypted = try link.security().keySize > 0
        guard try await pair(by: agent) else { return try await encrypt() }
        // A link with a weaker key has enough for Pair Device, which asks for no more than encryption.
        if attempt?.hasPaired == false, wasEncrypted, target > .medium { return try await encrypt() }
        let best = keys.filter(\.isUsable).map(\.level).max()
        let reached = best ?? (attempt?.isProtected == true ? .high : .medium)
        guard reached >= target else { throw error(.notProtected) }
        level = reached
        // So that the kernel ends the link rather than use it without encryption; refused as done already.
        _ = try? link.requestSecurity(min(reached, .high))
    }

    /// Gives the keys to the kernel, unless it has them. Knowing identities, it asks devices for theirs when it pairs.
    ///
    /// Without the right to it nothing is begun: the kernel would pair by itself, wait for an agent in vain, and hold the
    /// link for half a minute.
    private func load(by agent: ManagementSocket) async throws(BluetoothSocketError) {
        guard !keyringIsLoaded else { return }
        do throws(BluetoothSocketError) {
            try await settings.keyring.load(by: agent)
            keyringIsLoaded = true
        } catch {
            guard error.category == .noRights else { throw error }
            throw self.error(.missingRights)
        }
    }

    /// Ends what goes on, and waits for its end, though not long.
    public func close() async {
        isClosed = true
        cancel()
        if attempt != nil {
            let timer = LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.attemptHasEnded() } }
            timer.arm(at: loop.now() &+ Duration.seconds(1).wholeNanoseconds)
            await withCheckedContinuation { attemptEnds.append($0) }
            timer.invalidate()
        }
        watch?.cancel()
        watch = nil
        await agent?.close()
        agent = nil
    }

    private func attemptHasEnded() {
        for waiter in attemptEnds { waiter.resume() }
        attemptEnds = []
    }

    /// The socket of the link can be written to: encryption is there, if that was waited for.
    public func socketIsWritable() {
        guard attempt?.waiting != nil else { return }
        do throws(BluetoothSocketError) {
            if try link.securityIsPending() { link.socket.waitUntilWritable() } else { settle(nil) }
        } catch {
            // A link that has ended reports its end itself.
        }
    }

    /// The socket of the link has ended. Called before anybody else is told of that.
    /// - Returns: What is known about it: the controller's reason, and why encryption or pairing failed, if it did.
    public func linkEnded() -> (reason: StatusCode?, error: BluetoothSocketError?) {
        watch?.catchUp()
        guard let attempt else { return (lastDisconnection, nil) }
        let cause = attempt.cause ?? (isLate ? .notAnswered : nil)
        settle(cause ?? .encryptionFailed(attempt.disconnection ?? .unspecifiedError))
        return (attempt.disconnection, cause.map { error($0) })
    }

    /// Whether a raise that failed has left the socket waiting for encryption, for good.
    public var isBlocking: Bool { attempt == nil && (try? link.securityIsPending()) == true }

    /// Whether the link is encrypted now, whoever saw to that. The kernel tells the size of the key as soon as it begins to
    /// encrypt, and nothing passes from then on that is not.
    public var isEncrypted: Bool { ((try? link.security())?.keySize ?? 0) > 0 }

    private func cancel() {
        if attempt?.isPairing == true { post(.cancelPairDevice(identity)) }
        attempt?.question?.cancel()
        settle(.notConfirmed)
    }

    /// Whether the Security Manager has given up by now.
    private var isLate: Bool {
        guard let attempt else { return false }
        return loop.now() &- attempt.start >= Self.lateness.wholeNanoseconds
    }

    private func error(_ cause: PairingFailure) -> BluetoothSocketError {
        let failure = attempt?.failure ?? "cannot pair with \(link.peer)"
        return BluetoothSocketError(cause, with: link.peer, owner: settings.owner, failure: failure)
    }
}

// MARK: - Pairing

extension LinkPairing {
    /// Pairs by Pair Device.
    /// - Returns: Whether that was possible: the kernel has no key that is not known here.
    private func pair(by agent: ManagementSocket) async throws(BluetoothSocketError) -> Bool {
        guard let failure = attempt?.failure else { return false }
        let before = try await prepare(agent, failure)
        // A key that is not good enough would have the kernel say that there is one.
        let hadKeys = !keys.isEmpty
        if hadKeys { _ = try await agent.send(.unpairDevice(identity, disconnecting: false), failure: failure) }
        attempt?.isPairing = true
        let command = ManagementCommand.pairDevice(identity, settings.capability)
        let reply: Result<ManagementReply, BluetoothSocketError>
        do throws(BluetoothSocketError) {
            reply = .success(try await agent.send(command, timeout: Self.pairingTimeout, failure: failure))
        } catch {
            reply = .failure(error)
        }
        attempt?.isPairing = false
        attempt?.question?.cancel()
        await restore(before, agent)
        let status = try reply.get().status
        if status.isSuccess { return true }
        if hadKeys { _ = try? await agent.send(.loadLongTermKeys(settings.keyring.longTermKeys), failure: failure) }
        guard status == .alreadyPaired else { throw error(for: status) }
        return false
    }

    /// Has the kernel make keys that are to be kept, by Secure Connections when it can, and ask for identities.
    /// - Returns: What was set before.
    private func prepare(
        _ agent: ManagementSocket, _ failure: String
    ) async throws(BluetoothSocketError) -> ManagementSettings {
        let opcode = ManagementOpcode.readControllerInformation
        let reply = try await agent.send(.readControllerInformation, failure: failure)
        guard reply.status.isSuccess, let information = try? ControllerInformation(parsing: reply.parameters.octets)
        else { throw BluetoothSocketError(reply.status, to: opcode, adapter: adapter, failure: failure) }
        let current = information.currentSettings
        if !current.contains(.bondable) { _ = try await agent.send(.setBondable(true), failure: failure) }
        if information.supportedSettings.contains(.secureConnections), !current.contains(.secureConnections) {
            // An adapter that refuses pairs in the legacy way.
            _ = try await agent.send(.setSecureConnections(true), failure: failure)
        }
        return current
    }

    private func restore(_ settings: ManagementSettings, _ agent: ManagementSocket) async {
        if !settings.contains(.bondable) { _ = try? await agent.send(.setBondable(false), failure: "") }
        if !settings.contains(.secureConnections) {
            _ = try? await agent.send(.setSecureConnections(false), failure: "")
        }
    }

    /// Whether a key is there that gives a link this level.
    private func isPaired(for level: SecurityLevel) -> Bool {
        keys.contains { $0.isUsable && $0.level >= level }
    }

    /// The error that an unsuccessful Pair Device stands for.
    private func error(for status: ManagementStatus) -> BluetoothSocketError {
        watch?.catchUp()
        let failure = attempt?.failure ?? "cannot pair with \(link.peer)"
        if let cause = attempt?.cause { return error(cause) }
        if isClosed || Task.isCancelled || status == .cancelled { return .cancelled(failure) }
        if isLate || status == .timeout { return error(.notAnswered) }
        if status == .authenticationFailed || status == .failed { return error(.unexplained) }
        return BluetoothSocketError(status, to: .pairDevice, adapter: adapter, failure: failure)
    }
}

// MARK: - Encryption

extension LinkPairing {
    /// Has the kernel encrypt the link: with a key that it has, or by a pairing that it begins itself.
    private func encrypt() async throws(BluetoothSocketError) {
        guard let attempt else { return }
        do throws(BluetoothSocketError) {
            if try link.requestSecurity(attempt.level), let cause = await untilEncrypted() {
                guard self.attempt?.cause == nil, isClosed || Task.isCancelled else { throw error(cause) }
                throw .cancelled(attempt.failure)
            }
        } catch {
            // The kernel answers EINVAL to what the link has already.
            guard error.errno == .invalidArgument, try link.security().keySize > 0 else { throw error }
        }
        level = max(attempt.level, keys.filter(\.isUsable).map(\.level).max() ?? .low)
    }

    private func untilEncrypted() async -> PairingFailure? {
        let timer = LoopTimer(on: loop) { [weak self] in
            self?.assumeIsolated { $0.settle($0.attempt?.cause ?? .notAnswered) }
        }
        timer.arm(at: loop.now() &+ Self.pairingTimeout.wholeNanoseconds)
        defer { timer.invalidate() }
        link.socket.waitUntilWritable()
        return await withCheckedContinuation { attempt?.waiting = $0 }
    }

    private func settle(_ cause: PairingFailure?) {
        let waiting = attempt?.waiting
        attempt?.waiting = nil
        waiting?.resume(returning: cause)
    }

    private func openWatch() {
        guard watch == nil else { return }
        watch = SecurityWatch(adapter: adapter, handle: link.handle, on: loop, system: system) { [weak self] event in
            self?.assumeIsolated { $0.receive(event) }
        }
    }

    private func receive(_ event: SecurityWatch.Event) {
        switch event {
        case .disconnected(let reason):
            lastDisconnection = reason
            attempt?.disconnection = reason
        case .encryption(.success): break
        case .encryption(let status):
            attempt?.cause = status == .pinOrKeyMissing ? .keyMissing : .encryptionFailed(status)
            if let cause = attempt?.cause { settle(cause) }
        case .pairingFailed(let reason, let byPeer):
            // What was said here has its cause already.
            guard let attempt, attempt.cause == nil else { return }
            let isWrong = reason == .confirmValueFailed && attempt.usesPasskey
            self.attempt?.cause = isWrong ? .wrongPasskey : .refused(reason, byPeer: byPeer)
            settle(self.attempt?.cause)
        }
    }
}

// MARK: - The agent

extension LinkPairing {
    private func receive(_ event: ManagementEvent) {
        if case .newIdentityResolvingKey(let key, let address, let privateAddress, let isToBeKept) = event {
            guard address == identity || privateAddress == identity.octets else { return }
            identity = address
            if isToBeKept { settings.keep(.identity(Keyring.Identity(address: address, key: key))) }
            return
        }
        guard event.device == identity else { return }
        switch event {
        case .newLongTermKey(let key, let isToBeKept):
            attempt?.hasPaired = true
            openWatch()
            keys.removeAll { $0.isReplaced(by: key) }
            keys.append(key)
            if isToBeKept { settings.keep(.longTerm(key)) }
        case .userConfirmationRequest(_, _, isJustWorks: true): answerJustWorks()
        case .userConfirmationRequest(_, let number, isJustWorks: false): ask(.comparison(number: number))
        case .userPasskeyRequest:
            attempt?.usesPasskey = true
            attempt?.isProtected = true
            attempt?.hasPaired = true
            if let passkey = settings.passkey {
                answer(.passkeyEntry, .passkey(passkey))
            } else {
                ask(.passkeyEntry)
            }
        case .passkeyNotify(_, let passkey, enteredDigits: 0) where attempt?.usesPasskey != true:
            attempt?.usesPasskey = true
            ask(.passkeyDisplay(passkey: passkey))
        case .authenticationFailed:
            // Pair Device is answered with the same; encryption on the socket is not.
            watch?.catchUp()
            settle(attempt?.cause ?? .unexplained)
        default: break
        }
    }

    private func answerJustWorks() {
        attempt?.hasPaired = true
        let isWanted = settings.acceptsJustWorks && (attempt?.level ?? .medium) <= .medium
        if !isWanted { attempt?.cause = .notProtected }
        post(.confirm(identity, isWanted))
    }

    private func ask(_ question: PairingQuestion) {
        attempt?.hasPaired = true
        attempt?.isProtected = true
        attempt?.question?.cancel()
        let ask = settings.ask
        attempt?.question = Task { [weak self] in
            let answer = await ask(question)
            if !Task.isCancelled { await self?.answer(question, answer) }
        }
    }

    private func answer(_ question: PairingQuestion, _ answer: PairingAnswer) {
        switch (question, answer) {
        case (.passkeyDisplay, _): return
        case (.comparison, .yes): post(.confirm(identity, true))
        case (.comparison, _):
            attempt?.cause = .notConfirmed
            post(.confirm(identity, false))
        case (.passkeyEntry, .passkey(let passkey)) where passkey < 1_000_000: post(.passkey(identity, passkey))
        case (.passkeyEntry, _):
            attempt?.cause = .notConfirmed
            post(.passkey(identity, nil))
        }
    }

    private func post(_ command: ManagementCommand) {
        // Of the same loop, so that commands go in their order.
        agent?.assumeIsolated { $0.post(command) }
    }
}

extension LongTermKey {
    /// Whether a central can encrypt with it.
    public var isUsable: Bool { isSecureConnections || isForCentral }

    /// The level that a link has when it is encrypted with this key.
    public var level: SecurityLevel {
        guard isAuthenticated else { return .medium }
        return isSecureConnections && size >= 16 ? .fips : .high
    }

    /// Whether a later pairing made this key worthless: it had another way, or made the key of the same role.
    public func isReplaced(by key: LongTermKey) -> Bool {
        guard address == key.address else { return false }
        return isSecureConnections || key.isSecureConnections || isForCentral == key.isForCentral
    }
}
