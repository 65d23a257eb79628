// Scanning: from the octets of HCI events to what a program gets of a scan, apart from any controller. Every device has its
// own address and its own data, and comes again and again in an order that caches cannot guess.

import CBenchmark
import GAP
import HCI

/// A scan in which so many devices are in reach.
struct SimulatedScan: ~Copyable {
    private var assembler: AdvertisementAssembler
    private var packet: [UInt8]
    private let devices: Int
    private let step: Int
    private var device = 0
    /// Whether repeats are handed out too.
    private let reportsRepeats: Bool
    /// How many results were handed out.
    private(set) var resultCount = 0
    private(set) var digest: UInt64 = 1

    /// Where the address and the data that differs from device to device stand in the packet.
    private static let addressOffset = 6
    private static let serialOffset = 33

    init(devices: Int, reportsRepeats: Bool) {
        var limits = AdvertisementAssembler.Limits()
        limits.devices = max(limits.devices, devices)
        assembler = AdvertisementAssembler(limits: limits, seed: 0x5EED)
        packet = AdvertisingReport31.packet
        self.devices = devices
        self.reportsRepeats = reportsRepeats
        // A prime that divides none of the numbers of devices: every device comes once a round.
        step = 7919 % devices
    }

    /// How many devices are remembered.
    var rememberedCount: Int { assembler.devices.count }

    /// Receives so many reports, one an event.
    mutating func receive(_ reports: Int) -> Bool {
        for report in 0..<reports {
            device += step
            if device >= devices { device -= devices }
            let serial = UInt32(truncatingIfNeeded: device)
            for octet in 0..<4 {
                packet[Self.addressOffset + octet] = UInt8(truncatingIfNeeded: serial >> (8 * UInt32(octet)))
                packet[Self.serialOffset + octet] = UInt8(truncatingIfNeeded: serial >> (8 * UInt32(octet)))
            }
            guard receive(at: UInt64(report)) else { return false }
        }
        return true
    }

    /// What the scanner does with an event.
    private mutating func receive(at time: UInt64) -> Bool {
        let packet = packet
        guard let event = try? EventPacket(parsing: packet.octets), event.code == .leMeta,
            case .advertisingReport(var reports)? = try? LEEvent(parsing: event.parameters)
        else { return false }
        while let report = reports.next() {
            assembler.receive(report, at: time) { advertisement in
                guard reportsRepeats || !advertisement.isRepeat else { return }
                let record = AdvertisementRecord(copying: advertisement)
                resultCount += 1
                fold(&digest, record.address?.packed ?? 0)
            }
        }
        return reports.malformation == nil
    }
}

enum ScanGroup {
    private static let group = "scanning"
    private static let deviceCounts = [10, 10_000, 1_000_000]

    private static func name(_ devices: Int, _ reportsRepeats: Bool) -> String {
        "\(devices) devices, \(reportsRepeats ? "every report handed out" : "repeats left out")"
    }

    /// For the instruction counter. Filling the table is not part of an operation.
    static var counted: [Benchmark] {
        [false, true].flatMap { reportsRepeats in
            deviceCounts.dropLast().map { devices in
                Benchmark(group, name(devices, reportsRepeats), rounds: 2_000_000) { rounds in
                    var scan = SimulatedScan(devices: devices, reportsRepeats: reportsRepeats)
                    guard scan.receive(devices), scan.receive(rounds) else { return 0 }
                    return scan.digest
                }
            }
        }
    }

    /// Measures reports a second of devices that are known, and what remembering a device takes.
    static func measure(
        only filter: String, samples: Int, rounds: Int?, instructions: [String: Count], into report: inout Report
    ) -> Bool {
        var isSound = true
        for reportsRepeats in [false, true] {
            for devices in deviceCounts {
                let name = name(devices, reportsRepeats)
                guard filter.isEmpty || "\(group)/\(name)".contains(filter) else { continue }
                let before = benchmark_allocated_octets()
                var scan = SimulatedScan(devices: devices, reportsRepeats: reportsRepeats)
                isSound = scan.receive(devices) && scan.rememberedCount == devices && isSound
                let octets = Double(benchmark_allocated_octets() &- before) / Double(devices)
                let reports = rounds ?? 1_000_000
                let known = scan.resultCount
                var costs: [Cost] = []
                for _ in 0..<samples {
                    costs.append(
                        measureOnce(operations: reports) { isSound = scan.receive(reports) && isSound })
                }
                let handedOut = scan.resultCount - known
                isSound = handedOut == (reportsRepeats ? reports * samples : 0) && isSound
                let cost = median(costs)
                var figures: [Figure] = [("ns", cost.nanoseconds), ("reports/s", 1e9 / cost.nanoseconds)]
                if let count = instructions["\(group)/\(name)"] { figures.append(("instr", count.instructions)) }
                figures += [
                    ("allocations", cost.allocations),
                    // Beyond the 31 octets of advertising data; of a few devices the empty table says more.
                    ("B/device", devices < 1000 ? .nan : octets - 31),
                ]
                report.add(Row(group: group, name: name, figures: figures))
            }
        }
        if !isSound { complain("scanning: reports were refused, or repeats taken for news") }
        return isSound
    }
}
