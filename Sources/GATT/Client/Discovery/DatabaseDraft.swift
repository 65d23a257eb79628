/// What `discoverAll` knows so far, and which handles it cannot explain yet.
struct DatabaseDraft: Sendable {
    /// In the order of their handles.
    private(set) var services: [Service] = []
    /// In the order of their handles, each inside a service.
    private(set) var characteristics: [Characteristic] = []
    private(set) var includes: [IncludedService] = []
    private(set) var descriptors: [Descriptor] = []
    /// Include declarations that stand where only descriptors should.
    private(set) var strayIncludes: [AttributeHandle] = []
    /// The handles after characteristics' values of which nobody knows yet what they hold; disjoint and ascending.
    private(set) var unexplained: [HandleRange] = []

    /// How many attributes are known.
    var attributeCount: Int { services.count + characteristics.count * 2 + includes.count + descriptors.count }

    // MARK: What is found

    mutating func add(_ found: [Service]) {
        services = (services + found).inOrder(of: \.handle)
    }

    mutating func add(_ found: [IncludedService]) {
        includes.append(contentsOf: found)
    }

    mutating func add(_ found: [Characteristic]) {
        characteristics.append(contentsOf: found.filter { serviceIndex(of: $0.declarationHandle) != nil })
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
        var index = unexplainedIndex(endingAtOrAfter: first)
        while index < unexplained.count, unexplained[index].first <= last {
            let range = unexplained[index]
            var rest: [HandleRange] = []
            // Both differences stay in range: `first` is above the first handle, `last` below the last.
            if range.first < first,
                let part = HandleRange(first: range.first, last: AttributeHandle(first.rawValue &- 1))
            {
                rest.append(part)
            }
            if last < range.last, let part = HandleRange(first: AttributeHandle(last.rawValue &+ 1), last: range.last) {
                rest.append(part)
            }
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
        includes = []
        descriptors = []
        strayIncludes = []
        unexplained = []
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
    }

    /// From the first to the last handle that no service covers; nil when there is none.
    var uncovered: HandleRange? {
        var first: AttributeHandle?
        var last: AttributeHandle?
        var next: AttributeHandle? = 0x0001
        for service in services {
            if let start = next, start < service.handle {
                first = first ?? start
                last = AttributeHandle(service.handle.rawValue &- 1)
            }
            next = next.flatMap {
                max($0, service.range.last) == .maximum ? nil : max($0, service.range.last.next ?? $0)
            }
        }
        if let next {
            first = first ?? next
            last = .maximum
        }
        guard let first, let last else { return nil }
        return HandleRange(first: first, last: last)
    }

    /// From the first to the last handle that can hold an include declaration: those between the declaration of a
    /// service and its first characteristic. Nil when there is none.
    var includeSpan: HandleRange? {
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
            guard service.handle < end, let start = service.handle.next else { continue }
            first = first ?? start
            last = max(last ?? end, end)
        }
        guard let first, let last else { return nil }
        return HandleRange(first: first, last: last)
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
