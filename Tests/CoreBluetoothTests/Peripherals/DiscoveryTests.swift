import CoreBluetooth
import GATT
import Testing
import VirtualPeripheral

/// Discovery (items 63 to 71).
@Suite(.timeLimit(.minutes(1))) struct DiscoveryTests {
    @Test("B63 lists are nil before their discovery, and nothing found is an empty list") func nilAndEmpty()
        async throws
    {
        let world = try await World(probe)
        let peripheral = try await world.connect()
        #expect(peripheral.services == nil)
        peripheral.discoverServices([CBUUID(string: "FFFF")])
        await world.recorder.expect("services [] ok")
        peripheral.discoverServices([CBUUID(string: "A100")])
        await world.recorder.expect("services [A100 A100] ok")
        let service = try peripheral.service("A100")
        #expect(service.characteristics == nil)
        #expect(service.includedServices == nil)
        peripheral.discoverIncludedServices(nil, for: service)
        await world.recorder.expect("included A100 [] ok")
        peripheral.discoverCharacteristics([CBUUID(string: "FFFF")], for: service)
        await world.recorder.expect("characteristics A100 [] ok")
        peripheral.discoverCharacteristics(nil, for: service)
        await world.recorder.expect("characteristics A100 [A101] ok")
        let last = try #require(peripheral.services?.last)
        peripheral.discoverCharacteristics(nil, for: last)
        await world.recorder.expect("characteristics A100 [A101] ok")
        let characteristic = try #require(last.characteristics?.first)
        #expect(characteristic.descriptors == nil)
        peripheral.discoverDescriptors(for: characteristic)
        await world.recorder.expect("descriptors A101 [] ok")
    }

    @Test("B64 filters that are nil and that are empty mean all", arguments: [nil, []] as [[CBUUID]?])
    func noFilter(filter: [CBUUID]?) async throws {
        let world = try await World(probe)
        let peripheral = try await world.connect()
        peripheral.discoverServices(filter)
        await world.recorder.expect("services [A000 A100 A100] ok")
        let service = try peripheral.service("A000")
        peripheral.discoverIncludedServices(filter, for: service)
        await world.recorder.expect("included A000 [A000 A100 B000] ok")
        peripheral.discoverCharacteristics(filter, for: service)
        await world.recorder.expect(
            "characteristics A000 [A001 A002 A003 A004 A005 A006 A007 A008 A009 A00A A00A A00B] ok")
    }

    @Test("B65 a filtered discovery adds to what is known; known objects stay, none doubles") func adding() async throws
    {
        let world = try await World(probe)
        let peripheral = try await world.connect()
        peripheral.discoverServices([CBUUID(string: "A100")])
        await world.recorder.expect("services [A100 A100] ok")
        let before = try #require(peripheral.services)
        peripheral.discoverServices([CBUUID(string: "A000"), CBUUID(string: "180D")])
        await world.recorder.expect("services [A000 A100 A100] ok")
        peripheral.discoverServices(nil)
        await world.recorder.expect("services [A000 A100 A100] ok")
        let after = try #require(peripheral.services)
        #expect(after[1] === before[0])
        #expect(after[2] === before[1])
        let service = after[0]
        for (filter, list) in [("A003", "A003"), ("A001", "A001 A003"), ("A003", "A001 A003")] {
            peripheral.discoverCharacteristics([CBUUID(string: filter)], for: service)
            await world.recorder.expect("characteristics A000 [\(list)] ok")
        }
        let characteristic = try peripheral.characteristic("A003")
        peripheral.discoverCharacteristics(nil, for: service)
        _ = await world.recorder.next()
        #expect(try peripheral.characteristic("A003") === characteristic)
        for _ in 0..<2 {
            peripheral.discoverDescriptors(for: characteristic)
            await world.recorder.expect("descriptors A003 [2902] ok")
        }
    }

    @Test("B66 one callback for each call, in the order of the calls") func order() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let services = try #require(peripheral.services)
        for _ in 0..<3 {
            peripheral.discoverServices(nil)
            peripheral.discoverCharacteristics(nil, for: services[1])
            peripheral.discoverIncludedServices([CBUUID(string: "B000")], for: services[0])
            peripheral.discoverDescriptors(for: services[1].characteristics![0])
        }
        for _ in 0..<3 {
            await world.recorder.expect(
                "services [A000 A100 A100] ok", "characteristics A100 [A101] ok", "included A000 [B000] ok",
                "descriptors A101 [2902] ok")
        }
    }

    @Test("B67 two attributes with one UUID are two objects") func twins() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let twins = peripheral.characteristics("A00A")
        #expect(twins.count == 2)
        #expect(twins[0] !== twins[1])
        for twin in twins { peripheral.readValue(for: twin) }
        await world.recorder.expect("value A00A 0a ok", "value A00A 0b ok")
        #expect(twins.map(\.value) == [Data([0x0A]), Data([0x0B])])
        let services = (peripheral.services ?? []).filter { $0.uuid == CBUUID(string: "A100") }
        #expect(services.count == 2)
        #expect(services[0] !== services[1])
    }

    @Test("B68 the services of the system are hidden unless they are asked for") func hidden() async throws {
        let world = try await World(probe)
        let peripheral = try await world.connect()
        peripheral.discoverServices(nil)
        await world.recorder.expect("services [A000 A100 A100] ok")
        peripheral.discoverServices([CBUUID(string: "1800")])
        await world.recorder.expect("services [1800 A000 A100 A100] ok")
        peripheral.discoverServices([CBUUID(string: "1801"), CBUUID(string: "A000")])
        await world.recorder.expect("services [1800 1801 A000 A100 A100] ok")
    }

    @Test("B69 an included service may be a secondary one, another one or the service itself") func included()
        async throws
    {
        let world = try await World(probe)
        let peripheral = try await world.connect()
        peripheral.discoverServices([CBUUID(string: "A000")])
        await world.recorder.expect("services [A000] ok")
        let service = try peripheral.service("A000")
        peripheral.discoverIncludedServices(nil, for: service)
        await world.recorder.expect("included A000 [A000 A100 B000] ok")
        let included = try #require(service.includedServices)
        #expect(included[0] === service)
        #expect(included.map(\.isPrimary) == [true, true, false])
        #expect(peripheral.services?.count == 1)
        // A secondary service is used like any other.
        peripheral.discoverCharacteristics(nil, for: included[2])
        await world.recorder.expect("characteristics B000 [B001] ok")
        peripheral.readValue(for: try #require(included[2].characteristics?.first))
        await world.recorder.expect("value B001 b1 ok")
        // The object stays when it is discovered itself.
        peripheral.discoverServices(nil)
        await world.recorder.expect("services [A000 A100 A100] ok")
        #expect(peripheral.services?[1] === included[1])
    }

    @Test("B70 without a delegate a discovery runs and its results are kept") func noDelegate() async throws {
        let world = try await World(probe)
        let peripheral = try await world.connect()
        peripheral.delegate = nil
        peripheral.discoverServices(nil)
        await world.settle()
        #expect(peripheral.services?.count == 3)
        peripheral.discoverCharacteristics(nil, for: try peripheral.service("A100"))
        await world.settle()
        #expect(try peripheral.service("A100").characteristics?.count == 1)
    }

    @Test("B71 services that the peripheral declares changed leave services and are of no use any more")
    func changedServices() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let services = try #require(peripheral.services)
        let characteristic = try peripheral.characteristic("A001")
        let changed = peripheral.characteristics("A101")
        peripheral.discoverDescriptors(for: changed[0])
        _ = await world.recorder.next()
        // Handles of the first A100: from its declaration on.
        let first = changed[0].handleForTests.rawValue - 2
        let last = changed[0].handleForTests.rawValue + 1
        let handle = try #require(world.serviceChangedHandle())
        await world.device.publish(
            [first, last].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }, at: handle)
        await world.recorder.expect("modified [A100] left [A000 A100]")
        #expect(peripheral.services?.count == 2)
        #expect(peripheral.services?[1] === services[2])
        for command: (CBPeripheral) -> Void in [
            { $0.discoverCharacteristics(nil, for: services[1]) }, { $0.readValue(for: changed[0]) },
        ] {
            let complaints = Complaints()
            command(peripheral)
            #expect(complaints.contain("was invalidated", about: peripheral))
        }
        // The others are not concerned.
        peripheral.readValue(for: characteristic)
        await world.recorder.expect("value A001 01 ok")
        peripheral.discoverServices(nil)
        await world.recorder.expect("services [A000 A100 A100] ok")
        #expect(peripheral.services?[1] !== services[1])
        // A range in which nothing had been discovered.
        await world.device.publish([0xF0, 0xFF, 0xFF, 0xFF], at: handle)
        await world.recorder.expect("modified [] left [A000 A100 A100]")
    }

    @Test("The lifecycle goes through its six states") func lifecycle() async throws {
        let world = try await World(probe)
        let peripheral = try await world.find()
        var states = peripheral.lifecycleUpdates.makeAsyncIterator()
        #expect(await states.next() == .disconnected)
        world.manager.connect(peripheral)
        #expect(await states.next() == .connecting)
        #expect(await states.next() == .connected)
        peripheral.discoverServices(nil)
        #expect(await states.next() == .discovering)
        #expect(await states.next() == .discovered)
        await world.recorder.skip(to: "services [A000 A100 A100] ok")
        peripheral.discoverCharacteristics(nil, for: try peripheral.service("A000"))
        #expect(await states.next() == .discovering)
        #expect(await states.next() == .discovered)
        #expect(peripheral.lifecycle == .discovered)
        world.manager.cancelPeripheralConnection(peripheral)
        #expect(await states.next() == .disconnecting)
        #expect(await states.next() == .disconnected)
        #expect(Set(CBPeripheralLifecycle.allCases).count == 6)
    }
}
