import ATT
import Captures
import HCI

/// Gathers what the page shows.
struct PageGatherer: ~Copyable {
    /// The most PDUs on a page: more makes a file that browsers open slowly.
    static let mostPDUs = 200_000

    private var conversations = CapturedConversations()
    private var filter: DecodeFilter
    private var gathered = Gathered()
    private var recordCount = 0
    private var first: CaptureTime?
    private var last: CaptureTime?

    /// The colours of the page, in the order of its legend.
    fileprivate enum Kind: Int {
        case discovery, read, write, value, other, error
    }

    /// One connection of the page.
    fileprivate struct Track {
        var connection: CaptureDecoder.Connection
        var rows: [JSONValue] = []
        var pduCount = 0
        var octetCount = 0
        var mtu = 23
        var end: (reason: StatusCode, time: CaptureTime?)?
        /// The rows of the requests and indications that wait for an answer, by the side that sent them.
        var open: [CaptureDirection: [Opcode: Int]] = [:]
    }

    fileprivate struct Gathered {
        var tracks: [Int: Track] = [:]
        var pduCount = 0
        var omitted = 0
        var start: CaptureTime?
    }

    init(_ filter: DecodeFilter) { self.filter = filter }

    mutating func take(_ record: borrowing CaptureRecord) {
        let isTime = filter.includes(record.time)
        recordCount += 1
        if let time = record.time {
            if first == nil { first = time }
            last = time
            if isTime, gathered.start == nil { gathered.start = time }
        }
        Self.pass(record, isTime, through: &conversations, filter, to: &gathered)
    }

    private static func pass(
        _ record: borrowing CaptureRecord, _ isTime: Bool, through conversations: inout CapturedConversations,
        _ filter: DecodeFilter, to gathered: inout Gathered
    ) {
        conversations.receive(record) { event in
            guard isTime else { return }
            switch event {
            case .connected(let connection, let time):
                guard filter.isAboutConnections, filter.includes(connection) else { return }
                gathered.event("connected", connection, at: time)
            case .disconnected(let connection, let reason, let time):
                guard filter.isAboutConnections, filter.includes(connection) else { return }
                gathered.tracks[connection.number]?.end = (reason, time)
                gathered.event("disconnected: \(reason)", connection, at: time)
            case .pdu(let pdu):
                guard filter.includes(pdu.connection), filter.includes(pdu.opcode) else { return }
                let description = PDUDescription(pdu)
                if filter.includes(description) { gathered.add(pdu, description) }
            }
        }
    }

    /// How many PDUs did not find room.
    var omitted: Int { gathered.omitted }

    /// The page.
    func html(_ name: String, _ format: String) -> String {
        let tracks = gathered.tracks.values.filter { $0.pduCount > 0 }
            .sorted { $0.connection.number < $1.connection.number }
        var names: JSONObject = [:]
        for opcode in Opcode.assigned { names[String(opcode.rawValue)] = .string(opcode.name) }
        let data: JSONObject = [
            "start": .integer(Int(gathered.start?.microseconds ?? 0)), "names": .object(names),
            "connections": .array(tracks.map { .object($0.json(since: gathered.start)) }),
        ]
        var about = "\(format), \(recordCount) packets"
        if let first, let last {
            about += ", from \(Moment(microseconds: first.microseconds))"
            if let length = seconds(from: first, to: last) { about += ", \(length)" }
        }
        if tracks.isEmpty { about += "; no ATT traffic" }
        if omitted > 0 { about += "; \(omitted) more PDUs are not shown" }
        let title = name.split(separator: "/").last.map(String.init) ?? name
        return Page.html(title: title, about: about, data: data)
    }
}

extension PageGatherer.Gathered {
    fileprivate mutating func event(
        _ text: String, _ connection: CaptureDecoder.Connection, at time: CaptureTime?
    ) {
        tracks[connection.number, default: .init(connection: connection)].connection = connection
        let row: [JSONValue] = [offset(of: time), 2, -1, .string(text), "", -1, -1, 4]
        tracks[connection.number]?.rows.append(.array(row))
    }

    fileprivate mutating func add(_ pdu: borrowing CapturedConversations.PDU, _ description: PDUDescription) {
        guard pduCount < PageGatherer.mostPDUs else {
            omitted += 1
            return
        }
        pduCount += 1
        let number = pdu.connection.number
        var track = tracks.removeValue(forKey: number) ?? .init(connection: pdu.connection)
        track.connection = pdu.connection
        track.mtu = pdu.mtu
        track.pduCount += 1
        track.octetCount += pdu.octets.byteCount
        let index = track.rows.count
        var answers = -1
        if let answered = pdu.insight.answers {
            let side: CaptureDirection = pdu.direction == .sent ? .received : .sent
            answers =
                track.open[side]?.removeValue(forKey: answered.opcode)
                ?? track.open[.unknown]?.removeValue(forKey: answered.opcode) ?? -1
        }
        if let opcode = description.opcode, [.request, .indication].contains(opcode.kind) {
            track.open[pdu.direction, default: [:]][opcode] = index
        }
        track.rows.append(
            .array([
                offset(of: pdu.time), .integer(track.side(pdu.direction)),
                .integer(Int(description.opcode?.rawValue ?? 0)), .string(description.summary),
                .string(pdu.octets.hexadecimal), .integer(pdu.insight.latency.map { Self.microseconds($0) } ?? -1),
                .integer(answers), .integer(Self.kind(description).rawValue),
            ]))
        tracks[number] = track
    }

    private func offset(of time: CaptureTime?) -> JSONValue {
        guard let time, let start else { return 0 }
        return .integer(Int(time.microseconds &- start.microseconds))
    }

    private static func microseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(clamping: seconds &* 1_000_000 &+ attoseconds / 1_000_000_000_000)
    }

    private static func kind(_ description: PDUDescription) -> PageGatherer.Kind {
        // Attribute Not Found is how every discovery ends.
        if description.endsDiscovery { return .discovery }
        if description.isFailure { return .error }
        switch description.opcode {
        case .findInformationRequest?, .findInformationResponse?, .findByTypeValueRequest?, .findByTypeValueResponse?,
            .readByTypeRequest?, .readByTypeResponse?, .readByGroupTypeRequest?, .readByGroupTypeResponse?:
            return .discovery
        case .readRequest?, .readResponse?, .readBlobRequest?, .readBlobResponse?, .readMultipleRequest?,
            .readMultipleResponse?, .readMultipleVariableRequest?, .readMultipleVariableResponse?:
            return .read
        case .writeRequest?, .writeResponse?, .writeCommand?, .signedWriteCommand?, .prepareWriteRequest?,
            .prepareWriteResponse?, .executeWriteRequest?, .executeWriteResponse?:
            return .write
        case .handleValueNotification?, .handleValueIndication?, .handleValueConfirmation?,
            .multipleHandleValueNotification?:
            return .value
        default: return .other
        }
    }
}

extension PageGatherer.Track {
    /// The central is on the left; where nobody knows who it is, the captured host.
    fileprivate var hostIsLeft: Bool { connection.isCentral ?? true }

    /// 0 from the left, 1 from the right, 2 unknown.
    fileprivate func side(_ direction: CaptureDirection) -> Int {
        switch direction {
        case .sent: hostIsLeft ? 0 : 1
        case .received: hostIsLeft ? 1 : 0
        case .unknown: 2
        }
    }

    fileprivate func json(since start: CaptureTime?) -> JSONObject {
        let peer = connection.peer?.description ?? "unknown address"
        let known = connection.isCentral != nil
        let (left, right) = known ? ("Central", "Peripheral") : ("Captured host", "Peer")
        var facts: [(String, String)] = [("Peer", peer)]
        if let isCentral = connection.isCentral {
            facts.append(("Captured host", isCentral ? "central" : "peripheral"))
        }
        facts += [("MTU", "\(mtu)"), ("PDUs", "\(pduCount)"), ("Octets", "\(octetCount)")]
        if let begin = connection.start, let start, begin >= start, let after = seconds(from: start, to: begin) {
            facts.append(("Begins after", after))
        }
        facts.append(("Ended", end.map { "\($0.reason)" } ?? "not captured"))
        return [
            "title": .string("\(connection.number): \(peer), \(pduCount) PDUs"), "left": .string(left),
            "right": .string(right),
            "facts": .array(facts.map { .array([.string($0.0), .string($0.1)]) }), "rows": .array(rows),
        ]
    }
}
