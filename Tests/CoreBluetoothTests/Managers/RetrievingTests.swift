import CoreBluetooth
import Testing

/// Retrieving (items 32 to 34).
@Suite(.timeLimit(.minutes(1))) struct RetrievingTests {
    @Test("B32 known peripherals are retrieved once each, in the order asked, as the objects that discovery gave")
    func byIdentifier() async throws {
        let world = try await World(probe, lamp)
        let (probe, lamp) = (try await world.find(), try await world.find("Lamp"))
        let found = world.manager.retrievePeripherals(
            withIdentifiers: [lamp.identifier, UUID(), probe.identifier, lamp.identifier])
        #expect(found.count == 2)
        #expect(found.first === lamp)
        #expect(found.last === probe)
        #expect(world.manager.retrievePeripherals(withIdentifiers: []) == [])
    }

    @Test("B33 devices seen in earlier runs are known") func earlierRuns() async throws {
        let world = try await World(probe)
        let identifier = try await world.find().identifier
        world.recorder.letGo()
        // Another run of a program has only what is on the disk.
        #expect(try await world.knowsAfterRestart(identifier))
        let peripheral = try #require(world.manager.retrievePeripherals(withIdentifiers: [identifier]).first)
        #expect(peripheral.name == "Probe")
        world.manager.connect(peripheral)
        await world.recorder.expect("connect connected")
    }

    @Test("B34 peripherals that are connected by anyone are retrieved by service, disconnected for this manager")
    func connected() async throws {
        let world = try await World(probe, lamp)
        let peripheral = try await world.discover()
        let recorder = Recorder()
        let other = world.anotherManager(recorder)
        await recorder.expect("state poweredOn")
        let a000 = CBUUID(string: "A000")
        #expect(other.retrieveConnectedPeripherals(withServices: []) == [])
        #expect(other.retrieveConnectedPeripherals(withServices: [CBUUID(string: "180D")]) == [])
        let found = other.retrieveConnectedPeripherals(withServices: [CBUUID(string: "180D"), a000])
        #expect(found.map(\.identifier) == [peripheral.identifier])
        #expect(found.first?.state == .disconnected)
        #expect(other.retrieveConnectedPeripherals(withServices: [a000]).first === found.first)
        #expect(world.manager.retrieveConnectedPeripherals(withServices: [a000]).first === peripheral)
        world.manager.cancelPeripheralConnection(peripheral)
        await world.recorder.skip(to: "disconnect disconnected ok")
        #expect(other.retrieveConnectedPeripherals(withServices: [a000]) == [])
    }

    @Test("Connection events are told for the peripherals that the options select") func connectionEvents() async throws
    {
        let world = try await World(probe, lamp)
        let (probe, lamp) = (try await world.find(), try await world.find("Lamp"))
        let recorder = Recorder()
        let other = world.anotherManager(recorder)
        await recorder.expect("state poweredOn")
        other.registerForConnectionEvents(options: [.peripheralUUIDs: [lamp.identifier]])
        for peripheral in [probe, lamp] {
            world.manager.connect(peripheral)
            await world.recorder.expect("connect connected")
        }
        await recorder.expect("event peerConnected Lamp")
        other.registerForConnectionEvents(options: [.serviceUUIDs: [CBUUID(string: "A000")]])
        probe.discoverServices(nil)
        await world.recorder.expect("services [A000 A100 A100] ok")
        for peripheral in [lamp, probe] {
            world.manager.cancelPeripheralConnection(peripheral)
            await world.recorder.expect("disconnect disconnected ok")
        }
        await recorder.expect("event peerDisconnected Probe")
        other.registerForConnectionEvents()
        world.manager.connect(lamp)
        await world.recorder.expect("connect connected")
        await world.settle()
        #expect(recorder.untaken == [])
    }
}
