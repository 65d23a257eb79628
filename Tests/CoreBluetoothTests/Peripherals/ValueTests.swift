import CoreBluetooth
import Sockets
import Testing
import VirtualPeripheral
import Wire

/// Values, writes, descriptors (items 72 to 83).
@Suite(.timeLimit(.minutes(1))) struct ValueTests {
    @Test("B72 value is nil until something arrives; errors and writes leave it") func unchanged() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let characteristic = try peripheral.characteristic("A001")
        #expect(characteristic.value == nil)
        peripheral.writeValue(Data([0x55]), for: characteristic, type: .withResponse)
        await world.recorder.expect("write A001 ok")
        #expect(characteristic.value == nil)
        peripheral.readValue(for: characteristic)
        await world.recorder.expect("value A001 55 ok")
        peripheral.writeValue(Data([0x56]), for: characteristic, type: .withResponse)
        await world.recorder.expect("write A001 ok")
        #expect(characteristic.value == Data([0x55]))
        let refused = try peripheral.characteristic("A006")
        peripheral.readValue(for: refused)
        await world.recorder.expect("value A006 nil CBATTError 192")
        #expect(refused.value == nil)
    }

    @Test("B73 reads and notifications arrive alike, each with its own value") func eachItsValue() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let characteristic = try peripheral.characteristic("A002")
        peripheral.setNotifyValue(true, for: characteristic)
        await world.recorder.expect("notify A002 on ok")
        // The queue is held until all have arrived.
        let gate = DispatchSemaphore(value: 0)
        world.queue.async { gate.wait() }
        for value in 1...5 { await world.device.publish([UInt8(value)], at: characteristic.handleForTests) }
        peripheral.readValue(for: characteristic)
        try await Task.sleep(for: .milliseconds(50))
        gate.signal()
        for value in 1...5 { await world.recorder.expect("value A002 0\(value) ok") }
        await world.recorder.expect("value A002 05 ok")
    }

    @Test("B74 operations run one at a time and complete in the order of the calls, long reads whole") func order()
        async throws
    {
        let world = try await World(probe, adjust: { $0.configuration.mtu = 40 })
        let peripheral = try await world.discover()
        let (long, short) = (try peripheral.characteristic("A007"), try peripheral.characteristic("A001"))
        let slow = try peripheral.characteristic("A009")
        let command = try peripheral.characteristic("A005")
        peripheral.readValue(for: slow)
        peripheral.readValue(for: long)
        peripheral.writeValue(Data([7]), for: short, type: .withResponse)
        peripheral.writeValue(Data([8]), for: command, type: .withoutResponse)
        peripheral.writeValue(Data([9]), for: command, type: .withoutResponse)
        peripheral.readValue(for: short)
        peripheral.setNotifyValue(true, for: try peripheral.characteristic("A002"))
        peripheral.discoverDescriptors(for: short)
        let whole = [UInt8]((0..<512).map { UInt8(truncatingIfNeeded: $0) }).hexadecimal
        await world.recorder.expect("value A009 09 ok", "value A007 \(whole) ok", "write A001 ok", "ready")
        await world.recorder.expect("value A001 07 ok", "notify A002 on ok")
        await world.recorder.expect("descriptors A001 [2900 2901 2904 F00D] ok")
        // On the wire too, the commands between the requests that were asked for before and after them.
        let opcodes = world.traffic.all.map { String($0.prefix(2)) }
        let commands = try #require(opcodes.firstIndex(of: "52"))
        #expect(opcodes[commands - 1] == "12")
        #expect(opcodes[commands + 1] == "52")
        #expect(opcodes[commands + 2] == "0a")
    }

    @Test("B75 a read without the property is sent, and the peer's error comes back") func readWithoutProperty()
        async throws
    {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        peripheral.readValue(for: try peripheral.characteristic("A008"))
        await world.recorder.expect("value A008 nil CBATTError 2")
    }

    @Test("B76 ATT codes arrive unchanged; those without a name keep their number") func codes() async throws {
        let world = try await World(
            """
            device Probe
                address C0:DE:00:00:00:09 random
            service A000
                characteristic A001
                    properties read
                    read-error 0xC0
                characteristic A002
                    properties read
                    read-error 0xFD
                characteristic A003
                    properties read
                    read-error 0x80
                characteristic A004
                    properties read
                    read-error 0x0E
            """)
        let peripheral = try await world.discover()
        for (uuid, code) in [("A001", 0xC0), ("A002", 0xFD), ("A003", 0x80), ("A004", 14)] {
            do {
                _ = try await peripheral.readValue(of: try peripheral.characteristic(uuid))
                Issue.record("no error")
            } catch let error as CBATTError {
                #expect(error.errorCode == code)
                let bridged = error as NSError
                #expect(bridged.domain == CBATTErrorDomain)
                #expect(bridged.code == code)
                #expect(error.localizedDescription == (code == 14 ? "Unlikely error." : "Unknown ATT error."))
                // What really happened stays reachable.
                #expect(bridged.localizedFailureReason?.contains("Read Request") == true)
                #expect(bridged.userInfo[NSUnderlyingErrorKey] != nil)
            }
        }
    }

    @Test("B77 with response one callback for each call, without response none") func writeCallbacks() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let (request, command) = (try peripheral.characteristic("A001"), try peripheral.characteristic("A005"))
        for value in 0..<5 {
            peripheral.writeValue(Data([UInt8(value)]), for: request, type: .withResponse)
            peripheral.writeValue(Data([UInt8(value)]), for: command, type: .withoutResponse)
        }
        peripheral.readValue(for: request)
        await world.recorder.skip(to: "value A001 04 ok")
        #expect(world.recorder.all.filter { $0.hasPrefix("write") } == Array(repeating: "write A001 ok", count: 5))
    }

    @Test("B78 with response a value beyond MTU - 3 is a long write, beyond 512 octets CBATTError 13") func longWrites()
        async throws
    {
        let world = try await World(probe, adjust: { $0.configuration.mtu = 23 })
        let peripheral = try await world.discover()
        let characteristic = try peripheral.characteristic("A007")
        for (length, opcodes): (Int, Set<Substring>) in [(20, ["12"]), (21, ["16", "18"]), (512, ["16", "18"])] {
            world.traffic.clear()
            peripheral.writeValue(Data(repeating: 0x61, count: length), for: characteristic, type: .withResponse)
            await world.recorder.expect("write A007 ok")
            #expect(Set(world.traffic.all.map { $0.prefix(2) }) == opcodes)
        }
        peripheral.readValue(for: characteristic)
        await world.recorder.expect("value A007 \(String(repeating: "61", count: 512)) ok")
        world.traffic.clear()
        peripheral.writeValue(Data(count: 513), for: characteristic, type: .withResponse)
        await world.recorder.expect("write A007 CBATTError 13")
        #expect(world.traffic.all == [])
    }

    @Test("B79 without response the property is needed; with response it is the peer's to say") func properties()
        async throws
    {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let readOnly = try peripheral.characteristic("A002")
        let complaints = Complaints()
        peripheral.writeValue(Data([1]), for: readOnly, type: .withoutResponse)
        #expect(complaints.contain("does not specify the \"Write Without Response\" property", about: readOnly))
        await world.settle()
        #expect(world.traffic.all == [])
        peripheral.writeValue(Data([1]), for: readOnly, type: .withResponse)
        await world.recorder.expect("write A002 CBATTError 3")
    }

    @Test("A write without response that is too long is dropped and logged") func tooLong() async throws {
        let world = try await World(probe, adjust: { $0.configuration.mtu = 23 })
        let peripheral = try await world.discover()
        let command = try peripheral.characteristic("A005")
        let complaints = Complaints()
        peripheral.writeValue(Data(count: 21), for: command, type: .withoutResponse)
        #expect(complaints.contain("20 octets are the most", about: command))
        peripheral.writeValue(Data(count: 20), for: command, type: .withoutResponse)
        await world.recorder.expect("ready")
        // The device sees it a moment after it was sent.
        while world.traffic.all.isEmpty { await world.settle() }
        #expect(world.traffic.all.map(\.count) == [46])
    }

    @Test(
        "B80 the longest write is 512 with response, ATT_MTU - 3 without, known inside didConnect, 0 while disconnected"
    )
    func maximumLength() async throws {
        for mtu in [23, 185, 517] {
            let seen = Locked<[Int]>([])
            let world = try await World(
                probe,
                hook: { _, line, peripheral in
                    guard line.hasPrefix("connect"), let peripheral else { return }
                    seen.withLock { $0.append(peripheral.maximumWriteValueLength(for: .withoutResponse)) }
                }, adjust: { $0.configuration.mtu = mtu })
            let peripheral = try await world.find()
            #expect(peripheral.maximumWriteValueLength(for: .withResponse) == 0)
            #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 0)
            world.manager.connect(peripheral)
            await world.recorder.expect("connect connected")
            #expect(seen.withLock { $0 } == [mtu - 3])
            #expect(peripheral.maximumWriteValueLength(for: .withResponse) == 512)
        }
    }

    @Test("B81 canSendWriteWithoutResponse follows the link, and peripheralIsReady tells of room again")
    func backPressure() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let command = try peripheral.characteristic("A005")
        #expect(peripheral.canSendWriteWithoutResponse)
        // The link takes nothing while its loop is held.
        let gate = DispatchSemaphore(value: 0)
        world.radio.loop.execute { gate.wait() }
        var accepted = 0
        while peripheral.canSendWriteWithoutResponse, accepted < 1000 {
            peripheral.writeValue(Data([UInt8(truncatingIfNeeded: accepted)]), for: command, type: .withoutResponse)
            accepted += 1
        }
        #expect((1..<1000).contains(accepted))
        #expect(!peripheral.canSendWriteWithoutResponse)
        // More than any socket buffer holds, for programs that do not look.
        for value in accepted..<2000 {
            let data = Data([UInt8(truncatingIfNeeded: value)]) + Data(count: 500)
            peripheral.writeValue(data, for: command, type: .withoutResponse)
        }
        #expect(world.recorder.untaken == [])
        gate.signal()
        await world.recorder.expect("ready")
        #expect(peripheral.canSendWriteWithoutResponse)
        while world.traffic.all.count < 2000, !Task.isCancelled { await world.settle() }
        // All of them, in order.
        let values = world.traffic.all.map { $0.dropFirst(6).prefix(2) }
        #expect(values == (0..<2000).map { [UInt8(truncatingIfNeeded: $0)].hexadecimal.prefix(2) })
        // Programs that wait after every write are told after every write.
        for _ in 0..<5 {
            peripheral.writeValue(Data([1]), for: command, type: .withoutResponse)
            await world.recorder.expect("ready")
        }
    }

    @Test("B82 values of descriptors have the type of their UUID") func descriptors() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let characteristic = try peripheral.characteristic("A001")
        peripheral.discoverDescriptors(for: characteristic)
        await world.recorder.expect("descriptors A001 [2900 2901 2904 F00D] ok")
        let descriptors = try #require(characteristic.descriptors)
        #expect(descriptors.allSatisfy { $0.value == nil })
        for descriptor in descriptors {
            peripheral.readValue(for: descriptor)
            _ = await world.recorder.next()
        }
        #expect(descriptors[0].value as? NSNumber == 1)
        #expect(descriptors[1].value as? String == "First")
        #expect(descriptors[2].value as? Data == Data([0x04, 0x00, 0xAD, 0x27, 0x01, 0x00, 0x00]))
        #expect(descriptors[3].value as? Data == Data([0x09]))
        peripheral.writeValue(Data([0x77]), for: descriptors[3])
        await world.recorder.expect("descriptor write F00D ok")
        peripheral.writeValue(Data([0x77]), for: descriptors[1])
        await world.recorder.expect("descriptor write 2901 CBATTError 3")
    }

    @Test("B82 writing the configuration descriptor stops the program, with Apple's words") func configuration() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let world = try await World(probe)
            let peripheral = try await world.discover()
            let characteristic = try peripheral.characteristic("A002")
            peripheral.discoverDescriptors(for: characteristic)
            _ = await world.recorder.next()
            peripheral.writeValue(Data([1, 0]), for: try #require(characteristic.descriptors?.first))
        }
        let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(
            text.contains(
                "Client Characteristic Configuration descriptors must be configured using "
                    + "setNotifyValue:forCharacteristic:"))
    }

    @Test("B83 readRSSI answers in didReadRSSI") func signalStrength() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        peripheral.readRSSI()
        peripheral.readRSSI()
        await world.recorder.expect("rssi -40 ok", "rssi -40 ok")
    }

    @Test("No answer for 30 seconds: the operation fails, then the connection ends") func noAnswer() async throws {
        let world = try await World(probe)
        world.shortenRequestTimeout()
        let peripheral = try await world.discover()
        let characteristic = try peripheral.characteristic("A001")
        peripheral.readValue(for: try peripheral.characteristic("A009"))
        peripheral.readValue(for: characteristic)
        await world.recorder.expect("value A009 nil CBError 0", "disconnect disconnected CBError 6")
    }
}
