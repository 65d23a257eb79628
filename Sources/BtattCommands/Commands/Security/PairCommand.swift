import Central
import CommandLineParsing

/// `btatt pair`
enum PairCommand: BtattCommand {
    static let declaration = Command(
        "pair", summary: "pair with a device, and keep the keys",
        discussion:
            "Pairs through the kernel and keeps the keys, so that later connections are encrypted without pairing. What "
            + "this side can show and ask (--io) and what the device has decide how the two make sure of each other: by "
            + "a passkey, by a comparison of numbers, or not at all. By default everything can be asked on a terminal, "
            + "a given --passkey can be entered anywhere, and else nothing can. With --security high, pairing that "
            + "nobody made sure of is refused. A device that is paired already is connected to with its key. While "
            + "bluetoothd runs it owns the keys, and has to do the pairing.",
        examples: [
            Command.Example(
                "btatt -d C0:FF:EE:00:00:01/random pair", "asks on the terminal, if there is something to ask"),
            Command.Example("btatt -d name:Scale --passkey 123456 pair", "for a script"),
            Command.Example("btatt -d name:Keyboard --io display pair", "a passkey is shown, to be entered there"),
        ])

    static func run(_ context: CommandContext) async throws(Failure) {
        let target = try context.target()
        var address: DeviceAddress?
        if case .address(let known) = target { address = known }
        let central = try await context.central(for: target)
        if let error = central.keyOwnerError("pair", address, failure: "cannot pair with \(target)") {
            throw Failure(error)
        }
        let level = max(context.security, .medium)
        try await context.withConnection(security: .low) { (connection) async throws(Failure) in
            context.console.progress("pairing with \(connection.peer)")
            let result = try await attempt { () async throws(CentralError) in
                try await connection.pair(level: level)
            }
            context.console.clearProgress()
            try show(result, connection.peer, context)
            if let error = result.keepingError {
                throw Failure(error)
            }
        }
    }

    private static func show(
        _ result: PairingResult, _ peer: String, _ context: CommandContext
    ) throws(Failure) {
        let protection =
            result.level >= .high
            ? "protected against a man in the middle" : "not protected against a man in the middle"
        let verb = result.isNew || result.identity == nil ? "paired with" : "paired already with"
        let keys =
            result.isKept
            ? "the keys are in \(context.bonds.path)" : "no keys are kept: the next connection has to pair again"
        try context.show(
            [
                "kind": "paired", "address": result.identity.map { .string("\($0.octets)") },
                "addressType": result.identity.map { .string("\($0.type)") },
                "security": .string("\(result.level)"), "new": .boolean(result.isNew), "kept": .boolean(result.isKept),
            ], "\(verb) \(result.identity?.description ?? peer), \(protection); \(keys)")
    }
}
