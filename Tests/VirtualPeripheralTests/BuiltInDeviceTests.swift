import Foundation
import TestSupport
import Testing
import VirtualPeripheral

@Suite struct BuiltInDeviceTests {
    @Test(arguments: BuiltInDevice.allCases)
    func theCompiledFileIsTheOneInFixtures(_ device: BuiltInDevice) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "Fixtures/devices/\(device.name).device")
        #expect(try String(contentsOf: file, encoding: .utf8) == device.file)
        #expect(try DeviceDescription(parsing: device.file) == device.description)
        #expect(DeviceDescription(builtIn: device.name) == device.description)
    }

    @Test func addressesDifferAndUnknownNamesAreNone() {
        #expect(Set(DeviceDescription.builtIn.map(\.address)).count == BuiltInDevice.allCases.count)
        #expect(DeviceDescription(builtIn: "toaster") == nil)
    }

    /// Requests of a discovery at the MTU of 23, with the responses written by hand from the file.
    @Test(arguments: [
        ("10 0100 ffff 0028", "11 06 0100 0500 0018 0600 0900 0118 0a00 1100 0d18"),
        ("10 1200 ffff 0028", "11 06 1200 1600 0f18 1700 2100 0a18"),
        ("10 2200 ffff 0028", "01 10 2200 0a"),
        ("08 0a00 1100 0328", "09 07 0b00 10 0c00 372a 0e00 02 0f00 382a 1000 08 1100 392a"),
        ("04 0d00 0d00", "05 01 0d00 0229"),
        ("0a 0f00", "0b 01"),
        ("12 1100 01", "13"),
        ("12 1100 02", "01 12 1100 80"),
        ("0a 1900", "0b 6274617474"),
    ])
    func heartRate(_ request: String, _ response: String) throws {
        #expect(try answer(of: .heartRate, to: request) == [hex(response).hexadecimal])
    }

    @Test(arguments: [
        // Two services of one UUID, with two values of one UUID each.
        ("06 0100 ffff 0028 0f18", "07 2000 2500 2600 2b00"),
        ("08 2000 2b00 192a", "09 03 2200 0a 2500 14 2800 1e 2a00 28"),
        // Includes: the one with a 16-bit UUID has 8 octets and stands alone, the two others 6.
        ("08 4000 5f00 0228", "09 08 4100 2600 2b00 0f18"),
        ("08 4200 5f00 0228", "09 06 4200 6000 6300 4800 7000 7100"),
        ("0a 6000", "0b 7aa7777aa700009f1e4c001d0200a7b7"),
        ("08 7000 7100 0228", "09 06 7100 6000 6300"),
        // A service that is its declaration only.
        ("10 7800 7800 0028", "11 06 7800 7800 1518"),
        // The last service ends at 0xFFFF, above its last attribute; its characteristic is at 0xFFFD.
        ("10 f0ff ffff 0028", "11 14 f8ff ffff 7aa7777aa700009f1e4c001d0800a7b7"),
        ("08 f8ff ffff 0328", "09 15 fdff 12 feff 7aa7777aa700009f1e4c001d8000a7b7"),
        ("04 ffff ffff", "05 01 ffff 0229"),
        // Mixed sizes: the configuration comes after two other descriptors.
        ("08 a000 bf00 0328", "09 07 a100 16 a200 562a"),
        ("04 a300 a500", "05 02 a300 7aa7777aa700009f1e4c001d5600a7b7"),
        ("04 a400 a500", "05 01 a400 0129 a500 0229"),
        // Exactly MTU − 1 octets, and nothing after them.
        ("0a 8200", "0b 000102030405060708090a0b0c0d0e0f101112131415"),
        ("0c 8200 1600", "0d"),
        ("0a 8800", "0b"),
        // Refusals.
        ("0a c200", "01 0a c200 81"), ("12 c400 02", "01 12 c400 9f"), ("12 c400 01", "13"),
        ("0a c600", "01 0a c600 05"), ("0a c800", "01 0a c800 05"), ("0a ca00", "01 0a ca00 08"),
        ("0a cc00", "01 0a cc00 02"), ("12 ce00 00", "01 12 ce00 fe"),
    ])
    func torture(_ request: String, _ response: String) throws {
        #expect(try answer(of: .torture, to: request) == [hex(response).hexadecimal])
    }

    /// What the server of a device sends after one PDU.
    private func answer(of device: BuiltInDevice, to pdu: String) throws -> [String] {
        let description = device.description
        var engine = ServerEngine(
            database: try AttributeDatabase(services: description.services), configuration: description.configuration,
            security: description.security)
        engine.receive(hex(pdu).octets, at: .zero)
        var sent: [String] = []
        while let action = engine.nextAction() {
            if case .send(let pdu) = action { sent.append(pdu.hexadecimal) }
        }
        return sent
    }
}
