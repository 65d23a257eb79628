public import GAP
internal import GATT
internal import Sockets

/// What came of pairing.
public struct PairingResult: Hashable, Sendable {
    /// The security that the link has now.
    public var level: SecurityLevel
    /// The device's identity, by which it is connected to from now on, also when it advertises private addresses; `nil`
    /// when there is no bond.
    public var identity: DeviceAddress?
    /// Whether keys were made now; `false` when those of an earlier pairing were enough.
    public var isNew: Bool
    /// Whether the keys are in the store, so that later connections need no pairing.
    public var isKept: Bool
    /// Why they are not, where that is known: the store cannot be written. `nil` too when the device does not want to be
    /// bonded.
    public var keepingError: CentralError?
}

extension Connection {
    /// The security that the link has, as far as this side had to do with it.
    public var security: SecurityLevel { securityLevel }

    /// Whether the link is encrypted now: this side, the device or another program may have seen to that. Always `false` for
    /// bearers without a radio.
    public var isEncrypted: Bool {
        disconnection == nil && (securityLevel > .low || bearer.security?.isEncrypted() == true)
    }

    /// Raises the security of the link: encrypts it with a key that there is, or pairs. Does nothing when it has as much.
    /// - Returns: What it has now, at least `level`.
    /// - Throws: an error whose `security` says why; `linkLost`; `cancelled`; `refused` for bearers without a radio.
    @discardableResult
    public func raiseSecurity(to level: SecurityLevel) async throws(CentralError) -> SecurityLevel {
        let failure = "cannot raise the security of the link to \(peer)"
        guard disconnection == nil else { throw raisingError() }
        guard securityLevel < level else { return securityLevel }
        guard bearer.security != nil else {
            throw CentralError(.refused, failure: failure, reason: "there is no radio link that could be encrypted")
        }
        guard !Task.isCancelled else { throw .cancelled(failure) }
        let promise = Promise<Result<SecurityLevel, CentralError>>()
        raise(to: level) { promise.fulfil($0) }
        let result = await promise.value(
            whenCancelled: .failure(.cancelled(failure)),
            onCancel: { self.loop.execute { self.assumeIsolated { $0.raising?.task.cancel() } } })
        return try result.get()
    }

    /// Pairs with the device, or encrypts with the key of an earlier pairing, and says whether the keys are kept.
    /// - Throws: as `raiseSecurity`.
    public func pair(level: SecurityLevel = .medium) async throws(CentralError) -> PairingResult {
        let reached = try await raiseSecurity(to: level)
        let outcome = await bearer.security?.keeping()
        return PairingResult(
            level: reached, identity: outcome?.identity, isNew: outcome?.isNew ?? false,
            isKept: outcome?.isKept ?? false, keepingError: outcome?.error)
    }

    // MARK: Raising

    /// A raise that goes on, and who waits for it.
    struct Raising {
        let task: Task<Void, Never>
        var waiting: [@Sendable (Result<SecurityLevel, CentralError>) -> Void]
    }

    /// Raises the security, by one step unless a level is given; who asks while that goes on gets its result.
    func raise(
        to level: SecurityLevel?, completion: @escaping @Sendable (Result<SecurityLevel, CentralError>) -> Void
    ) {
        guard let security = bearer.security else { return }
        if raising != nil {
            raising?.waiting.append(completion)
            return
        }
        let task = Task { [weak self] in
            let result = await security.raise(level)
            await self?.raised(result)
        }
        raising = Raising(task: task, waiting: [completion])
    }

    private func raised(_ result: Result<SecurityLevel, CentralError>) {
        // Nobody waits any more when the link ended meanwhile.
        guard let raising else { return }
        self.raising = nil
        if case .success(let level) = result { securityLevel = level }
        for completion in raising.waiting { completion(result) }
        securityHasChanged(result)
    }

    /// Waits until no raise goes on: what is sent after it is sent on the link that it left.
    func raisingHasEnded() async {
        guard raising != nil else { return }
        let promise = Promise<Void>()
        raising?.waiting.append { _ in promise.fulfil(()) }
        await promise.value(whenCancelled: ())
    }

    /// The error of a raise on a link that has ended.
    func raisingError() -> CentralError {
        CentralError(
            .bearerClosed(disconnection?.reason ?? .closedLocally),
            failure: "cannot raise the security of the link to \(peer)")
    }

    /// The link ended while its security was raised.
    func endRaising(_ error: CentralError) {
        guard let raising else { return }
        self.raising = nil
        raising.task.cancel()
        for completion in raising.waiting { completion(.failure(error)) }
    }
}
