import Central
import Sockets
import TestSupport
import Testing
import Wire

/// The far end of a bearer, in a test's hands: it expects literal octets and sends literal octets.
final class ScriptedPeer: Sendable {
    let socket: SeqPacketSocket
    private let stream: AsyncStream<[UInt8]>

    init(_ socket: SeqPacketSocket) throws {
        self.socket = socket
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        self.stream = stream
        try socket.start(
            SeqPacketHandlers(
                received: { batch in
                    for index in 0..<batch.count { continuation.yield([UInt8](octets: batch.octets(at: index))) }
                },
                closed: { _ in continuation.finish() }))
    }

    /// The next PDU from the client; `nil` once it has closed.
    func next() async -> [UInt8]? {
        await stream.first { _ in true }
    }

    /// Fails the test unless the client's next PDU is this one.
    func expect(_ octets: String, sourceLocation: SourceLocation = #_sourceLocation) async {
        let pdu = await next()
        #expect(pdu == hex(octets), "got \(pdu?.hexadecimal ?? "the end")", sourceLocation: sourceLocation)
    }

    /// Fails the test unless the client closed without sending anything more.
    func expectEnd(sourceLocation: SourceLocation = #_sourceLocation) async {
        let pdu = await next()
        #expect(pdu == nil, "got \(pdu?.hexadecimal ?? "")", sourceLocation: sourceLocation)
    }

    func send(_ octets: String) throws { _ = try socket.send(hex(octets).octets) }
    @discardableResult
    func send(_ octets: [UInt8]) throws -> SendResult { try socket.send(octets.octets) }
    func close() { socket.close() }
}

/// A connection without an MTU exchange, and its scripted peer.
func connected(
    _ options: ConnectOptions = ConnectOptions(preferredMTU: 23), on loop: EventLoop = .shared
) async throws -> (Connection, ScriptedPeer) {
    let (near, far) = try SeqPacketSocket.pair(on: loop)
    let peer = try ScriptedPeer(far)
    let central = try await Central(adapter: .none, on: loop)
    return (try await central.connect(to: .socket(near), options: options), peer)
}

/// Something that is expected to fail, in a task of its own.
func attempt<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(CentralError) -> Value
) -> Task<CentralError?, Never> {
    Task {
        do throws(CentralError) {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }
}
