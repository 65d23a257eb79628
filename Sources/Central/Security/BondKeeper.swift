internal import BlueZSockets
internal import GAP
internal import Sockets

/// Puts the keys that pairing makes on one link into a store, in the background and in order.
final class BondKeeper: Sendable {
    private let store: BondStore?
    private let adapter: AddressOctets
    private let state = Locked(State())

    private struct State {
        var pending: [(address: DeviceAddress, key: PairingSettings.NewKey)] = []
        var work: Task<Void, Never>?
        var outcome = Outcome()
    }

    /// What became of the keys of a link.
    struct Outcome: Sendable {
        /// The device's identity, as far as it has a bond.
        var identity: DeviceAddress?
        /// Whether keys came of this connection.
        var isNew = false
        /// Whether keys are in the store.
        var isKept = false
        /// Why they are not.
        var error: CentralError?
    }

    /// - Parameter known: the bond that there was before.
    init(store: BondStore?, adapter: AddressOctets, known: BondRecord?) {
        self.store = store
        self.adapter = adapter
        if let known { state.withLock { $0.outcome = Outcome(identity: known.address, isKept: true) } }
    }

    /// Takes a key, from any thread.
    func keep(_ key: PairingSettings.NewKey) {
        guard store != nil else { return }
        let address =
            switch key {
            case .longTerm(let key): key.address
            case .identity(let identity): identity.address
            }
        state.withLock { state in
            state.pending.append((address, key))
            let earlier = state.work
            state.work = Task { [weak self] in
                await earlier?.value
                await self?.write()
            }
        }
    }

    /// Waits until every key that was taken is in the store, or cannot be.
    func settle() async -> Outcome {
        await state.withLock { $0.work }?.value
        return state.withLock { $0.outcome }
    }

    private func write() async {
        let keys = state.withLock { state in
            defer { state.pending = [] }
            return state.pending
        }
        guard let store, !keys.isEmpty else { return }
        do throws(CentralError) {
            try await store.add(keys, adapter: adapter)
            state.withLock { $0.outcome = Outcome(identity: keys.last?.address, isNew: true, isKept: true) }
        } catch {
            state.withLock { $0.outcome = Outcome(identity: keys.last?.address, isNew: true, error: error) }
        }
    }
}
