import ATT
import Captures
import GAP
import HCI

/// A summary of a capture: a page for people, or one object a line for programs.
struct SummaryReport {
    let name: String
    let format: String
    let recordCount: Int
    let first: CaptureTime?
    let last: CaptureTime?
    let connections: [ConnectionSummary]
    let devices: [DeviceTable.Entry]
    let omissions: CaptureOmissions
    let uncounted: Int

    /// The most advertisers that are shown to people.
    static let mostDevices = 40
    /// The most connections that are shown to people with everything there is.
    static let mostConnections = 100

    init(_ summary: borrowing CaptureSummary, _ reading: CaptureReading, _ filter: DecodeFilter) {
        name = reading.name
        format = reading.parser.format?.rawValue ?? ""
        recordCount = summary.recordCount
        first = summary.first
        last = summary.last
        connections = summary.connections.filter { filter.includes($0.connection) }
        devices = summary.devices.filter { filter.includes($0) }
        omissions = summary.omissions
        uncounted = summary.uncountedConnections
    }

    func show(_ context: CommandContext) throws(Failure) {
        if context.isJSON {
            for object in objects { try context.console.line(object) }
        } else {
            try context.console.raw(lines(context.style).joined(separator: "\n") + "\n")
        }
    }
}

// MARK: - For people

extension SummaryReport {
    private func lines(_ style: Style) -> [String] {
        var lines = [heading(style)]
        lines += omissions.sentences.map { "left out: \($0)" }
        if uncounted > 0 { lines.append("not shown: \(uncounted) more connections") }
        if !devices.isEmpty { lines += [""] + deviceLines(style) }
        let quiet = connections.filter { $0.pduCount == 0 }
        let busy = connections.filter { $0.pduCount > 0 }
        for connection in busy.prefix(Self.mostConnections) {
            lines += [""] + ConnectionReport(connection).lines(style)
        }
        if busy.count > Self.mostConnections {
            lines += ["", "and \(busy.count - Self.mostConnections) more connections; --connection N, or --json"]
        }
        if !quiet.isEmpty {
            lines += ["", "Without ATT traffic: " + quiet.map { ConnectionReport($0).name }.joined(separator: "; ")]
        }
        return lines
    }

    private func heading(_ style: Style) -> String {
        let records = "\(recordCount) packets"
        guard let first, let last else { return "\(style.bold(name)): \(format), \(records)" }
        let start = Moment(microseconds: first.microseconds)
        let length = seconds(from: first, to: last).map { ", \($0)" } ?? ""
        return "\(style.bold(name)): \(format), \(records), from \(start)\(length)"
    }

    private func deviceLines(_ style: Style) -> [String] {
        var table = TextTable(["ADVERTISER", "REPORTS", "RSSI", "NAME", ""])
        for device in devices.prefix(Self.mostDevices) {
            let fields = AdvertisementFields(AdvertisementRecord(device))
            let cells = fields.cells(style)
            table.append([
                cells[0], "\(device.reportCount)", cells[1], cells[2], shortened(cells[3], to: 100),
            ])
        }
        var lines = table.lines(style: style)
        if devices.count > Self.mostDevices {
            lines.append("and \(devices.count - Self.mostDevices) more; --json shows all")
        }
        return lines
    }
}

/// The time between two points, as people read it; `nil` when it runs backwards.
func seconds(from start: CaptureTime, to end: CaptureTime) -> String? {
    let (difference, overflow) = end.nanoseconds.subtractingReportingOverflow(start.nanoseconds)
    guard !overflow, difference >= 0 else { return nil }
    let microseconds = difference / 1_000
    if microseconds < 10_000_000 { return milliseconds(microseconds) }
    if microseconds < 600_000_000 { return "\(fixed(microseconds, 1_000_000, digits: 1)) s" }
    let minutes = microseconds / 60_000_000
    return minutes < 120 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
}

extension DecodeFilter {
    /// Whether an advertiser is wanted.
    func includes(_ entry: DeviceTable.Entry) -> Bool {
        guard connections.isEmpty else { return false }
        guard let device else { return true }
        guard let address = entry.key.address, address.octets == device.octets else { return false }
        return device.type.map { $0 == address.type } ?? true
    }
}

// MARK: - For programs

extension SummaryReport {
    private var objects: [JSONObject] {
        var summary: JSONObject = [
            "kind": "summary", "file": .string(name), "format": .string(format), "packets": .integer(recordCount),
            "start": first.map { time($0) }, "end": last.map { time($0) },
            "connections": .integer(connections.count), "devices": .integer(devices.count),
        ]
        summary["brokenFrames"] = .integer(omissions.brokenFrames)
        summary["vendorPackets"] = .integer(omissions.vendorPackets)
        summary["malformedPackets"] = .integer(omissions.malformedPackets)
        summary["cutPackets"] = .integer(omissions.cutPackets)
        return [summary] + devices.map(object) + connections.flatMap { ConnectionReport($0).objects }
    }

    private func object(_ device: DeviceTable.Entry) -> JSONObject {
        var object: JSONObject = ["kind": "device", "reports": .integer(Int(device.reportCount))]
        let start = CaptureTime(nanoseconds: Int64(clamping: device.firstHeard))
        object["start"] = time(start)
        object["end"] = time(CaptureTime(nanoseconds: Int64(clamping: device.lastHeard)))
        let fields = AdvertisementFields(AdvertisementRecord(device)).json(Moment(microseconds: start.microseconds))
        for field in fields.fields where !["kind", "time", "scanResponse"].contains(field.key) {
            object[field.key] = field.value
        }
        return object
    }
}

/// A time for programs.
func time(_ time: CaptureTime) -> JSONValue { .string(Moment(microseconds: time.microseconds).description) }
