import CoreBluetooth
import GAP
import Sockets
import Testing
import VirtualPeripheral

/// Scanning (items 18 to 31).
@Suite(.timeLimit(.minutes(1))) struct ScanTests {
    /// Scans for a while, and tells how often each device was heard.
    private func heard(_ world: World, _ services: [String]?, options: [String: Any]? = nil) async throws -> Set<String>
    {
        world.recorder.forget()
        world.manager.scanForPeripherals(
            withServices: services?.map { CBUUID(string: $0) }, options: options)
        try await Task.sleep(for: .milliseconds(120))
        world.manager.stopScan()
        await world.settle()
        return Set(world.recorder.untaken)
    }

    @Test("B18 no filter and an empty one mean all, otherwise one matching service is enough") func filters()
        async throws
    {
        let world = try await World(probe, lamp)
        let both: Set<String> = ["discover Probe -40", "discover Lamp -60"]
        #expect(try await heard(world, nil) == both)
        #expect(try await heard(world, []) == both)
        #expect(try await heard(world, ["1815"]) == ["discover Lamp -60"])
        #expect(try await heard(world, ["180D", "A000"]) == ["discover Probe -40"])
        // Whatever width the program writes.
        #expect(try await heard(world, ["0000A000-0000-1000-8000-00805F9B34FB"]) == ["discover Probe -40"])
        #expect(try await heard(world, ["180D"]) == [])
    }

    private static let beacon = """
        device Beacon
            address C0:DE:00:00:00:03 random
            advertise
                every 20 ms
                kind non-connectable
                service-data A000 hex: 0a 0b
                rssi -70
        """

    @Test("B19 the filter looks at service lists, not at service data") func serviceData() async throws {
        let world = try await World(Self.beacon)
        #expect(try await heard(world, ["A000"]) == [])
        #expect(try await heard(world, nil) == ["discover nil -70"])
        let data = try #require(
            world.recorder.lastAdvertisement[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data])
        #expect(data == [CBUUID(string: "A000"): Data([0x0A, 0x0B])])
    }

    @Test("B20 scanning while scanning replaces filter and options") func replacing() async throws {
        let world = try await World(probe, lamp)
        world.manager.scanForPeripherals(
            withServices: [CBUUID(string: "1815")], options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        await world.recorder.expect("discover Lamp -60", "discover Lamp -60")
        world.manager.scanForPeripherals(withServices: [CBUUID(string: "A000")])
        await world.settle()
        world.recorder.forget()
        try await Task.sleep(for: .milliseconds(100))
        #expect(world.recorder.untaken.allSatisfy { $0 == "discover Probe -40" })
        #expect(world.manager.isScanning)
    }

    @Test("B21 each peripheral is told of once in a scan, and for each packet with duplicates allowed")
    func duplicates() async throws {
        let world = try await World(lamp)
        for _ in 0..<2 {
            world.manager.scanForPeripherals(withServices: nil)
            await world.recorder.expect("discover Lamp -60")
            try await Task.sleep(for: .milliseconds(100))
            #expect(world.recorder.untaken == [])
            // Stopping and starting tells of it again.
            world.manager.stopScan()
        }
        for value: Any in [true, NSNumber(value: true)] {
            world.manager.scanForPeripherals(
                withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: value])
            for _ in 0..<4 { await world.recorder.expect("discover Lamp -60") }
            world.manager.stopScan()
            await world.settle()
            world.recorder.forget()
        }
    }

    @Test("B22 a device seen, connected and lost is not told of again in the same scan") func seenOnce() async throws {
        let world = try await World(lamp)
        world.manager.scanForPeripherals(withServices: nil)
        await world.recorder.expect("discover Lamp -60")
        let peripheral = world.recorder.peripherals[0]
        world.manager.connect(peripheral)
        await world.recorder.expect("connect connected")
        await world.device.disconnectAll()
        await world.recorder.expect("disconnect disconnected CBError 7")
        try await Task.sleep(for: .milliseconds(100))
        #expect(world.manager.isScanning)
        #expect(world.recorder.untaken == [])
    }

    @Test("B23 a second event may come with the scan response, and has the keys of both") func scanResponse()
        async throws
    {
        let world = try await World(
            """
            device Two Halves
                address C0:DE:00:00:00:04 random
                advertise
                    every 20 ms
                    services A000
                    service-data A000 hex: 01
                    rssi -50
                    scan-response
                        services A001
                        name
            """)
        world.manager.scanForPeripherals(withServices: nil)
        await world.recorder.expect("discover nil -50", "discover Two Halves -50")
        let data = world.recorder.lastAdvertisement
        #expect(
            data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
                == [CBUUID(string: "A000"), CBUUID(string: "A001")])
        #expect(data[CBAdvertisementDataLocalNameKey] as? String == "Two Halves")
        #expect(data[CBAdvertisementDataServiceDataKey] != nil)
        try await Task.sleep(for: .milliseconds(100))
        #expect(world.recorder.untaken == [])
        // The filter sees both halves too.
        #expect(try await heard(world, ["A001"]) == ["discover Two Halves -50"])
    }

    @Test("B24 isScanning changes within the call") func isScanning() async throws {
        let world = try await World(probe)
        #expect(!world.manager.isScanning)
        world.manager.scanForPeripherals(withServices: nil)
        #expect(world.manager.isScanning)
        world.manager.stopScan()
        #expect(!world.manager.isScanning)
        await world.settle()
        world.recorder.forget()
        try await Task.sleep(for: .milliseconds(60))
        // Nothing comes after the end of the scan.
        await world.settle()
        #expect(world.recorder.untaken == [])
    }

    @Test("B25 a peripheral is one object as long as somebody holds it") func identity() async throws {
        let seen = Locked<[ObjectIdentifier]>([])
        let world = try await World(
            lamp,
            hook: { _, _, peripheral in
                if let peripheral { seen.withLock { $0.append(ObjectIdentifier(peripheral)) } }
            })
        let options = [CBCentralManagerScanOptionAllowDuplicatesKey: true]
        world.manager.scanForPeripherals(withServices: nil, options: options)
        await world.recorder.expect("discover Lamp -60", "discover Lamp -60", "discover Lamp -60")
        #expect(Set(seen.withLock { $0 }).count == 1)
        world.manager.stopScan()
        await world.settle()
        weak let peripheral = world.recorder.peripherals.first
        #expect(peripheral != nil)
        world.recorder.letGo()
        await world.settle()
        #expect(peripheral == nil)
    }

    @Test("B26 a key is there only when the packet had the field; IsConnectable always is") func keys() async throws {
        let world = try await World(
            """
            device Bare
                address C0:DE:00:00:00:05 random
                advertise
                    every 20 ms
                    kind non-connectable
                    flags general
            """)
        #expect(try await heard(world, nil) == ["discover nil -50"])
        let data = world.recorder.lastAdvertisement
        #expect(
            Set(data.keys) == [
                CBAdvertisementDataIsConnectable, "kCBAdvDataTimestamp", "kCBAdvDataRxPrimaryPHY",
                "kCBAdvDataRxSecondaryPHY",
            ])
        #expect((data[CBAdvertisementDataIsConnectable] as? NSNumber)?.boolValue == false)
    }

    private static let rich = """
        device Rich
            address C0:DE:00:00:00:06 random
            advertise
                every 20 ms
                extended
                name
                services A000, 6e400001-b5a3-f393-e0a9-e50e24dcca9e
                tx-power -8
                manufacturer 0x004C hex: 02 15
                service-data 180F u8: 87
                data 0x14 hex: 0A 18
                rssi -33
        """

    @Test("B27 values have the documented types") func types() async throws {
        let world = try await World(Self.rich)
        #expect(try await heard(world, nil) == ["discover Rich -33"])
        let data = world.recorder.lastAdvertisement
        #expect(data[CBAdvertisementDataLocalNameKey] as? String == "Rich")
        #expect(data[CBAdvertisementDataTxPowerLevelKey] as? NSNumber == -8)
        #expect(
            data[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
                == [CBUUID(string: "A000"), CBUUID(string: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E")])
        #expect(data[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data] == [CBUUID(string: "180F"): Data([87])])
        #expect(data[CBAdvertisementDataManufacturerDataKey] as? Data == Data([0x4C, 0x00, 0x02, 0x15]))
        #expect(data[CBAdvertisementDataSolicitedServiceUUIDsKey] as? [CBUUID] == [CBUUID(string: "180A")])
        #expect(data[CBAdvertisementDataIsConnectable] as? NSNumber == NSNumber(value: true))
        #expect(data[CBAdvertisementDataOverflowServiceUUIDsKey] == nil)
    }

    @Test("Solicited services are found when asked for") func solicited() async throws {
        let world = try await World(Self.rich, lamp)
        let options = [CBCentralManagerScanOptionSolicitedServiceUUIDsKey: [CBUUID(string: "180A")]]
        #expect(try await heard(world, ["180D"], options: options) == ["discover Rich -33"])
        #expect(try await heard(world, ["1815"], options: options) == ["discover Rich -33", "discover Lamp -60"])
    }

    @Test("B28 manufacturer data begins with the company, least significant octet first, and is never cut")
    func manufacturerData() async throws {
        let world = try await World(
            """
            device Short
                address C0:DE:00:00:00:07 random
                advertise
                    every 20 ms
                    data 0xFF hex: 7e
            """)
        _ = try await heard(world, nil)
        #expect(world.recorder.lastAdvertisement[CBAdvertisementDataManufacturerDataKey] as? Data == Data([0x7E]))
    }

    @Test("B29 the undocumented keys that programs unwrap are there") func undocumentedKeys() async throws {
        let world = try await World(Self.rich)
        _ = try await heard(world, nil)
        let data = world.recorder.lastAdvertisement
        let time = try #require(data["kCBAdvDataTimestamp"] as? Double)
        #expect(abs(time - Date().timeIntervalSinceReferenceDate) < 60)
        #expect(data["kCBAdvDataRxPrimaryPHY"] as? Int == 1)
        #expect(data["kCBAdvDataRxSecondaryPHY"] as? Int == 1)
    }

    @Test("B30 an unknown signal strength is 127, and told") func unknownStrength() async throws {
        let world = try await World(lamp, adjust: { $0.advertising?.rssi = 127 })
        #expect(try await heard(world, nil) == ["discover Lamp 127"])
    }

    @Test("B31 identifiers belong to the machine, last, and do not show the address") func identifiers() async throws {
        let world = try await World(probe, lamp)
        let (probe, lamp) = (try await world.find(), try await world.find("Lamp"))
        #expect(probe.identifier != lamp.identifier)
        #expect(!probe.identifier.uuidString.contains("C0DE"))
        // Another machine, that is another folder, gives another one.
        let other = try await World(CoreBluetoothTests.probe)
        #expect(try await other.find().identifier != probe.identifier)
        // The same machine gives the same one.
        let same = try await World(CoreBluetoothTests.probe, directory: world.directory)
        #expect(try await same.find().identifier == probe.identifier)
    }

    @Test("A reader that is slow misses reports rather than fill the memory") func backlog() async throws {
        let world = try await World(lamp, adjust: { $0.advertising?.interval = .microseconds(50) })
        let gate = DispatchSemaphore(value: 0)
        world.queue.async { gate.wait() }
        world.manager.scanForPeripherals(
            withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        try await Task.sleep(for: .milliseconds(300))
        world.manager.stopScan()
        gate.signal()
        await world.settle()
        #expect(world.recorder.untaken.count <= 1024)
    }
}
