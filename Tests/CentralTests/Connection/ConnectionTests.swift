import Central
import Sockets
import TestSupport
import Testing
import Wire

/// A connection against a peer that is a list of octets.
@Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
    @Test func exchangesTheMTUWhileConnecting() async throws {
        let (near, far) = try SeqPacketSocket.pair()
        let peer = try ScriptedPeer(far)
        let central = try await Central(adapter: .none)
        async let connecting = central.connect(to: .socket(near), options: ConnectOptions(preferredMTU: 185))
        await peer.expect("02 b9 00")
        try peer.send("03 64 00")
        let connection = try await connecting
        #expect(await connection.mtu == 100)
        #expect(await connection.requestCount == 1)
        #expect(try await connection.exchangeMTU() == 100)
    }

    @Test func aPreferredMTUOf23AsksNothing() async throws {
        let (connection, peer) = try await connected()
        #expect(await connection.mtu == 23)
        async let value = connection.read(0x0003)
        await peer.expect("0a 03 00")
        try peer.send("0b 41 42")
        #expect(try await value == hex("41 42"))
    }

    @Test func aPeerThatDoesNotKnowTheExchangeKeeps23() async throws {
        let (near, far) = try SeqPacketSocket.pair()
        let peer = try ScriptedPeer(far)
        let central = try await Central(adapter: .none)
        async let connecting = central.connect(to: .socket(near))
        await peer.expect("02 05 02")
        try peer.send("01 02 00 00 06")
        #expect(try await connecting.mtu == 23)
    }

    @Test func longReadsAndWritesTakeSeveralRequests() async throws {
        let (connection, peer) = try await connected()
        async let value = connection.read(0x0025)
        await peer.expect("0a 25 00")
        try peer.send([0x0B] + [UInt8](repeating: 0x61, count: 22))
        await peer.expect("0c 25 00 16 00")
        try peer.send("0d 62")
        #expect(try await value == [UInt8](repeating: 0x61, count: 22) + [0x62])

        async let writing: Void = connection.write([UInt8](repeating: 0x63, count: 20) + [0x64], to: 0x0025)
        let first = "25 00 00 00" + String(repeating: " 63", count: 18)
        await peer.expect("16 " + first)
        try peer.send("17 " + first)
        await peer.expect("16 25 00 12 00 63 63 64")
        try peer.send("17 25 00 12 00 63 63 64")
        await peer.expect("18 01")
        try peer.send("19")
        try await writing
    }

    @Test func everyOtherProcedure() async throws {
        let (connection, peer) = try await connected()
        async let services = connection.discoverServices(0x180D)
        await peer.expect("06 01 00 ff ff 00 28 0d 18")
        try peer.send("07 10 00 1f 00")
        await peer.expect("06 20 00 ff ff 00 28 0d 18")
        try peer.send("01 06 20 00 0a")
        #expect(try await services.map(\.range.first) == [0x0010])

        async let byUUID = connection.read(uuid: 0x2A00)
        await peer.expect("08 01 00 ff ff 00 2a")
        try peer.send("09 04 03 00 41 42")
        await peer.expect("08 04 00 ff ff 00 2a")
        try peer.send("01 08 04 00 0a")
        #expect(try await byUUID == [HandleValue(handle: 0x0003, value: hex("41 42"))])

        async let multiple = connection.readMultiple([0x0003, 0x0005])
        await peer.expect("0e 03 00 05 00")
        try peer.send("0f 01 02 03")
        #expect(try await multiple == hex("01 02 03"))

        async let variable = connection.readMultipleVariable([0x0003, 0x0005])
        await peer.expect("20 03 00 05 00")
        try peer.send("21 01 00 41 02 00 42 43")
        #expect(try await variable == [hex("41"), hex("42 43")])

        async let reliable: Void = connection.writeReliably([ReliableWritePart(handle: 0x0003, value: hex("01"))])
        await peer.expect("16 03 00 00 00 01")
        try peer.send("17 03 00 00 00 01")
        await peer.expect("18 01")
        try peer.send("19")
        try await reliable

        try await connection.writeWithoutResponse(hex("01 02"), to: 0x0007)
        await peer.expect("52 07 00 01 02")

        let range = try #require(HandleRange(first: 0x0004, last: 0x0004))
        async let descriptors = connection.discoverDescriptors(in: range)
        await peer.expect("04 04 00 04 00")
        try peer.send("05 01 04 00 02 29")
        #expect(try await descriptors == [Descriptor(uuid: 0x2902, handle: 0x0004)])
    }

    @Test func anErrorResponseIsNamedForPeople() async throws {
        let (connection, peer) = try await connected()
        let pending = attempt { () throws(CentralError) in try await connection.read(0x0025) }
        await peer.expect("0a 25 00")
        try peer.send("01 0a 25 00 02")
        let error = await pending.value
        #expect(error?.category == .refused)
        #expect(error?.exitStatus == 1)
        #expect(
            error?.gattError == .attributeError(.readNotPermitted, request: .readRequest, handle: 0x0025))
        #expect(
            error?.description
                == "cannot read 0x0025 on a given socket: Read Not Permitted (0x02) in answer to Read Request (0x0a), handle 0x0025"
        )
    }

    @Test func peersOfAnyKindGetAnswers() async throws {
        let (connection, peer) = try await connected()
        // Read By Group Type from the peer: this side has no attributes.
        try peer.send("10 01 00 ff ff 00 28")
        await peer.expect("01 10 01 00 0a")
        // An indication nobody asked for is confirmed all the same.
        try peer.send("1d 99 00 01")
        await peer.expect("1e")
        #expect(await connection.isConnected)
    }

    @Test func thePeersClosingFailsWhatIsOutstandingAndWhatComesAfter() async throws {
        let (connection, peer) = try await connected()
        let pending = attempt { () throws(CentralError) in try await connection.read(0x0025) }
        await peer.expect("0a 25 00")
        peer.close()
        let failed = await pending.value
        #expect(failed?.category == .linkLost)
        #expect(failed?.exitStatus == 6)
        let end = try await connection.waitUntilDisconnected()
        #expect(end.reason == .transportFailed("the peer closed the connection"))
        #expect(!end.isLocal)
        await #expect(throws: CentralError.self) { try await connection.read(0x0025) }
        #expect(await connection.disconnection == end)
    }

    @Test func disconnectingIsAValueAndEndsEverything() async throws {
        let (connection, peer) = try await connected()
        let pending = attempt { () throws(CentralError) in try await connection.read(0x0025) }
        await peer.expect("0a 25 00")
        await connection.disconnect()
        let failed = await pending.value
        #expect(failed?.category == .linkLost)
        #expect(failed?.gattError == .bearerClosed(.closedLocally))
        #expect(await connection.disconnection?.isLocal == true)
        await peer.expectEnd()
        await connection.disconnect()
        await connection.disconnect(writingBack: true)
    }

    @Test func aSilentPeerEndsTheConnectionAfterTheRequestTimeout() async throws {
        let options = ConnectOptions(
            preferredMTU: 23, engine: ClientConfiguration(requestTimeout: .milliseconds(50)))
        let (connection, peer) = try await connected(options)
        let pending = attempt { () throws(CentralError) in try await connection.read(0x0025) }
        await peer.expect("0a 25 00")
        let failed = await pending.value
        #expect(failed?.category == .timedOut)
        #expect(failed?.gattError == .timedOut(.readRequest, handle: 0x0025))
        #expect(await connection.disconnection?.reason == .requestTimedOut(.readRequest))
        await peer.expectEnd()
    }

    @Test func anOperationTimeoutDropsTheCallerAndKeepsTheConnection() async throws {
        let options = ConnectOptions(preferredMTU: 23, operationTimeout: .seconds(1))
        let (connection, peer) = try await connected(options)
        let pending = attempt { () throws(CentralError) in try await connection.read(0x0025) }
        await peer.expect("0a 25 00")
        let failed = await pending.value
        #expect(failed?.category == .timedOut)
        #expect(await connection.isConnected)
        // The slot is taken until the answer comes.
        async let second = connection.read(0x0026)
        try peer.send("0b 01")
        await peer.expect("0a 26 00")
        try peer.send("0b 02")
        #expect(try await second == hex("02"))
    }

    @Test func anOversizedPDUClosesTheBearer() async throws {
        let (connection, peer) = try await connected()
        _ = try peer.send([0x1B, 0x03, 0x00] + [UInt8](repeating: 0, count: 21))
        let end = try await connection.waitUntilDisconnected()
        #expect(end.reason == .oversizedPDU(length: 24, maximum: 23))
        await peer.expectEnd()
    }

    @Test func aDatagramLongerThanTheBufferClosesTheBearer() async throws {
        let (connection, peer) = try await connected()
        _ = try peer.send([0x1B, 0x03, 0x00] + [UInt8](repeating: 0, count: 4000))
        let end = try await connection.waitUntilDisconnected()
        guard case .oversizedPDU = end.reason else {
            Issue.record("\(end)")
            return
        }
    }

    @Test(arguments: [
        "", "0b", "09 00", "1b", "1b 03", "1d 14", "ff", "03 17", "01", "01 0a", "05 03", "11 00", "23 01",
    ])
    func strayAndBrokenPDUsHarmNobody(octets: String) async throws {
        let (connection, peer) = try await connected()
        try peer.send(octets)
        // Some of them are answered; the confirmation says that they have been handled.
        try peer.send("1d 99 00 01")
        while let pdu = await peer.next(), pdu != hex("1e") {}
        async let value = connection.read(0x0003)
        await peer.expect("0a 03 00")
        try peer.send("0b 2a")
        #expect(try await value == hex("2a"))
    }

    @Test func writesWithoutResponseWaitForTheLinkAndLoseNothing() async throws {
        let (near, far) = try SeqPacketSocket.pair()
        // The socket is full before anything is written.
        var filling = 0
        while try near.send(hex("00").octets) == .sent { filling += 1 }
        let central = try await Central(adapter: .none)
        let connection = try await central.connect(
            to: .socket(near), options: ConnectOptions(preferredMTU: 23))
        let accepted = Locked(0)
        let writing = Task {
            for number in UInt16(0)..<1000 {
                try await connection.writeWithoutResponse(
                    [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)], to: 0x0007)
                accepted.withLock { $0 += 1 }
            }
        }
        for _ in 0..<50 { _ = await connection.mtu }
        // The first is kept on this side; the engine lets no other follow it.
        #expect(accepted.withLock { $0 } <= 1)
        let peer = try ScriptedPeer(far)
        for _ in 0..<filling { #expect(await peer.next() == hex("00")) }
        for number in UInt16(0)..<1000 {
            let pdu = try #require(await peer.next())
            #expect(
                pdu == [0x52, 7, 0, UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)])
        }
        try await writing.value
        await #expect(throws: CentralError.self) {
            try await connection.writeWithoutResponse([UInt8](repeating: 0, count: 21), to: 0x0007)
        }
    }

    @Test func theObserverSeesEveryPDUInOrder() async throws {
        let seen = Locked<[String]>([])
        let options = ConnectOptions(
            preferredMTU: 64,
            observer: { direction, time, octets in
                #expect(time.unixNanoseconds > 1_600_000_000_000_000_000)
                let line = "\(direction == .sent ? ">" : "<") \(octets.hexadecimal)"
                seen.withLock { $0.append(line) }
            })
        let (near, far) = try SeqPacketSocket.pair()
        let peer = try ScriptedPeer(far)
        let central = try await Central(adapter: .none)
        async let connecting = central.connect(to: .socket(near), options: options)
        await peer.expect("02 40 00")
        try peer.send("03 40 00")
        let connection = try await connecting
        async let value = connection.read(0x0003)
        await peer.expect("0a 03 00")
        try peer.send("0b 01")
        _ = try await value
        await connection.setObserver(nil)
        try await connection.writeWithoutResponse(hex("01"), to: 0x0007)
        #expect(seen.withLock { $0 } == ["> 024000", "< 034000", "> 0a0300", "< 0b01"])
    }

    @Test func progressIsTold() async throws {
        let (connection, peer) = try await connected()
        let steps = Locked<[Int]>([])
        async let value = connection.read(0x0025) { done, _ in steps.withLock { $0.append(done) } }
        await peer.expect("0a 25 00")
        try peer.send([0x0B] + [UInt8](repeating: 0x61, count: 22))
        await peer.expect("0c 25 00 16 00")
        try peer.send([0x0D] + [UInt8](repeating: 0x61, count: 22))
        await peer.expect("0c 25 00 2c 00")
        try peer.send("0d")
        #expect(try await value.count == 44)
        #expect(steps.withLock { $0 } == [22, 44])
    }

    @Test func changedServicesAreTold() async throws {
        let (connection, peer) = try await connected()
        let changes = await connection.serviceChanges()
        // The Service Changed characteristic becomes known by discovery.
        async let found = connection.discoverCharacteristics(0x2A05)
        await peer.expect("08 01 00 ff ff 03 28")
        try peer.send("09 07 02 00 20 03 00 05 2a")
        await peer.expect("08 03 00 ff ff 03 28")
        try peer.send("01 08 03 00 0a")
        #expect(try await found.count == 1)
        try peer.send("1d 03 00 10 00 1f 00")
        await peer.expect("1e")
        var iterator = changes.makeAsyncIterator()
        #expect(try await iterator.next() == HandleRange(first: 0x0010, last: 0x001F))
        await connection.disconnect()
        #expect(try await iterator.next() == nil)
    }

    @Test func aHundredConnectionsAtOnce() async throws {
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in UInt8(0)..<100 {
                group.addTask {
                    let (connection, peer) = try await connected()
                    async let value = connection.read(0x0003)
                    await peer.expect("0a 03 00")
                    _ = try peer.send([0x0B, number])
                    let octets = try await value
                    #expect(octets == [number])
                    await connection.disconnect()
                    await peer.expectEnd()
                    return Int(number)
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == 4950)
    }

    @Test func lettingGoOfAConnectionClosesIt() async throws {
        func peerOfNobody() async throws -> ScriptedPeer {
            let (_, peer) = try await connected()
            return peer
        }
        let peer = try await peerOfNobody()
        await peer.expectEnd()
    }
}
