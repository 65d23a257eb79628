import ATT
import Captures
import HCI

// Text instead of a capture: a transcript, or lines of PDUs in hexadecimal.

extension DecodeCommand {
    /// The longest text that is read, in octets.
    private static let longestText = 1 << 26

    static func decodeText(
        _ input: CaptureInput, _ beginning: [UInt8], _ context: CommandContext
    ) async throws(Failure) {
        let text = try await readText(input, beginning)
        if let pdus = hexadecimalLines(text) { return try decode(pdus: pdus, context) }
        try decode(try transcript(text, input.name), context)
    }

    /// A transcript, for those who take nothing else.
    static func readTranscript(_ input: CaptureInput, _ beginning: [UInt8]) async throws(Failure) -> Transcript {
        try transcript(try await readText(input, beginning), input.name)
    }

    private static func transcript(_ text: String, _ name: String) throws(Failure) -> Transcript {
        do throws(Transcript.SyntaxError) {
            return try Transcript(parsing: text)
        } catch {
            throw Failure(.refused, "\(name) is no capture; read as a transcript, \(error)")
        }
    }

    private static func readText(_ input: CaptureInput, _ beginning: [UInt8]) async throws(Failure) -> String {
        if let what = packedFormat(beginning) {
            throw Failure(.refused, "\(input.name) is \(what): unpack it first")
        }
        var octets: [UInt8] = []
        try await input.readAll { (more, _) throws(Failure) in
            octets += [UInt8](octets: more)
            guard octets.count <= longestText, !octets.prefix(1_024).contains(0) else {
                throw Failure(.refused, "\(input.name): \(CaptureError(.unknownFormat, at: 0))")
            }
            return more.byteCount
        }
        guard let text = String(validating: octets, as: UTF8.self), !text.isEmpty else {
            throw Failure(.refused, "\(input.name): \(CaptureError(.unknownFormat, at: 0))")
        }
        return text
    }

    /// What captures are often packed in.
    private static func packedFormat(_ beginning: [UInt8]) -> String? {
        switch beginning.prefix(2) {
        case [0x1F, 0x8B]: "compressed with gzip"
        case [0x50, 0x4B]: "a ZIP archive, such as an Android bug report (the log is below FS/data/log/bt in it)"
        case [0xFD, 0x37]: "compressed with xz"
        case [0x28, 0xB5]: "compressed with zstd"
        default: nil
        }
    }

    /// One PDU a line; `nil` when some line is none.
    private static func hexadecimalLines(_ text: String) -> [[UInt8]]? {
        var pdus: [[UInt8]] = []
        for line in text.split(whereSeparator: \.isNewline) {
            let digits = String(line.map { $0 == "\t" || $0 == "\r" ? " " : $0 })
            guard let octets = [UInt8](hexadecimal: digits) else { return nil }
            if !octets.isEmpty { pdus.append(octets) }
        }
        return pdus.isEmpty ? nil : pdus
    }

    /// PDUs without time or direction, of one conversation.
    static func decode(pdus: [[UInt8]], _ context: CommandContext) throws(Failure) {
        let filter = try filter(context.arguments)
        var tracker = ConversationTracker()
        var lines = DecodedLines(context)
        for octets in pdus {
            describe(octets, .unknown, at: nil, &tracker) { pdu in
                let description = PDUDescription(pdu)
                guard filter.includes(pdu.opcode), filter.includes(description) else { return }
                lines.add(description, octets: octets)
            }
        }
        try context.console.raw(lines.text)
    }

    private static func decode(_ transcript: Transcript, _ context: CommandContext) throws(Failure) {
        var filter = try filter(context.arguments)
        var tracker = ConversationTracker()
        var lines = DecodedLines(context)
        for pdu in transcript.pdus {
            let time = pdu.microseconds.map { CaptureTime(nanoseconds: $0 &* 1_000) }
            let isTime = filter.includes(time)
            describe(pdu.octets, pdu.direction == .fromClient ? .sent : .received, at: time, &tracker) { pdu in
                guard isTime, filter.includes(pdu.opcode) else { return }
                let description = PDUDescription(pdu)
                if filter.includes(description) { lines.add(pdu, description) }
            }
        }
        try context.console.raw(lines.text)
    }

    /// Hands a PDU on that no capture holds, within the conversation of those before it.
    private static func describe(
        _ octets: [UInt8], _ direction: CaptureDirection, at time: CaptureTime?,
        _ tracker: inout ConversationTracker, _ body: (borrowing CapturedConversations.PDU) -> Void
    ) {
        let insight = tracker.observe(octets.octets, direction, at: time)
        let opcode = Opcode(octets.first ?? 0)
        body(
            CapturedConversations.PDU(
                time: time, direction: direction,
                connection: CaptureDecoder.Connection(number: 1, adapter: 0, handle: ConnectionHandle(rawValue: 0)),
                octets: octets.octets, insight: insight,
                attributes: tracker.attributes(for: opcode, direction), mtu: tracker.mtu))
    }
}
