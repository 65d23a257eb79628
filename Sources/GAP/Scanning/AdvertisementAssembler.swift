/// Turns advertising reports into advertisements: joins fragments, attaches scan responses to the advertisement of the
/// same set, and says what is new. No I/O and no clock: reports and time go in, views come out.
///
/// ```swift
/// var assembler = AdvertisementAssembler()
/// assembler.receive(report, at: now) { advertisement in
///     if !advertisement.isRepeat { print(advertisement.report.address, advertisement.name) }
/// }
/// ```
public struct AdvertisementAssembler: ~Copyable, Sendable {
    /// What may be kept.
    public struct Limits: Sendable {
        /// Advertising sets remembered for repeats and scan responses.
        public var devices = 16_384
        /// Advertisements whose end has not come.
        public var unfinished = 64
        /// Octets of one advertisement: 1650 is what the specification allows (Vol 4, Part E, 7.8.54).
        public var octets = 1650
        /// How long after its last fragment an unfinished advertisement is given up, in nanoseconds.
        public var age: UInt64 = 10_000_000_000

        /// The defaults.
        public init() {}
    }

    /// The advertisers that were heard.
    public private(set) var devices: DeviceTable
    private var fragments: FragmentJoiner

    /// An assembler that has heard nothing.
    /// - Parameters:
    ///   - limits: what may be kept.
    ///   - seed: see `DeviceTable.init(maximumCount:seed:)`.
    public init(limits: Limits = Limits(), seed: UInt64 = .random(in: .min ... .max)) {
        devices = DeviceTable(maximumCount: limits.devices, seed: seed)
        fragments = FragmentJoiner(
            maximumChains: limits.unfinished, maximumOctets: limits.octets, maximumAge: limits.age)
    }

    /// How many advertisements have begun whose end has not come.
    public var unfinishedCount: Int { fragments.count }

    /// How many unfinished advertisements were given up, for lack of room or of an end.
    public var abandonedCount: Int { fragments.abandonedCount }

    /// Takes a report.
    /// - Parameters:
    ///   - report: as the controller gave it.
    ///   - time: now, in nanoseconds of the caller's monotonic clock.
    ///   - deliver: called once, at once, when the report completes an advertisement; not called for a fragment with
    ///     more to come.
    public mutating func receive(
        _ report: borrowing AdvertisingReport, at time: UInt64, deliver: (borrowing Advertisement) -> Void
    ) {
        switch fragments.add(report, at: time) {
        case .pending: return
        case .whole: finish(report, at: time, deliver: deliver)
        case .joined(let chain, let truncated):
            let octets = fragments.octets(ofChain: chain)
            finish(report.with(octets.octets, truncated ? .truncated : .complete), at: time, deliver: deliver)
        }
    }

    /// Forgets everything: a new scan begins.
    public mutating func reset() {
        devices.removeAll()
        fragments = FragmentJoiner(
            maximumChains: fragments.maximumChains, maximumOctets: fragments.maximumOctets,
            maximumAge: fragments.maximumAge)
    }

    private mutating func finish(
        _ report: borrowing AdvertisingReport, at time: UInt64, deliver: (borrowing Advertisement) -> Void
    ) {
        let empty = RawSpan()
        // Nothing tells one anonymous advertiser from another, so none is remembered.
        if report.isAnonymous {
            let isResponse = report.isScanResponse
            deliver(
                Advertisement(
                    report: copy report, properties: report.properties,
                    advertisingData: isResponse ? empty : report.data.octets,
                    scanResponse: isResponse ? report.data.octets : empty,
                    changes: [.newAdvertiser, isResponse ? .scanResponse : .advertisingData]))
            return
        }
        var index = 0
        let changes = devices.observe(report, at: time, index: &index)
        devices.withEntry(at: index) { entry in
            deliver(
                Advertisement(
                    report: copy report, properties: entry.properties,
                    advertisingData: entry.advertisingData.octets.octets,
                    scanResponse: entry.scanResponse.octets.octets, changes: changes))
        }
    }
}

extension AdvertisingReport {
    /// The same report with the data of all its fragments.
    @_lifetime(copy octets)
    func with(_ octets: RawSpan, _ status: AdvertisingDataStatus) -> AdvertisingReport {
        AdvertisingReport(
            properties: properties, dataStatus: status, addressTypeCode: addressTypeCode,
            addressOctets: addressOctets, primaryPHY: primaryPHY, secondaryPHY: secondaryPHY,
            advertisingSID: advertisingSID, txPower: txPower, rssi: rssi,
            periodicAdvertisingInterval: periodicAdvertisingInterval, directAddress: directAddress, data: octets)
    }
}
