// Apple's names begin with a capital.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// Writes to a peripheral: with response, longer than one packet, and many packets without response as fast as the link takes
// them.

import CoreBluetooth
import Foundation

final class WriteClient: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private let service = CBUUID(string: "B7A70001-1D00-4C1E-9F00-00A77A77A77A")
    private let commands = CBUUID(string: "B7A70011-1D00-4C1E-9F00-00A77A77A77A")
    private let memory = CBUUID(string: "B7A70012-1D00-4C1E-9F00-00A77A77A77A")
    private var central: CBCentralManager!
    private var device: CBPeripheral?
    private var command: CBCharacteristic?
    private let long = Data((0..<512).map { UInt8(truncatingIfNeeded: $0 * 7) })
    private var packets = 200

    func start() {
        central = CBCentralManager(delegate: self, queue: nil)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: [service]) }
    }

    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        guard device == nil else { return }
        device = peripheral
        peripheral.delegate = self
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        print("connected, \(peripheral.maximumWriteValueLength(for: .withoutResponse)) octets in a packet")
        peripheral.discoverServices([service])
    }

    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {
        print("disconnected\(error.map { ": \($0.localizedDescription)" } ?? "")")
        exit(error == nil ? 0 : 1)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        guard let found = peripheral.services?.first else { return fail("the service is missing", peripheral) }
        peripheral.discoverCharacteristics([commands, memory], for: found)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {
        command = service.characteristics?.first { $0.uuid == commands }
        guard let memory = service.characteristics?.first(where: { $0.uuid == memory }) else {
            return fail("the memory is missing", peripheral)
        }
        peripheral.writeValue(long, for: memory, type: .withResponse)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        if let error { return fail("cannot write: \(error.localizedDescription)", peripheral) }
        print("wrote \(long.count) octets")
        peripheral.readValue(for: characteristic)
    }

    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {
        print(characteristic.value == long ? "read them back" : "read something else back")
        sendPackets(to: peripheral)
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        sendPackets(to: peripheral)
    }

    private func sendPackets(to peripheral: CBPeripheral) {
        guard let command else { return fail("the characteristic for commands is missing", peripheral) }
        while packets > 0, peripheral.canSendWriteWithoutResponse {
            let length = min(peripheral.maximumWriteValueLength(for: .withoutResponse), 20)
            peripheral.writeValue(Data(count: length), for: command, type: .withoutResponse)
            packets -= 1
        }
        if packets == 0, peripheral.state == .connected {
            print("sent all packets")
            central.cancelPeripheralConnection(peripheral)
        }
    }

    private func fail(_ text: String, _ peripheral: CBPeripheral) {
        print(text)
        exit(1)
    }
}

let client = WriteClient()
client.start()
RunLoop.main.run()
