import Central
import CommandLineParsing
import Sockets
import VirtualPeripheral

/// `btatt serve`
enum ServeCommand: BtattCommand {
    static let file = Positional(
        "FILE", .file,
        help: "A file that describes a peripheral, or the name of a built-in one: heart-rate, thermometer, torture.")
    static let on = Option(
        "on", "unix:PATH", .unixPath, help: "Where to listen: a Unix socket, one datagram for each PDU.")

    static let declaration = Command(
        "serve", summary: "be a peripheral",
        discussion:
            "Serves the peripheral to any number of clients until interrupted. Connections, writes and subscriptions "
            + "are shown; --trace shows every PDU.",
        positionals: [file], options: [on],
        examples: [
            Command.Example("btatt serve heart-rate --on unix:/tmp/hr", "then, elsewhere:"),
            Command.Example("btatt -d unix:/tmp/hr discover", "what it has"),
        ])

    static func run(_ context: CommandContext) async throws(Failure) {
        guard let name = context.arguments[file] else { return }
        guard let path = context.arguments[on] else {
            throw Failure(.usage, "where to listen was not said: add --on unix:PATH")
        }
        let description: DeviceDescription
        do throws(DeviceLoadError) {
            description = try .load(name)
        } catch {
            throw Failure(.usage, error.description)
        }
        // The observer runs on the loop and may not throw: a closed output is noticed by who watches the process.
        let observer: @Sendable (ServingEvent) -> Void = { event in try? show(event, context) }
        let device: VirtualDevice
        do throws(DatabaseError) {
            device = try VirtualDevice(description, observer: observer)
        } catch {
            throw Failure(.usage, "\(name): \(error)")
        }
        let server: UnixServer
        do throws(Errno) {
            server = try UnixServer(device, at: try UnixAddress(path: path)) { error in
                context.console.warn("a client could not be accepted: \(error)")
            }
        } catch {
            let advice = error == .addressInUse ? "; something listens there already" : ""
            throw Failure(
                error == .permissionDenied ? .noRights : .noConnection,
                "cannot listen on unix:\(path): \(error)\(advice)")
        }
        let object: JSONObject = [
            "kind": "serving", "time": .string(Moment.now().description), "name": .string(description.name),
            "path": .string(path),
        ]
        do throws(Failure) {
            try context.show(object, "serving \(printable(description.name)) on unix:\(path)")
            await untilCancelled()
        } catch {
            await server.close()
            throw error
        }
        await server.close()
    }

    private static func untilCancelled() async {
        let (stream, continuation) = AsyncStream<Never>.makeStream()
        for await _ in stream {}
        _ = continuation
    }

    private static func show(_ event: ServingEvent, _ context: CommandContext) throws(Failure) {
        let moment = Moment.now()
        let time = JSONValue.string(moment.description)
        let object: JSONObject
        let text: String
        switch event {
        case .connected(let client):
            object = ["kind": "connected", "time": time, "client": .integer(client)]
            text = "client \(client) connected"
        case .disconnected(let client, let reason):
            object = ["kind": "disconnected", "time": time, "client": .integer(client), "reason": .string(reason)]
            text = "client \(client) disconnected: \(reason)"
        case .written(let client, let handle, let value):
            object = [
                "kind": "written", "time": time, "client": .integer(client), "handle": handle.json,
                "value": .string(value.hexadecimal),
            ]
            text = "client \(client) wrote \(handle)  \(valueText(value, decoded: nil, context.style))"
        case .subscriptionChanged(let client, let handle, let configuration):
            let words = DecodedValue(bits: Int128(configuration.rawValue), ["notification", "indication"])
            object = [
                "kind": "subscription", "time": time, "client": .integer(client), "handle": handle.json,
                "configuration": .integer(Int(configuration.rawValue)),
            ]
            text = "client \(client) configured \(handle): \(words.text)"
        case .remark(let client, let remark):
            object = ["kind": "remark", "time": time, "client": .integer(client), "text": .string(remark)]
            text = "client \(client): \(remark)"
        case .received(let client, let pdu), .sent(let client, let pdu):
            guard context.arguments[GlobalOptions.trace] else { return }
            let direction = if case .received = event { "<" } else { ">" }
            context.console.trace("\(moment.clock) \(client) \(direction) \(printable(describe(pdu.octets)))")
            return
        }
        try context.show(object, "\(context.style.faint(moment.clock))  \(printable(text))")
    }
}

extension ValueType<String> {
    /// `unix:PATH`; the path alone is what it gives.
    static var unixPath: Self {
        ValueType(completion: .files) { (text) throws(ValueError) in
            guard case .unix(let path) = try? TargetSyntax(text) else { throw ValueError("is not unix:PATH") }
            return path
        }
    }
}
