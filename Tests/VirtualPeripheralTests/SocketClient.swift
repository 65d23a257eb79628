import Sockets
import TestSupport
import VirtualPeripheral

/// A client that knows nothing but octets: what it sends and what comes back, as hexadecimal text.
final class SocketClient: Sendable {
    private let socket: SeqPacketSocket
    private let received: AsyncStream<String>

    /// A client on a connected socket. `closed` comes as a PDU when the connection ends.
    init(_ socket: SeqPacketSocket) throws {
        self.socket = socket
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        received = stream
        try socket.start(
            SeqPacketHandlers(
                received: { batch in
                    for index in 0..<batch.count { continuation.yield(batch.octets(at: index).hexadecimal) }
                },
                closed: { _ in
                    continuation.yield("closed")
                    continuation.finish()
                }))
    }

    /// Sends a PDU.
    func send(_ pdu: String) throws {
        _ = try socket.send(hex(pdu).octets)
    }

    /// The next PDU that came, or `closed`.
    func next() async -> String {
        for await pdu in received { return pdu }
        return "closed"
    }

    /// Sends a PDU; the next one that comes.
    func ask(_ pdu: String) async throws -> String {
        try send(pdu)
        return await next()
    }

    func close() { socket.close() }
}
