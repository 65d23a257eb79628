import CoreBluetooth
import Testing
import VirtualPeripheral

/// The asynchronous calls, beside a delegate.
@Suite(.timeLimit(.minutes(1))) struct AsyncTests {
    @Test func wholeLifecycle() async throws {
        let world = try await World(probe)
        try await world.manager.waitUntilPoweredOn()
        var found: CBPeripheral?
        for await discovery in world.manager.discoveries(withServices: [CBUUID(string: "A000")]) {
            #expect(discovery.rssi == -40)
            found = discovery.peripheral
            break
        }
        let peripheral = try #require(found)
        await world.settle()
        #expect(!world.manager.isScanning)
        try await world.manager.connect(to: peripheral)
        #expect(peripheral.state == .connected)
        let services = try await peripheral.discoverServices()
        #expect(services == peripheral.services)
        let service = try #require(services.first)
        #expect(try await peripheral.discoverIncludedServices(of: service).count == 3)
        try await peripheral.discoverCharacteristics(of: service)
        let (first, notifying) = (try peripheral.characteristic("A001"), try peripheral.characteristic("A002"))
        #expect(try await peripheral.readValue(of: first) == Data([1]))
        try await peripheral.writeValue(Data([5]), to: first)
        #expect(try await peripheral.readValue(of: first) == Data([5]))
        #expect(try await peripheral.discoverDescriptors(of: first).count == 4)
        for _ in 0..<100 {
            try await peripheral.writeValue(Data([1]), to: peripheral.characteristic("A005"), type: .withoutResponse)
        }
        #expect(try await peripheral.signalStrength() == -40)
        try await peripheral.setNotifyValue(true, of: notifying)
        #expect(notifying.isNotifying)
        await world.manager.disconnect(from: peripheral)
        #expect(peripheral.state == .disconnected)
    }

    @Test func valuesSwitchNotificationsOnAndOff() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let characteristic = try peripheral.characteristic("A002")
        do {
            let values = peripheral.values(for: characteristic)
            await world.recorder.expect("notify A002 on ok")
            for value in 1...3 { await world.device.publish([UInt8(value)], at: characteristic.handleForTests) }
            var iterator = values.makeAsyncIterator()
            for value in 1...3 { #expect(try await iterator.next() == Data([UInt8(value)])) }
        }
        // The delegate gets them all the same, and the last consumer switches them off.
        await world.recorder.expect("value A002 01 ok", "value A002 02 ok", "value A002 03 ok", "notify A002 off ok")
    }

    @Test func everyPendingCallThrowsAtTheDisconnection() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        let slow = try peripheral.characteristic("A009")
        let notifying = try peripheral.characteristic("A002")
        try await peripheral.setNotifyValue(true, of: notifying)
        // The others wait behind this one, whose answer does not come.
        let reading = Task { _ = try await peripheral.readValue(of: slow) }
        while !world.traffic.all.contains(where: { $0.hasPrefix("0a") }) { await world.settle() }
        let calls = [
            reading,
            Task { try await peripheral.writeValue(Data([1]), to: slow) },
            Task { _ = try await peripheral.discoverServices() },
            Task { for try await _ in peripheral.values(for: notifying) {} },
        ]
        await world.settle()
        await world.device.disconnectAll()
        for call in calls {
            let result = await call.result
            #expect(throws: CBError.self) { try result.get() }
        }
    }

    @Test func cancellingEndsACallAtOnce() async throws {
        let world = try await World(probe)
        let peripheral = try await world.find()
        await world.radio.remove(world.address())
        let connecting = Task { try await world.manager.connect(to: peripheral) }
        while peripheral.state != .connecting { await Task.yield() }
        connecting.cancel()
        let result = await connecting.result
        #expect(throws: CancellationError.self) { try result.get() }
        await world.recorder.expect("disconnect disconnected ok")
        await #expect(throws: CBError.self) { try await peripheral.discoverServices() }
    }
}
