import Central
import CommandLineParsing
import Sockets

/// `btatt write`
enum WriteCommand: BtattCommand {
    static let attribute = Positional("ATTRIBUTE", .attribute, help: "A handle (0x0025, 37) or a path (180d/2a39).")
    static let value = Positional(
        "VALUE", .value,
        help: "0x0102ff or hex:01 02 ff; text:hello; u8: u16: u24: u32: u64: i8: and so on, f32: f64: with numbers and "
            + "commas, least significant octet first; file:PATH; - for standard input.")
    static let more = Positional(
        "ATTRIBUTE VALUE", .text, .any, help: "Further pairs, with --reliable: all are written, or none.")

    static let command = Flag("command", help: "Write without response: nobody says whether it arrived.")
    static let offset = Option("offset", "N", .integer(in: 0...511), help: "Write from this octet of the value on.")
    static let reliable = Flag("reliable", help: "Prepare, compare what the device repeats, and execute; or cancel.")

    static let signed = Flag(
        "signed",
        help: "Write without response and signed, with --csrk; on an encrypted link unsigned, as it should be.")
    static let csrk = Option(
        "csrk", "KEY", .signingKey,
        help: "The key that signs: 32 hexadecimal digits, as pairing transmits it, or @FILE with them in it.")
    static let signCounter = Option(
        "sign-counter", "N", .integer(in: 0...Int(UInt32.max)),
        help:
            "The least counter to sign with, for a key that was used elsewhere. Used ones are kept in ~/.local/state/btatt."
    )

    static let declaration = Command(
        "write", summary: "write values",
        discussion: "A value that does not fit one PDU is written in parts, by Prepare Write and Execute Write.\n\n"
            + "A command line can be seen by all users of the machine: give a key in a file, --csrk @FILE. A counter "
            + "goes with each signature and is never used twice with a key: docs/security.md says how that is kept.",
        positionals: [attribute, value, more], options: [command, offset, reliable, signed, csrk, signCounter],
        exclusive: [
            [command, offset], [command, reliable], [signed, command], [signed, offset], [signed, reliable],
        ],
        examples: [
            Command.Example("btatt -d virtual:heart-rate write 180d/2a39 u8:1", "reset the energy expended"),
            Command.Example("btatt -d virtual:torture write --reliable 0x0010 0x0102 0x0012 text:hi", "both or none"),
            Command.Example("btatt -d unix:/tmp/att write --signed --csrk @key 0x0025 0x01", "signed"),
            Command.Example("head -c 512 image | btatt -d unix:/tmp/att write 0x0020 -", "a long value from a pipe"),
        ])

    static func run(_ context: CommandContext) async throws(Failure) {
        let arguments = context.arguments
        guard let attribute = arguments[attribute], let value = arguments[value] else { return }
        let further = try pairs(arguments.values(more))
        guard further.isEmpty || arguments[reliable] else {
            throw Failure(.usage, "several pairs are written together only with --reliable")
        }
        if arguments[signed] {
            guard let key = arguments[csrk] else { throw Failure(.usage, "--signed needs a key: --csrk") }
            return try await writeSigned(attribute, try context.octets(of: value), try key.key(), context)
        }
        guard arguments[csrk] == nil, arguments[signCounter] == nil else {
            throw Failure(.usage, "--csrk and --sign-counter belong to --signed")
        }
        // What cannot be read is said before anything is connected to.
        var pairs: [(attribute: AttributeSyntax, value: [UInt8])] = []
        for pair in [(attribute, value)] + further { pairs.append((pair.0, try context.octets(of: pair.1))) }
        let offset = arguments[offset] ?? 0
        let isReliable = arguments[reliable]
        let isCommand = arguments[command]
        let read = pairs
        try await context.withConnection { (connection) async throws(Failure) in
            var resolver = AttributeResolver(connection)
            var parts: [(attribute: FoundAttribute, value: [UInt8])] = []
            for pair in read { parts.append((try await resolver.find(pair.attribute), pair.value)) }
            let progress = context.progress(
                "writing \(parts.map(\.attribute.handle.description).joined(separator: ", "))")
            do throws(CentralError) {
                if isReliable {
                    try await connection.writeReliably(
                        parts.map { ReliableWritePart(handle: $0.attribute.handle, offset: offset, value: $0.value) },
                        progress: progress)
                } else if let part = parts.first {
                    if isCommand {
                        try await connection.writeWithoutResponse(part.value, to: part.attribute.handle)
                    } else {
                        try await connection.write(
                            part.value, to: part.attribute.handle, offset: offset, progress: progress)
                    }
                }
            } catch {
                throw Failure(error)
            }
            let requests = await context.requestCount(on: connection)
            for part in parts { try show(part.attribute, part.value.count, requests: requests, context) }
        }
    }

    private static func writeSigned(
        _ attribute: AttributeSyntax, _ value: [UInt8], _ key: SigningKey, _ context: CommandContext
    ) async throws(Failure) {
        guard SigningKey.isAvailable else {
            throw Failure(.usage, "signing needs OpenSSL's library: install Debian's libssl3 (libcrypto.so.3)")
        }
        try await context.withConnection { (connection) async throws(Failure) in
            var resolver = AttributeResolver(connection)
            let found = try await resolver.find(attribute)
            // Only now, and only for a signature: a counter that was taken is used, whatever becomes of it.
            var counter = await connection.isEncrypted ? nil : try await takeCounter(key, context)
            if let taken = counter {
                context.console.note("signing with counter \(taken)")
                let isSigned = try await attempt { () async throws(CentralError) in
                    try await connection.writeSigned(value, to: found.handle, signer: key.signer(counter: taken))
                }
                if !isSigned { counter = nil }
            } else {
                try await attempt { () async throws(CentralError) in
                    try await connection.writeWithoutResponse(value, to: found.handle)
                }
            }
            if counter == nil { context.console.note("the link is encrypted: written without a signature") }
            let requests = await context.requestCount(on: connection)
            try show(
                found, value.count, requests: requests,
                signature: ["signed": .boolean(counter != nil), "counter": counter.map { .integer(Int($0)) }], context)
        }
    }

    private static func takeCounter(_ key: SigningKey, _ context: CommandContext) async throws(Failure) -> UInt32 {
        let least = context.arguments[signCounter].map { UInt32(clamping: $0) } ?? 0
        guard let path = Folders.signingCounters else {
            guard context.arguments[signCounter] != nil else {
                throw Failure(
                    .usage, "there is no home folder to keep the counter of the key in: give --sign-counter N")
            }
            return least
        }
        do throws(StateFileError) {
            if let counter = try await SigningCounters(path: path).take(key.fingerprint, atLeast: least) {
                return counter
            }
        } catch {
            let failure = "the counter of the key cannot be kept: \(error)"
            guard error.cause == .damaged else { throw Failure(.noRights, failure) }
            throw Failure(
                .usage,
                "\(failure); put it right, or remove it and give a --sign-counter above every one that was used")
        }
        throw Failure(.usage, "every counter of the key was used: the devices have to be bonded anew")
    }

    private static func pairs(_ words: [String]) throws(Failure) -> [(AttributeSyntax, ValueSource)] {
        guard words.count % 2 == 0 else { throw Failure(.usage, "\"\(words.last ?? "")\" has no VALUE") }
        var pairs: [(AttributeSyntax, ValueSource)] = []
        for index in stride(from: 0, to: words.count, by: 2) {
            var word = words[index]
            do throws(ValueError) {
                let attribute = try AttributeSyntax(word)
                word = words[index + 1]
                pairs.append((attribute, try ValueSource(word)))
            } catch {
                let position = error.position.map { " at character \($0 + 1)" } ?? ""
                throw Failure(.usage, "\"\(word)\"\(position) \(error.message)")
            }
        }
        return pairs
    }

    /// A write says nothing to people who did not ask: it is done when the exit status is 0.
    private static func show(
        _ attribute: FoundAttribute, _ length: Int, requests: Int, signature: JSONObject = [:],
        _ context: CommandContext
    ) throws(Failure) {
        guard context.isJSON else {
            context.console.note("wrote \(length) octets to \(attribute.label)")
            return
        }
        var object: JSONObject = ["kind": "written", "handle": attribute.handle.json]
        if let uuid = attribute.uuid { object.append(uuid, as: attribute.kind) }
        object["length"] = .integer(length)
        object["requests"] = .integer(requests)
        for field in signature.fields { object[field.key] = field.value }
        try context.console.line(object)
    }
}
