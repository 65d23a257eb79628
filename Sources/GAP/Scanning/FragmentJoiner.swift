/// Joins the fragments of extended advertising data (Core Specification, Vol 4, Part E, 7.7.65.13).
///
/// A controller hands data that does not fit one event in several reports: all but the last say "more to come", the
/// last "complete" or "truncated". Reports of other advertisers may lie between. Fragments belong together by address
/// type, address and SID, scan responses apart from advertisements. Memory is bounded: at most `maximumChains` unfinished
/// advertisements, of at most `maximumOctets` each.
struct FragmentJoiner: ~Copyable, Sendable {
    /// How a report goes on.
    enum Step {
        /// The report is whole by itself.
        case whole
        /// More is awaited.
        case pending
        /// The report ends what `octets(ofChain:)` now holds.
        case joined(chain: Int, truncated: Bool)
    }

    fileprivate struct Chain {
        var key: AdvertisingSetKey
        var isScanResponse: Bool
        var lastHeard: UInt64
        var isActive = true
        /// More came than may be kept: what is kept is delivered as truncated when the end comes.
        var isOverlong = false
        var octets: [UInt8] = []
    }

    let maximumChains: Int
    let maximumOctets: Int
    let maximumAge: UInt64
    /// How many unfinished advertisements were given up: no room, too old, or never ended.
    private(set) var abandonedCount = 0

    private var chains: [Chain] = []

    init(maximumChains: Int, maximumOctets: Int, maximumAge: UInt64) {
        self.maximumChains = max(maximumChains, 1)
        self.maximumOctets = max(maximumOctets, 0)
        self.maximumAge = maximumAge
    }

    /// How many advertisements are unfinished.
    var count: Int { chains.count { $0.isActive } }

    /// Takes the fragment in `report`, if it is one.
    mutating func add(_ report: borrowing AdvertisingReport, at time: UInt64) -> Step {
        // Legacy PDUs are never cut.
        if report.properties.contains(.legacy) { return .whole }
        let key = AdvertisingSetKey(report)
        let open = chains.firstIndex {
            $0.isActive && $0.key == key && $0.isScanResponse == report.isScanResponse
        }
        var chain = open
        if let open, time &- chains[open].lastHeard > maximumAge, time > chains[open].lastHeard {
            // Its end was lost long ago; this report begins or is another advertisement.
            chains[open].isActive = false
            abandonedCount &+= 1
            chain = nil
        }
        if report.dataStatus == .moreToCome {
            append(
                report.data.octets, to: chain ?? begin(key, isScanResponse: report.isScanResponse, at: time), at: time)
            return .pending
        }
        guard let chain else { return .whole }
        append(report.data.octets, to: chain, at: time)
        chains[chain].isActive = false
        return .joined(chain: chain, truncated: chains[chain].isOverlong || report.dataStatus != .complete)
    }

    /// The octets of a chain that `add` has just joined.
    func octets(ofChain chain: Int) -> [UInt8] { chains[chain].octets }

    private mutating func append(_ octets: RawSpan, to chain: Int, at time: UInt64) {
        chains[chain].lastHeard = time
        let room = max(maximumOctets &- chains[chain].octets.count, 0)
        if octets.byteCount > room { chains[chain].isOverlong = true }
        unsafe octets.withUnsafeBytes { unsafe chains[chain].octets.append(contentsOf: $0.prefix(room)) }
    }

    private mutating func begin(_ key: AdvertisingSetKey, isScanResponse: Bool, at time: UInt64) -> Int {
        let fresh = Chain(key: key, isScanResponse: isScanResponse, lastHeard: time)
        if let free = chains.firstIndex(where: { !$0.isActive }) {
            chains[free].restart(as: fresh)
            return free
        }
        if chains.count < maximumChains {
            chains.append(fresh)
            return chains.count &- 1
        }
        var oldest = 0
        for index in chains.indices where chains[index].lastHeard < chains[oldest].lastHeard { oldest = index }
        abandonedCount &+= 1
        chains[oldest].restart(as: fresh)
        return oldest
    }
}

extension FragmentJoiner.Chain {
    /// Begins anew in the same buffer.
    fileprivate mutating func restart(as fresh: Self) {
        key = fresh.key
        isScanResponse = fresh.isScanResponse
        lastHeard = fresh.lastHeard
        isActive = true
        isOverlong = false
        octets.removeAll(keepingCapacity: true)
    }
}
