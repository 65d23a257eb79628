import CoreBluetooth
import Testing
import VirtualPeripheral

/// Names, UUIDs, pairing (items 84 to 90).
@Suite(.timeLimit(.minutes(1))) struct NameTests {
    private static let renamed = """
        device Shop Name
            address C0:DE:00:00:00:0A random
            advertise
                every 20 ms
                name
        service 1800
            characteristic 2A00
                properties read
                value text: Own Name
        """

    @Test("B84 the name is the advertised one until the first connection, then what the server told, later too")
    func name() async throws {
        let world = try await World(Self.renamed)
        let peripheral = try await world.find("Shop Name")
        world.manager.connect(peripheral)
        await world.recorder.expect("connect connected", "name Own Name")
        world.manager.cancelPeripheralConnection(peripheral)
        await world.recorder.expect("disconnect disconnected ok")
        world.manager.scanForPeripherals(withServices: nil)
        await world.recorder.expect("discover Own Name -50")
        // What the dictionary says is what is on the air.
        #expect(world.recorder.lastAdvertisement[CBAdvertisementDataLocalNameKey] as? String == "Shop Name")
        world.manager.stopScan()
        await world.settle()
        #expect(world.recorder.untaken == [])
        // Another connection has nothing new to tell, and another run of the program knows it.
        world.manager.connect(peripheral)
        await world.recorder.expect("connect connected")
        await world.settle()
        #expect(world.recorder.untaken == [])
        _ = try await world.knowsAfterRestart(peripheral.identifier)
        let other = try await World(Self.renamed, directory: world.directory)
        #expect(try await other.find("Own Name").identifier == peripheral.identifier)
    }

    @Test("B85 CBUUID takes 4, 8 or 36 characters in any case") func strings() {
        #expect(CBUUID(string: "180d").uuidString == "180D")
        #expect(CBUUID(string: "0000180D").data == Data([0x00, 0x00, 0x18, 0x0D]))
        #expect(
            CBUUID(string: "6e400001-b5a3-f393-e0a9-e50e24dcca9e").uuidString
                == "6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
    }

    @Test("B85 anything else stops the program") func wrongStrings() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CBUUID(string: "6e400001b5a3f393e0a9e50e24dcca9e")
        }
        let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(text.contains("String 6e400001b5a3f393e0a9e50e24dcca9e does not represent a valid UUID"))
        for _ in 0..<1 {
            await #expect(processExitsWith: .failure) { _ = CBUUID(string: "18") }
            await #expect(processExitsWith: .failure) { _ = CBUUID(string: "0x180D") }
            await #expect(processExitsWith: .failure) { _ = CBUUID(data: Data([1])) }
        }
    }

    @Test("B86 strings and data keep their width, yet all forms are equal and hash alike") func widths() throws {
        let forms = [
            CBUUID(string: "180D"), CBUUID(string: "0000180D"), CBUUID(string: "0000180D-0000-1000-8000-00805F9B34FB"),
            CBUUID(data: Data([0x18, 0x0D])),
            CBUUID(nsuuid: try #require(UUID(uuidString: "0000180D-0000-1000-8000-00805F9B34FB"))),
        ]
        #expect(forms.map(\.data.count) == [2, 4, 16, 2, 16])
        #expect(
            forms.map(\.uuidString) == [
                "180D", "0000180D", "0000180D-0000-1000-8000-00805F9B34FB", "180D",
                "0000180D-0000-1000-8000-00805F9B34FB",
            ])
        #expect(Set(forms).count == 1)
        #expect(Set(forms.map(\.hash)).count == 1)
        #expect(forms[0] != CBUUID(string: "180F"))
        #expect(forms[0].copy() as? CBUUID == forms[1])
    }

    @Test(
        "B87 the description of an assigned number is its name",
        arguments: [
            ("180D", "Heart Rate"), ("180F", "Battery"), ("2A37", "Heart Rate Measurement"),
            ("2902", "Client Characteristic Configuration"), ("FFE0", "FFE0"), ("A000", "A000"),
            ("0000180D-0000-1000-8000-00805F9B34FB", "Heart Rate"),
            ("6E400001-B5A3-F393-E0A9-E50E24DCCA9E", "6E400001-B5A3-F393-E0A9-E50E24DCCA9E"),
        ])
    func descriptions(uuid: String, description: String) {
        #expect(CBUUID(string: uuid).description == description)
    }

    @Test("B88 objects describe themselves as in Apple's logs") func logs() async throws {
        let world = try await World(probe)
        let peripheral = try await world.find()
        let prefix = "<CBPeripheral: 0x"
        let suffix = ", identifier = \(peripheral.identifier.uuidString), name = Probe, mtu = "
        #expect("\(peripheral)".hasPrefix(prefix))
        #expect("\(peripheral)".hasSuffix(suffix + "0, state = disconnected>"))
        world.manager.connect(peripheral)
        await world.recorder.expect("connect connected")
        #expect("\(peripheral)".hasSuffix(suffix + "517, state = connected>"))
        peripheral.discoverServices(nil)
        await world.recorder.expect("services [A000 A100 A100] ok")
        let service = try peripheral.service("A000")
        #expect("\(service)".hasPrefix("<CBService: 0x"))
        #expect("\(service)".hasSuffix(", isPrimary = YES, UUID = A000>"))
        peripheral.discoverCharacteristics(nil, for: service)
        _ = await world.recorder.next()
        let characteristic = try peripheral.characteristic("A002")
        #expect(
            "\(characteristic)".hasSuffix(
                ", UUID = A002, properties = 0x12, value = (null), notifying = NO>"))
    }

    @Test("B89 errors say what Apple's say") func words() {
        #expect(
            CBError(.connectionTimeout).localizedDescription == "The connection has timed out unexpectedly.")
        #expect(
            CBError(.peripheralDisconnected).localizedDescription
                == "The specified device has disconnected from us.")
        #expect(
            CBError(.peerRemovedPairingInformation).localizedDescription == "Peer removed pairing information")
        #expect((CBError(.connectionTimeout) as NSError).domain == "CBErrorDomain")
        #expect((CBATTError(.insufficientEncryption) as NSError).domain == "CBATTErrorDomain")
    }

    @Test("B90 a lack of security starts pairing, and the operation is repeated once") func pairing() async throws {
        let world = try await World(locked, adjust: { $0.acceptsPairing = true })
        let peripheral = try await world.discover()
        let characteristic = try peripheral.characteristic("A001")
        peripheral.readValue(for: characteristic)
        await world.recorder.expect("value A001 5e ok")
        #expect(world.traffic.all.count { $0.hasPrefix("0a") } == 2)
        // The link stays encrypted.
        peripheral.writeValue(Data([1]), for: characteristic, type: .withResponse)
        await world.recorder.expect("write A001 ok")
        #expect(world.traffic.all.count { $0.hasPrefix("12") } == 1)
    }

    @Test("B90 when pairing does not help, the peer's error is delivered") func pairingRefused() async throws {
        let world = try await World(locked)
        let peripheral = try await world.discover()
        peripheral.readValue(for: try peripheral.characteristic("A001"))
        await world.recorder.expect("value A001 nil CBATTError 5")
    }
}
