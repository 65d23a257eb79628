// Apple's names begin with a capital.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Finds a heart-rate sensor, reads everything that can be read, listens to everything that notifies, and leaves after five
// heart rates.

import CoreBluetooth
import Foundation

final class HeartRateClient: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private let services = ["180D", "180F", "180A"].map { CBUUID(string: $0) }
    private let heartRateMeasurement = CBUUID(string: "2A37")
    private var central: CBCentralManager!
    private var sensor: CBPeripheral?
    private var undiscovered = 0
    private var heartRates = 0
    private var notifying: [CBCharacteristic] = []

    func start() {
        central = CBCentralManager(delegate: self, queue: nil)
    }

    // MARK: CBCentralManagerDelegate

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn else {
            print("Bluetooth is not available: state \(central.state.rawValue)")
            if central.state != .resetting { exit(1) }
            return
        }
        central.scanForPeripherals(withServices: [services[0]])
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard sensor == nil else { return }
        print("found \(peripheral.name ?? "a sensor without name"), \(RSSI) dBm")
        sensor = peripheral
        peripheral.delegate = self
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        print("connected")
        peripheral.discoverServices(services)
    }

    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {
        print("cannot connect: \(error?.localizedDescription ?? "")")
        exit(1)
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        print("disconnected\(error.map { ": \($0.localizedDescription)" } ?? "")")
        exit(error == nil ? 0 : 1)
    }

    // MARK: CBPeripheralDelegate

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] {
            undiscovered += 1
            peripheral.discoverCharacteristics(nil, for: service)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        undiscovered -= 1
        for characteristic in service.characteristics ?? [] {
            if characteristic.properties.contains(.read) { peripheral.readValue(for: characteristic) }
            if !characteristic.properties.isDisjoint(with: [.notify, .indicate]) {
                peripheral.setNotifyValue(true, for: characteristic)
            }
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if let error { return print("\(characteristic.uuid) does not notify: \(error.localizedDescription)") }
        if characteristic.isNotifying {
            print("listening to \(characteristic.uuid)")
            notifying.append(characteristic)
        } else {
            notifying.removeAll { $0 == characteristic }
            if notifying.isEmpty { central.cancelPeripheralConnection(peripheral) }
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        if let error { return print("\(characteristic.uuid): \(error.localizedDescription)") }
        guard let value = characteristic.value else { return }
        guard characteristic.uuid == heartRateMeasurement else {
            return print("\(characteristic.uuid): \(value.map { String(format: "%02x", $0) }.joined())")
        }
        guard value.count > 1 else { return }
        print("heart rate: \(value[1])")
        heartRates += 1
        if heartRates == 5 {
            for characteristic in notifying { peripheral.setNotifyValue(false, for: characteristic) }
        }
    }
}

let client = HeartRateClient()
client.start()
RunLoop.main.run()
