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
    }

    private var sweep: Sweep?
    /// Types that were swept for, or need not be.
    private var swept: Set<BluetoothUUID> = []
    /// Types that Find Information has shown and that may occur again.
    private var candidates: [BluetoothUUID] = []

    /// A plan for the characteristics of `draft`, whose ends are known.
    init(_ draft: DatabaseDraft, mtu: Int) {
        // The Characteristic Extended Properties are wanted for their values, too.
        if draft.characteristics.contains(where: {
            $0.properties.contains(.extendedProperties) && $0.descriptorRange != nil
        }) {
            candidates.append(.characteristicExtendedProperties)
        }
        // The properties tell in advance where Client Characteristic Configurations are. Reading them pays when it
        // explains more ranges than it takes requests; the ranges that hold something else besides count only where
        // responses are long enough for the other types to be swept for as well.
        let ranges = draft.characteristics.filter { !$0.properties.isDisjoint(with: [.notify, .indicate]) }
            .compactMap(\.descriptorRange)
        let worth = mtu >= 64 ? ranges.count : ranges.count { $0.count == 1 }
        let perResponse = max(1, (mtu - 2) / 4)
        if worth > (ranges.count + perResponse - 1) / perResponse {
            candidates.append(.clientCharacteristicConfiguration)
        }
    }

    /// The next request; nil when every handle is explained.
    mutating func next(_ draft: DatabaseDraft, mtu: Int) -> Question? {
        guard let first = draft.unexplained.first, let last = draft.unexplained.last else { return nil }
        if sweep == nil, let index = candidates.firstIndex(where: { !swept.contains($0) }) {
            let type = candidates.remove(at: index)
            swept.insert(type)
            // One range is explained by one Find Information for certain.
            if draft.unexplained.count > 1 || type == .characteristicExtendedProperties {
                sweep = Sweep(type: type, position: first.first)
            } else {
                return next(draft, mtu: mtu)
            }
        }
        if let sweep {
            let start = draft.unexplained.first { $0.last >= sweep.position }?.first ?? first.first
            if let range = HandleRange(first: max(start, sweep.position), last: last.last) {
                return .attributes(sweep.type, in: range)
            }
            self.sweep = nil
        }
        return .types(in: merged(draft, mtu: mtu) ?? first)
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
        guard let last = values.last, let position = last.handle.next else {
            sweep = nil
            return
        }
        // A response with room for another value of the same length was the last of them, where all have that length.
        let isFixed = type != .characteristicUserDescription && type != .characteristicAggregateFormat
        let perResponse = (mtu - 2) / (last.value.count + 2)
        let left = draft.unexplained.count { $0.last >= position }
        let finished = before - draft.unexplained.count
        if left < 2 || (isFixed && values.count < perResponse) || (finished <= 0 && values.count < 3) {
            sweep = nil
        } else {
            sweep?.position = position
        }
    }

    /// The sweep is refused, or finds nothing more.
    mutating func endSweep() {
        sweep = nil
    }

    /// Takes the answer to `.types`, and adds it to `draft`.
    mutating func receive(_ types: [Descriptor], in range: HandleRange, _ draft: inout DatabaseDraft) {
        draft.add(types)
        // What the server has left out, up to the last handle it gave, does not exist.
        draft.explain(range.first, types.last?.handle ?? range.last)
        for type in types.map(\.uuid) where !swept.contains(type) && !candidates.contains(type) {
            // The descriptors the specification and its supplements define: 0x2900 and up.
            if let number = type.uint16, number & 0xFFC0 == 0x2900 { candidates.append(type) }
        }
    }

    /// The first unexplained range, together with those after it that the same response can hold: what stands between
    /// has to have 16-bit types, or the response would end there.
    private func merged(_ draft: DatabaseDraft, mtu: Int) -> HandleRange? {
        guard let first = draft.unexplained.first else { return nil }
        let capacity = (mtu - 2) / 4
        var end = first.last
        for range in draft.unexplained.dropFirst() {
            guard Int(range.last.rawValue) - Int(first.first.rawValue) < capacity,
                !draft.hasLongType(after: end, before: range.first)
            else { break }
            end = range.last
        }
        return HandleRange(first: first.first, last: end)
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
