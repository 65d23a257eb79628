import Central
import Sockets
import TestSupport
import Testing
import Wire

/// Peers that mean harm, or have gone mad: every caller gets its outcome, and memory stays bounded.
@Suite(.timeLimit(.minutes(1))) struct HostilePeerTests {
    /// A peer that answers each request by `answer` for as long as it gets any.
    private func served(
        by answer: @escaping @Sendable ([UInt8]) -> [[UInt8]], engine: ClientConfiguration = ClientConfiguration()
    ) async throws -> (Connection, ScriptedPeer) {
        let (connection, peer) = try await connected(ConnectOptions(preferredMTU: 23, engine: engine))
        Task {
            while let pdu = await peer.next() {
                for reply in answer(pdu) { _ = try? peer.send(reply) }
            }
        }
        return (connection, peer)
    }

    @Test func endlessServicesAreGivenUp() async throws {
        // Whatever range is asked for, there is one more service at its start.
        let (connection, _) = try await served(
            by: { [[0x11, 0x06, $0[1], $0[2], $0[1], $0[2], 0x0D, 0x18]] },
            engine: ClientConfiguration(maximumRounds: 50))
        let failed = await attempt { () throws(CentralError) in try await connection.discoverServices() }.value
        #expect(failed?.gattError == .tooManyRounds(maximum: 50))
        #expect(failed?.category == .refused)
        #expect(await connection.isConnected)
    }

    @Test func servicesThatDoNotAdvanceAreGivenUp() async throws {
        let (connection, _) = try await served(by: { _ in [hex("11 06 01 00 02 00 0d 18")] })
        let failed = await attempt { () throws(CentralError) in try await connection.discoverServices() }.value
        guard case .serverDoesNotAdvance = failed?.gattError else {
            Issue.record("\(String(describing: failed))")
            return
        }
    }

    @Test func anEndlessValueEndsAtItsLongest() async throws {
        let (connection, _) = try await served(by: { [[$0[0] + 1] + [UInt8](repeating: 0x55, count: 22)] })
        #expect(try await connection.read(0x0003).count == 512)
    }

    @Test func requestsInPlaceOfAnswersGetAnswersAndHelpNobody() async throws {
        let (connection, peer) = try await connected()
        let reading = attempt { () throws(CentralError) in try await connection.read(0x0003) }
        await peer.expect("0a 03 00")
        for _ in 0..<100 {
            try peer.send("0a 03 00")
            await peer.expect("01 0a 03 00 01")
        }
        try peer.send("01 0a 03 00 80")
        let failed = await reading.value
        #expect(
            failed?.gattError
                == .attributeError(ErrorCode(rawValue: 0x80), request: .readRequest, handle: 0x0003))
        #expect(failed?.description.contains("0x80") == true)
    }

    @Test func aPeerThatAsksWithoutReadingAnswersIsClosed() async throws {
        let (near, far) = try SeqPacketSocket.pair()
        let central = try await Central(adapter: .none)
        let connection = try await central.connect(to: .socket(near), options: ConnectOptions(preferredMTU: 23))
        // Nobody reads at this end: the answers fill the socket, and the next request comes before the last answer left.
        let asking = Task {
            while await connection.isConnected {
                let request = hex("0a 03 00")
                guard (try? far.send(request.octets)) == .sent else {
                    await Task.yield()
                    continue
                }
            }
        }
        let end = try await connection.waitUntilDisconnected()
        #expect(end.reason == .requestBeforeResponse(.readRequest))
        await asking.value
    }

    @Test func indicationsWithoutWaitingForConfirmationAreEachConfirmed() async throws {
        let (connection, peer) = try await connected()
        for _ in 0..<50 { try peer.send("1d 10 00 01") }
        for _ in 0..<50 { await peer.expect("1e") }
        #expect(await connection.isConnected)
    }

    @Test func valuesThatNobodyWantsAreNotKept() async throws {
        let (connection, peer) = try await connected()
        for number in 0..<10_000 {
            while try peer.send([0x1B, UInt8(number & 0xFF), 0x01, 1, 2, 3]) == .wouldBlock { await Task.yield() }
        }
        try peer.send("1d 99 00 01")
        await peer.expect("1e")
        #expect(await connection.isConnected)
    }

    @Test func theWrongEchoOfALongWriteWritesNothing() async throws {
        let (connection, peer) = try await connected()
        let writing = attempt { () throws(CentralError) in
            try await connection.writeReliably([ReliableWritePart(handle: 0x0003, value: hex("01 02"))])
        }
        await peer.expect("16 03 00 00 00 01 02")
        try peer.send("17 03 00 00 00 01 03")
        await peer.expect("18 00")
        try peer.send("19")
        #expect(await writing.value?.gattError == .prepareWriteMismatch(handle: 0x0003, offset: 0))
    }

    /// Random octets from a seed: no trap, and every caller gets an outcome.
    @Test(arguments: 1...20) func noise(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let (connection, peer) = try await connected(
            ConnectOptions(preferredMTU: 23, engine: ClientConfiguration(requestTimeout: .milliseconds(200))))
        let callers = [
            attempt { () throws(CentralError) in try await connection.discoverAll() },
            attempt { () throws(CentralError) in try await connection.read(0x0003) },
            attempt { () throws(CentralError) in
                try await connection.subscribe(to: SubscriptionTarget(valueHandle: 0x0010))
            },
            attempt { () throws(CentralError) in try await connection.write([1, 2, 3], to: 0x0005) },
        ]
        for _ in 0..<500 {
            let length = Int(random.next() % 24)
            var octets = (0..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            // Half of them begin like a PDU.
            if !octets.isEmpty, random.next() % 2 == 0 { octets[0] = UInt8(random.next() % 0x24) }
            guard (try? peer.send(octets)) == .sent else { break }
        }
        if random.next() % 2 == 0 { peer.close() }
        for caller in callers { _ = await caller.value }
    }
}
