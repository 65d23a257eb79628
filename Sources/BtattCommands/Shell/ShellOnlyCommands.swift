import Central
import CommandLineParsing

/// `unsubscribe`, in a shell
enum UnsubscribeCommand: BtattCommand {
    static let attributes = Positional(
        "ATTRIBUTE", .subscribed, .any, help: "As it was subscribed to, or by its handle; default all.")

    static let declaration = Command(
        "unsubscribe", summary: "end subscriptions", positionals: [attributes],
        examples: [Command.Example("unsubscribe 180d/2a37", "one of them"), Command.Example("unsubscribe", "all")])

    static func run(_ context: CommandContext) async throws(Failure) {
        guard let session = context.session else { return }
        let wanted = context.arguments.values(attributes)
        let active = session.background.attributes
        guard !wanted.isEmpty else { return await session.background.endAll() }
        var resolver = AttributeResolver(session.connection)
        for syntax in wanted {
            // What was named in the same way needs no request.
            let known = active.first { $0.syntax == syntax }?.found
            let attribute: FoundAttribute
            if let known { attribute = known } else { attribute = try await resolver.find(syntax) }
            guard try await session.background.end(attribute.handle) else {
                throw Failure(.usage, "\(attribute.label) is not subscribed to")
            }
        }
    }
}

/// `wait`, in a shell
enum WaitCommand: BtattCommand {
    static let seconds = Positional("SECONDS", .decimal(in: 0...31_536_000), help: "How long.")

    static let declaration = Command(
        "wait", summary: "let time pass",
        discussion: "Values of subscriptions are shown meanwhile. Fails when the link is lost.",
        positionals: [seconds], examples: [Command.Example("wait 2.5", "two seconds and a half")])

    static func run(_ context: CommandContext) async throws(Failure) {
        let duration = Duration.milliseconds(Int64(((context.arguments[seconds] ?? 0) * 1_000).rounded()))
        try await context.withConnection { (connection) async throws(Failure) in
            let end = Task { try? await connection.waitUntilDisconnected() }
            let timer = Task {
                try? await Task.sleep(for: duration)
                end.cancel()
            }
            let disconnection = await end.valueCancelledWithCaller
            timer.cancel()
            if disconnection != nil { throw Failure(await connection.linkError("receive values")) }
        }
    }
}

extension ValueType<AttributeSyntax> {
    /// An ATTRIBUTE that is subscribed to.
    static var subscribed: Self {
        ValueType(completion: .known(KnownWords.subscribed)) { text throws(ValueError) in try AttributeSyntax(text) }
    }
}

/// What completion in a shell knows words for.
enum KnownWords {
    static let attribute = "attribute"
    static let subscribed = "subscribed"
    static let characteristic = "characteristic"
}
