import CoreBluetooth
import Sockets
import Testing
import VirtualPeripheral

/// Queue, threads, ownership (items 1 to 9).
@Suite(.timeLimit(.minutes(1))) struct QueueTests {
    @Test("B1 every callback runs on the queue given to init") func queue() async throws {
        let key = DispatchSpecificKey<Int>()
        let queue = DispatchQueue(label: "given")
        queue.setSpecific(key: key, value: 4711)
        let world = try await World(probe, queue: queue, awaitsPower: false)
        let elsewhere = Locked<[String]>([])
        world.recorder.hook = { line, _ in
            dispatchPrecondition(condition: .onQueue(queue))
            if DispatchQueue.getSpecific(key: key) != 4711 { elsewhere.withLock { $0.append(line) } }
        }
        await world.recorder.expect("state poweredOn")
        let peripheral = try await world.discover()
        peripheral.readValue(for: try peripheral.characteristic("A001"))
        await world.recorder.expect("value A001 01 ok")
        world.manager.cancelPeripheralConnection(peripheral)
        await world.recorder.expect("disconnect disconnected ok")
        #expect(elsewhere.withLock { $0 } == [])
    }

    @Test("B1 without a queue callbacks run on the main queue") func mainQueue() async throws {
        let radio = try VirtualRadio([])
        let recorder = Recorder()
        let isMain = Locked(false)
        recorder.hook = { _, _ in
            dispatchPrecondition(condition: .onQueue(.main))
            isMain.withLock { $0 = true }
        }
        let directory = World.temporaryDirectory()
        let manager = CBCentralManager(
            delegate: recorder, queue: nil, options: World.options(radio, directory))
        await recorder.expect("state poweredOn")
        #expect(isMain.withLock { $0 })
        withExtendedLifetime(manager) {}
    }

    @Test("B2 no call calls a delegate before it returns") func notBeforeReturning() async throws {
        let world = try await World(probe)
        let early = Locked<[String]>([])
        world.recorder.hook = { line, _ in
            if Thread.current.threadDictionary["calling"] != nil { early.withLock { $0.append(line) } }
        }
        func call(_ body: () -> Void) {
            Thread.current.threadDictionary["calling"] = true
            body()
            Thread.current.threadDictionary["calling"] = nil
        }
        call { world.manager.scanForPeripherals(withServices: nil) }
        await world.recorder.expect("discover Probe -40")
        let peripheral = world.recorder.peripherals[0]
        peripheral.delegate = world.recorder
        call { world.manager.stopScan() }
        call { world.manager.connect(peripheral) }
        await world.recorder.skip(to: "connect connected")
        call { world.manager.connect(peripheral) }
        await world.recorder.expect("connect connected")
        call { peripheral.discoverServices(nil) }
        await world.recorder.expect("services [A000 A100 A100] ok")
        call { peripheral.discoverCharacteristics(nil, for: peripheral.services![0]) }
        _ = await world.recorder.next()
        let notifying = try peripheral.characteristic("A002")
        for _ in 0..<2 {
            call { peripheral.setNotifyValue(true, for: notifying) }
            await world.recorder.expect("notify A002 on ok")
        }
        call { peripheral.writeValue(Data(count: 600), for: notifying, type: .withResponse) }
        await world.recorder.expect("write A002 CBATTError 13")
        call { world.manager.cancelPeripheralConnection(peripheral) }
        await world.recorder.expect("disconnect disconnected ok")
        #expect(early.withLock { $0 } == [])
    }

    @Test("B3 callbacks keep their order on a concurrent queue, never two at once") func concurrentQueue() async throws
    {
        let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
        let world = try await World(probe, queue: queue)
        let peripheral = try await world.discover()
        let (first, second) = (try peripheral.characteristic("A001"), try peripheral.characteristic("A002"))
        // The recorder complains of calls that overlap.
        world.recorder.hook = { _, _ in Thread.sleep(forTimeInterval: 0.0002) }
        for _ in 0..<100 {
            peripheral.readValue(for: first)
            peripheral.readValue(for: second)
        }
        for _ in 0..<100 { await world.recorder.expect("value A001 01 ok", "value A002 02 ok") }
    }

    @Test("B4 the API may be called inside a callback") func insideCallbacks() async throws {
        let connections = Locked(0)
        let world = try await World(
            probe, awaitsPower: false,
            hook: { recorder, line, peripheral in
                guard let manager = peripheral?.managerForTests else { return }
                switch line.prefix(while: { $0 != " " }) {
                case "discover":
                    manager.stopScan()
                    peripheral?.delegate = recorder
                    if let peripheral { manager.connect(peripheral) }
                case "connect": peripheral?.discoverServices([CBUUID(string: "A100")])
                case "services":
                    guard let service = peripheral?.services?.first else { return }
                    peripheral?.discoverCharacteristics(nil, for: service)
                case "characteristics":
                    guard let characteristic = peripheral?.services?.first?.characteristics?.first else { return }
                    peripheral?.readValue(for: characteristic)
                case "value": if let peripheral { manager.cancelPeripheralConnection(peripheral) }
                case "disconnect":
                    let count = connections.withLock { count in
                        count += 1
                        return count
                    }
                    if count < 3, let peripheral { manager.connect(peripheral) }
                default: break
                }
            })
        await world.recorder.expect("state poweredOn")
        world.manager.scanForPeripherals(withServices: nil)
        for _ in 0..<3 { await world.recorder.skip(to: "disconnect disconnected ok") }
    }

    @Test("B5 calls can be made on any thread") func anyThread() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let characteristic = try peripheral.characteristic("A001")
        DispatchQueue.concurrentPerform(iterations: 8) { index in
            for _ in 0..<25 {
                peripheral.readValue(for: characteristic)
                _ = (peripheral.state, peripheral.services?.count, characteristic.value, peripheral.name)
                world.manager.delegate = world.recorder
                _ = "\(peripheral) \(characteristic)"
            }
        }
        for _ in 0..<200 { await world.recorder.expect("value A001 01 ok") }
    }

    @Test("B6 delegates are held weakly, and without one events are dropped") func weakDelegates() async throws {
        let world = try await World(probe)
        let peripheral = try await world.connect()
        var other: Recorder? = Recorder()
        weak let gone = other
        peripheral.delegate = other
        world.manager.delegate = other
        other = nil
        #expect(gone == nil)
        #expect(peripheral.delegate == nil)
        #expect(world.manager.delegate == nil)
        peripheral.discoverServices(nil)
        await world.settle()
        #expect(peripheral.services?.count == 3)
        peripheral.delegate = world.recorder
        world.manager.delegate = world.recorder
        await world.settle()
        // Nothing was stored.
        #expect(world.recorder.untaken == [])
        world.manager.delegate = nil
        world.manager.cancelPeripheralConnection(peripheral)
        await world.settle()
        #expect(peripheral.state == .disconnected)
        #expect(world.recorder.untaken == [])
    }

    @Test("B7 attributes hold their owners weakly") func weakOwners() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let service = try peripheral.service("A000")
        let characteristic = try peripheral.characteristic("A001")
        peripheral.discoverDescriptors(for: characteristic)
        await world.recorder.expect("descriptors A001 [2900 2901 2904 F00D] ok")
        let descriptor = try #require(characteristic.descriptors?.first)
        #expect(service.peripheral === peripheral)
        #expect(characteristic.service === service)
        #expect(descriptor.characteristic === characteristic)
        func orphan() async throws -> CBCharacteristic {
            let world = try await World(probe)
            return try await world.discover().characteristic("A001")
        }
        #expect(try await orphan().service == nil)
    }

    @Test("B8 several managers have their own objects over one shared link") func severalManagers() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let recorder = Recorder()
        let other = world.anotherManager(recorder)
        await recorder.expect("state poweredOn")
        let twin = try #require(other.retrievePeripherals(withIdentifiers: [peripheral.identifier]).first)
        #expect(twin !== peripheral)
        #expect(twin.identifier == peripheral.identifier)
        #expect(twin.state == .disconnected)
        twin.delegate = recorder
        other.connect(twin)
        await recorder.expect("connect connected")
        #expect(await world.device.clientCount == 1)
        #expect(twin.services == nil)
        twin.discoverServices([CBUUID(string: "A000")])
        await recorder.expect("services [A000] ok")
        twin.discoverCharacteristics([CBUUID(string: "A002")], for: twin.services![0])
        await recorder.expect("characteristics A000 [A002] ok")
        let (mine, its) = (try peripheral.characteristic("A002"), try twin.characteristic("A002"))
        peripheral.setNotifyValue(true, for: mine)
        await world.recorder.expect("notify A002 on ok")
        #expect(!its.isNotifying)
        await world.device.publish([0x77], at: mine.handleForTests)
        await world.recorder.expect("value A002 77 ok")
        await world.settle()
        #expect(recorder.untaken == [])
    }

    @Test("B9 a manager that is let go of ends its scan and its connections, without callbacks")
    func managerReleased() async throws {
        let world = try await World(probe, lamp)
        let recorder = Recorder()
        var manager: CBCentralManager? = world.anotherManager(recorder)
        await recorder.expect("state poweredOn")
        manager?.scanForPeripherals(withServices: [CBUUID(string: "A000")])
        await recorder.expect("discover Probe -40")
        let peripheral = recorder.peripherals[0]
        peripheral.delegate = recorder
        manager?.connect(peripheral)
        await recorder.skip(to: "connect connected")
        peripheral.discoverServices(nil)
        weak let gone = manager
        manager = nil
        await world.settle()
        #expect(gone == nil)
        #expect(await world.device.clientCount == 0)
        #expect(peripheral.state == .disconnected)
        #expect(recorder.untaken.allSatisfy { $0.hasPrefix("services") || $0.hasPrefix("discover") })
        recorder.forget()
        await world.settle()
        #expect(recorder.untaken == [])
    }
}
