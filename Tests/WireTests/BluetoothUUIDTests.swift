import TestSupport
import Testing
import Wire

@Suite struct BluetoothUUIDTests {
    @Test func formsOfOneUUIDAreEqual() {
        let short = BluetoothUUID("180D")
        #expect(short == BluetoothUUID("0000180d"))
        #expect(short == BluetoothUUID("0000180d-0000-1000-8000-00805f9b34fb"))
        #expect(short != BluetoothUUID("0000180e-0000-1000-8000-00805f9b34fb"))
        #expect(Set([BluetoothUUID("180D"), BluetoothUUID("0000180D")]).count == 1)
    }

    @Test(arguments: ["180d", "0000180d", "6e400001-b5a3-f393-e0a9-e50e24dcca9e"])
    func textSurvives(_ text: String) {
        #expect(BluetoothUUID(text)?.description == text)
    }

    @Test(arguments: ["", "18", "180", "180g", "180d1", "6e400001b5a3-f393-e0a9-e50e24dcca9e", "0x", "-180d"])
    func otherTextIsRefused(_ text: String) {
        #expect(BluetoothUUID(text) == nil)
    }

    @Test func wireFormIsLittleEndian() throws {
        let uuid = try #require(BluetoothUUID("424a0001-90d6-4c48-b2aa-ab415169c333"))
        let octets = [UInt8](capacity: 16) { $0.append(uuid) }
        #expect(octets == hex("33c3695141abaab2484cd69001004a42"))
        var reader = OctetReader(octets.octets)
        #expect(try reader.uuid(octetCount: 16) == uuid)
    }
}
