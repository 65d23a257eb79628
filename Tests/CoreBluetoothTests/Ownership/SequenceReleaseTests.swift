import CoreBluetooth
import Sockets
import Testing
import VirtualPeripheral

/// Sequences and asynchronous calls: they end with the objects they belong to, and hold nothing when they are given up.
@Suite(.timeLimit(.minutes(1))) struct SequenceReleaseTests {
    private func program() async throws -> Program { try await Program(try await Air([probe])) }

    /// Connects the program's peripheral and discovers what there is.
    private func discover(_ program: Program) async throws {
        try await program.use { manager, peripheral, _ in
            try await manager.connect(to: peripheral)
            for service in try await peripheral.discoverServices() {
                try await peripheral.discoverCharacteristics(of: service)
            }
        }
    }

    private func expectFreed(_ traces: Program.Traces, _ program: Program) async throws {
        await traces.expectNothing()
        await eventually("the link is closed") { await program.air.devices[0].clientCount == 0 }
        await eventually("nobody scans") { await program.air.radio.scanningCount == 0 }
    }

    @Test func theSequencesOfAManagerEndWithIt() async throws {
        let program = try await program()
        let (states, discoveries) = try await program.use { manager, _, _ in
            (manager.stateUpdates, manager.discoveries())
        }
        let consumers: [Task<Void, any Error>] = [
            Task { for await _ in states {} }, Task { for await _ in discoveries {} },
        ]
        await eventually("it scans") { await program.air.radio.scanningCount == 1 }
        let traces = program.traces
        program.letGo(of: .everything)
        for consumer in consumers { try await consumer.value }
        try await expectFreed(traces, program)
    }

    @Test func theSequencesOfAPeripheralEndWithIt() async throws {
        let program = try await program()
        try await discover(program)
        let (lifecycles, values) = try await program.use { _, peripheral, _ in
            (peripheral.lifecycleUpdates, peripheral.values(for: try peripheral.characteristic("A002")))
        }
        let consumers: [Task<Void, any Error>] = [
            Task { for await _ in lifecycles {} }, Task { for try await _ in values {} },
        ]
        let traces = program.traces
        // In the midst of switching the notifications on; what goes first decides whether that is an error.
        program.letGo(of: .everything)
        for consumer in consumers { _ = await consumer.result }
        try await expectFreed(traces, program)
    }

    @Test("What nobody iterates any more holds nothing, and ends what it began", arguments: [true, false])
    func abandonedSequences(whileIterated: Bool) async throws {
        let program = try await program()
        try await discover(program)
        let traces = try await program.use { manager, peripheral, recorder in
            let characteristic = try peripheral.characteristic("A002")
            recorder.forget()
            let tasks: [Task<Void, any Error>] = [
                Task { for await _ in manager.discoveries() where !whileIterated { break } },
                Task { for await _ in manager.stateUpdates where !whileIterated { break } },
                Task { for await _ in peripheral.lifecycleUpdates where !whileIterated { break } },
                Task {
                    for try await _ in peripheral.values(for: characteristic) where !whileIterated { break }
                },
            ]
            await recorder.skip(to: "notify A002 on ok")
            await eventually("it scans") { await program.air.radio.scanningCount == 1 || !whileIterated }
            if whileIterated {
                for task in tasks { task.cancel() }
            } else {
                await program.air.devices[0].publish([7], at: characteristic.handleForTests)
            }
            for task in tasks { try await task.value }
            await recorder.skip(to: "notify A002 off ok")
            return program.traces
        }
        await eventually("nobody scans") { await program.air.radio.scanningCount == 0 }
        program.letGo(of: .everything)
        try await expectFreed(traces, program)
    }

    enum Call: CaseIterable {
        case read, write, subscribe, services, characteristics, descriptors, readiness, connect, power

        func make(_ manager: CBCentralManager, _ peripheral: CBPeripheral) async throws {
            switch self {
            case .read: _ = try await peripheral.readValue(of: peripheral.characteristic("A001"))
            case .write: try await peripheral.writeValue(Data([1]), to: peripheral.characteristic("A001"))
            case .subscribe: try await peripheral.setNotifyValue(true, of: peripheral.characteristic("A002"))
            case .services: try await peripheral.discoverServices()
            case .characteristics: try await peripheral.discoverCharacteristics(of: peripheral.service("A000"))
            case .descriptors: try await peripheral.discoverDescriptors(of: peripheral.characteristic("A001"))
            case .readiness: try await peripheral.waitUntilReadyToWrite()
            case .connect: try await manager.connect(to: peripheral)
            case .power: try await manager.waitUntilPoweredOn()
            }
        }
    }

    @Test("A call that is cancelled in the midst holds nothing", arguments: Call.allCases)
    func cancelledCalls(call: Call) async throws {
        let program = try await program()
        try await discover(program)
        let (device, radio) = (program.air.devices[0], program.air.radio)
        let traces = program.traces
        switch call {
        case .connect:
            try await program.use { manager, peripheral, _ in await manager.disconnect(from: peripheral) }
            await radio.remove(device.description.address)
        case .power:
            await radio.setCondition(.off)
            try await program.use { manager, _, _ in
                await eventually("it is off") { manager.state == .poweredOff }
            }
        default: break
        }
        let task = try await program.use { manager, peripheral, _ in
            if call == .readiness {
                let command = try peripheral.characteristic("A005")
                for _ in 0..<64 { peripheral.writeValue(Data(count: 20), for: command, type: .withoutResponse) }
            } else if peripheral.state == .connected {
                // The others wait behind this one, whose answer takes a while.
                peripheral.readValue(for: try peripheral.characteristic("A009"))
            }
            return Task { try await call.make(manager, peripheral) }
        }
        await Task.yield()
        task.cancel()
        program.letGo(of: .everything)
        _ = await task.result
        try await expectFreed(traces, program)
    }
}
