import Captures
import CommandLineParsing
import GAP
import GATT
import Glibc

/// `btatt decode`
enum DecodeCommand: BtattCommand {
    static let input = Positional(
        "INPUT", .file, .any,
        help: "A capture (btsnoop, pcap, pcapng), a transcript, or a PDU in hexadecimal; standard input without it.")
    static let connection = Option(
        "connection", "N", .integer(in: 1...Int.max), isRepeatable: true,
        help: "Only this connection, by its number in the capture.")
    static let handle = Option(
        "handle", "HANDLE", .handle, isRepeatable: true, help: "Only PDUs about this attribute.")
    static let opcode = Option(
        "opcode", "OPCODE", .opcode, isRepeatable: true, help: "Only PDUs of this opcode: 0x0a, or read_request.")
    static let errors = Flag(
        "errors", help: "Only Error Responses, malformed PDUs, and responses that answer nothing.")
    static let from = Option(
        "from", "TIME", .captureMoment,
        help: "Begin here: seconds from the first packet (12.5), or the time in UTC (12:26:40, 2023-09-14T12:26:40Z).")
    static let to = Option("to", "TIME", .captureMoment, help: "End here.")
    static let follow = Flag("follow", help: "Go on as the file grows, until interrupted.")
    static let summary = Flag(
        "summary", help: "Devices, connections, operations, errors, latencies, rates, attributes: a page, not lines.")
    static let transcript = Flag(
        "transcript", help: "Write one connection as a transcript, for tests and for \"btatt replay\".")

    static let html = Option(
        "html", "FILE", .file,
        help: "Write one page with a ladder diagram of each connection and plots of latency and throughput.")

    static let declaration = Command(
        "decode", summary: "show the ATT traffic of a capture",
        discussion:
            "One line a PDU: time, connection, direction (> from the captured host, < to it), name, attribute, value. "
            + "Attributes have the UUIDs that the discovery in the capture told of, also that of an earlier connection "
            + "to the same device. --device selects a device by its address.\n\n"
            + "A file that is damaged, or ends in the middle of a record, is shown up to there; then a warning tells "
            + "where, and the exit status is 1.",
        positionals: [input],
        options: [connection, handle, opcode, errors, from, to, follow, summary, transcript, html],
        exclusive: [
            [summary, transcript], [summary, handle], [summary, opcode], [summary, errors], [summary, follow],
            [transcript, follow], [html, summary], [html, transcript], [html, follow],
        ],
        examples: [
            Command.Example("btatt decode btsnoop_hci.log", "what a phone logged"),
            Command.Example("btatt decode btsnoop_hci.log --summary", "in a page"),
            Command.Example("btatt decode btsnoop_hci.log --html log.html", "for a browser"),
            Command.Example("btatt decode log.pcapng --connection 2 --transcript > session.txt", "for a test"),
            Command.Example("btatt decode 1b 1000 1648", "a single PDU"),
        ])

    static func run(_ context: CommandContext) async throws(Failure) {
        let words = context.arguments.values(input)
        // A file is a file, also one whose name could be read as hexadecimal.
        let path = words.first ?? "-"
        if words.count <= 1, path == "-" || fileExists(path) {
            try await decode(path, context)
        } else if let octets = [UInt8](hexadecimal: words.joined(separator: " ")), !octets.isEmpty {
            try decode(pdus: [octets], context)
        } else if words.count == 1 {
            throw Failure(.usage, "\(words[0]) is no file, and no PDU in hexadecimal")
        } else {
            throw Failure(.usage, "one file at a time, or one PDU in hexadecimal: \(words.joined(separator: " "))")
        }
    }

    private static func fileExists(_ path: String) -> Bool {
        // The path is a C string for the time of the call.
        unsafe access(path, F_OK) == 0
    }

    /// What is wanted of the capture.
    static func filter(_ arguments: ParsedArguments) throws(Failure) -> DecodeFilter {
        var filter = DecodeFilter()
        switch arguments[GlobalOptions.device] {
        case nil: break
        case .address(let octets, let isRandom):
            let value = octets.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            filter.device = (AddressOctets(value: value), isRandom.map { $0 ? .random : .public })
        default: throw Failure(.usage, "decode selects a device by its address: --device AA:BB:CC:DD:EE:FF")
        }
        filter.connections = Set(arguments.values(connection))
        filter.handles = Set(arguments.values(handle).map(AttributeHandle.init(rawValue:)))
        filter.opcodes = Set(arguments.values(opcode))
        filter.onlyErrors = arguments[errors]
        filter.from = arguments[from]
        filter.to = arguments[to]
        return filter
    }

    private static func decode(_ path: String, _ context: CommandContext) async throws(Failure) {
        let console = context.console
        let input = try CaptureInput(path, isFollowed: context.arguments[follow]) { part in
            console.progress("decoding \(path): \(Int(part * 100)) %")
        }
        let beginning = try await input.peek(4)
        guard CaptureParser.recognises(beginning) else { return try await decodeText(input, beginning, context) }
        let filter = try filter(context.arguments)
        if context.arguments[summary] {
            try await summarise(input, filter, context)
        } else if let page = context.arguments[html] {
            try await write(page, input, filter, context)
        } else if context.arguments[transcript] {
            var gatherer = TranscriptGatherer(filter)
            let reading = try await read(input, context) { gatherer.take($0) }
            try context.console.raw(try gatherer.transcript(of: input.name).description)
            try reading.check(context)
        } else {
            var decoder = LineDecoder(filter, context)
            let reading = try await read(
                input, context,
                after: { () throws(Failure) in
                    guard !decoder.lines.text.isEmpty else { return }
                    try console.raw(decoder.lines.text)
                    decoder.lines.text = ""
                }, { decoder.take($0) })
            note(decoder.conversations.omissions, context)
            try reading.check(context)
        }
    }

    private static func write(
        _ page: String, _ input: CaptureInput, _ filter: DecodeFilter, _ context: CommandContext
    ) async throws(Failure) {
        var gatherer = PageGatherer(filter)
        let reading = try await read(input, context) { gatherer.take($0) }
        let html = gatherer.html(input.name, reading.parser.format?.rawValue ?? "")
        try writeFile(Array(html.utf8), to: page)
        if gatherer.omitted > 0 {
            context.console.warn(
                "the page has the first \(PageGatherer.mostPDUs) PDUs of \(PageGatherer.mostPDUs + gatherer.omitted); "
                    + "--from, --to and --connection choose others")
        }
        try reading.check(context)
    }

    private static func summarise(
        _ input: CaptureInput, _ filter: DecodeFilter, _ context: CommandContext
    ) async throws(Failure) {
        var summary = CaptureSummary()
        var filter = filter
        let reading: CaptureReading
        if filter.from == nil, filter.to == nil {
            reading = try await read(input, context) { summary.add($0) }
        } else {
            reading = try await read(input, context) { record in
                summary.isCounting = filter.includes(record.time)
                summary.add(record)
            }
        }
        try SummaryReport(summary, reading, filter).show(context)
        try reading.check(context)
    }

    /// Reads a capture to its end, or to where it is damaged.
    /// - Parameters:
    ///   - after: called after each piece that was read.
    ///   - take: called for each record.
    static func read(
        _ input: CaptureInput, _ context: CommandContext, after: () throws(Failure) -> Void = {},
        _ take: (borrowing CaptureRecord) -> Void
    ) async throws(Failure) -> CaptureReading {
        var reading = CaptureReading(name: input.name)
        try await input.readAll { (octets, isLast) throws(Failure) in
            guard reading.error == nil else { return octets.byteCount }
            var used = octets.byteCount
            do throws(CaptureError) {
                used = try reading.parser.parse(octets, isLast: isLast, take)
            } catch {
                reading.error = error
            }
            try after()
            return used
        }
        context.console.clearProgress()
        return reading
    }

    /// Says what was left out, to those who want to know.
    private static func note(_ omissions: CaptureOmissions, _ context: CommandContext) {
        let list = omissions.sentences
        if !list.isEmpty { context.console.note("left out: \(list.joined(separator: ", "))") }
    }
}

/// How the reading of a capture went.
struct CaptureReading {
    /// The file, for messages.
    var name: String
    var parser = CaptureParser()
    /// Where the file could not be read further.
    var error: CaptureError?

    /// Says what is wrong with the file, after all that is good in it was shown.
    func check(_ context: CommandContext) throws(Failure) {
        if let type = parser.foreignLinkTypeText {
            let count = parser.foreignRecordCount
            let message = "\(name): \(count) packets passed over: \(type)"
            guard count == 0 || parser.hciRecordCount > 0 else { throw Failure(.refused, message) }
            if count > 0 { context.console.warn(message) }
        }
        if parser.malformedRecordCount > 0 {
            context.console.warn(
                "\(name): \(parser.malformedRecordCount) records too short to be read were passed over")
        }
        if let error { throw Failure(.refused, "\(name): \(error)") }
    }
}

extension CaptureOmissions {
    /// What was left out, in words.
    var sentences: [String] {
        [
            (brokenFrames, "frames whose parts are missing or too many"),
            (vendorPackets, "packets of a controller's own debug log"),
            (malformedPackets, "packets shorter than they say"),
            (cutPackets, "packets of which the file keeps only the beginning"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    }
}
