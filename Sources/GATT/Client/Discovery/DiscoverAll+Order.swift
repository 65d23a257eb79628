// The order of questions of `DiscoverAll`: the short one, whose every step follows from what is known by then, and the
// plain one of the specification.

extension DiscoverAll {
    /// The next question of the short plan.
    /// - Returns: false when nothing is left to ask.
    mutating func moveOnBroadly(_ client: ClientState) -> Bool {
        if isProven { return false }
        if case .exchangingMTU = stage { return askForPrimaryServices(stoppingEarly: true) }
        if askForCharacteristics() { return true }
        // Characteristics where no primary service is: there are secondary ones, and they are needed.
        if let stray = draft.strays.map(\.declarationHandle).max(), askForSecondaryServices(upTo: stray) { return true }
        if askForIncludes() { return true }
        if askForDatabaseHash() { return true }
        if proof != nil, askForHashedProperties() { return true }
        if prove() { return false }
        // Something is different from the guess: perhaps there are services of the other width of UUIDs.
        if let rest = primariesLeft {
            guard lastServiceWidth != .bits16, !emptinessAsked else {
                return askForPrimaryServices(stoppingEarly: true)
            }
            // Probably there are none, and one request shows that nothing at all is left.
            emptinessAsked = true
            return ask(.emptiness(from: rest.first), DiscoverDescriptors(in: rest, firstOnly: true))
        }
        if options.descriptors, let range = proof?.question(draft) {
            let range = DescriptorPlan.merged(draft, from: range, mtu: client.mtu)
            return ask(.sample(range), DiscoverDescriptors(in: range, firstOnly: true))
        }
        if askForSecondaryServices() { return true }
        if options.descriptors, askForDescriptors(client) { return true }
        if askForStrayIncludes() { return true }
        return options.descriptors && askForExtendedProperties()
    }

    /// Guesses what is left; true when the Database Hash proves the guess.
    private mutating func prove() -> Bool {
        guard var proof else { return false }
        let guess = proof.attempt(draft, beside: kept)
        self.proof = proof
        guard let guess else { return false }
        draft.add(guess)
        isProven = true
        return true
    }

    /// Asks for the characteristics of services in which they were not looked for, and of the handles between them.
    private mutating func askForCharacteristics() -> Bool {
        guard options.characteristics, let end = draft.services.map(\.range.last).max() else { return false }
        let start = characteristicsAskedTo.map(\.next) ?? draft.limits.first
        guard let start, start <= end else { return false }
        characteristicsAskedTo = end
        let gaps = options.secondaryServices ? draft.uncovered : []
        let ranges = (draft.services.map(\.range) + gaps).filter { $0.first >= start && $0.first <= end }
            .sorted { $0.first < $1.first }
        guard let all = DiscoverCharacteristics(ofAll: ranges) else { return false }
        return ask(.characteristics, all)
    }

    /// Asks for includes where one can be and was not looked for.
    private mutating func askForIncludes() -> Bool {
        guard options.includes else { return false }
        let asked = includesAsked
        guard let range = draft.includeSpan(of: { !asked.contains($0.handle) }) else { return false }
        includesAsked.formUnion(draft.services.map(\.handle))
        return ask(
            .includes,
            FindIncludedServices(in: range, known: kept.services.map(\.service) + draft.services, isLenient: true))
    }

    /// Reads the Database Hash, when the server has one. Its range has to be all handles (Core Specification, Vol 3, Part
    /// G, 7.3).
    private mutating func askForDatabaseHash() -> Bool {
        guard !hashIsSettled else { return false }
        let found =
            draft.characteristics.contains { $0.uuid == .databaseHash } || !kept.characteristics(.databaseHash).isEmpty
        // Services that were not looked for yet may have it.
        guard found else {
            hashIsSettled = primariesLeft == nil
            return false
        }
        hashIsSettled = true
        return ask(.databaseHash, ReadByUUID(.databaseHash, in: .all, firstOnly: true))
    }

    /// Reads extended properties, whose values enter the Database Hash.
    private mutating func askForHashedProperties() -> Bool {
        guard !isExhaustive, let last = draft.characteristics.last?.endHandle else { return false }
        if last > extendedAskedTo {
            extendedAskedTo = last
            descriptorPlan = DescriptorPlan(extendedPropertiesOf: draft)
        }
        return ask(descriptorPlan?.nextSweep(draft))
    }

    /// Asks for descriptors by whatever explains most of them.
    private mutating func askForDescriptors(_ client: ClientState) -> Bool {
        if !isExhaustive {
            isExhaustive = true
            descriptorPlan = DescriptorPlan(draft, mtu: client.mtu)
        }
        return ask(descriptorPlan?.next(draft, mtu: client.mtu))
    }

    private mutating func ask(_ question: DescriptorPlan.Question?) -> Bool {
        switch question {
        case .types(let range)?:
            ask(.descriptors(.types(in: range)), DiscoverDescriptors(in: range, firstOnly: true))
        case .attributes(let type, let range)?:
            ask(.descriptors(.attributes(type, in: range)), ReadByUUID(type, in: range, firstOnly: true))
        case nil: false
        }
    }

    private mutating func askForStrayIncludes() -> Bool {
        guard options.includes, !strayIncludesAsked, let first = draft.strayIncludes.min(),
            let last = draft.strayIncludes.max(), let range = HandleRange(first: first, last: last)
        else { return false }
        strayIncludesAsked = true
        return ask(
            .strayIncludes,
            FindIncludedServices(in: range, known: kept.services.map(\.service) + draft.services, isLenient: true))
    }

    // MARK: The plain plan

    /// Service by service: its includes, its characteristics, and the descriptors of each.
    mutating func moveOnPlainly() -> Bool {
        switch stage {
        case .includesOfService:
            if options.characteristics {
                return ask(
                    .characteristicsOfService, DiscoverCharacteristics(in: draft.services[serviceIndex].range))
            }
            serviceIndex += 1
        case .characteristicsOfService: serviceIndex += 1
        case .descriptorsOfCharacteristic, .extendedProperties: break
        default:
            if askForPrimaryServices(stoppingEarly: false) || askForSecondaryServices() { return true }
            serviceIndex = 0
            characteristicIndex = 0
        }
        while serviceIndex < draft.services.count {
            let service = draft.services[serviceIndex]
            // A service of one handle is its declaration.
            if service.range.count > 1 {
                if options.includes {
                    return ask(
                        .includesOfService,
                        FindIncludedServices(
                            in: service.range, known: kept.services.map(\.service) + draft.services, isLenient: true))
                }
                if options.characteristics {
                    return ask(.characteristicsOfService, DiscoverCharacteristics(in: service.range))
                }
            }
            serviceIndex += 1
        }
        guard options.descriptors else { return false }
        while characteristicIndex < draft.characteristics.count {
            let range = draft.characteristics[characteristicIndex].descriptorRange
            characteristicIndex += 1
            if let range { return ask(.descriptorsOfCharacteristic, DiscoverDescriptors(in: range)) }
        }
        return askForExtendedProperties()
    }
}
