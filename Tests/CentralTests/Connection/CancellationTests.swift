import Central
import Sockets
import TestSupport
import Testing
import Wire

/// Cancelling the task ends each wait at once, whatever the peer does, and leaves a connection that works.
@Suite(.timeLimit(.minutes(1))) struct CancellationTests {
    enum Operation: CaseIterable {
        case read, longWrite, discover, subscribe, readMultiple, reliableWrite, waitUntilDisconnected

        func perform(on connection: Connection) async throws(CentralError) {
            switch self {
            case .read: _ = try await connection.read(0x0003)
            case .longWrite: try await connection.write([UInt8](repeating: 1, count: 100), to: 0x0003)
            case .discover: _ = try await connection.discoverAll()
            case .subscribe:
                _ = try await connection.subscribe(
                    to: SubscriptionTarget(valueHandle: 0x0010, properties: [.notify], configurationHandle: 0x0011))
            case .readMultiple: _ = try await connection.readMultiple([0x0003, 0x0005])
            case .reliableWrite:
                try await connection.writeReliably([ReliableWritePart(handle: 3, value: [1])])
            case .waitUntilDisconnected: _ = try await connection.waitUntilDisconnected()
            }
        }
    }

    @Test(arguments: Operation.allCases)
    func whileThePeerIsSilent(operation: Operation) async throws {
        let (connection, peer) = try await connected()
        let pending = attempt { () throws(CentralError) in try await operation.perform(on: connection) }
        if operation != .waitUntilDisconnected { _ = await peer.next() }
        pending.cancel()
        let failed = await pending.value
        #expect(failed?.category == .cancelled)
        #expect(failed?.exitStatus == 130)
        #expect(await connection.isConnected)
    }

    @Test(arguments: Operation.allCases)
    func beforeItBegins(operation: Operation) async throws {
        let (connection, peer) = try await connected()
        let task = Task { () -> CentralError? in
            while !Task.isCancelled { await Task.yield() }
            do throws(CentralError) {
                try await operation.perform(on: connection)
                return nil
            } catch {
                return error
            }
        }
        task.cancel()
        #expect(await task.value?.category == .cancelled)
        await connection.disconnect()
        // Nothing was sent.
        await peer.expectEnd()
    }

    @Test func whileQueuedBehindAnother() async throws {
        let (connection, peer) = try await connected()
        async let first = connection.read(0x0003)
        await peer.expect("0a 03 00")
        let pending = attempt { () throws(CentralError) in try await connection.read(0x0004) }
        await Task.yield()
        pending.cancel()
        let failed = await pending.value
        #expect(failed?.category == .cancelled)
        async let third = connection.read(0x0005)
        try peer.send("0b 01")
        #expect(try await first == hex("01"))
        await peer.expect("0a 05 00")
        try peer.send("0b 02")
        #expect(try await third == hex("02"))
    }

    @Test func theSlotIsFreeOnceTheAnswerCame() async throws {
        let (connection, peer) = try await connected()
        let pending = attempt { () throws(CentralError) in try await connection.read(0x0003) }
        await peer.expect("0a 03 00")
        pending.cancel()
        _ = await pending.value
        async let second = connection.read(0x0004)
        // The late answer belongs to the first request and completes nobody.
        try peer.send("0b 01")
        await peer.expect("0a 04 00")
        try peer.send("0b 02")
        #expect(try await second == hex("02"))
    }

    @Test func aSubscribingThatWasCancelledIsTakenBack() async throws {
        let (connection, peer) = try await connected()
        let target = SubscriptionTarget(valueHandle: 0x0010, properties: [.notify], configurationHandle: 0x0011)
        let pending = attempt { () throws(CentralError) in try await connection.subscribe(to: target) }
        await peer.expect("12 11 00 01 00")
        pending.cancel()
        _ = await pending.value
        try peer.send("13")
        await peer.expect("12 11 00 00 00")
        try peer.send("13")
        async let again = connection.subscribe(to: target)
        await peer.expect("12 11 00 01 00")
        try peer.send("13")
        _ = try await again
    }

    @Test func whileConnecting() async throws {
        let (near, far) = try SeqPacketSocket.pair()
        let peer = try ScriptedPeer(far)
        let central = try await Central(adapter: .none)
        let pending = attempt { () throws(CentralError) in try await central.connect(to: .socket(near)) }
        await peer.expect("02 05 02")
        pending.cancel()
        let failed = await pending.value
        #expect(failed?.category == .cancelled)
        #expect(near.isClosed || failed != nil)
    }

    @Test func connectingToASilentPeerTimesOut() async throws {
        let (near, far) = try SeqPacketSocket.pair()
        let peer = try ScriptedPeer(far)
        let central = try await Central(adapter: .none)
        let start = ContinuousClock.now
        let pending = attempt { () throws(CentralError) in
            try await central.connect(to: .socket(near), options: ConnectOptions(timeout: .milliseconds(100)))
        }
        await peer.expect("02 05 02")
        let failed = await pending.value
        #expect(failed?.category == .noConnection, "for whoever connects it is not there")
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(failed?.description.contains("0.1 seconds") == true)
        await peer.expectEnd()
    }

    @Test func cancelledWritesWithoutResponseEndToo() async throws {
        let (near, far) = try SeqPacketSocket.pair()
        let central = try await Central(adapter: .none)
        let connection = try await central.connect(
            to: .socket(near), options: ConnectOptions(preferredMTU: 23))
        let writing = Task {
            while true { try await connection.writeWithoutResponse([UInt8](repeating: 0, count: 20), to: 0x0007) }
        }
        // Nobody reads: the socket fills up and the writer waits.
        try await Task.sleep(for: .milliseconds(50))
        writing.cancel()
        guard case .failure(let error) = await writing.result, let error = error as? CentralError else {
            Issue.record("no error")
            return
        }
        #expect(error.category == .cancelled)
        #expect(await connection.isConnected)
        far.close()
    }
}
