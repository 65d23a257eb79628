// Apple's names begin with a capital.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CoreBluetooth
import Sockets
import Testing
import Wire

/// A delegate of everything, that notes each call in one line, in order.
final class Recorder: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, @unchecked Sendable {
    // Sendable: what changes is behind a lock.

    private struct Notes {
        var waiting: [String] = []
        var all: [String] = []
        var waiter: CheckedContinuation<String, Never>?
        var peripherals: [CBPeripheral] = []
        var lastAdvertisement: [String: Any] = [:]
        var isInside = false
        var hook: Hook?
    }
    private let notes = Locked(Notes())
    typealias Hook = @Sendable (String, CBPeripheral?) -> Void

    /// Whether peripherals that were discovered are held, as programs do.
    let holdsPeripherals: Bool
    /// Runs inside each call, before it is noted.
    var hook: Hook? {
        get { notes.withLock { $0.hook } }
        set { notes.withLock { $0.hook = newValue } }
    }

    init(holdsPeripherals: Bool = true) { self.holdsPeripherals = holdsPeripherals }

    /// Every line so far.
    var all: [String] { notes.withLock { $0.all } }
    /// The peripherals that were discovered and are held.
    var peripherals: [CBPeripheral] { notes.withLock { $0.peripherals } }
    var lastAdvertisement: [String: Any] {
        notes.withLock { notes in
            nonisolated(unsafe) let data = notes.lastAdvertisement
            return unsafe data
        }
    }

    func letGo() { notes.withLock { $0.peripherals = [] } }

    /// The next line that nobody took; waits for it. When the test is given up it is `given up`.
    func next() async -> String {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let line: String? = notes.withLock { notes in
                    guard notes.waiting.isEmpty else { return notes.waiting.removeFirst() }
                    if Task.isCancelled { return Self.givenUp }
                    notes.waiter = continuation
                    return nil
                }
                if let line { continuation.resume(returning: line) }
            }
        } onCancel: {
            let waiter = notes.withLock { notes in
                defer { notes.waiter = nil }
                return notes.waiter
            }
            waiter?.resume(returning: Self.givenUp)
        }
    }

    static let givenUp = "given up"

    /// Fails the test unless the next lines are these.
    func expect(_ lines: String..., sourceLocation: SourceLocation = #_sourceLocation) async {
        for expected in lines {
            let line = await next()
            #expect(line == expected, sourceLocation: sourceLocation)
        }
    }

    /// Takes lines until one is this.
    func skip(to expected: String) async {
        var line = ""
        while line != expected, line != Self.givenUp { line = await next() }
        if line != expected { Issue.record("never came: \(expected); there was \(all)") }
    }

    /// Lines that came and nobody took.
    var untaken: [String] { notes.withLock { $0.waiting } }

    /// Drops every line.
    func clear() {
        notes.withLock { notes in
            notes.waiting = []
            notes.all = []
        }
    }

    /// Drops lines that nobody took.
    func forget() { notes.withLock { $0.waiting = [] } }

    private func note(_ line: String, _ peripheral: CBPeripheral? = nil) {
        let isNested = notes.withLock { notes in
            defer { notes.isInside = true }
            return notes.isInside
        }
        if isNested { Issue.record("two calls at once: \(line)") }
        hook?(line, peripheral)
        let waiter = notes.withLock { notes in
            notes.isInside = false
            notes.all.append(line)
            guard let waiter = notes.waiter else {
                notes.waiting.append(line)
                return nil as CheckedContinuation<String, Never>?
            }
            notes.waiter = nil
            return waiter
        }
        waiter?.resume(returning: line)
    }

    private func text(_ error: (any Error)?) -> String {
        switch error {
        case nil: "ok"
        case let error as CBError: "CBError \(error.errorCode)"
        case let error as CBATTError: "CBATTError \(error.errorCode)"
        case let error?: "\(error)"
        }
    }

    private func hexadecimal(_ data: Data?) -> String { data.map { [UInt8]($0).hexadecimal } ?? "nil" }

    private func list(_ attributes: [CBAttribute]?) -> String {
        attributes.map { "[" + $0.map(\.uuid.uuidString).joined(separator: " ") + "]" } ?? "nil"
    }

    // MARK: CBCentralManagerDelegate

    func centralManagerDidUpdateState(_ central: CBCentralManager) { note("state \(central.state)") }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        // The dictionary is handed over whole.
        nonisolated(unsafe) let data = advertisementData
        notes.withLock { notes in
            if holdsPeripherals, !notes.peripherals.contains(where: { $0 === peripheral }) {
                notes.peripherals.append(peripheral)
            }
            unsafe notes.lastAdvertisement = data
        }
        note("discover \(peripheral.name ?? "nil") \(RSSI)", peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        note("connect \(peripheral.state)", peripheral)
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        note("fail \(peripheral.state) \(text(error))", peripheral)
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        note("disconnect \(peripheral.state) \(text(error))", peripheral)
    }

    func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral
    ) {
        note("event \(event) \(peripheral.name ?? "nil")", peripheral)
    }

    // MARK: CBPeripheralDelegate

    func peripheralDidUpdateName(_ peripheral: CBPeripheral) {
        note("name \(peripheral.name ?? "nil")", peripheral)
    }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        note("modified \(list(invalidatedServices)) left \(list(peripheral.services))", peripheral)
    }

    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        note("rssi \(RSSI) \(text(error))", peripheral)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        note("services \(list(peripheral.services)) \(text(error))", peripheral)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
    ) {
        note("included \(service.uuid.uuidString) \(list(service.includedServices)) \(text(error))", peripheral)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        note("characteristics \(service.uuid.uuidString) \(list(service.characteristics)) \(text(error))", peripheral)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        note("value \(characteristic.uuid.uuidString) \(hexadecimal(characteristic.value)) \(text(error))", peripheral)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        note("write \(characteristic.uuid.uuidString) \(text(error))", peripheral)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        let state = characteristic.isNotifying ? "on" : "off"
        note("notify \(characteristic.uuid.uuidString) \(state) \(text(error))", peripheral)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        note(
            "descriptors \(characteristic.uuid.uuidString) \(list(characteristic.descriptors)) \(text(error))",
            peripheral)
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {
        note("descriptor \(descriptor.uuid.uuidString) \(descriptor.value ?? "nil") \(text(error))", peripheral)
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?) {
        note("descriptor write \(descriptor.uuid.uuidString) \(text(error))", peripheral)
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        note("ready", peripheral)
    }
}
