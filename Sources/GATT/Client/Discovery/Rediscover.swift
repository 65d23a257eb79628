// Service Changed (Core Specification, Vol 3, Part G, 7.1 and 2.5.2) names the handles whose attributes are no longer what
// they were. What is outside of them still holds. A server that does not know what a client knows names all handles: when
// it has a Database Hash, one request shows whether anything has changed at all.

/// What has become of the changed parts of a known database. Ends with `.database`.
struct Rediscover: ProcedureMachine {
    private var ranges: [HandleRange] = []
    private var hash: DatabaseHash?
    private var reader: ReadByUUID?
    private var discovery: DiscoverAll?

    var mayRaiseSecurity: Bool { false }
    var usesNoHandles: Bool { true }

    mutating func start(_ client: inout ClientState) -> ProcedureStep {
        ranges = client.changedRanges
        client.changedRanges = []
        hash = client.freshHash
        client.freshHash = nil
        guard let known = client.database else { return .finish(.done) }
        guard known.hash != nil, hash == nil else { return discoverNext(&client) }
        return with(ReadByUUID(.databaseHash, in: .all, firstOnly: true), &client)
    }

    private mutating func with(_ first: ReadByUUID, _ client: inout ClientState) -> ProcedureStep {
        var reader = first
        defer { self.reader = reader }
        return reader.start(&client)
    }

    /// Discovers the next range, widened to the services that it touches.
    private mutating func discoverNext(_ client: inout ClientState) -> ProcedureStep {
        guard let known = client.database else { return .finish(.done) }
        guard var range = ranges.popLast() else { return .finish(.database(known.database)) }
        var kept: [DiscoveredDatabase.ServiceNode] = []
        for node in known.database.services {
            if node.service.range.overlaps(range) {
                range = range.union(node.service.range)
            } else {
                kept.append(node)
            }
        }
        // A service before the one that widened the range does not begin inside it, because services do not overlap; of a
        // server that says otherwise everything is discovered.
        if kept.contains(where: { $0.service.range.overlaps(range) }) {
            kept = []
            range = .all
        }
        // Only the last part completes what the hash is the hash of.
        var discovery = DiscoverAll(
            DiscoveryOptions(), in: range, beside: DiscoveredDatabase(services: kept),
            hash: ranges.isEmpty ? hash : nil)
        defer { self.discovery = discovery }
        return discovery.start(&client)
    }

    mutating func receive(_ response: RawSpan, _ client: inout ClientState) throws(MalformedError) -> ProcedureStep {
        if let step = try reader?.receive(response, &client) { return readHash(step, &client) }
        guard let step = try discovery?.receive(response, &client) else { return .finish(.done) }
        return goOn(step, &client)
    }

    mutating func receive(_ error: AttributeError, _ client: inout ClientState) -> ProcedureStep {
        if let step = reader?.receive(error, &client) { return readHash(step, &client) }
        return discovery.map { _ in goOn(discovery?.receive(error, &client) ?? .finish(.done), &client) }
            ?? .fail(error.failure)
    }

    mutating func receive(undecodable failure: GATTError, _ client: inout ClientState) -> ProcedureStep {
        if reader != nil { return readHash(.fail(failure), &client) }
        guard let step = discovery?.receive(undecodable: failure, &client) else { return .fail(failure) }
        return goOn(step, &client)
    }

    /// Compares the hash; without one, what was said to have changed counts as changed.
    private mutating func readHash(_ step: ProcedureStep, _ client: inout ClientState) -> ProcedureStep {
        reader = nil
        if case .finish(.handleValues(let values)) = step {
            hash = values.first.flatMap { DatabaseHash(octets: $0.value) }
        }
        if let hash, let known = client.database, known.hash == hash { return .finish(.database(known.database)) }
        return discoverNext(&client)
    }

    private mutating func goOn(_ step: ProcedureStep, _ client: inout ClientState) -> ProcedureStep {
        guard case .finish = step else { return step }
        discovery = nil
        return discoverNext(&client)
    }
}

extension HandleRange {
    /// The range from the lower of both first handles to the higher of both last handles.
    func union(_ other: HandleRange) -> HandleRange {
        HandleRange(first: min(first, other.first), last: max(last, other.last)) ?? self
    }
}
