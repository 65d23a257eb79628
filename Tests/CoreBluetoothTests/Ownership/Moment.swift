import CoreBluetooth
import Sockets
import Testing
import VirtualPeripheral

/// What goes on while a program lets go of something.
enum Moment: CaseIterable {
    case scanning, waiting, opening, readingName
    case services, includedServices, characteristics, descriptors
    case reading, readingOn, readingDescriptor, writing, writingOn, subscribing, unsubscribing, commands

    /// The request of the client during which it happens.
    var opcode: UInt8? {
        switch self {
        case .scanning, .waiting: nil
        case .opening: 0x02
        case .readingName, .includedServices, .characteristics: 0x08
        case .services: 0x10
        case .descriptors: 0x04
        case .reading, .readingDescriptor: 0x0A
        case .readingOn: 0x0C
        case .writing, .subscribing, .unsubscribing: 0x12
        case .writingOn: 0x16
        case .commands: 0x52
        }
    }

    /// Whether the connection is not there yet.
    var isEarly: Bool { [.scanning, .waiting, .opening, .readingName].contains(self) }

    /// Starts what is to go on, and a few more behind it.
    func begin(_ manager: CBCentralManager, _ peripheral: CBPeripheral) throws {
        switch self {
        case .scanning:
            return manager.scanForPeripherals(
                withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        case .waiting, .opening, .readingName: return manager.connect(peripheral)
        case .services: peripheral.discoverServices(nil)
        case .includedServices: peripheral.discoverIncludedServices(nil, for: try peripheral.service("A000"))
        case .characteristics: peripheral.discoverCharacteristics(nil, for: try peripheral.service("A000"))
        case .descriptors: peripheral.discoverDescriptors(for: try peripheral.characteristic("A001"))
        case .reading: peripheral.readValue(for: try peripheral.characteristic("A001"))
        case .readingOn: peripheral.readValue(for: try peripheral.characteristic("A007"))
        case .readingDescriptor:
            let descriptors = try peripheral.characteristic("A001").descriptors
            peripheral.readValue(for: try #require(descriptors?.first))
        case .writing:
            peripheral.writeValue(Data([1]), for: try peripheral.characteristic("A001"), type: .withResponse)
        case .writingOn:
            peripheral.writeValue(Data(count: 200), for: try peripheral.characteristic("A007"), type: .withResponse)
        case .subscribing: peripheral.setNotifyValue(true, for: try peripheral.characteristic("A002"))
        case .unsubscribing: peripheral.setNotifyValue(false, for: try peripheral.characteristic("A004"))
        case .commands:
            for _ in 0..<100 {
                peripheral.writeValue(
                    Data(count: 20), for: try peripheral.characteristic("A005"), type: .withoutResponse)
            }
        }
        for _ in 0..<3 { peripheral.readValue(for: try peripheral.characteristic("A002")) }
        peripheral.readRSSI()
    }

    /// Connects and discovers, so that `begin` finds what it needs.
    func prepare(_ program: Program) async throws {
        guard !isEarly else { return }
        try await program.use { manager, peripheral, recorder in
            manager.connect(peripheral)
            await recorder.skip(to: "connect connected")
            peripheral.discoverServices(nil)
            await recorder.skip(to: "services [A000 A100 A100] ok")
            peripheral.discoverCharacteristics(nil, for: try peripheral.service("A000"))
            while await !recorder.next().hasPrefix("characteristics"), !Task.isCancelled {}
            peripheral.discoverDescriptors(for: try peripheral.characteristic("A001"))
            await recorder.expect("descriptors A001 [2900 2901 2904 F00D] ok")
            peripheral.setNotifyValue(true, for: try peripheral.characteristic("A004"))
            await recorder.expect("notify A004 on ok")
        }
    }

    /// Begins, and lets go in the midst of it; returns once that was done.
    /// - Returns: what there was.
    func letGo(of thing: Program.Thing, _ program: Program) async throws -> Program.Traces {
        let air = program.air
        try await prepare(program)
        if self == .waiting { await air.radio.remove(air.devices[0].description.address) }
        let traces = Locked<Program.Traces?>(nil)
        let letGo: @Sendable () -> Void = {
            traces.withLock { $0 = program.traces }
            program.letGo(of: thing)
        }
        if let opcode { air.onRequest(opcode, letGo) }
        // What is begun on the loop happens when nobody but the program holds anything.
        try await program.useOnLoop { manager, peripheral, recorder in
            if self == .scanning {
                // Let go of inside a callback, on the manager's queue.
                recorder.hook = { [weak recorder] _, _ in
                    recorder?.hook = nil
                    if traces.withLock({ $0 }) == nil { letGo() }
                }
            }
            try begin(manager, peripheral)
        }
        if self == .waiting {
            await eventually("the attempt waits") { await air.radio.waitingCount == 1 }
            letGo()
        }
        await eventually("something was let go of") { traces.withLock { $0 } != nil }
        return try #require(traces.withLock { $0 })
    }
}
