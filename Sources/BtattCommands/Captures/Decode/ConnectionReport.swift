import ATT
import AssignedNumbers
import Captures
import GAP
import HCI
import Presentation

/// What happened on one connection of a capture.
struct ConnectionReport {
    let summary: ConnectionSummary
    private var connection: CaptureDecoder.Connection { summary.connection }

    init(_ summary: ConnectionSummary) { self.summary = summary }

    /// The connection in a few words.
    var name: String {
        "connection \(connection.number)" + (connection.peer.map { " to \($0)" } ?? ", peer unknown")
    }

    private static let percentiles: [(name: String, key: String, percent: Double)] = [
        ("P50", "p50", 50), ("P90", "p90", 90), ("P99", "p99", 99), ("MAX", "maximum", 100),
    ]

    /// Requests, with how many Error Responses answered them, and everything else that is counted.
    private var operations: [(opcode: Opcode, count: Int, errors: Int)] {
        var failures: [Opcode: Int] = [:]
        for (key, count) in summary.errors { failures[key.request, default: 0] += count }
        return (UInt8.min...UInt8.max).compactMap { number in
            let opcode = Opcode(number)
            let count = summary.opcodeCounts[Int(number)]
            return count > 0 ? (opcode, count, failures[opcode] ?? 0) : nil
        }
    }

    private var flows: [(handle: AttributeHandle, flow: ConnectionSummary.ValueFlow)] {
        summary.values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private var errors: [(key: ConnectionSummary.ErrorKey, count: Int)] {
        summary.errors.sorted {
            ($1.value, $0.key.handle, $0.key.request.rawValue) < ($0.value, $1.key.handle, $1.key.request.rawValue)
        }.map { ($0.key, $0.value) }
    }

    /// An attribute with its name.
    private func label(_ handle: AttributeHandle) -> String {
        let entry = summary.attributes[handle] ?? summary.localAttributes[handle]
        guard let entry else { return "\(handle)" }
        let name = entry.assignedName.map { " \(printable($0))" } ?? ""
        return "\(handle) \(entry.uuid.shortened)\(name)"
    }
}

extension ConnectionSummary.ErrorKey {
    /// Whether it only says that there are no more attributes, which is how every discovery ends.
    fileprivate var endsDiscovery: Bool { code == .attributeNotFound && request.isDiscovery }
}

extension Opcode {
    /// Whether it is a request that goes on until there are no more attributes.
    var isDiscovery: Bool {
        let discovering: [Opcode] = [
            .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest,
        ]
        return discovering.contains(self)
    }
}

// MARK: - For people

extension ConnectionReport {
    func lines(_ style: Style) -> [String] {
        var lines = [style.bold(name.prefix(1).uppercased() + name.dropFirst()), "  " + life]
        lines += indented(operationLines(style))
        if !summary.values.isEmpty { lines += [""] + indented(flowLines(style)) }
        if !summary.errors.isEmpty { lines += [""] + indented(errorLines(style)) }
        lines += attributeLines(summary.attributes, "Attributes of the peer, as the traffic told", style)
        lines += attributeLines(summary.localAttributes, "Attributes of the captured host", style)
        return lines
    }

    private func indented(_ lines: [String]) -> [String] { lines.map { "  " + $0 } }

    private var life: String {
        var parts: [String] = []
        if let isCentral = connection.isCentral { parts.append(isCentral ? "as central" : "as peripheral") }
        parts.append("MTU \(summary.mtu)")
        parts.append("\(summary.pduCount) PDUs of \(summary.octetCount) octets")
        if let start = connection.start {
            let moment = Moment(microseconds: start.microseconds)
            let end = (summary.end ?? summary.lastTime).flatMap { seconds(from: start, to: $0) }
            parts.append("from \(moment.clock)" + (end.map { " for \($0)" } ?? ""))
        }
        if let reason = summary.reason { parts.append("ended: \(reason)") } else { parts.append("end not captured") }
        if summary.malformedCount > 0 { parts.append("\(summary.malformedCount) malformed PDUs") }
        if summary.unaskedCount > 0 { parts.append("\(summary.unaskedCount) responses that answer nothing") }
        return parts.joined(separator: ", ")
    }

    private func operationLines(_ style: Style) -> [String] {
        var table = TextTable(["PDU", "COUNT", "ERRORS"] + Self.percentiles.map(\.name))
        for operation in operations {
            let latencies = summary.latencies[operation.opcode]
            table.append(
                [operation.opcode.name, "\(operation.count)", operation.errors > 0 ? "\(operation.errors)" : ""]
                    + Self.percentiles.map { percentile in
                        latencies?.percentile(percentile.percent).map { milliseconds($0 / 1_000) } ?? ""
                    })
        }
        return table.lines(style: style)
    }

    private func flowLines(_ style: Style) -> [String] {
        var table = TextTable(["NOTIFIED OR INDICATED", "COUNT", "OCTETS", "PER SECOND"])
        for (handle, flow) in flows {
            let rate = flow.rate.map { fixed(Int64(($0 * 100).rounded()), 100, digits: 2) }
            table.append([label(handle), "\(flow.count)", "\(flow.octetCount)", rate ?? ""])
        }
        return table.lines(style: style)
    }

    private func errorLines(_ style: Style) -> [String] {
        var table = TextTable(["ERROR", "ANSWERS", "AT", "COUNT"])
        var ends: [Opcode: Int] = [:]
        for (key, count) in errors {
            if key.endsDiscovery {
                ends[key.request, default: 0] += count
            } else {
                table.append(["\(key.code)", key.request.name, label(key.handle), "\(count)"])
            }
        }
        for (request, count) in ends.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            table.append(["\(ErrorCode.attributeNotFound)", request.name, "the end of a discovery", "\(count)"])
        }
        return table.lines(style: style)
    }

    private func attributeLines(_ table: AttributeTable, _ title: String, _ style: Style) -> [String] {
        guard table.count > 0 else { return [] }
        let (tree, loose) = table.database
        let looseLines = loose.map { "\(style.faint("\($0.handle)"))  \(label($0.handle).dropFirst(7))" }
        return ["", "  \(style.faint(title))"] + indented(DatabaseTree(database: tree).lines(style))
            + indented(looseLines)
    }
}

// MARK: - For programs

extension ConnectionReport {
    var objects: [JSONObject] {
        let number = JSONValue.integer(connection.number)
        var objects: [JSONObject] = [object]
        for operation in operations {
            objects.append([
                "kind": "operation", "connection": number, "opcode": .integer(Int(operation.opcode.rawValue)),
                "operation": .string(operation.opcode.name), "count": .integer(operation.count),
                "errors": .integer(operation.errors),
                "latency": summary.latencies[operation.opcode].map { .object(latency($0)) },
            ])
        }
        for (handle, flow) in flows {
            var object: JSONObject = ["kind": "flow", "connection": number, "handle": handle.json]
            append(handle, to: &object)
            object["count"] = .integer(flow.count)
            object["octets"] = .integer(flow.octetCount)
            object["rate"] = flow.rate.map { .number($0) }
            objects.append(object)
        }
        for (key, count) in errors {
            var object: JSONObject = ["kind": "failure", "connection": number, "count": .integer(count)]
            object["error"] = .object([
                "code": .integer(Int(key.code.rawValue)), "name": .string(key.code.name),
                "opcode": .integer(Int(key.request.rawValue)), "handle": key.handle.json,
            ])
            objects.append(object)
        }
        for (table, side) in [(summary.attributes, "peer"), (summary.localAttributes, "host")] {
            for var object in DatabaseTree(database: table.database.tree).objects() {
                object["connection"] = number
                object["side"] = .string(side)
                objects.append(object)
            }
        }
        return objects
    }

    private var object: JSONObject {
        var object: JSONObject = [
            "kind": "connection", "connection": .integer(connection.number), "adapter": .integer(connection.adapter),
            "address": connection.peer.map { .string("\($0.octets)") },
            "addressType": connection.peer.map { .string("\($0.type)") },
            "role": connection.isCentral.map { .string($0 ? "central" : "peripheral") },
            "start": connection.start.map { time($0) }, "end": summary.end.map { time($0) },
        ]
        if let reason = summary.reason {
            object["reason"] = .object(["code": .integer(Int(reason.rawValue)), "name": .string(reason.name)])
        }
        object["mtu"] = .integer(summary.mtu)
        object["pdus"] = .integer(summary.pduCount)
        object["octets"] = .integer(summary.octetCount)
        object["malformed"] = .integer(summary.malformedCount)
        object["unasked"] = .integer(summary.unaskedCount)
        return object
    }

    /// Seconds.
    private func latency(_ histogram: LatencyHistogram) -> JSONObject {
        func seconds(_ nanoseconds: Int64) -> JSONValue {
            .decimal(.finite(mantissa: Int128(nanoseconds / 1_000), exponent: -6))
        }
        var object: JSONObject = ["count": .integer(histogram.count), "minimum": seconds(histogram.minimum)]
        for percentile in Self.percentiles {
            object[percentile.key] = histogram.percentile(percentile.percent).map(seconds)
        }
        return object
    }

    private func append(_ handle: AttributeHandle, to object: inout JSONObject) {
        guard let entry = summary.attributes[handle] ?? summary.localAttributes[handle] else { return }
        object["uuid"] = .string("\(entry.uuid.shortened)")
        object["name"] = entry.assignedName.map { .string($0) }
    }
}
