// Who advertised during a capture, and what it said last. Extended advertisements come in fragments, and scan responses
// beside the advertisement they belong to: the assembler of live scans puts both together here too.

import GAP
import HCI

/// The advertisers of a capture, in bounded memory.
struct SightedDevices: ~Copyable, Sendable {
    private var assembler = AdvertisementAssembler(limits: Self.limits)

    /// The most advertisers that are told apart.
    static let mostDevices = 8_192

    private static var limits: AdvertisementAssembler.Limits {
        var limits = AdvertisementAssembler.Limits()
        limits.devices = mostDevices
        return limits
    }

    init() {}

    /// How many advertisers were forgotten to make room for others.
    var forgottenCount: Int { assembler.devices.forgottenCount }

    /// The advertisers, those with the most reports first. Their times are nanoseconds since 1970.
    var all: [DeviceTable.Entry] {
        assembler.devices.all.sorted {
            $0.reportCount == $1.reportCount ? $0.firstHeard < $1.firstHeard : $0.reportCount > $1.reportCount
        }
    }

    /// Takes the reports of one event.
    mutating func receive(_ reports: borrowing AdvertisingReports, at time: CaptureTime?) {
        let clock = UInt64(max(0, time?.nanoseconds ?? 0))
        var reports = copy reports
        while let report = reports.next() { assembler.receive(report, at: clock) { _ in } }
    }
}
