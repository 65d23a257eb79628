// What is known of a peer's attributes, and how little has to be asked for. Within a connection the engine keeps it up to
// date by what the peer says of changes. Between connections a store keeps it; the Database Hash (Core Specification, Vol
// 3, Part G, 7.3) proves in one request that it still holds. A peer without a hash has to tell bonded clients of changes
// (Part G, 2.5.2), and only those: what was kept of it is believed when the two are bonded, and otherwise never.

public import GATT

/// Whether kept attributes may stand in for a discovery.
@frozen
public enum AttributeSource: Hashable, Sendable {
    /// What was kept, when it is proven to hold; otherwise a discovery.
    case keptOrDiscovered
    /// What was kept, when it is proven to hold; otherwise a failure.
    case kept
    /// A discovery, whatever was kept.
    case discovered
}

extension Connection {
    /// What is known of the peer's attributes on this connection; `nil` when nothing is, and while a change that the peer
    /// told of is looked into.
    public var knownAttributes: KnownDatabase? { engine.database }

    /// All attributes of the peer, by as few requests as possible; what was discovered is kept in the store of the
    /// connection's options.
    /// - Throws: see `perform`; `refused` when kept attributes are wanted and there are none that hold.
    public func attributes(
        from source: AttributeSource = .keptOrDiscovered, progress: ProgressHandler? = nil
    ) async throws(CentralError) -> DiscoveredDatabase {
        if source != .discovered, let database = try await provenAttributes() { return database }
        guard source != .kept else {
            throw CentralError(
                .refused, failure: "cannot take the attributes of \(peer) from what was kept",
                reason: attributeStoreKey == nil
                    ? "nothing is kept of this device" : "nothing was kept that the device proves to hold",
                remedy: "discover them")
        }
        let database = try await discoverAll(DiscoveryOptions(databaseHash: freshHash), progress: progress)
        await keepAttributes()
        return database
    }

    /// What was kept of the peer's attributes, or discovered earlier on this connection, when it is proven to hold: by one
    /// request at most. `nil` when there is nothing such; no request is made then when nothing was kept.
    /// - Throws: see `perform`.
    public func provenAttributes() async throws(CentralError) -> DiscoveredDatabase? {
        if let known = engine.database { return known.database }
        guard let (store, key) = attributeStoreKey, let kept = store.attributes(of: key) else { return nil }
        if let wanted = kept.hash {
            var hash = freshHash
            if hash == nil { hash = try await readDatabaseHash() }
            guard hash == wanted else { return nil }
        } else if !isBonded {
            return nil
        }
        engine.database = kept
        return kept.database
    }

    /// The peer's Database Hash, read over all handles as it has to be; `nil` when the peer does not give one.
    /// - Throws: see `perform`, except for what the peer refuses.
    public func readDatabaseHash() async throws(CentralError) -> DatabaseHash? {
        do throws(CentralError) {
            guard case .handleValues(let values) = try await perform(.readByUUID(.databaseHash, first: true)) else {
                return nil
            }
            freshHash = values.first.flatMap { DatabaseHash(octets: $0.value) }
            return freshHash
        } catch {
            guard error.category == .refused else { throw error }
            return nil
        }
    }

    /// Tells the peer what this client can do, such as robust caching; see `Procedure.announceFeatures`.
    /// - Throws: see `perform`; `refused` with Attribute Not Found when the peer does not want to know.
    public func announceFeatures(_ features: ClientFeatures) async throws(CentralError) {
        _ = try await perform(.announceFeatures(features))
    }

    /// Keeps what is known now. That it cannot be kept is no reason for anything else to fail.
    func keepAttributes() async {
        guard let known = engine.database, let (store, key) = attributeStoreKey else { return }
        do {
            try await store.keep(known, of: key)
        } catch {
            log?("the attributes of \(peer) are not kept: \(error)")
        }
    }

    /// Forgets what was kept and is not known to hold any more.
    func forgetAttributes() async {
        guard let (store, key) = attributeStoreKey else { return }
        do {
            try await store.forget(key)
        } catch {
            log?("what was kept of \(peer) is not forgotten: \(error)")
        }
    }

    /// Tells the observer of a procedure that has ended. Procedures take turns, so that all requests since the last one
    /// ended are its own.
    func report(_ action: String, _ failure: GATTError?) {
        let requests = engine.requestCount - countedRequests
        countedRequests = engine.requestCount
        guard let procedureObserver else { return }
        procedureObserver(
            ProcedureReport(time: Timestamp(loop), action: action, requests: requests, failure: failure))
    }

    /// Changes what is kept, after what was changed before.
    func updateStore(_ change: @escaping @Sendable (isolated Connection) async -> Void) {
        guard attributeStore != nil else { return }
        let last = storeUpdate
        storeUpdate = Task {
            await last?.value
            await change(self)
        }
    }

    /// The store and the name of the peer in it; `nil` without a store, and for a peer that nothing names for good.
    private var attributeStoreKey: (store: AttributeStore, key: String)? {
        guard let attributeStore, let identity else { return nil }
        return (attributeStore, identity)
    }
}
