// Apple's names begin with a capital.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Follows the radio and one heart-rate sensor: says when Bluetooth is switched off and on and when the sensor comes and goes,
// and connects again whenever that is possible. It runs until it is interrupted.
//
//     state-watcher                 finds a sensor, and says its identifier
//     state-watcher IDENTIFIER      connects to the sensor that an earlier run found, without a scan

import CoreBluetooth
import Foundation

final class StateWatcher: NSObject, CBCentralManagerDelegate {
    private let heartRate = CBUUID(string: "180D")
    private var central: CBCentralManager!
    private var identifier: UUID?
    private var sensor: CBPeripheral?

    init(_ identifier: UUID?) { self.identifier = identifier }

    func start() {
        central = CBCentralManager(delegate: self, queue: nil)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        switch central.state {
        case .poweredOn:
            say("Bluetooth is on")
            connect()
        case .poweredOff: say("Bluetooth is off")
        case .resetting: say("Bluetooth is being reset")
        case .unauthorized: say("Bluetooth may not be used")
        case .unsupported: say("there is no Bluetooth")
        default: say("the state of Bluetooth is not known")
        }
        guard central.state != .poweredOn, let known = sensor else { return }
        // No callback of its own tells that the connection is gone.
        say("\(name(known)) is \(known.state == .disconnected ? "not connected" : "still connected")")
        // After this the object is of no use: it is retrieved by its identifier when the radio is back.
        if central.state != .poweredOff { sensor = nil }
    }

    private func connect() {
        if sensor == nil, let identifier {
            sensor = central.retrievePeripherals(withIdentifiers: [identifier]).first
            guard let sensor else {
                say("\(identifier) was never seen")
                exit(1)
            }
            say("\(name(sensor)) is known")
        }
        guard let sensor else { return central.scanForPeripherals(withServices: [heartRate]) }
        central.connect(sensor)
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard sensor == nil else { return }
        say("found \(name(peripheral)), identifier \(peripheral.identifier)")
        sensor = peripheral
        identifier = peripheral.identifier
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        say("connected to \(name(peripheral))")
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        say("cannot connect to \(name(peripheral)): \(error?.localizedDescription ?? "")")
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        say("\(name(peripheral)) is gone: \(error?.localizedDescription ?? "as asked for")")
        // Waits until it comes back, however long that takes.
        central.connect(peripheral)
    }

    private func name(_ peripheral: CBPeripheral) -> String { peripheral.name ?? "a sensor without name" }

    /// At once, also into a file.
    private func say(_ text: String) {
        FileHandle.standardOutput.write(Data("\(text)\n".utf8))
    }
}

let arguments = CommandLine.arguments.dropFirst()
let identifier = arguments.first.flatMap { UUID(uuidString: $0) }
guard arguments.count <= 1, (identifier == nil) == arguments.isEmpty else {
    FileHandle.standardError.write(Data("usage: state-watcher [IDENTIFIER]\n".utf8))
    exit(2)
}
let watcher = StateWatcher(identifier)
watcher.start()
RunLoop.main.run()
