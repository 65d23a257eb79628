import CoreBluetooth
import Sockets
import Testing
import VirtualPeripheral

/// Objects that are let go of while something goes on: they are freed, what they had to do with the radio ends, and nobody is
/// called.
@Suite(.timeLimit(.minutes(3))) struct ReleaseTests {
    @Test(
        "The last reference goes in the midst of an operation", arguments: Moment.allCases, Program.Thing.allCases)
    func release(moment: Moment, thing: Program.Thing) async throws {
        let air = try await Air([probe], adjust: { $0.configuration.mtu = 23 })
        let program = try await Program(air)
        try await check(moment, thing, program, try await moment.letGo(of: thing, program))
    }

    private func check(
        _ moment: Moment, _ thing: Program.Thing, _ program: Program, _ traces: Program.Traces
    ) async throws {
        let air = program.air
        switch thing {
        case .everything, .manager:
            await eventually("the manager is freed") { traces.manager == nil }
            await eventually("the radio is given back") { traces.host == nil }
            try await expectSilence(air)
            #expect(program.holdings.withLock { $0.peripheral?.state ?? .disconnected } == .disconnected)
            #expect(program.holdings.withLock { $0.peripheral?.services } == nil)
            // What is still held is of no use, and does no harm.
            program.holdings.withLock { $0.peripheral }?.discoverServices(nil)
            program.letGo(of: .everything)
        case .peripheral:
            await eventually("the peripheral is freed") { traces.peripheral == nil }
            let manager = try #require(program.holdings.withLock { $0.manager })
            if moment == .scanning {
                #expect(manager.isScanning)
                manager.stopScan()
            }
            try await expectSilence(air)
            // The manager goes on: the device can be found and connected anew.
            if moment == .waiting { await air.radio.add(air.devices[0]) }
            let again = try #require(
                manager.retrievePeripherals(withIdentifiers: [program.identifier]).first)
            try await manager.connect(to: again)
            #expect(try await again.discoverServices().count == 3)
            await manager.disconnect(from: again)
            program.letGo(of: .everything)
        case .delegates:
            await eventually("the delegate is freed") { traces.recorder == nil }
            let (manager, peripheral) = try #require(
                program.holdings.withLock { holdings in
                    holdings.manager.flatMap { manager in holdings.peripheral.map { (manager, $0) } }
                })
            #expect(manager.delegate == nil)
            #expect(peripheral.delegate == nil)
            // What goes on goes on.
            if moment == .scanning {
                #expect(manager.isScanning)
                manager.stopScan()
            } else {
                if moment == .waiting { await air.radio.add(air.devices[0]) }
                try await manager.connect(to: peripheral)
                #expect(try await peripheral.discoverServices().count == 3)
            }
            await manager.disconnect(from: peripheral)
            program.letGo(of: .everything)
        }
        await traces.expectNothing()
        try await expectSilence(air)
    }

    /// Nobody uses the radio any more.
    private func expectSilence(_ air: Air) async throws {
        await eventually("the link is closed") { await air.devices[0].clientCount == 0 }
        await eventually("nobody scans") { await air.radio.scanningCount == 0 }
        await eventually("nobody waits for a device") { await air.radio.waitingCount == 0 }
    }
}
