import CoreBluetooth
import Sockets
import Testing
import VirtualPeripheral

/// The state of managers (items 10 to 17).
@Suite(.timeLimit(.minutes(1))) struct StateTests {
    @Test(
        "B10 the state is unknown after init, and told later whatever it is",
        arguments: [VirtualRadioCondition.on, .off, .absent, .forbidden])
    func firstState(condition: VirtualRadioCondition) async throws {
        let radio = try VirtualRadio([])
        await radio.setCondition(condition)
        let recorder = Recorder()
        let queue = DispatchQueue(label: "test")
        let directory = World.temporaryDirectory()
        var manager: CBCentralManager?
        queue.sync {
            // Nothing can come in between here.
            manager = CBCentralManager(delegate: recorder, queue: queue, options: World.options(radio, directory))
            #expect(manager?.state == .unknown)
            #expect(recorder.all == [])
        }
        await recorder.expect("state \(CBManagerState(condition))")
        try? FileManager.default.removeItem(atPath: directory)
    }

    @Test("B11 below poweredOn commands are logged, and nothing is done or kept") func commandsWhileOff() async throws {
        let world = try await World(probe)
        let peripheral = try await world.find()
        await world.radio.setCondition(.off)
        await world.recorder.expect("state poweredOff")
        let rule = "can only accept this command while in the powered on state"
        let commands: [(CBCentralManager) -> Void] = [
            { $0.scanForPeripherals(withServices: nil) }, { $0.stopScan() }, { $0.connect(peripheral) },
            { $0.cancelPeripheralConnection(peripheral) },
        ]
        for command in commands {
            let complaints = Complaints()
            command(world.manager)
            #expect(complaints.contain("API MISUSE: \(world.manager) \(rule)", about: world.manager))
        }
        #expect(!world.manager.isScanning)
        #expect(peripheral.state == .disconnected)
        await world.radio.setCondition(.on)
        await world.recorder.expect("state poweredOn")
        try await Task.sleep(for: .milliseconds(100))
        await world.settle()
        #expect(world.recorder.untaken == [])
        #expect(await world.device.clientCount == 0)
    }

    @Test("B12 below poweredOn nothing is retrieved") func retrievingWhileOff() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        await world.radio.setCondition(.off)
        await world.recorder.expect("state poweredOff")
        #expect(world.manager.retrievePeripherals(withIdentifiers: [peripheral.identifier]) == [])
        #expect(world.manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "A000")]) == [])
    }

    @Test("B13 below poweredOn scanning has stopped and connections are gone") func whatIsGone() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        world.manager.scanForPeripherals(withServices: nil)
        let seen = Locked<[String]>([])
        world.recorder.hook = { [manager = world.manager] line, _ in
            guard line.hasPrefix("state") else { return }
            seen.withLock { $0 = ["\(manager.isScanning)", "\(peripheral.state)"] }
        }
        await world.radio.setCondition(.off)
        await world.recorder.skip(to: "state poweredOff")
        #expect(seen.withLock { $0 } == ["false", "disconnected"])
        #expect(await world.device.clientCount == 0)
        // And it does not scan again by itself.
        await world.radio.setCondition(.on)
        await world.recorder.expect("state poweredOn")
        #expect(!world.manager.isScanning)
        try await Task.sleep(for: .milliseconds(60))
        #expect(world.recorder.untaken == [])
    }

    @Test("B14 switching the radio off calls the state callback alone, peripherals disconnected by then")
    func switchedOff() async throws {
        let world = try await World(probe, lamp)
        let peripheral = try await world.discover()
        let other = try await world.connect("Lamp")
        await world.settle()
        world.recorder.forget()
        peripheral.readValue(for: try peripheral.characteristic("A009"))
        let states = Locked<[CBPeripheralState]>([])
        world.recorder.hook = { line, _ in
            states.withLock { $0 = [peripheral.state, other.state] }
        }
        await world.radio.setCondition(.off)
        await world.recorder.expect("state poweredOff")
        #expect(states.withLock { $0 } == [.disconnected, .disconnected])
        #expect(peripheral.services == nil)
        await world.settle()
        #expect(world.recorder.untaken == [])
    }

    @Test("B14 power off in mid-discovery") func switchedOffInDiscovery() async throws {
        let world = try await World(probe)
        let peripheral = try await world.connect()
        await world.settle()
        world.recorder.forget()
        let radio = world.radio
        world.trap.withLock {
            $0 = { event in
                // At the request for the second service the radio goes off.
                guard case .received(_, let pdu) = event, pdu.first == 0x10 else { return }
                Task { await radio.setCondition(.off) }
            }
        }
        world.queue.sync {
            // Nothing is delivered meanwhile.
            peripheral.discoverServices(nil)
            #expect(peripheral.lifecycle == .discovering)
        }
        let line = await world.recorder.next()
        if line != "state poweredOff" {
            #expect(line.hasPrefix("services"))
            await world.recorder.expect("state poweredOff")
        }
        #expect(peripheral.lifecycle == .disconnected)
        await world.settle()
        #expect(world.recorder.untaken == [])
    }

    @Test("B15 pending connects are lost at power-off") func pendingConnects() async throws {
        let world = try await World(probe)
        let peripheral = try await world.find()
        await world.radio.remove(world.address())
        world.manager.connect(peripheral)
        #expect(peripheral.state == .connecting)
        await world.radio.setCondition(.off)
        await world.recorder.expect("state poweredOff")
        #expect(peripheral.state == .disconnected)
        await world.radio.add(world.device)
        await world.radio.setCondition(.on)
        await world.recorder.expect("state poweredOn")
        await world.settle()
        #expect(world.recorder.untaken == [])
        world.manager.connect(peripheral)
        await world.recorder.expect("connect connected")
    }

    @Test("B16 below poweredOff peripherals become invalid; after poweredOff alone they stay usable")
    func validity() async throws {
        let world = try await World(probe)
        let peripheral = try await world.find()
        for condition in [VirtualRadioCondition.off, .on] { await world.radio.setCondition(condition) }
        await world.recorder.expect("state poweredOff", "state poweredOn")
        let same = try #require(world.manager.retrievePeripherals(withIdentifiers: [peripheral.identifier]).first)
        #expect(same === peripheral)
        for condition in [VirtualRadioCondition.forbidden, .on] { await world.radio.setCondition(condition) }
        await world.recorder.expect("state unauthorized", "state poweredOn")
        let complaints = Complaints()
        world.manager.connect(peripheral)
        #expect(complaints.contain("has to be retrieved again", about: peripheral))
        #expect(peripheral.state == .disconnected)
        let other = try #require(world.manager.retrievePeripherals(withIdentifiers: [peripheral.identifier]).first)
        #expect(other !== peripheral)
        world.manager.connect(other)
        await world.recorder.expect("connect connected")
    }

    @Test(
        "B17 no adapter is unsupported, a missing right unauthorized, an adapter that is down poweredOff",
        arguments: [
            (VirtualRadioCondition.absent, CBManagerState.unsupported), (.forbidden, .unauthorized),
            (.off, .poweredOff), (.on, .poweredOn),
        ])
    func states(condition: VirtualRadioCondition, state: CBManagerState) async throws {
        let world = try await World(condition: condition)
        #expect(world.manager.state == state)
    }

    @Test("B17 an adapter that is lost resets, and is unsupported when it does not come back") func lost() async throws
    {
        let world = try await World(probe)
        await world.radio.setCondition(.absent)
        await world.recorder.expect("state resetting")
        await world.radio.setCondition(.on)
        await world.recorder.expect("state poweredOn")
        await world.radio.setCondition(.absent)
        await world.recorder.expect("state resetting", "state unsupported")
        await world.radio.setCondition(.on)
        await world.recorder.expect("state poweredOn")
    }

    @Test("An adapter that is no adapter is unsupported, and said") func nonsense() async throws {
        let complaints = Complaints()
        let recorder = Recorder()
        let directory = World.temporaryDirectory()
        let manager = CBCentralManager(
            delegate: recorder, queue: DispatchQueue(label: "test"),
            options: [
                CBCentralManagerOptionAdapterKey: "hci-nonsense", CBCentralManagerOptionStateDirectoryKey: directory,
            ])
        await recorder.expect("state unsupported")
        #expect(complaints.contain("there is no adapter \"hci-nonsense\""))
        withExtendedLifetime(manager) {}
    }
}
