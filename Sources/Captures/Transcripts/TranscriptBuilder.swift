// From a captured connection to a transcript: the part of a capture that is worth keeping as a fixture.

import ATT
public import HCI

/// Gathers the PDUs of one connection and makes a transcript of them.
public struct TranscriptBuilder: Sendable {
    private struct Gathered: Sendable {
        var octets: [UInt8]
        var direction: CaptureDirection
        var time: CaptureTime?
        var comment: String?
    }

    private var gathered: [Gathered] = []
    private var end: (reason: StatusCode, time: CaptureTime?)?
    /// Requests that were sent less those that were received.
    private var sentRequests = 0

    public init() {}

    /// Whether the capturing host is the central; `nil` leaves it to the requests, of which most come from a client.
    public var isCentral: Bool?

    /// `ATT_MTU` before the first PDU.
    public var mtu = 23

    /// How many PDUs there are.
    public var count: Int { gathered.count }

    /// Adds a PDU.
    public mutating func add(
        _ octets: RawSpan, _ direction: CaptureDirection, at time: CaptureTime?, comment: String? = nil
    ) {
        gathered.append(
            Gathered(octets: [UInt8](octets: octets), direction: direction, time: time, comment: comment))
        guard let first = gathered.last?.octets.first, Opcode(rawValue: first).kind == .request else { return }
        sentRequests += direction == .received ? -1 : 1
    }

    /// The connection ended; later PDUs belong to another one.
    public mutating func end(_ reason: StatusCode, at time: CaptureTime?) { end = (reason, time) }

    /// The transcript: `>` from the central. Times count from the first PDU.
    /// - Parameter header: lines before the MTU, such as a description.
    public func transcript(header: [(key: String, value: String)] = []) -> Transcript {
        let hostIsCentral = isCentral ?? (sentRequests >= 0)
        let start = gathered.lazy.compactMap(\.time).first
        var lines: [Transcript.Line] = gathered.map { pdu in
            .pdu(
                Transcript.PDU(
                    Self.isFromCentral(pdu.direction, pdu.octets, hostIsCentral) ? .fromClient : .fromServer,
                    pdu.octets, microseconds: Self.microseconds(pdu.time, since: start), comment: pdu.comment))
        }
        if let end {
            let reason = "0x\([end.reason.rawValue].hexadecimal) \(end.reason.name)"
            lines.append(.directive(key: Transcript.closed, value: reason))
        }
        return Transcript(header: header + [("mtu", "\(mtu)")], lines: lines)
    }

    /// Where a capture does not say which way a PDU went, its opcode does.
    private static func isFromCentral(
        _ direction: CaptureDirection, _ octets: [UInt8], _ hostIsCentral: Bool
    ) -> Bool {
        switch direction {
        case .sent: hostIsCentral
        case .received: !hostIsCentral
        case .unknown:
            switch Opcode(rawValue: octets.first ?? 0).kind {
            case .request, .command, .confirmation: true
            default: false
            }
        }
    }

    private static func microseconds(_ time: CaptureTime?, since start: CaptureTime?) -> Int64? {
        guard let time, let start, time >= start else { return nil }
        let (difference, overflow) = time.nanoseconds.subtractingReportingOverflow(start.nanoseconds)
        return overflow ? nil : difference / 1_000
    }
}
