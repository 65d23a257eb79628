import GATT
import Testing

/// A client engine and something that answers it, joined without time and without loss.
final class Link {
    var client: ClientEngine
    /// What the server sends after a PDU.
    private let server: ([UInt8]) -> [[UInt8]]
    private(set) var now = MonotonicTime.zero
    /// Everything the client sent.
    private(set) var sent: [[UInt8]] = []
    private(set) var results: [OperationID: Result<Outcome, GATTError>] = [:]
    private(set) var values: [(handle: AttributeHandle, value: [UInt8], kind: ValueKind)] = []
    /// How many PDUs the client may send before the test stops it.
    var limit = 100_000

    init(_ configuration: ClientConfiguration = ClientConfiguration(), server: @escaping ([UInt8]) -> [[UInt8]]) {
        client = ClientEngine(configuration: configuration)
        self.server = server
    }

    /// A client of a server engine.
    convenience init(_ database: AttributeDatabase, mtu: Int, configuration: ClientConfiguration? = nil) {
        let peer = ServerPeer(database)
        self.init(configuration ?? ClientConfiguration(preferredMTU: mtu)) { peer.answer($0) }
    }

    /// Runs a procedure to its end.
    func run(_ procedure: Procedure) throws -> Outcome {
        let id = client.start(procedure, at: now)
        exchange()
        return try #require(results[id]).get()
    }

    /// Runs a procedure that is expected to fail.
    func failure(of procedure: Procedure) throws -> GATTError {
        let id = client.start(procedure, at: now)
        exchange()
        switch try #require(results[id]) {
        case .success(let outcome): throw Unexpected(outcome: outcome)
        case .failure(let error): return error
        }
    }

    struct Unexpected: Error {
        var outcome: Outcome
    }

    /// Carries PDUs to and fro until nobody has anything to say.
    func exchange() {
        var incoming: [[UInt8]] = []
        while true {
            while let action = client.nextAction() {
                switch action {
                case .send(let pdu):
                    sent.append(pdu)
                    guard sent.count <= limit else { return }
                    incoming += server(pdu)
                case .completed(let id, let result):
                    #expect(results[id] == nil, "an operation ended twice")
                    results[id] = result
                case .valueChanged(let handle, let value, let kind): values.append((handle, value, kind))
                default: break
                }
            }
            guard !incoming.isEmpty else { return }
            let next = incoming.removeFirst()
            client.receive(next.octets, at: now)
        }
    }

    // What `#expect` cannot ask an engine, which is not copyable.
    var mtu: Int { client.mtu }
    var requestCount: Int { client.requestCount }
    var isClosed: Bool { client.isClosed }
    var database: KnownDatabase? { client.database }

    /// Takes what the server sends unasked, and carries on until nobody has anything to say.
    func deliver(_ pdus: [[UInt8]]) {
        for pdu in pdus { client.receive(pdu.octets, at: now) }
        exchange()
    }
}

/// A server engine as a function.
final class ServerPeer {
    private var engine: ServerEngine

    init(_ database: AttributeDatabase) {
        engine = ServerEngine(database: database)
    }

    func answer(_ pdu: [UInt8]) -> [[UInt8]] {
        engine.receive(pdu.octets, at: .zero)
        return sent()
    }

    /// Gives the server other attributes.
    /// - Returns: what it sends.
    @discardableResult
    func replace(_ database: AttributeDatabase, changed range: HandleRange) -> [[UInt8]] {
        engine.replace(database, changed: range, at: .zero)
        return sent()
    }

    private func sent() -> [[UInt8]] {
        var answers: [[UInt8]] = []
        while let action = engine.nextAction() {
            if case .send(let pdu) = action { answers.append(pdu) }
        }
        return answers
    }
}
