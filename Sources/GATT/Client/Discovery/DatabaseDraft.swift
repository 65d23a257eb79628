/// What `discoverAll` knows so far, and which handles it cannot explain yet.
struct DatabaseDraft: Sendable {
    /// The handles that are looked at.
    let limits: HandleRange
    /// In the order of their handles.
    private(set) var services: [Service] = []
    /// In the order of their handles, each inside a service.
    private(set) var characteristics: [Characteristic] = []
    /// Characteristics in handles of which no service is known.
    private(set) var strays: [Characteristic] = []
    private(set) var includes: [IncludedService] = []
    private(set) var descriptors: [Descriptor] = []
    /// Include declarations that stand where only descriptors should.
    private(set) var strayIncludes: [AttributeHandle] = []
    /// The handles after characteristics' values of which nobody knows yet what they hold; disjoint and ascending.
    private(set) var unexplained: [HandleRange] = []
    /// What `explain` was called for: ends of characteristics may change when more services are found.
    private var explained: [HandleRange] = []
    /// From here on there is nothing; nil while nobody knows.
    var emptyFrom: AttributeHandle?

    init(limits: HandleRange = .all) {
        self.limits = limits
    }

    /// How many attributes are known.
    var attributeCount: Int { services.count + characteristics.count * 2 + includes.count + descriptors.count }

    // MARK: What is found

    mutating func add(_ found: [Service]) {
        services = (services + found).inOrder(of: \.handle)
        let homeless = strays
        strays = []
        if !homeless.isEmpty { add(homeless) }
    }

    mutating func add(_ found: [IncludedService]) {
        includes.append(contentsOf: found)
    }

    mutating func add(_ found: [Characteristic]) {
        for characteristic in found {
            if serviceIndex(of: characteristic.declarationHandle) != nil {
                characteristics.append(characteristic)
            } else {
                strays.append(characteristic)
            }
        }
    }

    /// Adds what stands at unexplained handles, and takes those handles off the list.
    mutating func add(_ found: [Descriptor]) {
        for descriptor in found where isUnexplained(descriptor.handle) {
            switch descriptor.uuid {
            case .include: strayIncludes.append(descriptor.handle)
            case .primaryService, .secondaryService, .characteristic: break
            default: descriptors.append(descriptor)
            }
            explain(descriptor.handle, descriptor.handle)
        }
    }

    /// Takes handles off the list of the unexplained ones.
    mutating func explain(_ first: AttributeHandle, _ last: AttributeHandle) {
        guard let range = HandleRange(first: first, last: last) else { return }
        explained.append(range)
        var index = unexplainedIndex(endingAtOrAfter: first)
        while index < unexplained.count, unexplained[index].first <= last {
            let rest = unexplained[index].without(first, last)
            unexplained.replaceSubrange(index...index, with: rest)
            index += rest.count
        }
    }

    /// Keeps the value of a Characteristic Extended Properties descriptor.
    mutating func setExtendedProperties(_ properties: ExtendedProperties, at handle: AttributeHandle) {
        for index in characteristics.indices where characteristics[index].descriptorRange?.contains(handle) == true {
            characteristics[index].extendedProperties = properties
        }
    }

    /// Forgets everything but the services.
    mutating func forgetContents() {
        characteristics = []
        strays = []
        includes = []
        descriptors = []
        strayIncludes = []
        unexplained = []
        explained = []
    }

    // MARK: What follows from it

    /// Sets the ends of the characteristics, and with them the handles that are unexplained.
    mutating func delimitCharacteristics() {
        characteristics = characteristics.inOrder(of: \.declarationHandle)
        unexplained = []
        for index in characteristics.indices {
            let declaration = characteristics[index].declarationHandle
            guard let service = serviceIndex(of: declaration) else { continue }
            var end = services[service].range.last.rawValue
            // Neither handle below is 0: each is above `declaration`.
            if index + 1 < characteristics.count {
                end = min(end, characteristics[index + 1].declarationHandle.rawValue &- 1)
            }
            if service + 1 < services.count { end = min(end, services[service + 1].handle.rawValue &- 1) }
            characteristics[index].endHandle = max(characteristics[index].valueHandle, AttributeHandle(end))
            if let range = characteristics[index].descriptorRange { unexplained.append(range) }
        }
        let known = explained
        explained = []
        for range in known { explain(range.first, range.last) }
    }

    /// Runs of handles that no service covers and of which it is not known that they are empty.
    var uncovered: [HandleRange] {
        var ranges: [HandleRange] = []
        var next: AttributeHandle? = limits.first
        for service in services {
            // The subtraction stays in range: the service begins above `start`.
            if let start = next, start < service.handle,
                let range = HandleRange(first: start, last: AttributeHandle(service.handle.rawValue &- 1))
            {
                ranges.append(range)
            }
            next = next.flatMap { start in service.range.last.next.map { max(start, $0) } }
        }
        if let next, let rest = HandleRange(first: next, last: limits.last) { ranges.append(rest) }
        guard let emptyFrom else { return ranges }
        return ranges.filter { $0.first < emptyFrom }
    }

    /// From the first to the last handle that can hold an include declaration of one of some services: those between the
    /// declaration of a service and its first characteristic. Nil when there is none.
    func includeSpan(of wanted: (Service) -> Bool) -> HandleRange? {
        var first: AttributeHandle?
        var last: AttributeHandle?
        var index = 0
        for service in services {
            while index < characteristics.count, characteristics[index].declarationHandle <= service.handle {
                index += 1
            }
            var end = service.range.last
            if index < characteristics.count, characteristics[index].declarationHandle <= end {
                end = AttributeHandle(characteristics[index].declarationHandle.rawValue &- 1)
            }
            guard wanted(service), service.handle < end, let start = service.handle.next else { continue }
            first = first ?? start
            last = max(last ?? end, end)
        }
        guard let first, let last else { return nil }
        return HandleRange(first: first, last: last)
    }

    /// The unexplained ranges, each with what its descriptors are likely to follow from.
    var unexplainedKinds: [(range: HandleRange, kind: HashProof.Kind)] {
        var configured: Set<Int> = []
        for descriptor in descriptors where descriptor.uuid == .clientCharacteristicConfiguration {
            if let index = characteristicIndex(before: descriptor.handle) { configured.insert(index) }
        }
        return unexplained.map { range in
            let index = characteristicIndex(before: range.first)
            let wantsConfiguration =
                index.map { index in
                    !characteristics[index].properties.isDisjoint(with: [.notify, .indicate])
                        && !configured.contains(index)
                } ?? false
            return (range, HashProof.Kind(count: range.count, wantsConfiguration: wantsConfiguration))
        }
    }

    /// What enters the Database Hash of what is known; nil when the value of an extended property is missing.
    func hashedAttributes(beside kept: DiscoveredDatabase) -> [HashedAttribute]? {
        guard let others = HashMessage.attributes(of: kept), let own = HashMessage.attributes(of: database()) else {
            return nil
        }
        return others + own
    }

    /// The whole tree.
    func database() -> DiscoveredDatabase {
        var nodes = services.map { DiscoveredDatabase.ServiceNode(service: $0) }
        for include in includes.inOrder(of: \.handle) {
            if let index = serviceIndex(of: include.handle) { nodes[index].includes.append(include) }
        }
        let sorted = descriptors.inOrder(of: \.handle)
        var next = 0
        for characteristic in characteristics {
            guard let index = serviceIndex(of: characteristic.declarationHandle) else { continue }
            var node = DiscoveredDatabase.CharacteristicNode(characteristic: characteristic)
            while next < sorted.count, sorted[next].handle <= characteristic.endHandle {
                if sorted[next].handle > characteristic.valueHandle { node.descriptors.append(sorted[next]) }
                next += 1
            }
            nodes[index].characteristics.append(node)
        }
        return DiscoveredDatabase(services: nodes)
    }

    // MARK: Looking up

    /// The service that holds a handle: where services overlap, the one that begins last.
    private func serviceIndex(of handle: AttributeHandle) -> Int? {
        var low = 0
        var high = services.count
        while low < high {
            let middle = (low + high) / 2
            if services[middle].handle <= handle { low = middle + 1 } else { high = middle }
        }
        guard low > 0, services[low - 1].range.contains(handle) else { return nil }
        return low - 1
    }

    /// The last characteristic that is declared before a handle.
    private func characteristicIndex(before handle: AttributeHandle) -> Int? {
        var low = 0
        var high = characteristics.count
        while low < high {
            let middle = (low + high) / 2
            if characteristics[middle].declarationHandle < handle { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }

    private func isUnexplained(_ handle: AttributeHandle) -> Bool {
        let index = unexplainedIndex(endingAtOrAfter: handle)
        return index < unexplained.count && unexplained[index].contains(handle)
    }

    /// The first unexplained range that does not end before `handle`.
    private func unexplainedIndex(endingAtOrAfter handle: AttributeHandle) -> Int {
        var low = 0
        var high = unexplained.count
        while low < high {
            let middle = (low + high) / 2
            if unexplained[middle].last < handle { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension HandleRange {
    /// What is left of the range without the handles from `first` to `last`: up to two ranges.
    func without(_ first: AttributeHandle, _ last: AttributeHandle) -> [HandleRange] {
        guard self.first <= last, first <= self.last else { return [self] }
        var rest: [HandleRange] = []
        // Both differences stay in range: `first` is above the first handle, `last` below the last.
        if self.first < first,
            let part = HandleRange(first: self.first, last: AttributeHandle(first.rawValue &- 1))
        {
            rest.append(part)
        }
        if last < self.last, let part = HandleRange(first: AttributeHandle(last.rawValue &+ 1), last: self.last) {
            rest.append(part)
        }
        return rest
    }
}
