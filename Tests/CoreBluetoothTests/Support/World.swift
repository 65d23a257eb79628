import CoreBluetooth
import GAP
import GATT
import Sockets
import Testing
import VirtualPeripheral
import Wire

/// Devices on a virtual radio of their own, and a manager with a recorder that scans and connects there.
final class World: @unchecked Sendable {
    // Sendable: constant, or behind a lock.

    let air: Air
    let recorder: Recorder
    let queue: DispatchQueue
    /// Where identifiers are kept.
    let directory: String
    let manager: CBCentralManager

    var radio: VirtualRadio { air.radio }
    var devices: [VirtualDevice] { air.devices }
    var traffic: Air.Traffic { air.traffic }
    var trap: Locked<(@Sendable (ServingEvent) -> Void)?> { air.trap }

    /// - Parameter devices: descriptions as in device files.
    init(
        _ descriptions: String..., holdsPeripherals: Bool = true, queue: DispatchQueue? = nil,
        directory: String? = nil, condition: VirtualRadioCondition = .on, awaitsPower: Bool = true,
        hook: (@Sendable (Recorder, String, CBPeripheral?) -> Void)? = nil,
        adjust: (inout DeviceDescription) -> Void = { _ in }
    ) async throws {
        air = try await Air(descriptions, adjust: adjust)
        await air.radio.setCondition(condition)
        recorder = Recorder(holdsPeripherals: holdsPeripherals)
        if let hook { recorder.hook = { [weak recorder] in if let recorder { hook(recorder, $0, $1) } } }
        self.queue = queue ?? DispatchQueue(label: "test")
        self.directory = directory ?? Self.temporaryDirectory()
        manager = CBCentralManager(
            delegate: recorder, queue: self.queue, options: Self.options(air.radio, self.directory))
        if awaitsPower { await recorder.expect("state \(CBManagerState(condition))") }
    }

    static func options(_ radio: VirtualRadio, _ directory: String) -> [String: Any] {
        [CBCentralManagerOptionAdapterKey: radio, CBCentralManagerOptionStateDirectoryKey: directory]
    }

    static func temporaryDirectory() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("corebluetooth-\(UUID())").path
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// Another manager on the same radio.
    func anotherManager(_ recorder: Recorder, queue: DispatchQueue = DispatchQueue(label: "other")) -> CBCentralManager
    {
        CBCentralManager(delegate: recorder, queue: queue, options: Self.options(radio, directory))
    }

    /// The first device.
    var device: VirtualDevice { devices[0] }

    /// Scans until the device with this name is found.
    func find(_ name: String = "Probe") async throws -> CBPeripheral {
        manager.scanForPeripherals(withServices: nil)
        var peripheral: CBPeripheral?
        while peripheral == nil, !Task.isCancelled {
            _ = await recorder.next()
            peripheral = recorder.peripherals.first { $0.name == name }
        }
        manager.stopScan()
        await settle()
        recorder.forget()
        let found = try #require(peripheral)
        found.delegate = recorder
        return found
    }

    /// Finds and connects a device.
    func connect(_ name: String = "Probe") async throws -> CBPeripheral {
        let peripheral = try await find(name)
        manager.connect(peripheral)
        await recorder.skip(to: "connect connected")
        return peripheral
    }

    /// Connects a device and discovers all its services and characteristics.
    func discover(_ name: String = "Probe") async throws -> CBPeripheral {
        let peripheral = try await connect(name)
        peripheral.discoverServices(nil)
        _ = await recorder.next()
        for service in peripheral.services ?? [] {
            peripheral.discoverCharacteristics(nil, for: service)
            _ = await recorder.next()
        }
        await settle()
        recorder.forget()
        traffic.clear()
        return peripheral
    }

    /// The address and type of a device.
    func address(_ index: Int = 0) -> DeviceAddress { devices[index].description.address }

    /// Waits until everything that is under way on the loop and on the queue has been done.
    func settle() async {
        for _ in 0..<6 {
            // The loop looks at its sockets between the turns that are filled here.
            try? await Task.sleep(for: .milliseconds(8))
            for _ in 0..<8 { await withCheckedContinuation { done in radio.loop.execute { done.resume() } } }
            await withCheckedContinuation { done in manager.queueForTests.async { done.resume() } }
        }
    }
}

extension CBManagerState {
    init(_ condition: VirtualRadioCondition) {
        self =
            switch condition {
            case .on: .poweredOn
            case .off: .poweredOff
            case .absent: .unsupported
            case .forbidden: .unauthorized
            }
    }
}

extension CBPeripheral {
    /// The discovered characteristics with a UUID, in the order of handles.
    func characteristics(_ uuid: String) -> [CBCharacteristic] {
        (services ?? []).flatMap { $0.characteristics ?? [] }.filter { $0.uuid == CBUUID(string: uuid) }
    }

    /// The discovered characteristic with a UUID.
    func characteristic(_ uuid: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> CBCharacteristic {
        try #require(characteristics(uuid).first, sourceLocation: sourceLocation)
    }

    func service(_ uuid: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> CBService {
        try #require(services?.first { $0.uuid == CBUUID(string: uuid) }, sourceLocation: sourceLocation)
    }
}
