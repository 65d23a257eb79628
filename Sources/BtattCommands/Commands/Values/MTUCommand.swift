import Central
import CommandLineParsing
import Synchronization

/// `btatt mtu`
enum MTUCommand: BtattCommand {
    static let declaration = Command(
        "mtu", summary: "agree on the MTU",
        discussion: "Shows what each side can receive and what came of it: the smaller of both, never below 23.",
        examples: [Command.Example("btatt -d virtual:heart-rate --mtu 185 mtu", "with another offer than 517")])

    static func run(_ context: CommandContext) async throws(Failure) {
        let exchange = context.session?.exchange ?? MTUExchange()
        try await context.withConnection(observer: exchange.observer) { (connection) async throws(Failure) in
            let mtu = await connection.mtu
            let requests = await context.requestCount(on: connection)
            let (client, server) = exchange.sizes.withLock { $0 }
            let object: JSONObject = [
                "kind": "mtu", "client": client.map { .integer($0) }, "server": server.map { .integer($0) },
                "mtu": .integer(mtu), "requests": .integer(requests),
            ]
            let answer = client == nil ? "not asked" : server.map { "\($0)" } ?? "refused"
            try context.show(object, "MTU \(mtu)  (client \(client ?? 23), server \(answer))")
        }
    }
}

/// What was offered and answered about the MTU. That is in the PDUs; the engine keeps only the result.
final class MTUExchange: Sendable {
    let sizes = Mutex<(client: Int?, server: Int?)>((nil, nil))

    /// Sees the PDUs of the connection, from its beginning.
    var observer: PDUObserver {
        { direction, _, octets in
            if direction == .sent, let request = try? ExchangeMTURequest(parsing: octets) {
                self.sizes.withLock { $0.client = Int(request.clientReceiveMTU) }
            } else if direction == .received, let response = try? ExchangeMTUResponse(parsing: octets) {
                self.sizes.withLock { $0.server = Int(response.serverReceiveMTU) }
            }
        }
    }
}
