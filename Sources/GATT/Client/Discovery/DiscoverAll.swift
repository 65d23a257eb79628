// Everything a server has, in as few requests as possible: on the air each costs a connection interval. The MTU comes
// first, because everything after it fits into fewer PDUs. Characteristics are asked for over all services at once, and
// only then includes, since by then it is known where one could stand: mostly nowhere. Descriptors come last, by
// whatever request explains most of the handles that are left.
//
// A server that refuses a request over several services, or answers it with nonsense, is asked again service by service,
// in the plain order of the specification (Core Specification, Vol 3, Part G, 4.4 to 4.7).

/// Services, includes, characteristics and descriptors.
struct DiscoverAll: ProcedureMachine {
    /// What is asked at present.
    private enum Stage: Sendable {
        case exchangingMTU
        case primaryServices
        case secondaryServices
        case characteristics
        case includes
        case descriptors(DescriptorPlan.Question)
        case strayIncludes
        case extendedProperties(AttributeHandle)
        // The plain plan: inside one service.
        case includesOfService
        case characteristicsOfService
        case descriptorsOfCharacteristic
    }

    private let options: DiscoveryOptions
    private var isPlain: Bool
    private var draft = DatabaseDraft()
    private var stage = Stage.exchangingMTU
    private var child: any ProcedureMachine = ExchangeMTU()
    private var descriptorPlan: DescriptorPlan?
    /// Extended properties that were asked for one by one.
    private var readProperties: Set<AttributeHandle> = []
    private var isAbandoned = false
    /// In the plain plan, the service and the characteristic that are next.
    private var serviceIndex = 0
    private var characteristicIndex = 0

    init(_ options: DiscoveryOptions) {
        self.options = options
        isPlain = options.plan == .plain
    }

    // A server keeps no secrets about its structure: an error for want of security is an odd server's, and the request
    // is replaced by another rather than repeated.
    var mayRaiseSecurity: Bool { false }

    var progress: Progress? { Progress(done: draft.attributeCount, total: nil) }

    mutating func abandon() -> Bool {
        // The MTU holds whether or not somebody waits for what comes after it.
        guard case .exchangingMTU = stage else { return false }
        isAbandoned = true
        return child.abandon()
    }

    mutating func start(_ client: inout ClientState) -> ProcedureStep {
        settle(child.start(&client), &client)
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
            guard moveOn(client) else {
                client.note(draft.characteristics)
                return .finish(.database(draft.database()))
            }
            step = child.start(&client)
        }
    }

    // MARK: What an answer means

    private mutating func absorb(_ outcome: Outcome, _ client: ClientState) {
        switch (stage, outcome) {
        case (_, .services(let found)): draft.add(found)
        case (_, .includes(let found)): draft.add(found)
        case (.characteristics, .characteristics(let found)):
            draft.add(found)
            draft.delimitCharacteristics()
        case (.characteristicsOfService, .characteristics(let found)):
            draft.add(found)
            draft.delimitCharacteristics()
        case (.descriptors(.types(let range)), .descriptors(let found)):
            descriptorPlan?.receive(found, in: range, &draft)
        case (.descriptorsOfCharacteristic, .descriptors(let found)):
            draft.add(found)
        case (.descriptors(.attributes(let type, _)), .handleValues(let found)):
            descriptorPlan?.receive(found, to: type, &draft, mtu: client.mtu)
        case (.extendedProperties(let handle), .value(let value)) where value.count >= 2:
            let bits = UInt16(value[0]) | UInt16(value[1]) << 8
            draft.setExtendedProperties(ExtendedProperties(rawValue: bits), at: handle)
        default: break
        }
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
        case .descriptors(.attributes):
            descriptorPlan?.endSweep()
            return nil
        case .characteristics, .includes, .descriptors(.types):
            switch error {
            case .attributeError, .malformedResponse:
                isPlain = true
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
        switch stage {
        case .exchangingMTU:
            ask(.primaryServices, DiscoverServices(in: .all, isPrimary: true))
            return true
        case .primaryServices:
            if options.secondaryServices, let range = draft.uncovered {
                ask(.secondaryServices, DiscoverServices(in: range, isPrimary: false))
                return true
            }
        default: break
        }
        return isPlain ? moveOnPlainly() : moveOnBroadly(client)
    }

    private mutating func ask(_ stage: Stage, _ child: some ProcedureMachine) {
        self.stage = stage
        self.child = child
    }

    private mutating func moveOnBroadly(_ client: ClientState) -> Bool {
        switch stage {
        case .exchangingMTU, .primaryServices, .secondaryServices:
            if options.characteristics, let all = DiscoverCharacteristics(ofAll: draft.services.map(\.range)) {
                ask(.characteristics, all)
                return true
            }
            fallthrough
        case .characteristics:
            if options.includes, let range = draft.includeSpan {
                ask(.includes, FindIncludedServices(in: range, known: draft.services, isLenient: true))
                return true
            }
            fallthrough
        case .includes, .descriptors:
            guard options.descriptors else { return false }
            var plan = descriptorPlan ?? DescriptorPlan(draft, mtu: client.mtu)
            let question = plan.next(draft, mtu: client.mtu)
            descriptorPlan = plan
            switch question {
            case .types(let range)?:
                ask(.descriptors(.types(in: range)), DiscoverDescriptors(in: range, firstOnly: true))
                return true
            case .attributes(let type, let range)?:
                ask(.descriptors(.attributes(type, in: range)), ReadByUUID(type, in: range, firstOnly: true))
                return true
            case nil: break
            }
            if options.includes, let first = draft.strayIncludes.min(), let last = draft.strayIncludes.max(),
                let range = HandleRange(first: first, last: last)
            {
                ask(.strayIncludes, FindIncludedServices(in: range, known: draft.services, isLenient: true))
                return true
            }
            fallthrough
        default: return askForExtendedProperties()
        }
    }

    /// Service by service: its includes, its characteristics, and the descriptors of each.
    private mutating func moveOnPlainly() -> Bool {
        switch stage {
        case .includesOfService:
            if options.characteristics {
                ask(.characteristicsOfService, DiscoverCharacteristics(in: draft.services[serviceIndex].range))
                return true
            }
            serviceIndex += 1
        case .characteristicsOfService: serviceIndex += 1
        case .descriptorsOfCharacteristic, .extendedProperties: break
        default:
            serviceIndex = 0
            characteristicIndex = 0
        }
        while serviceIndex < draft.services.count {
            let service = draft.services[serviceIndex]
            // A service of one handle is its declaration.
            if service.range.count > 1 {
                if options.includes {
                    ask(
                        .includesOfService,
                        FindIncludedServices(in: service.range, known: draft.services, isLenient: true))
                    return true
                }
                if options.characteristics {
                    ask(.characteristicsOfService, DiscoverCharacteristics(in: service.range))
                    return true
                }
            }
            serviceIndex += 1
        }
        guard options.descriptors else { return false }
        while characteristicIndex < draft.characteristics.count {
            let range = draft.characteristics[characteristicIndex].descriptorRange
            characteristicIndex += 1
            if let range {
                ask(.descriptorsOfCharacteristic, DiscoverDescriptors(in: range))
                return true
            }
        }
        return askForExtendedProperties()
    }

    /// Reads the next Characteristic Extended Properties whose value is not known although the properties promise one.
    private mutating func askForExtendedProperties() -> Bool {
        let wanted = draft.descriptors.first { descriptor in
            descriptor.uuid == .characteristicExtendedProperties && !readProperties.contains(descriptor.handle)
                && draft.characteristics.contains {
                    $0.properties.contains(.extendedProperties) && $0.extendedProperties == nil
                        && $0.descriptorRange?.contains(descriptor.handle) == true
                }
        }
        guard let wanted else { return false }
        readProperties.insert(wanted.handle)
        ask(.extendedProperties(wanted.handle), ReadValue(wanted.handle, offset: 0, readsOn: false))
        return true
    }
}
