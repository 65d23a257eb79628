/// The advertisers that were heard lately, and the last data of each: tells repeats from news and keeps the two halves
/// of an advertisement, advertising data and scan response, together.
///
/// Memory is bounded. At `maximumCount` advertisers the table forgets one that was not heard again since the last
/// time it looked for room (second-chance order, so a flood of addresses that are heard once drives out itself, not the
/// devices that stay). An advertiser costs at most 300 octets beyond its data. A report that brings nothing new
/// allocates nothing.
public struct DeviceTable: ~Copyable, Sendable {
    /// What a report brought that was not known.
    @frozen
    public struct Changes: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        @inlinable
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The advertiser was not known.
        @inlinable public static var newAdvertiser: Self { Self(rawValue: 0x01) }
        /// The advertising data differs from the last one.
        @inlinable public static var advertisingData: Self { Self(rawValue: 0x02) }
        /// The scan response differs from the last one.
        @inlinable public static var scanResponse: Self { Self(rawValue: 0x04) }
        /// The properties differ: it became connectable, or no longer is.
        @inlinable public static var properties: Self { Self(rawValue: 0x08) }
    }

    /// One remembered advertiser.
    public struct Entry: Sendable {
        /// Its advertising set.
        public let key: AdvertisingSetKey
        /// When it was first heard, in nanoseconds of the caller's clock.
        public let firstHeard: UInt64
        /// When it was last heard, in nanoseconds of the caller's clock.
        public internal(set) var lastHeard: UInt64
        /// How many reports of it came, scan responses included; stops at the largest number.
        public internal(set) var reportCount: UInt32 = 0
        /// What its last advertisement said; before one came, what its scan response said.
        public internal(set) var properties: AdvertisingEventProperties
        /// The last known signal strength in dBm.
        public internal(set) var rssi: Int8?
        /// The last advertising data.
        public internal(set) var advertisingData = StoredAdvertisingData()
        /// The last scan response; empty when none came.
        public internal(set) var scanResponse = StoredAdvertisingData()

        /// Heard again since the search for room last passed here.
        var isRecent = false
        /// An advertisement, not only a scan response, was heard.
        var wasAdvertised = false
    }

    /// How many advertisers are remembered at most.
    public let maximumCount: Int
    /// How many advertisers were forgotten to make room.
    public private(set) var forgottenCount = 0

    private var entries: [Entry] = []
    /// Open addressing with linear probing: 0 is empty, else one more than an index of `entries`. A power of two long.
    private var slots: [UInt32]
    private let seed: UInt64
    /// Where the search for room goes on.
    private var hand = 0

    /// An empty table.
    /// - Parameters:
    ///   - maximumCount: how many advertisers are remembered at most; at least one.
    ///   - seed: mixed into the hash, so that advertisers cannot choose addresses that collide.
    public init(maximumCount: Int = 16_384, seed: UInt64 = .random(in: .min ... .max)) {
        self.maximumCount = min(max(maximumCount, 1), 1 << 24)
        self.seed = seed
        slots = [UInt32](repeating: 0, count: 16)
    }

    /// How many advertisers are remembered.
    public var count: Int { entries.count }

    /// The remembered advertisers, in no particular order.
    public var all: [Entry] { entries }

    /// The entry of an advertising set; `nil` when it is not remembered.
    public func entry(for key: AdvertisingSetKey) -> Entry? {
        let slot = slots[slotIndex(of: key)]
        return slot == 0 ? nil : entries[Int(slot) &- 1]
    }

    /// Forgets every advertiser.
    public mutating func removeAll() {
        entries.removeAll()
        slots = [UInt32](repeating: 0, count: 16)
        hand = 0
    }

    /// Takes note of a complete report.
    /// - Returns: what was new in it.
    @discardableResult
    public mutating func observe(_ report: borrowing AdvertisingReport, at time: UInt64) -> Changes {
        var index = 0
        return observe(report, at: time, index: &index)
    }

    /// The same, and where the entry is, for the assembler.
    mutating func observe(_ report: borrowing AdvertisingReport, at time: UInt64, index: inout Int) -> Changes {
        let key = AdvertisingSetKey(report)
        let slot = slots[slotIndex(of: key)]
        var changes: Changes = []
        if slot == 0 {
            index = insert(Entry(key: key, firstHeard: time, lastHeard: time, properties: report.properties))
            changes = .newAdvertiser
        } else {
            index = Int(slot) &- 1
            entries[index].isRecent = true
        }
        changes.formUnion(entries[index].update(report, at: time))
        return changes
    }

    /// Lends the entry at an index that `observe` gave, when nothing was observed since.
    func withEntry(at index: Int, _ body: (borrowing Entry) -> Void) {
        body(entries[index])
    }
}

extension DeviceTable.Entry {
    /// Takes over what `report` says.
    fileprivate mutating func update(_ report: borrowing AdvertisingReport, at time: UInt64) -> DeviceTable.Changes {
        var changes: DeviceTable.Changes = []
        lastHeard = time
        if reportCount < .max { reportCount &+= 1 }
        if let rssi = report.rssi { self.rssi = rssi }
        if report.isScanResponse {
            if scanResponse.replace(with: report.data.octets) { changes.insert(.scanResponse) }
            return changes
        }
        if properties != report.properties || !wasAdvertised {
            properties = report.properties
            wasAdvertised = true
            changes.insert(.properties)
        }
        // ADV_DIRECT_IND carries no data at all: it takes nothing back that an ADV_IND of the same device said.
        if report.properties == .advDirectInd, report.data.isEmpty { return changes }
        if advertisingData.replace(with: report.data.octets) { changes.insert(.advertisingData) }
        return changes
    }
}

extension DeviceTable {
    /// The slot that holds `key`, or the empty one where it would go.
    private func slotIndex(of key: AdvertisingSetKey) -> Int {
        let mask = slots.count &- 1
        var index = homeSlot(of: key)
        while true {
            let slot = slots[index]
            if slot == 0 || entries[Int(slot) &- 1].key == key { return index }
            index = (index &+ 1) & mask
        }
    }

    /// Where the search for `key` begins.
    private func homeSlot(of key: AdvertisingSetKey) -> Int {
        var hash = key.packed ^ seed
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        hash ^= hash >> 33
        return Int(truncatingIfNeeded: hash) & (slots.count &- 1)
    }

    /// Adds an entry, forgetting another when the table is full.
    private mutating func insert(_ entry: Entry) -> Int {
        let index: Int
        if entries.count < maximumCount {
            if (entries.count &+ 1) &* 2 > slots.count { grow() }
            entries.append(entry)
            index = entries.count &- 1
        } else {
            index = roomAfterForgetting()
            entries[index] = entry
        }
        slots[slotIndex(of: entry.key)] = UInt32(truncatingIfNeeded: index &+ 1)
        return index
    }

    /// Doubles the slots, so that at most half are taken.
    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count &* 2)
        for index in entries.indices {
            slots[slotIndex(of: entries[index].key)] = UInt32(truncatingIfNeeded: index &+ 1)
        }
    }

    /// Forgets the next advertiser that was not heard lately, and returns its place.
    private mutating func roomAfterForgetting() -> Int {
        while entries[hand].isRecent {
            entries[hand].isRecent = false
            hand = hand &+ 1 < entries.count ? hand &+ 1 : 0
        }
        let index = hand
        hand = hand &+ 1 < entries.count ? hand &+ 1 : 0
        vacate(slotIndex(of: entries[index].key))
        forgottenCount &+= 1
        return index
    }

    /// Empties a slot and moves those behind it up, so that no search ends too early.
    private mutating func vacate(_ slot: Int) {
        let mask = slots.count &- 1
        var hole = slot
        var next = (hole &+ 1) & mask
        while slots[next] != 0 {
            let home = homeSlot(of: entries[Int(slots[next]) &- 1].key)
            // Its home lies at or before the hole, going round: it may move into it.
            if (next &- home) & mask >= (next &- hole) & mask {
                slots[hole] = slots[next]
                hole = next
            }
            next = (next &+ 1) & mask
        }
        slots[hole] = 0
    }
}

extension StoredAdvertisingData {
    /// Takes over `new` when it differs, in the old buffer where it fits.
    /// - Returns: whether it differs.
    mutating func replace(with new: RawSpan) -> Bool {
        if octets.octets.isEqual(to: new) { return false }
        octets.removeAll(keepingCapacity: true)
        unsafe new.withUnsafeBytes { unsafe octets.append(contentsOf: $0) }
        return true
    }
}

extension RawSpan {
    /// Whether both hold the same octets.
    func isEqual(to other: RawSpan) -> Bool {
        guard byteCount == other.byteCount else { return false }
        var offset = 0
        while offset &+ 8 <= byteCount {
            // In bounds: `offset + 8 <= byteCount`, which both have.
            let a = unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
            let b = unsafe other.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
            if a != b { return false }
            offset &+= 8
        }
        while offset < byteCount {
            // In bounds by the loop.
            let a = unsafe unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
            let b = unsafe other.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
            if a != b { return false }
            offset &+= 1
        }
        return true
    }
}
