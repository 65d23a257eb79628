// The whole life of a connection in one function: find, connect, discover, read, listen, disconnect.

import CoreBluetooth
import Foundation

@main
struct LifecycleClient {
    static func main() async throws {
        let central = CBCentralManager(delegate: nil, queue: DispatchQueue(label: "bluetooth"))
        try await central.waitUntilPoweredOn()
        guard let sensor = await find(CBUUID(string: "180D"), with: central) else { return }
        print("found \(sensor.name ?? "a sensor without name"), identifier \(sensor.identifier)")
        let states = Task { for await state in sensor.lifecycleUpdates { print("lifecycle: \(state)") } }

        try await central.connect(to: sensor)
        for service in try await sensor.discoverServices(matching: [CBUUID(string: "180D"), CBUUID(string: "180A")]) {
            for characteristic in try await sensor.discoverCharacteristics(of: service) {
                if characteristic.properties.contains(.read) {
                    let value = try await sensor.readValue(of: characteristic)
                    print("\(characteristic.uuid): \(value.map { String(format: "%02x", $0) }.joined())")
                }
                guard characteristic.properties.contains(.notify) else { continue }
                var count = 0
                for try await value in sensor.values(for: characteristic) {
                    print("\(characteristic.uuid): \(value.map { String(format: "%02x", $0) }.joined())")
                    count += 1
                    if count == 3 { break }
                }
            }
        }
        // Not every controller can tell it.
        if let strength = try? await sensor.signalStrength() { print("signal strength: \(strength) dBm") }
        await central.disconnect(from: sensor)
        print("disconnected")
        states.cancel()
    }

    private static func find(_ service: CBUUID, with central: CBCentralManager) async -> CBPeripheral? {
        for await discovery in central.discoveries(withServices: [service]) { return discovery.peripheral }
        return nil
    }
}
