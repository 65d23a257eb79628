import CoreBluetooth
import Sockets
import Testing
import VirtualPeripheral

/// Subscriptions (items 56 to 62).
@Suite(.timeLimit(.minutes(1))) struct SubscriptionTests {
    @Test(
        "B56 with both properties notifications are used",
        arguments: [("A004", "0100"), ("A002", "0100"), ("A003", "0200")])
    func preference(uuid: String, configuration: String) async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        peripheral.setNotifyValue(true, for: try peripheral.characteristic(uuid))
        await world.recorder.expect("notify \(uuid) on ok")
        // One Write Request, to the descriptor that was found by its UUID.
        #expect(world.traffic.all.filter { $0.hasPrefix("12") }.map { $0.suffix(4) } == [configuration[...]])
    }

    @Test("B57 isNotifying has its new value inside the callback, for on and for off") func isNotifying() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let characteristic = try peripheral.characteristic("A002")
        world.queue.sync {
            peripheral.setNotifyValue(true, for: characteristic)
            #expect(!characteristic.isNotifying)
        }
        // The recorder notes isNotifying inside the callback.
        await world.recorder.expect("notify A002 on ok")
        peripheral.setNotifyValue(false, for: characteristic)
        await world.recorder.expect("notify A002 off ok")
    }

    @Test("B58 values follow the callback, and one that overtakes the response is delivered too")
    func overtaking() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let early = try peripheral.characteristic("A00B")
        // This device sends a value before it answers.
        peripheral.setNotifyValue(true, for: early)
        await world.recorder.expect("value A00B 0c ok", "notify A00B on ok")
        let usual = try peripheral.characteristic("A002")
        for round in 0..<20 {
            peripheral.setNotifyValue(true, for: usual)
            world.radio.loop.execute { [device = world.device] in
                device.assumeIsolated { _ = $0.publish([UInt8(round)], at: usual.handleForTests) }
            }
            await world.recorder.expect("notify A002 on ok")
            await world.device.publish([0xEE], at: usual.handleForTests)
            await world.recorder.skip(to: "value A002 ee ok")
            peripheral.setNotifyValue(false, for: usual)
            await world.recorder.expect("notify A002 off ok")
            await world.device.publish([0xFF], at: usual.handleForTests)
        }
        await world.settle()
        #expect(!world.recorder.all.contains("value A002 ff ok"))
    }

    @Test("B59 asking for the state that is there: a callback without error, no traffic, and later") func again()
        async throws
    {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let characteristic = try peripheral.characteristic("A002")
        peripheral.setNotifyValue(false, for: characteristic)
        await world.recorder.expect("notify A002 off ok")
        #expect(world.traffic.all == [])
        peripheral.setNotifyValue(true, for: characteristic)
        await world.recorder.expect("notify A002 on ok")
        world.traffic.clear()
        world.queue.sync {
            let before = world.recorder.all.count
            peripheral.setNotifyValue(true, for: characteristic)
            #expect(world.recorder.all.count == before)
        }
        await world.recorder.expect("notify A002 on ok")
        #expect(world.traffic.all == [])
    }

    @Test("B60 a characteristic with neither property is CBATTError 6") func neither() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        peripheral.setNotifyValue(true, for: try peripheral.characteristic("A001"))
        await world.recorder.expect("notify A001 off CBATTError 6")
        #expect(world.traffic.all == [])
    }

    @Test("B61 a characteristic without configuration descriptor is CBATTError 10") func noConfiguration() async throws
    {
        // A declaration among the descriptors of another characteristic: one that notifies, and has no descriptor.
        let world = try await World(
            """
            device Probe
                address C0:DE:00:00:00:08 random
            service A000 at 0x0100
                characteristic A001 at 0x0101
                    properties read
                    value hex: 01
                    descriptor 2803 at 0x0103
                        value hex: 10 04 01 FE A0
                    descriptor A0FE at 0x0104
                        value hex: 02
            """)
        let peripheral = try await world.discover()
        let characteristic = try peripheral.characteristic("A0FE")
        #expect(characteristic.properties == .notify)
        peripheral.setNotifyValue(true, for: characteristic)
        await world.recorder.expect("notify A0FE off CBATTError 10")
        peripheral.discoverDescriptors(for: characteristic)
        await world.recorder.expect("descriptors A0FE [] ok")
    }

    @Test("B62 the value of the configuration descriptor does not follow setNotifyValue") func configuration()
        async throws
    {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let characteristic = try peripheral.characteristic("A002")
        peripheral.discoverDescriptors(for: characteristic)
        await world.recorder.expect("descriptors A002 [2902] ok")
        let descriptor = try #require(characteristic.descriptors?.first)
        world.traffic.clear()
        peripheral.setNotifyValue(true, for: characteristic)
        await world.recorder.expect("notify A002 on ok")
        #expect(descriptor.value == nil)
        // The descriptor is known: nothing was looked for.
        #expect(world.traffic.all.map { $0.prefix(2) } == ["12"])
        peripheral.readValue(for: descriptor)
        await world.recorder.expect("descriptor 2902 1 ok")
        peripheral.setNotifyValue(false, for: characteristic)
        await world.recorder.expect("notify A002 off ok")
        #expect(descriptor.value as? NSNumber == 1)
    }
}
