import ATT
import BlueZSockets
import Captures
import Central
import CommandLineParsing
import Replay
import Sockets
import VirtualPeripheral

/// `btatt replay`
enum ReplayCommand: BtattCommand {
    static let file = Positional("FILE", .file, help: "A transcript, or a capture (btsnoop, pcap, pcapng).")
    static let side = Option(
        "as", "SIDE", .oneOf(ReplaySide.allCases.map(\.rawValue)),
        help: "server: answer a client as the peripheral did; client: ask a device as the central did.")
    static let on = Option("on", "unix:PATH", .unixPath, help: "As the server: where to listen for the client.")
    static let order = Option(
        "order", "ORDER", .oneOf(ReplayOrder.allCases.map(\.rawValue)),
        help: "exact, the default: PDU by PDU. tolerant: requests in any order; what is not asked for may differ.")
    static let connection = Option(
        "connection", "N", .integer(in: 1...Int.max), help: "Which connection of a capture that has several.")
    static let times = Flag("times", help: "Send when it was sent in the recording, not as soon as possible.")
    static let keep = Flag("keep", help: "As the server: serve one client after the other, until interrupted.")

    static let declaration = Command(
        "replay", summary: "play a capture or transcript back",
        discussion:
            "As the server it waits for a client and answers it as the peripheral of the recording did. As the client "
            + "it sends to --device what the central of the recording sent, and compares the answers. At the first "
            + "difference it shows what came before, what was expected (-) and what came (+), and ends with exit "
            + "status 1.",
        positionals: [file], options: [side, on, order, connection, times, keep],
        examples: [
            Command.Example("btatt replay session.txt --as server --on unix:/tmp/replay", "then, elsewhere:"),
            Command.Example("btatt -d unix:/tmp/replay discover", "the client under test"),
            Command.Example(
                "btatt -d virtual:heart-rate replay session.txt --as client --order tolerant",
                "does it answer the same?"),
        ])

    static func run(_ context: CommandContext) async throws(Failure) {
        guard let path = context.arguments[file] else { return }
        let side = context.arguments[side].flatMap(ReplaySide.init)
        let transcript = try await transcript(path, context)
        guard !transcript.pdus.isEmpty else { throw Failure(.refused, "\(path): there are no PDUs in it") }
        switch side {
        case nil:
            throw Failure(.usage, "which side to play was not said: add --as server, or --as client")
        case .server?:
            guard let path = context.arguments[on] else {
                throw Failure(.usage, "where to listen was not said: add --on unix:PATH")
            }
            try await serve(transcript, path, context)
        case .client?:
            guard context.arguments[on] == nil else {
                throw Failure(.usage, "--on is for --as server; say which device to ask with --device")
            }
            try await ask(transcript, context)
        }
    }

    // MARK: The recording

    private static func transcript(_ path: String, _ context: CommandContext) async throws(Failure) -> Transcript {
        let input = try CaptureInput(path)
        let beginning = try await input.peek(4)
        guard CaptureParser.recognises(beginning) else {
            return try await DecodeCommand.readTranscript(input, beginning)
        }
        var filter = DecodeFilter()
        if let number = context.arguments[connection] { filter.connections = [number] }
        var gatherer = TranscriptGatherer(filter)
        let reading = try await DecodeCommand.read(input, context) { gatherer.take($0) }
        // Part of a recording would be replayed as if it were the whole.
        try reading.check(context)
        return try gatherer.transcript(of: path)
    }

    private static func order(_ context: CommandContext) -> ReplayOrder {
        context.arguments[order].flatMap(ReplayOrder.init) ?? .exact
    }

    private static func timing(_ context: CommandContext) -> ReplayTiming {
        context.arguments[times] ? .recorded : .immediate
    }

    /// Shows every PDU with `--trace`.
    private static func tracer(_ context: CommandContext) -> (@Sendable (Transcript.Direction, RawSpan) -> Void)? {
        guard context.arguments[GlobalOptions.trace] else { return nil }
        let console = context.console
        return { direction, octets in
            console.trace("\(Moment.now().clock) \(direction.rawValue) \(printable(describe(octets)))")
        }
    }

    // MARK: As the server

    private static func serve(
        _ transcript: Transcript, _ path: String, _ context: CommandContext
    ) async throws(Failure) {
        let peripheral = ReplayedPeripheral(transcript, order: order(context), timing: timing(context))
        let (clients, continuation) = AsyncStream<SeqPacketSocket>.makeStream()
        let listener: UnixSocketListener
        do throws(Errno) {
            listener = try UnixSocketListener(
                at: try UnixAddress(path: path), datagramCapacity: 65_536, accepted: { continuation.yield($0) })
        } catch {
            let advice = error == .addressInUse ? "; something listens there already" : ""
            throw Failure(
                error == .permissionDenied ? .noRights : .noConnection,
                "cannot listen on unix:\(path): \(error)\(advice)")
        }
        defer { listener.close() }
        try context.show(
            [
                "kind": "replaying", "path": .string(path), "pdus": .integer(transcript.pdus.count),
                "order": .string(peripheral.order.rawValue),
            ], "replaying \(transcript.pdus.count) PDUs on unix:\(path)")
        for await socket in clients {
            let session: ReplaySession
            do throws(Errno) {
                session = try peripheral.serve(socket, observer: tracer(context))
            } catch {
                throw Failure(.noConnection, "cannot serve a client of unix:\(path): \(error)")
            }
            // The transcript may be done before the client goes, but nothing more may come until then.
            await withTaskCancellationHandler {
                await session.closed()
            } onCancel: {
                session.close()
            }
            guard !Task.isCancelled else { throw .interrupted }
            try report(session, context, isLast: !context.arguments[keep])
            if !context.arguments[keep] { return }
        }
        throw .interrupted
    }

    // MARK: As the client

    private static func ask(_ transcript: Transcript, _ context: CommandContext) async throws(Failure) {
        try await context.withBearer { (socket, name) async throws(Failure) in
            let session: ReplaySession
            do throws(Errno) {
                session = try ReplaySession(
                    transcript, as: .client, order: order(context), timing: timing(context), on: socket,
                    observer: tracer(context))
            } catch {
                throw Failure(.noConnection, "cannot use the connection to \(name): \(error)")
            }
            await whileNotCancelled(session, within: context.timeout)
            guard !Task.isCancelled else { throw .interrupted }
            let isLate = !session.isComplete && session.difference == nil
            session.close()
            if isLate {
                throw Failure(.timedOut, "\(name) did not send what the recording has next: \(next(session))")
            }
            try report(session, context, isLast: true)
        }
    }

    private static func next(_ session: ReplaySession) -> String {
        session.remaining.first.map { ATT.describe($0.octets.octets) } ?? "nothing"
    }

    private static func whileNotCancelled(_ session: ReplaySession, within limit: Duration?) async {
        let timer = Task {
            guard (try? await Task.sleep(for: limit ?? .seconds(30))) != nil else { return }
            session.close()
        }
        await withTaskCancellationHandler {
            await session.finished()
        } onCancel: {
            session.close()
        }
        timer.cancel()
    }

    // MARK: The result

    /// Shows how a replay went.
    /// - Throws: when something was different, and it was the last.
    private static func report(
        _ session: ReplaySession, _ context: CommandContext, isLast: Bool
    ) throws(Failure) {
        guard let difference = session.difference else {
            let left = session.remaining.count
            try context.show(
                ["kind": "replayed", "same": true, "remaining": .integer(left)],
                left == 0 ? "the same in all" : "the same; \(left) PDUs of the recording did not occur")
            return
        }
        let object: JSONObject = [
            "kind": "replayed", "same": false, "remaining": .integer(session.remaining.count),
            "position": .integer(difference.position + 1), "reason": .string(difference.reason),
            "expected": difference.expected.map { .string($0.octets.hexadecimal) },
            "received": difference.received.map { .string($0.hexadecimal) },
        ]
        let lines = difference.description.split(separator: "\n").map { printable(String($0)) }
        try context.show(object, lines.joined(separator: "\n"))
        guard isLast else { return }
        let who = session.side == .server ? "the client" : "the device"
        throw Failure(
            .refused, "\(who) differs from the recording at PDU \(difference.position + 1): \(difference.reason)")
    }
}
