import Sockets
import TestSupport
import Testing
import VirtualPeripheral

/// Devices on real sockets, with clients that send and get literal octets.
@Suite(.timeLimit(.minutes(1))) struct VirtualDeviceTests {
    /// A device and clients that are connected to it.
    static func device(
        _ file: String, clients: Int = 1, observer: (@Sendable (ServingEvent) -> Void)? = nil
    ) async throws -> (VirtualDevice, [SocketClient]) {
        let device = try VirtualDevice(try DeviceDescription(parsing: file), observer: observer)
        var connected: [SocketClient] = []
        for _ in 0..<clients {
            let (server, client) = try SeqPacketSocket.pair(on: device.loop)
            connected.append(try SocketClient(client))
            try await device.serve(server)
        }
        return (device, connected)
    }

    @Test func clientsShareValuesAndHaveTheirOwnConfigurations() async throws {
        let (device, clients) = try await Self.device(
            """
            device Lamp
            service 1815
              characteristic 2A56
                properties read, write, notify
                value u8: 1
            """, clients: 2)
        #expect(await device.clientCount == 2)
        #expect(try await clients[0].ask("02 0002") == "030502")
        #expect(try await clients[0].ask("12 0300 09") == "13")
        #expect(try await clients[1].ask("0a 0300") == "0b09")
        #expect(try await clients[0].ask("12 0400 0100") == "13")
        #expect(try await clients[1].ask("0a 0400") == "0b0000")
        #expect(await device.publish([0x55], at: 0x0003) == 1)
        #expect(await clients[0].next() == "1b030055")
        #expect(try await clients[1].ask("0a 0300") == "0b55")
        #expect(await device.setValue([0x56], at: 0x0003))
        #expect(await device.setValue([0x56], at: 0x0009) == false)
        #expect(try await clients[0].ask("0a 0300") == "0b56")
        clients[0].close()
        #expect(try await clients[1].ask("12 0400 0100") == "13")
        await device.disconnectAll()
        #expect(await clients[1].next() == "closed")
        #expect(await device.clientCount == 0)
    }

    /// Signatures by "openssl mac". A counter that one client used is used for all, and one that the file names too.
    @Test func signaturesAreChecked() async throws {
        let remarks = Locked<[String]>([])
        let (device, clients) = try await Self.device(
            """
            device Lock
              csrk 3c4fcf098815f7aba6d2ae2816157e2b after 7
              pairs
            service 1815
              characteristic 2A56
                properties read, signed-write
                value u8: 9
            """, clients: 2
        ) { event in
            if case .remark(_, let text) = event { remarks.withLock { $0.append(text) } }
        }
        try clients[0].send("d2 0300 01 07000000beca12935c749fb3")
        #expect(try await clients[0].ask("0a 0300") == "0b09")
        try clients[0].send("d2 0300 00 08000000cb3db894e24f9361")
        #expect(try await clients[0].ask("0a 0300") == "0b00")
        try clients[1].send("d2 0300 00 08000000cb3db894e24f9361")
        try clients[1].send("d2 0300 01 0900000025435f518965d711")
        #expect(try await clients[1].ask("0a 0300") == "0b00")
        try clients[1].send("d2 0300 01 0900000025435f518965d710")
        #expect(try await clients[1].ask("0a 0300") == "0b01")
        #expect(try await clients[1].ask("12 0300 05") == "0112030005")
        let ignored = "a Signed Write Command to 0x0003 was ignored: the signature is wrong, or was used before"
        #expect(remarks.withLock { $0 } == [ignored, ignored, ignored])
        #expect(await device.clientCount == 2)
    }

    @Test func valuesMove() async throws {
        let (device, clients) = try await Self.device(
            """
            device Sensor
            service 1815
              characteristic 2A56
                properties notify, indicate
                value u8: 0 1, u16: 7
                every 5 ms
                moves u8 at 1 from 1 to 3 by 1
                moves u16 at 2 from 65534 to 65532 by -1
            """, clients: 2)
        // The first step may have gone by; from then on the numbers follow each other in a circle of three.
        #expect(try await clients[0].ask("12 0400 0100") == "13")
        let circle = ["1b03000001feff", "1b03000002fdff", "1b03000003fcff"]
        let first = await clients[0].next()
        let start = try #require(circle.firstIndex(of: first))
        for step in 1...7 { #expect(await clients[0].next() == circle[(start + step) % 3]) }
        // The other client wants indications: one at a time.
        #expect(try await clients[1].ask("12 0400 0200") == "13")
        for _ in 0..<3 {
            let indication = await clients[1].next()
            #expect(circle.contains(indication.replacing("1d", with: "1b", maxReplacements: 1)))
            try clients[1].send("1e")
        }
        await device.disconnectAll()
    }

    @Test func valuesTakeTurns() async throws {
        let (device, clients) = try await Self.device(
            """
            device Sensor
            service 1815
              characteristic 2A56
                properties notify
                value u8: 1
                next empty
                next u8: 3 3
                every 5 ms
            """)
        #expect(try await clients[0].ask("12 0400 0100") == "13")
        let circle = ["1b030001", "1b0300", "1b03000303"]
        let start = try #require(circle.firstIndex(of: await clients[0].next()))
        for step in 1...5 { #expect(await clients[0].next() == circle[(start + step) % 3]) }
        await device.disconnectAll()
    }

    @Test func whatIsWrittenComesBack() async throws {
        let (device, clients) = try await Self.device(
            """
            device Echo
            service 1815
              characteristic 2A56
                properties write-without-response, write, notify
                echo
              characteristic 2A58
                properties write-without-response
                echo 2A5A
              characteristic 2A5A
                properties read, indicate
            """)
        let client = clients[0]
        #expect(try await client.ask("12 0300 01") == "13")
        #expect(try await client.ask("12 0400 0100") == "13")
        #expect(try await client.ask("52 0300 aabb") == "1b0300aabb")
        #expect(try await client.ask("12 0300 cc") == "13")
        #expect(await client.next() == "1b0300cc")
        #expect(try await client.ask("12 0900 0200") == "13")
        #expect(try await client.ask("52 0600 dd") == "1d0800dd")
        try client.send("1e")
        #expect(try await client.ask("0a 0800") == "0bdd")
        await device.disconnectAll()
    }

    @Test func behavioursOfTheTortureDevice() async throws {
        let device = try VirtualDevice(BuiltInDevice.torture.description)
        let (server, other) = try SeqPacketSocket.pair(on: device.loop)
        let client = try SocketClient(other)
        try await device.serve(server)
        // A value of exactly MTU − 1 octets, at 23 and after the exchange.
        let pattern = (0..<512).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try await client.ask("0a 8400") == "0b" + Array(pattern[..<22]).hexadecimal)
        #expect(try await client.ask("0c 8400 1600") == "0d")
        #expect(try await client.ask("02 6400") == "030502")
        #expect(try await client.ask("0a 8400") == "0b" + Array(pattern[..<99]).hexadecimal)
        #expect(try await client.ask("0c 8400 6300") == "0d")
        #expect(try await client.ask("02 0502") == "030502")
        #expect(try await client.ask("0a 8400") == "0b" + pattern.hexadecimal)
        #expect(try await client.ask("0a 8600") == "0b" + pattern.hexadecimal)
        // The notification before the response to the write that enables it.
        #expect(try await client.ask("12 e300 0100") == "1be2006561726c79")
        #expect(await client.next() == "13")
        // A read that takes its time: half a second, on the loop's timer.
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try await client.ask("0a f300") == "0b736c6f77")
        #expect(clock.now - start >= .milliseconds(450))
        await device.disconnectAll()
    }

    @Test func aDeviceMayBreakTheConnection() async throws {
        let (device, clients) = try await Self.device("device Shy\n  disconnect-after 20 ms")
        #expect(await clients[0].next() == "closed")
        #expect(await device.clientCount == 0)
    }

    @Test func aClientThatOverstepsLosesItsConnection() async throws {
        let (device, clients) = try await Self.device("device Strict", clients: 3)
        #expect(try await clients[0].ask("1e") == "closed")
        #expect(try await clients[2].ask(String(repeating: "00", count: 3000)) == "closed")
        // The others keep theirs.
        #expect(try await clients[1].ask("0a 0100") == "010a010001")
        #expect(await device.clientCount == 1)
        await device.disconnectAll()
    }

    @Test func aClientThatNeverReadsIsGivenUp() async throws {
        let (ended, continuation) = AsyncStream.makeStream(of: String.self)
        let device = try VirtualDevice(try DeviceDescription(parsing: "device Patient")) { event in
            if case .disconnected(_, let reason) = event { continuation.yield(reason) }
        }
        let (server, client) = try SeqPacketSocket.pair(on: device.loop)
        try await device.serve(server)
        // Nothing is read here; the kernel's buffers fill, then the device's queue.
        let request = hex("0a 0100")
        while let result = try? client.send(request.octets) {
            if result == .wouldBlock { await device.loop.turned() }
        }
        var reason = ""
        for await text in ended {
            reason = text
            break
        }
        #expect(reason == "the client does not read what it is sent")
    }

    @Test func watchersAreToldEverything() async throws {
        let (events, continuation) = AsyncStream.makeStream(of: String.self)
        let (device, clients) = try await Self.device(
            "device Lamp\nservice 1815\n  characteristic 2A56\n    properties write, notify",
            observer: { event in
                switch event {
                case .connected(let number): continuation.yield("connected \(number)")
                case .disconnected(let number, let reason): continuation.yield("disconnected \(number) \(reason)")
                case .received(let number, let pdu): continuation.yield("received \(number) \(pdu.hexadecimal)")
                case .sent(let number, let pdu): continuation.yield("sent \(number) \(pdu.hexadecimal)")
                case .written(let number, let handle, let value):
                    continuation.yield("written \(number) \(handle) \(value.hexadecimal)")
                case .subscriptionChanged(let number, let handle, let configuration):
                    continuation.yield("configured \(number) \(handle) \(configuration.rawValue)")
                case .remark(let number, let text): continuation.yield("remark \(number) \(text)")
                }
            })
        #expect(try await clients[0].ask("12 0300 05") == "13")
        #expect(try await clients[0].ask("12 0400 0100") == "13")
        try clients[0].send("52 0100 00")
        clients[0].close()
        let expected = [
            "connected 1", "received 1 12030005", "sent 1 13", "written 1 0x0003 05", "received 1 1204000100",
            "sent 1 13", "configured 1 0x0003 1", "received 1 52010000",
            "remark 1 a Write Command to 0x0001 was ignored: Write Not Permitted (0x03)",
            "disconnected 1 the client closed it",
        ]
        var seen: [String] = []
        for await event in events {
            seen.append(event)
            if event.hasPrefix("disconnected") { break }
        }
        #expect(seen == expected)
        await device.disconnectAll()
    }
}

extension EventLoop {
    /// Comes back when the loop has done what was waiting for it.
    func turned() async {
        await withCheckedContinuation { continuation in execute { continuation.resume() } }
    }
}
