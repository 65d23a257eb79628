// Everything a server has, in as few requests as possible: on the air each costs a connection interval. The MTU comes
// first, because everything after it fits into fewer PDUs. Characteristics are asked for over all services at once, and
// only then secondary services and includes, since by then it is known where one could stand: mostly nowhere. Where the
// server has a Database Hash, a guess of the rest is proven by it (see `HashProof`). Otherwise descriptors come last, by
// whatever request explains most of the handles that are left.
//
// A server that refuses a request over several services, or answers it with nonsense, is asked again service by service,
// in the plain order of the specification (Core Specification, Vol 3, Part G, 4.4 to 4.7).

/// Services, includes, characteristics and descriptors.
struct DiscoverAll: ProcedureMachine {
    /// What is asked at present.
    enum Stage: Sendable {
        case exchangingMTU
        case primaryServices
        case secondaryServices
        case emptiness(from: AttributeHandle)
        case characteristics
        case includes
        case databaseHash
        case descriptors(DescriptorPlan.Question)
        case sample(HandleRange)
        case strayIncludes
        case extendedProperties(AttributeHandle)
        // The plain plan: inside one service.
        case includesOfService
        case characteristicsOfService
        case descriptorsOfCharacteristic
    }

    let options: DiscoveryOptions
    /// Services outside the range that is discovered, of which everything is known.
    let kept: DiscoveredDatabase
    var isPlain: Bool
    var draft: DatabaseDraft
    private(set) var stage = Stage.exchangingMTU
    private var child: any ProcedureMachine = ExchangeMTU()
    private var isAbandoned = false

    // What has been asked for.
    /// The handles in which primary services have still to be looked for.
    var primariesLeft: HandleRange?
    /// The width of the UUIDs of the last primary services.
    var lastServiceWidth = BluetoothUUID.Width.bits16
    /// Handles in which secondary services were looked for.
    var secondariesAsked: [HandleRange] = []
    /// Up to where characteristics were looked for.
    var characteristicsAskedTo: AttributeHandle?
    /// Services in which includes were looked for.
    var includesAsked: Set<AttributeHandle> = []
    var strayIncludesAsked = false
    /// Whether it was asked if anything follows after the last service.
    var emptinessAsked = false
    /// Extended properties that were asked for one by one.
    var readProperties: Set<AttributeHandle> = []
    /// Whether the Database Hash was asked for, or cannot be.
    var hashIsSettled: Bool
    /// The server's Database Hash.
    var hash: DatabaseHash?
    var proof: HashProof?
    /// Whether the hash has proven that nothing is missing.
    var isProven = false
    var descriptorPlan: DescriptorPlan?
    /// Up to which handle extended properties were asked for on behalf of the hash.
    var extendedAskedTo = AttributeHandle.none
    /// Whether descriptors are asked for without regard to the hash.
    var isExhaustive = false
    // In the plain plan, the service and the characteristic that are next.
    var serviceIndex = 0
    var characteristicIndex = 0

    /// - Parameters:
    ///   - options: what is looked for.
    ///   - limits: the handles in which it is looked for.
    ///   - kept: services outside of these handles, of which everything is known.
    ///   - hash: the server's Database Hash, where it was read already.
    init(
        _ options: DiscoveryOptions, in limits: HandleRange = .all, beside kept: DiscoveredDatabase = .init(),
        hash: DatabaseHash? = nil
    ) {
        self.options = options
        self.kept = kept
        isPlain = options.plan == .plain
        draft = DatabaseDraft(limits: limits)
        primariesLeft = limits
        let hash = hash ?? (options.plan == .fewestRequests ? options.databaseHash : nil)
        self.hash = hash
        hashIsSettled = hash != nil || !options.isComplete
    }

    // A server keeps no secrets about its structure: an error for want of security is an odd server's, and the request
    // is replaced by another rather than repeated.
    var mayRaiseSecurity: Bool { false }
    var usesNoHandles: Bool { true }

    var progress: Progress? { Progress(done: draft.attributeCount, total: nil) }

    mutating func abandon() -> Bool {
        // The MTU holds whether or not somebody waits for what comes after it.
        guard case .exchangingMTU = stage else { return false }
        isAbandoned = true
        return child.abandon()
    }

    mutating func start(_ client: inout ClientState) -> ProcedureStep {
        proof = hash.map { HashProof(hash: $0, mtu: client.mtu) }
        return settle(child.start(&client), &client)
    }

    mutating func receive(_ response: RawSpan, _ client: inout ClientState) throws(MalformedError) -> ProcedureStep {
        settle(try child.receive(response, &client), &client)
    }

    mutating func receive(_ error: AttributeError, _ client: inout ClientState) -> ProcedureStep {
        settle(child.receive(error, &client), &client)
    }

    mutating func receive(undecodable failure: GATTError, _ client: inout ClientState) -> ProcedureStep {
        settle(.fail(failure), &client)
    }

    /// Goes on until there is something to send or nothing left to do.
    private mutating func settle(_ first: ProcedureStep, _ client: inout ClientState) -> ProcedureStep {
        var step = first
        while true {
            switch step {
            case .request: return step
            case .finish(let outcome): absorb(outcome, client)
            case .fail(let error):
                if let failure = absorb(error) { return .fail(failure) }
            }
            if isAbandoned { return .fail(.cancelled) }
            let maximum = client.configuration.maximumAttributes
            guard draft.attributeCount <= maximum else { return .fail(.tooManyAttributes(maximum: maximum)) }
            guard moveOn(client) else { return finish(&client) }
            step = child.start(&client)
        }
    }

    private func finish(_ client: inout ClientState) -> ProcedureStep {
        client.note(draft.characteristics)
        let database = DiscoveredDatabase(
            services: (kept.services + draft.database().services).sorted { $0.service.handle < $1.service.handle })
        if options.isComplete { client.database = KnownDatabase(database, hash: hash) }
        return .finish(.database(database))
    }

    // MARK: What an answer means

    private mutating func absorb(_ outcome: Outcome, _ client: ClientState) {
        switch (stage, outcome) {
        case (.primaryServices, .services(let found)):
            addServices(found)
            if let search = child as? DiscoverServices {
                primariesLeft = search.rest
                lastServiceWidth = search.lastWidth
            }
        case (_, .services(let found)): addServices(found)
        case (_, .includes(let found)):
            draft.add(found)
            proof?.databaseChanged()
        case (.characteristics, .characteristics(let found)), (.characteristicsOfService, .characteristics(let found)):
            draft.add(found)
            draft.delimitCharacteristics()
            proof?.databaseChanged()
        case (.emptiness(let first), .descriptors(let found)):
            // Nothing up to the last handle: no service is left to be looked for.
            guard found.isEmpty else { return }
            draft.emptyFrom = first
            primariesLeft = nil
        case (.databaseHash, .handleValues(let values)):
            hash = values.first.flatMap { DatabaseHash(octets: $0.value) }
            proof = hash.map { HashProof(hash: $0, mtu: client.mtu) }
        case (.sample(let range), .descriptors(let found)), (.descriptors(.types(let range)), .descriptors(let found)):
            proof?.learn(found, in: range, draft)
            // What the server has left out, up to the last handle it gave, does not exist.
            draft.add(found)
            draft.explain(range.first, found.last?.handle ?? range.last)
            descriptorPlan?.receive(found, draft)
        case (.descriptorsOfCharacteristic, .descriptors(let found)): draft.add(found)
        case (.descriptors(.attributes(let type, _)), .handleValues(let found)):
            descriptorPlan?.receive(found, to: type, &draft, mtu: client.mtu)
            proof?.databaseChanged()
        case (.extendedProperties(let handle), .value(let value)) where value.count >= 2:
            let bits = UInt16(value[0]) | UInt16(value[1]) << 8
            draft.setExtendedProperties(ExtendedProperties(rawValue: bits), at: handle)
            proof?.databaseChanged()
        default: break
        }
    }

    private mutating func addServices(_ found: [Service]) {
        guard !found.isEmpty else { return }
        draft.add(found)
        draft.delimitCharacteristics()
        proof?.databaseChanged()
    }

    /// What a failed request means.
    /// - Returns: the failure, when discovery cannot go on.
    private mutating func absorb(_ error: GATTError) -> GATTError? {
        switch stage {
        case .secondaryServices, .includesOfService, .strayIncludes, .extendedProperties, .exchangingMTU:
            // What is asked for here is optional; a server that does not know the question has nothing.
            if case .attributeError = error { return nil }
            if case .exchangingMTU = stage { return nil }
            return error
        case .emptiness, .databaseHash:
            // These only save requests.
            switch error {
            case .attributeError, .malformedResponse, .serverDoesNotAdvance: return nil
            default: return error
            }
        case .descriptors(.attributes):
            descriptorPlan?.endSweep()
            return nil
        case .characteristics, .includes, .sample, .descriptors(.types):
            switch error {
            case .attributeError, .malformedResponse:
                isPlain = true
                proof = nil
                draft.forgetContents()
                return nil
            default: return error
            }
        case .primaryServices, .characteristicsOfService, .descriptorsOfCharacteristic:
            return error
        }
    }

    // MARK: What to ask next

    /// Sets `child` to what is asked next.
    /// - Returns: false when nothing is left to ask.
    private mutating func moveOn(_ client: ClientState) -> Bool {
        isPlain ? moveOnPlainly() : moveOnBroadly(client)
    }

    /// Asks this next.
    /// - Returns: true, for whoever has to say that something is asked.
    mutating func ask(_ stage: Stage, _ child: some ProcedureMachine) -> Bool {
        self.stage = stage
        self.child = child
        return true
    }

    /// Asks for primary services where they have not been looked for.
    mutating func askForPrimaryServices(stoppingEarly: Bool) -> Bool {
        guard let range = primariesLeft else { return false }
        primariesLeft = nil
        return ask(
            .primaryServices,
            DiscoverServices(
                in: range, isPrimary: true, stopsEarly: stoppingEarly, followsEnds: draft.limits != .all))
    }

    /// Asks for secondary services in the handles that nobody claims, as far as that was not done.
    /// - Parameter last: the last handle of interest.
    mutating func askForSecondaryServices(upTo last: AttributeHandle = .maximum) -> Bool {
        guard options.secondaryServices else { return false }
        let asked = secondariesAsked
        let left = draft.uncovered.filter { $0.first <= last }.flatMap { range in
            asked.reduce([range]) { rest, asked in rest.flatMap { $0.without(asked.first, asked.last) } }
        }
        guard let first = left.first?.first, let end = left.last?.last, let range = HandleRange(first: first, last: end)
        else { return false }
        secondariesAsked.append(range)
        return ask(
            .secondaryServices,
            DiscoverServices(in: range, isPrimary: false, followsEnds: draft.limits != .all))
    }

    /// Reads the next Characteristic Extended Properties whose value is not known although the properties promise one.
    mutating func askForExtendedProperties() -> Bool {
        let wanted = draft.descriptors.first { descriptor in
            descriptor.uuid == .characteristicExtendedProperties && !readProperties.contains(descriptor.handle)
                && draft.characteristics.contains {
                    $0.properties.contains(.extendedProperties) && $0.extendedProperties == nil
                        && $0.descriptorRange?.contains(descriptor.handle) == true
                }
        }
        guard let wanted else { return false }
        readProperties.insert(wanted.handle)
        return ask(.extendedProperties(wanted.handle), ReadValue(wanted.handle, offset: 0, readsOn: false))
    }
}
