import AssignedNumbers
import Central
import CommandLineParsing

/// `btatt subscribe`
enum SubscribeCommand: BtattCommand {
    static let attributes = Positional(
        "ATTRIBUTE", .attribute, .oneOrMore, help: "Characteristics: handles of values, or paths (180d/2a37).")
    static let indicate = Flag("indicate", help: "Indications, also when there are notifications.")
    static let notify = Flag("notify", help: "Notifications; the default where there are both.")
    static let count = Option("count", "N", .integer(in: 1...Int.max), help: "Stop after so many values.")
    static let duration = Option("duration", "SECONDS", .decimal(in: 0.001...31_536_000), help: "Stop after this time.")

    static let declaration = Command(
        "subscribe", summary: "receive notifications and indications",
        discussion: "Values are shown as they come, until the count or duration is reached or the command is "
            + "interrupted; the subscription is then switched off. The descriptor that switches it on is looked for.\n\n"
            + "In a shell the values come while other commands run, until \"unsubscribe\"; in its scripts that is so "
            + "without --count and --duration.",
        positionals: [attributes], options: [notify, indicate, count, duration], exclusive: [[notify, indicate]],
        examples: [
            Command.Example("btatt -d virtual:heart-rate subscribe 180d/2a37 --count 5", "five heart rates"),
            Command.Example("btatt -d virtual:thermometer --json subscribe 1809/2a1c", "indications, for a program"),
        ])

    static func run(_ context: CommandContext) async throws(Failure) {
        let arguments = context.arguments
        let mode: SubscriptionMode = arguments[indicate] ? .indicate : arguments[notify] ? .notify : .automatic
        let duration = arguments[duration].map { Duration.milliseconds(Int64(($0 * 1_000).rounded())) }
        try await context.withConnection { (connection) async throws(Failure) in
            var resolver = AttributeResolver(connection)
            var found: [AttributeHandle: SubscribedAttributes.Attribute] = [:]
            var targets: [SubscriptionTarget] = []
            for syntax in arguments.values(attributes) {
                let attribute = try await resolver.find(syntax)
                guard !attribute.isDescriptor else {
                    throw Failure(.usage, "\(attribute.label) is a descriptor; only characteristics send values")
                }
                guard found[attribute.handle] == nil else { continue }
                if context.session?.background.contains(attribute.handle) == true {
                    throw Failure(.usage, "\(attribute.label) is subscribed to already; \"unsubscribe\" ends that")
                }
                found[attribute.handle] = SubscribedAttributes.Attribute(found: attribute, syntax: syntax)
                targets.append(attribute.subscriptionTarget)
            }
            // One stream for all of them keeps the order in which values came. It listens before anything is switched on.
            let subscribed = SubscribedAttributes(values: await connection.values(), found)
            do throws(Failure) {
                for target in targets {
                    subscribed.add(
                        try await attempt { () async throws(CentralError) in
                            try await connection.subscribe(to: target, mode: mode)
                        }, to: target.valueHandle)
                }
            } catch {
                await subscribed.end()
                throw error
            }
            context.console.note("subscribed to \(targets.map(\.valueHandle.description).joined(separator: ", "))")
            // Those that switch it off come after the last value.
            let requests = await context.requestCount(on: connection)
            let isLimited = arguments[count] != nil || duration != nil
            if let session = context.session, session.isInteractive || !isLimited {
                session.background.keep(subscribed) { () async throws(Failure) in
                    try await show(subscribed, for: duration, requests: requests, context)
                }
            } else {
                try await receive(subscribed, for: duration, requests: requests, context)
            }
        }
    }

    private static func receive(
        _ subscribed: SubscribedAttributes, for duration: Duration?, requests: Int, _ context: CommandContext
    ) async throws(Failure) {
        do throws(Failure) {
            try await show(subscribed, for: duration, requests: requests, context)
        } catch {
            await subscribed.end()
            throw error
        }
        await subscribed.end()
    }

    private static func show(
        _ subscribed: SubscribedAttributes, for duration: Duration?, requests: Int, _ context: CommandContext
    ) async throws(Failure) {
        let values = subscribed.values
        let timer = duration.map { duration in
            Task {
                guard (try? await Task.sleep(for: duration)) != nil else { return }
                try? await values.end()
            }
        }
        defer { timer?.cancel() }
        var left = context.arguments[count] ?? Int.max
        var updates = values.makeAsyncIterator()
        while left > 0 {
            let next: ValueUpdate?
            do throws(CentralError) {
                next = try await updates.next()
            } catch {
                throw Failure(error)
            }
            guard let update = next else { break }
            let isShown = try subscribed.show(update.handle) { (attribute) throws(Failure) in
                try show(update, attribute, requests: requests, context)
            }
            if isShown { left -= 1 }
        }
    }

    private static func show(
        _ update: ValueUpdate, _ attribute: FoundAttribute, requests: Int, _ context: CommandContext
    ) throws(Failure) {
        let moment = Moment(microseconds: Int64(update.time.unixNanoseconds / 1_000))
        let kind = update.kind == .indication ? "indication" : "notification"
        let decoded = attribute.uuid.flatMap { decodeValue($0, update.value) }
        var object: JSONObject = [
            "kind": .string(kind), "time": .string(moment.description), "handle": update.handle.json,
        ]
        if let uuid = attribute.uuid { object.append(uuid, as: .characteristic) }
        object.append(value: update.value, decoded: decoded)
        object["requests"] = .integer(requests)
        let style = context.style
        try context.show(
            object,
            "\(style.faint(moment.clock))  \(style.faint("\(update.handle)"))  "
                + "\(valueText(update.value, decoded: decoded, style))")
    }
}

extension FoundAttribute {
    /// What the engine is to know to subscribe.
    var subscriptionTarget: SubscriptionTarget {
        SubscriptionTarget(
            valueHandle: handle, properties: characteristic?.properties, configurationHandle: configuration,
            // Nothing is looked for where it is known that there is nothing.
            endHandle: descriptorsAreKnown && configuration == nil ? handle : characteristic?.endHandle)
    }
}
