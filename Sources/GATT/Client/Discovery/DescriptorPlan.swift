// Which request explains most of the handles after characteristics' values. Find Information gives the types of a run of
// handles, but one response holds types of one width, so that on servers with 128-bit UUIDs it rarely gets past one
// characteristic. Read By Type with the type of a descriptor gives all descriptors of that type in the whole database.
// It reads them, which the specification allows without authentication for all descriptors it defines (Core
// Specification, Vol 3, Part G, 3.3.3); a server that refuses costs one request, because what is left is asked for by
// Find Information anyway.

/// Chooses the next request for descriptors.
struct DescriptorPlan: Sendable {
    /// One request.
    enum Question: Sendable {
        /// Find Information over a range.
        case types(in: HandleRange)
        /// Read By Type for a descriptor over a range.
        case attributes(BluetoothUUID, in: HandleRange)
    }

    /// A Read By Type for one type, over as many responses as are worth it.
    private struct Sweep: Sendable {
        var type: BluetoothUUID
        /// Where the next request begins.
        var position: AttributeHandle
        /// Where the last one ends.
        var end: AttributeHandle
    }

    private var sweep: Sweep?
    /// Types that were swept for.
    private var swept: Set<BluetoothUUID> = []
    /// Types that Find Information has shown.
    private var seen: Set<BluetoothUUID> = []
    /// Types to sweep for, and between which handles.
    private var candidates: [(type: BluetoothUUID, range: HandleRange)] = []

    /// A plan for the characteristics of `draft`, whose ends are known.
    init(_ draft: DatabaseDraft, mtu: Int) {
        // The Characteristic Extended Properties are wanted for their values, too.
        if let range = Self.extended(draft) { candidates.append((.characteristicExtendedProperties, range)) }
        if let range = Self.configurations(draft, mtu: mtu) {
            candidates.append((.clientCharacteristicConfiguration, range))
        }
    }

    /// A plan that only reads the Characteristic Extended Properties; nil when none is missing.
    init?(extendedPropertiesOf draft: DatabaseDraft) {
        guard let range = Self.extended(draft) else { return nil }
        candidates.append((.characteristicExtendedProperties, range))
    }

    /// Where the properties promise extended ones that are not known.
    private static func extended(_ draft: DatabaseDraft) -> HandleRange? {
        let ranges = draft.characteristics
            .filter { $0.properties.contains(.extendedProperties) && $0.extendedProperties == nil }
            .compactMap(\.descriptorRange)
        guard let first = ranges.first, let last = ranges.last else { return nil }
        return HandleRange(first: first.first, last: last.last)
    }

    /// Where it pays to read all Client Characteristic Configurations at once. The properties tell in advance which
    /// ranges have one; a request reads as many as fit into a response, and each that fills a range saves a request.
    private static func configurations(_ draft: DatabaseDraft, mtu: Int) -> HandleRange? {
        let perResponse = max(1, (mtu - 2) / 4)
        var best = 0
        var bestRange: HandleRange?
        var sum = 0
        var start: AttributeHandle?
        for (range, kind) in draft.unexplainedKinds where kind.wantsConfiguration {
            // Ranges with other descriptors besides count where those can be read at once as well.
            let isWorth = range.count == 1 || mtu >= 64
            sum += isWorth ? perResponse - 1 : -1
            start = start ?? range.first
            if sum > best, let first = start {
                best = sum
                bestRange = HandleRange(first: first, last: range.last)
            } else if sum < 0 {
                sum = 0
                start = nil
            }
        }
        return best >= perResponse ? bestRange : nil
    }

    /// The next request; nil when every handle is explained.
    mutating func next(_ draft: DatabaseDraft, mtu: Int) -> Question? {
        if let question = nextSweep(draft) { return question }
        guard let first = draft.unexplained.first else { return nil }
        return .types(in: Self.merged(draft, from: first, mtu: mtu))
    }

    /// The next request of a Read By Type; nil when none is worth it.
    mutating func nextSweep(_ draft: DatabaseDraft) -> Question? {
        guard let last = draft.unexplained.last else { return nil }
        while true {
            if let sweep,
                let start = draft.unexplained.first(where: { $0.last >= sweep.position })?.first,
                let range = HandleRange(first: max(start, sweep.position), last: min(sweep.end, last.last))
            {
                return .attributes(sweep.type, in: range)
            }
            sweep = nil
            guard !candidates.isEmpty else { return nil }
            let (type, range) = candidates.removeFirst()
            swept.insert(type)
            // One range is explained by one Find Information for certain.
            if draft.unexplained.count > 1 || type == .characteristicExtendedProperties {
                sweep = Sweep(type: type, position: range.first, end: range.last)
            }
        }
    }

    /// Takes the answer to `.attributes`, and adds it to `draft`.
    mutating func receive(_ values: [HandleValue], to type: BluetoothUUID, _ draft: inout DatabaseDraft, mtu: Int) {
        let before = draft.unexplained.count
        draft.add(values.map { Descriptor(uuid: type, handle: $0.handle) })
        if type == .characteristicExtendedProperties {
            for value in values where value.value.count >= 2 {
                let bits = UInt16(value.value[0]) | UInt16(value.value[1]) << 8
                draft.setExtendedProperties(ExtendedProperties(rawValue: bits), at: value.handle)
            }
        }
        guard let last = values.last, let position = values.map(\.handle).max()?.next else {
            sweep = nil
            return
        }
        // A response with room for another value of the same length was the last of them, where all have that length.
        let isFixed = type != .characteristicUserDescription && type != .characteristicAggregateFormat
        let perResponse = (mtu - 2) / (last.value.count + 2)
        let left = draft.unexplained.count { $0.last >= position }
        let finished = before - draft.unexplained.count
        if left < 2 || perResponse < 2 || (isFixed && values.count < perResponse)
            || (finished <= 0 && values.count < 3)
        {
            sweep = nil
        } else {
            sweep?.position = position
        }
    }

    /// The sweep is refused, or finds nothing more.
    mutating func endSweep() {
        sweep = nil
    }

    /// Takes the types that Find Information has shown, after they were added to `draft`.
    mutating func receive(_ types: [Descriptor], _ draft: DatabaseDraft) {
        guard let first = draft.unexplained.first, let last = draft.unexplained.last,
            let rest = HandleRange(first: first.first, last: last.last)
        else { return }
        for type in types.map(\.uuid) {
            // The descriptors the specification and its supplements define: 0x2900 and up.
            guard let number = type.uint16, number & 0xFFC0 == 0x2900, !swept.contains(type),
                !candidates.contains(where: { $0.type == type })
            else { continue }
            // A server that describes one characteristic describes most; others have to be seen twice to be expected.
            if !seen.insert(type).inserted || type == .characteristicUserDescription {
                candidates.append((type, rest))
            }
        }
    }

    /// An unexplained range, together with those after it that the same response can hold: what stands between has to
    /// have 16-bit types, or the response would end there.
    static func merged(_ draft: DatabaseDraft, from first: HandleRange, mtu: Int) -> HandleRange {
        let capacity = (mtu - 2) / 4
        var end = first.last
        for range in draft.unexplained where range.first > first.last {
            guard Int(range.last.rawValue) - Int(first.first.rawValue) < capacity,
                !draft.hasLongType(after: end, before: range.first)
            else { break }
            end = range.last
        }
        return HandleRange(first: first.first, last: end) ?? first
    }
}

extension DatabaseDraft {
    /// Whether a characteristic's value with a 128-bit UUID stands between two handles.
    fileprivate func hasLongType(after first: AttributeHandle, before last: AttributeHandle) -> Bool {
        var low = 0
        var high = characteristics.count
        while low < high {
            let middle = (low + high) / 2
            if characteristics[middle].declarationHandle <= first { low = middle + 1 } else { high = middle }
        }
        while low < characteristics.count, characteristics[low].declarationHandle < last {
            if characteristics[low].uuid.width != .bits16 { return true }
            low += 1
        }
        return false
    }
}
