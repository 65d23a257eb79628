import CoreBluetooth
import Sockets
import Testing
import VirtualPeripheral

/// Connecting (items 35 to 47).
@Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
    @Test("B35 connecting never times out: it waits for the device") func noTimeout() async throws {
        let world = try await World(lamp)
        let peripheral = try await world.find("Lamp")
        await world.radio.remove(world.address())
        world.manager.connect(peripheral)
        try await Task.sleep(for: .milliseconds(300))
        #expect(peripheral.state == .connecting)
        #expect(world.recorder.untaken == [])
        await world.radio.add(world.device)
        await world.recorder.expect("connect connected")
    }

    @Test("B36 the state is connecting when connect returns, connected inside didConnect") func states() async throws {
        let world = try await World(lamp)
        let peripheral = try await world.find("Lamp")
        world.queue.sync {
            world.manager.connect(peripheral)
            #expect(peripheral.state == .connecting)
        }
        // The recorder notes the state inside the callback.
        await world.recorder.expect("connect connected")
    }

    @Test("B37 connecting while connecting is one request and one callback") func twice() async throws {
        let world = try await World(lamp)
        let peripheral = try await world.find("Lamp")
        world.queue.sync { for _ in 0..<3 { world.manager.connect(peripheral) } }
        await world.recorder.expect("connect connected")
        await world.settle()
        #expect(world.recorder.untaken == [])
        #expect(await world.device.clientCount == 1)
    }

    @Test("B38 connecting while connected is told at once, without traffic") func again() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        world.manager.connect(peripheral)
        await world.recorder.expect("connect connected")
        await world.settle()
        #expect(world.traffic.all == [])
        #expect(await world.device.clientCount == 1)
        #expect(peripheral.services?.count == 3)
    }

    @Test("B39 didConnect comes once for each connection") func once() async throws {
        let world = try await World(lamp)
        let peripheral = try await world.find("Lamp")
        for _ in 0..<20 {
            world.manager.connect(peripheral)
            await world.recorder.expect("connect connected")
            world.manager.cancelPeripheralConnection(peripheral)
            await world.recorder.expect("disconnect disconnected ok")
        }
        await world.settle()
        #expect(world.recorder.untaken == [])
    }

    @Test("B40 cancelling an attempt is a disconnection without error") func cancelAttempt() async throws {
        let world = try await World(lamp)
        let peripheral = try await world.find("Lamp")
        await world.radio.remove(world.address())
        world.manager.connect(peripheral)
        await world.settle()
        world.manager.cancelPeripheralConnection(peripheral)
        await world.recorder.expect("disconnect disconnected ok")
        // The attempt is really over.
        await world.radio.add(world.device)
        await world.settle()
        #expect(await world.device.clientCount == 0)
        // Cancelled before it began, too.
        world.queue.sync {
            world.manager.connect(peripheral)
            world.manager.cancelPeripheralConnection(peripheral)
        }
        await world.recorder.expect("disconnect disconnected ok")
        await world.settle()
        #expect(world.recorder.untaken == [])
        #expect(await world.device.clientCount == 0)
    }

    @Test("B41 cancelling a connection: disconnecting at once, then no error; nothing when there is no connection")
    func cancel() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        world.queue.sync {
            world.manager.cancelPeripheralConnection(peripheral)
            #expect(peripheral.state == .disconnecting)
            world.manager.cancelPeripheralConnection(peripheral)
        }
        await world.recorder.expect("disconnect disconnected ok")
        world.manager.cancelPeripheralConnection(peripheral)
        await world.settle()
        #expect(world.recorder.untaken == [])
        #expect(await world.device.clientCount == 0)
    }

    @Test("Connecting while disconnecting connects after that") func connectWhileDisconnecting() async throws {
        let world = try await World(lamp)
        let peripheral = try await world.connect("Lamp")
        world.queue.sync {
            world.manager.cancelPeripheralConnection(peripheral)
            world.manager.connect(peripheral)
        }
        await world.recorder.expect("disconnect disconnected ok", "connect connected")
    }

    @Test("B42 a cancel is local: the link stays while another manager uses it") func sharedLink() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let recorder = Recorder()
        let other = world.anotherManager(recorder)
        await recorder.expect("state poweredOn")
        let twin = try #require(other.retrievePeripherals(withIdentifiers: [peripheral.identifier]).first)
        twin.delegate = recorder
        other.connect(twin)
        await recorder.expect("connect connected")
        peripheral.setNotifyValue(true, for: try peripheral.characteristic("A002"))
        await world.recorder.expect("notify A002 on ok")
        world.manager.cancelPeripheralConnection(peripheral)
        await world.recorder.expect("disconnect disconnected ok")
        #expect(await world.device.clientCount == 1)
        #expect(twin.state == .connected)
        twin.discoverServices(nil)
        await recorder.expect("services [A000 A100 A100] ok")
        // What the other one had switched on is off again: 0000 was written to the configuration.
        #expect(world.traffic.all.contains { $0.hasPrefix("12") && $0.hasSuffix("0000") })
        other.cancelPeripheralConnection(twin)
        await recorder.expect("disconnect disconnected ok")
        await world.settle()
        #expect(await world.device.clientCount == 0)
    }

    @Test("B44 a peripheral of another manager is ignored") func foreign() async throws {
        let world = try await World(lamp)
        let peripheral = try await world.find("Lamp")
        let recorder = Recorder()
        let other = world.anotherManager(recorder)
        await recorder.expect("state poweredOn")
        let complaints = Complaints()
        other.connect(peripheral)
        #expect(complaints.contain("is not the manager of", about: other))
        #expect(peripheral.state == .disconnected)
        other.cancelPeripheralConnection(peripheral)
        await world.settle()
        #expect(recorder.untaken == [])
        let own = try #require(other.retrievePeripherals(withIdentifiers: [peripheral.identifier]).first)
        other.connect(own)
        await recorder.expect("connect connected")
    }

    @Test("B45 letting go of the last reference cancels an attempt, and says so") func releasedAttempt() async throws {
        let world = try await World(lamp)
        let complaints = Complaints()
        var peripheral: CBPeripheral? = try await world.find("Lamp")
        let identifier = try #require(peripheral?.identifier)
        await world.radio.remove(world.address())
        world.manager.connect(try #require(peripheral))
        await world.settle()
        weak let gone = peripheral
        peripheral = nil
        world.recorder.letGo()
        await world.settle()
        #expect(gone == nil)
        #expect(complaints.contain("Cancelling connection for unused peripheral \(identifier)"))
        await world.radio.add(world.device)
        await world.settle()
        #expect(await world.device.clientCount == 0)
        #expect(world.recorder.untaken == [])
    }

    @Test("B45 letting go of the last reference drops an open link") func releasedConnection() async throws {
        let world = try await World(probe)
        var peripheral: CBPeripheral? = try await world.discover()
        #expect(await world.device.clientCount == 1)
        // Operations that are under way do not hold it.
        for _ in 0..<5 { peripheral?.readValue(for: try #require(try peripheral?.characteristic("A009"))) }
        weak let gone = peripheral
        peripheral = nil
        world.recorder.letGo()
        await world.settle()
        #expect(gone == nil)
        #expect(await world.device.clientCount == 0)
        #expect(world.recorder.untaken == [])
    }

    @Test("B46 with EnableAutoReconnect a lost connection is made again") func reconnecting() async throws {
        final class Delegate: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
            let (stream, continuation) = AsyncStream<String>.makeStream()

            func centralManagerDidUpdateState(_ central: CBCentralManager) {}
            func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
                continuation.yield("connect \(peripheral.state)")
            }
            func centralManager(
                _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
                timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?
            ) {
                continuation.yield("disconnect \(peripheral.state) \(isReconnecting)")
            }
        }
        let world = try await World(lamp)
        let peripheral = try await world.find("Lamp")
        let delegate = Delegate()
        world.manager.delegate = delegate
        var lines = delegate.stream.makeAsyncIterator()
        world.manager.connect(peripheral, options: [CBConnectPeripheralOptionEnableAutoReconnect: true])
        #expect(await lines.next() == "connect connected")
        for _ in 0..<2 {
            await world.radio.remove(world.address())
            #expect(await lines.next() == "disconnect connecting true")
            await world.radio.add(world.device)
            #expect(await lines.next() == "connect connected")
        }
        world.manager.cancelPeripheralConnection(peripheral)
        #expect(await lines.next() == "disconnect disconnected false")
    }

    @Test("B47 a delegate with the form that has a timestamp does not get the short one") func oneForm() async throws {
        final class Delegate: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
            let (stream, continuation) = AsyncStream<String>.makeStream()

            func centralManagerDidUpdateState(_ central: CBCentralManager) {}
            func centralManager(
                _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
            ) {
                continuation.yield("short")
            }
            func centralManager(
                _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral,
                timestamp: CFAbsoluteTime, isReconnecting: Bool, error: (any Error)?
            ) {
                continuation.yield("long \(abs(timestamp - Date().timeIntervalSinceReferenceDate) < 60)")
            }
        }
        let world = try await World(lamp)
        let peripheral = try await world.connect("Lamp")
        let delegate = Delegate()
        world.manager.delegate = delegate
        world.manager.cancelPeripheralConnection(peripheral)
        var lines = delegate.stream.makeAsyncIterator()
        #expect(await lines.next() == "long true")
        await world.settle()
        delegate.continuation.finish()
        #expect(await lines.next() == nil)
    }

    @Test("The start delay delays the attempt, which can be cancelled meanwhile") func startDelay() async throws {
        let world = try await World(lamp)
        let peripheral = try await world.find("Lamp")
        let began = ContinuousClock.now
        world.manager.connect(peripheral, options: [CBConnectPeripheralOptionStartDelayKey: 0.2])
        await world.recorder.expect("connect connected")
        #expect(ContinuousClock.now - began >= .milliseconds(200))
        world.manager.cancelPeripheralConnection(peripheral)
        await world.recorder.expect("disconnect disconnected ok")
        world.manager.connect(peripheral, options: [CBConnectPeripheralOptionStartDelayKey: NSNumber(value: 3600)])
        await world.settle()
        world.manager.cancelPeripheralConnection(peripheral)
        await world.recorder.expect("disconnect disconnected ok")
    }
}
