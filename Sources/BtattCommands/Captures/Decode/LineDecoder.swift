import Captures
import GATT
import HCI

/// Decodes the records of a capture to lines.
struct LineDecoder: ~Copyable {
    private(set) var conversations = CapturedConversations()
    private var filter: DecodeFilter
    var lines: DecodedLines

    init(_ filter: DecodeFilter, _ context: CommandContext) {
        self.filter = filter
        lines = DecodedLines(context)
    }

    mutating func take(_ record: borrowing CaptureRecord) {
        // What comes before is followed too: it tells of attributes.
        let isTime = filter.includes(record.time)
        Self.pass(record, isTime, through: &conversations, filter, to: &lines)
    }

    private static func pass(
        _ record: borrowing CaptureRecord, _ isTime: Bool, through conversations: inout CapturedConversations,
        _ filter: DecodeFilter, to lines: inout DecodedLines
    ) {
        conversations.receive(record) { event in
            guard isTime else { return }
            switch event {
            case .connected(let connection, let time):
                guard filter.isAboutConnections, filter.includes(connection) else { return }
                lines.connected(connection, at: time)
            case .disconnected(let connection, let reason, let time):
                guard filter.isAboutConnections, filter.includes(connection) else { return }
                lines.disconnected(connection, reason.name, reason.rawValue, at: time)
            case .pdu(let pdu):
                guard filter.includes(pdu.connection), filter.includes(pdu.opcode) else { return }
                let description = PDUDescription(pdu)
                if filter.includes(description) { lines.add(pdu, description) }
            }
        }
    }
}

/// Gathers the PDUs of connections for a transcript.
struct TranscriptGatherer: ~Copyable {
    private var conversations = CapturedConversations()
    private var filter: DecodeFilter
    private var gathered = Gathered()

    /// What was gathered of each connection, by its number.
    private struct Gathered {
        var builders: [Int: TranscriptBuilder] = [:]
        var connections: [Int: CaptureDecoder.Connection] = [:]
        var mtus: [Int: Int] = [:]
    }

    init(_ filter: DecodeFilter) { self.filter = filter }

    mutating func take(_ record: borrowing CaptureRecord) {
        let isTime = filter.includes(record.time)
        Self.pass(record, isTime, through: &conversations, filter, to: &gathered)
    }

    private static func pass(
        _ record: borrowing CaptureRecord, _ isTime: Bool, through conversations: inout CapturedConversations,
        _ filter: DecodeFilter, to gathered: inout Gathered
    ) {
        conversations.receive(record) { event in
            switch event {
            case .connected: break
            case .disconnected(let connection, let reason, let time):
                guard isTime, filter.opcodes.isEmpty else { return }
                gathered.builders[connection.number]?.end(reason, at: time)
            case .pdu(let pdu):
                let number = pdu.connection.number
                defer { gathered.mtus[number] = pdu.mtu }
                guard isTime, filter.includes(pdu.connection), filter.includes(pdu.opcode) else { return }
                let description = PDUDescription(pdu)
                guard filter.includes(description) else { return }
                var builder = gathered.builders.removeValue(forKey: number) ?? TranscriptBuilder()
                if builder.count == 0 { builder.mtu = gathered.mtus[number] ?? 23 }
                builder.isCentral = pdu.connection.isCentral
                builder.add(pdu.octets, pdu.direction, at: pdu.time, comment: description.comment)
                gathered.builders[number] = builder
                gathered.connections[number] = pdu.connection
            }
        }
    }

    /// The transcript of the one connection that is wanted.
    /// - Throws: when there is none, or several.
    func transcript(of file: String) throws(Failure) -> Transcript {
        let numbers = gathered.builders.keys.sorted()
        guard let number = numbers.first, let builder = gathered.builders[number] else {
            throw Failure(.refused, "\(file): no ATT PDUs that match")
        }
        guard numbers.count == 1 else {
            let list = numbers.map { number in
                let peer = gathered.connections[number]?.peer.map { " to \($0)" } ?? ""
                return "\(number)\(peer) (\(gathered.builders[number]?.count ?? 0) PDUs)"
            }
            throw Failure(
                .usage,
                "\(file) has \(numbers.count) connections: say which with --connection: \(list.joined(separator: ", "))"
            )
        }
        var header = [("description", "connection \(number) of \(file.split(separator: "/").last ?? "-")")]
        if let peer = gathered.connections[number]?.peer { header.append(("device", "\(peer)")) }
        return builder.transcript(header: header)
    }
}

extension DecodeFilter {
    /// Whether lines about connections are wanted, and not only certain PDUs.
    var isAboutConnections: Bool { handles.isEmpty && opcodes.isEmpty && !onlyErrors }
}

extension CapturedConversations.PDU {
    /// The opcode; `nil` when there is none.
    var opcode: Opcode? {
        var reader = OctetReader(octets)
        return (try? reader.uint8()).map { Opcode($0) }
    }
}
