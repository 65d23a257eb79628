import CoreBluetooth
import Sockets
import Testing
import VirtualPeripheral
import Wire

/// Disconnection (items 48 to 55).
@Suite(.timeLimit(.minutes(1))) struct DisconnectionTests {
    @Test("B48 the error is nil after a cancel only; 7 when the peer closed, 6 after a supervision timeout")
    func errors() async throws {
        let world = try await World(lamp)
        let peripheral = try await world.connect("Lamp")
        world.manager.cancelPeripheralConnection(peripheral)
        await world.recorder.expect("disconnect disconnected ok")
        world.manager.connect(peripheral)
        await world.recorder.expect("connect connected")
        await world.device.disconnectAll()
        await world.recorder.expect("disconnect disconnected CBError 7")
        world.manager.connect(peripheral)
        await world.recorder.expect("connect connected")
        await world.radio.remove(world.address())
        await world.recorder.expect("disconnect disconnected CBError 6")
    }

    @Test("B49 the state is disconnected inside the callback") func state() async throws {
        let seen = Locked<CBPeripheralState?>(nil)
        let world = try await World(
            lamp,
            hook: { _, line, peripheral in
                if line.hasPrefix("disconnect") { seen.withLock { $0 = peripheral?.state } }
            })
        let peripheral = try await world.connect("Lamp")
        await world.device.disconnectAll()
        await world.recorder.expect("disconnect disconnected CBError 7")
        #expect(seen.withLock { $0 } == .disconnected)
        withExtendedLifetime(peripheral) {}
    }

    enum Operation: String, CaseIterable {
        case read, write, longWrite, subscribe, discover, descriptors, commands
    }

    @Test(
        "B50 B51 operations under way end silently, and no call of the peripheral's delegate follows the disconnection",
        arguments: Operation.allCases, [true, false])
    func pendingOperations(operation: Operation, byPeer: Bool) async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let slow = try peripheral.characteristic("A009")
        let value = try peripheral.characteristic("A007")
        let command = try peripheral.characteristic("A005")
        let notifying = try peripheral.characteristic("A002")
        // The slow read is answered after 300 ms: everything behind it is still waiting when the link goes.
        let (device, loop) = (world.device, world.radio.loop)
        world.trap.withLock {
            $0 = { event in
                guard byPeer, case .received(_, let pdu) = event, pdu.first == 0x0A else { return }
                loop.execute { device.assumeIsolated { $0.disconnectAll() } }
            }
        }
        peripheral.readValue(for: slow)
        for _ in 0..<3 {
            switch operation {
            case .read: peripheral.readValue(for: value)
            case .write: peripheral.writeValue(Data([1]), for: value, type: .withResponse)
            case .longWrite: peripheral.writeValue(Data(count: 512), for: value, type: .withResponse)
            case .subscribe: peripheral.setNotifyValue(true, for: notifying)
            case .discover: peripheral.discoverServices(nil)
            case .descriptors: peripheral.discoverDescriptors(for: value)
            case .commands:
                for _ in 0..<100 { peripheral.writeValue(Data(count: 100), for: command, type: .withoutResponse) }
            }
        }
        if byPeer {
            await world.recorder.expect("disconnect disconnected CBError 7")
        } else {
            world.manager.cancelPeripheralConnection(peripheral)
            await world.recorder.expect("disconnect disconnected ok")
        }
        try await Task.sleep(for: .milliseconds(350))
        await world.settle()
        #expect(world.recorder.untaken == [])
    }

    @Test("Disconnect in mid-write, in mid-subscribe and in mid-read", arguments: ["16", "12", "0c"])
    func inTheMiddle(opcode: String) async throws {
        let world = try await World(probe, adjust: { $0.configuration.mtu = 23 })
        let peripheral = try await world.discover()
        let device = world.device
        world.trap.withLock {
            $0 = { event in
                guard case .received(_, let pdu) = event, pdu.hexadecimal.hasPrefix(opcode) else { return }
                device.assumeIsolated { $0.disconnectAll() }
            }
        }
        let long = try peripheral.characteristic("A007")
        switch opcode {
        case "16": peripheral.writeValue(Data(count: 200), for: long, type: .withResponse)
        case "12": peripheral.setNotifyValue(true, for: try peripheral.characteristic("A002"))
        default: peripheral.readValue(for: long)
        }
        await world.recorder.expect("disconnect disconnected CBError 7")
        await world.settle()
        #expect(world.recorder.untaken == [])
        #expect(peripheral.services == nil)
    }

    @Test("B52 services are nil after the disconnection, and their objects of no use") func services() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let characteristic = try peripheral.characteristic("A001")
        await world.device.disconnectAll()
        await world.recorder.expect("disconnect disconnected CBError 7")
        #expect(peripheral.services == nil)
        #expect(characteristic.service == nil)
    }

    @Test("B53 the next connection makes new objects, which do not notify") func newObjects() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let (service, characteristic) = (try peripheral.service("A000"), try peripheral.characteristic("A002"))
        peripheral.setNotifyValue(true, for: characteristic)
        await world.recorder.expect("notify A002 on ok")
        await world.device.disconnectAll()
        await world.recorder.expect("disconnect disconnected CBError 7")
        #expect(!characteristic.isNotifying)
        world.manager.connect(peripheral)
        await world.recorder.expect("connect connected")
        peripheral.discoverServices([CBUUID(string: "A000")])
        await world.recorder.expect("services [A000] ok")
        #expect(try peripheral.service("A000") !== service)
        peripheral.discoverCharacteristics([CBUUID(string: "A002")], for: try peripheral.service("A000"))
        await world.recorder.expect("characteristics A000 [A002] ok")
        #expect(try peripheral.characteristic("A002") !== characteristic)
        #expect(try !peripheral.characteristic("A002").isNotifying)
        #expect(await world.device.publish([1], at: characteristic.handleForTests) == 0)
    }

    @Test("B54 a command without a connection is logged and dropped") func commandsWhileDisconnected() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let (service, characteristic) = (try peripheral.service("A000"), try peripheral.characteristic("A001"))
        peripheral.discoverDescriptors(for: characteristic)
        await world.recorder.expect("descriptors A001 [2900 2901 2904 F00D] ok")
        let descriptor = try #require(characteristic.descriptors?.last)
        world.manager.cancelPeripheralConnection(peripheral)
        await world.recorder.expect("disconnect disconnected ok")
        let commands: [(CBPeripheral) -> Void] = [
            { $0.discoverServices(nil) }, { $0.discoverCharacteristics(nil, for: service) },
            { $0.discoverIncludedServices(nil, for: service) }, { $0.discoverDescriptors(for: characteristic) },
            { $0.readValue(for: characteristic) }, { $0.readValue(for: descriptor) }, { $0.readRSSI() },
            { $0.writeValue(Data(), for: characteristic, type: .withResponse) },
            { $0.writeValue(Data(), for: characteristic, type: .withoutResponse) },
            { $0.writeValue(Data(), for: descriptor) }, { $0.setNotifyValue(true, for: characteristic) },
        ]
        for command in commands {
            let complaints = Complaints()
            command(peripheral)
            #expect(complaints.contain("can only accept commands while in the connected state", about: peripheral))
        }
        await world.settle()
        #expect(world.recorder.untaken == [])
    }

    @Test("B55 an attribute of an earlier connection is logged and ignored") func oldAttributes() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let (service, characteristic) = (try peripheral.service("A000"), try peripheral.characteristic("A001"))
        await world.device.disconnectAll()
        await world.recorder.expect("disconnect disconnected CBError 7")
        world.manager.connect(peripheral)
        await world.recorder.expect("connect connected")
        let commands: [(CBPeripheral) -> Void] = [
            { $0.readValue(for: characteristic) }, { $0.discoverCharacteristics(nil, for: service) },
            { $0.setNotifyValue(true, for: characteristic) },
        ]
        for command in commands {
            let complaints = Complaints()
            command(peripheral)
            #expect(complaints.contain("not of this connection", about: peripheral))
        }
        await world.settle()
        #expect(world.recorder.untaken == [])
    }

    @Test("Two peripherals at once keep apart") func two() async throws {
        let world = try await World(probe, lamp)
        let first = try await world.discover()
        let second = try await world.discover("Lamp")
        let values = (try first.characteristic("A007"), try second.characteristic("2A56"))
        for _ in 0..<20 {
            first.readValue(for: values.0)
            second.readValue(for: values.1)
        }
        await world.devices[1].disconnectAll()
        await world.recorder.skip(to: "disconnect disconnected CBError 7")
        #expect(first.state == .connected)
        #expect(second.state == .disconnected)
        while world.recorder.all.count(where: { $0.hasPrefix("value A007") }) < 20 {
            guard await world.recorder.next() != Recorder.givenUp else { break }
        }
        #expect(world.recorder.all.count { $0.hasPrefix("value A007") } == 20)
    }
}
