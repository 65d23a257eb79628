import Glibc
import Sockets
import TestSupport
import Testing
import Wire

@Suite(.timeLimit(.minutes(1))) struct UnixSocketTests {
    private func path(_ name: String) -> String { "/tmp/btatt-test-\(getpid())-\(name).sock" }

    @Test func connectsAndAccepts() async throws {
        let address = try UnixAddress(path: path("accept"))
        let (accepted, continuation) = AsyncStream<SeqPacketSocket>.makeStream()
        let listener = try UnixSocketListener(at: address, accepted: { continuation.yield($0) })
        let client = try SeqPacketSocket.connect(to: address)
        let server = try #require(await accepted.first { _ in true })
        let recorder = Recorder()
        try server.start(recorder.handlers)
        _ = try client.send(hex("02 17 00").octets)
        client.close()
        #expect(await recorder.all() == [.datagram(hex("02 17 00"), truncated: false), .closed(.closedByPeer)])
        listener.close()
        listener.close()
        #expect(throws: Errno.noSuchFile) { try SeqPacketSocket.connect(to: address) }
    }

    @Test func anAbandonedSocketFileIsReplacedAndALiveOneIsNot() throws {
        let address = try UnixAddress(path: path("abandoned"))
        let system = LinuxSystemCalls()
        let left = try system.socket(domain: LinuxNumbers.unixDomain, type: LinuxNumbers.seqPacket, protocol: 0)
        try system.bind(left, to: (hex("01 00") + Array(address.path.utf8) + [0]).octets)
        try system.close(left)
        #expect(throws: Errno.connectionRefused) { try SeqPacketSocket.connect(to: address) }
        let listener = try UnixSocketListener(at: address, accepted: { _ in })
        #expect(throws: Errno.addressInUse) { try UnixSocketListener(at: address, accepted: { _ in }) }
        _ = try SeqPacketSocket.connect(to: address)
        listener.close()
    }

    @Test func aStreamSocketIsTheWrongType() throws {
        let address = try UnixAddress(path: path("stream"))
        let system = LinuxSystemCalls()
        let stream = try system.socket(domain: LinuxNumbers.unixDomain, type: 1, protocol: 0)
        try system.bind(stream, to: (hex("01 00") + Array(address.path.utf8) + [0]).octets)
        try system.listen(stream, backlog: 1)
        #expect(throws: Errno.wrongProtocolType) { try SeqPacketSocket.connect(to: address) }
        try system.close(stream)
        try system.unlink(address.path)
    }

    /// A listener that accepts nobody by itself, with room for one in its queue.
    private func narrowListener(_ address: UnixAddress) throws -> Int32 {
        let system = LinuxSystemCalls()
        let listener = try system.socket(domain: LinuxNumbers.unixDomain, type: LinuxNumbers.seqPacket, protocol: 0)
        try system.bind(listener, to: (hex("01 00") + Array(address.path.utf8) + [0]).octets)
        try system.listen(listener, backlog: 0)
        return listener
    }

    @Test func connectingWaitsForRoomInTheQueue() async throws {
        let address = try UnixAddress(path: path("queue"))
        let system = LinuxSystemCalls()
        let listener = try narrowListener(address)
        let first = try SeqPacketSocket.connect(to: address)
        #expect(throws: Errno.wouldBlock) { try SeqPacketSocket.connect(to: address) }
        let (results, continuation) = AsyncStream<Result<SeqPacketSocket, Errno>>.makeStream()
        SeqPacketSocket.connect(to: address, waiting: 30) { continuation.yield($0) }
        let accepted = [try system.accept(listener, flags: 0), try system.accept(listener, flags: 0)]
        let second = try #require(await results.first { _ in true }).get()
        let recorder = Recorder()
        try second.start(recorder.handlers)
        _ = try system.send(accepted[1], hex("0b 01").octets, flags: 0)
        let last = Recorder.Event.datagram(hex("0b 01"), truncated: false)
        #expect(await recorder.events(until: last) == [last])
        for descriptor in accepted + [listener] { try system.close(descriptor) }
        try system.unlink(address.path)
        first.close()
    }

    @Test func aQueueThatStaysFullIsATimeout() async throws {
        let address = try UnixAddress(path: path("full"))
        let system = LinuxSystemCalls()
        let listener = try narrowListener(address)
        let first = try SeqPacketSocket.connect(to: address)
        let (results, continuation) = AsyncStream<Result<SeqPacketSocket, Errno>>.makeStream()
        SeqPacketSocket.connect(to: address, waiting: 1) { continuation.yield($0) }
        let result = try #require(await results.first { _ in true })
        #expect(throws: Errno.timedOut) { try result.get() }
        try system.close(listener)
        try system.unlink(address.path)
        first.close()
    }

    @Test(arguments: [
        ("", Errno.invalidArgument), ("a\0b", .invalidArgument), (String(repeating: "x", count: 108), .nameTooLong),
    ])
    func refusesPaths(path: String, error: Errno) {
        #expect(throws: error) { try UnixAddress(path: path) }
    }

    @Test func theLongestPathFits() throws {
        _ = try UnixAddress(path: String(repeating: "x", count: 107))
    }
}
