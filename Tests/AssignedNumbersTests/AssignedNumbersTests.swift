import AssignedNumbers
import Testing
import Wire

@Suite struct AssignedNumbersTests {
    /// The first and last line of a table, lines in its middle, and 128-bit UUIDs.
    @Test(arguments: [
        ("1800", AssignedNumbers.Kind.service, "Generic Access"),
        ("180d", .service, "Heart Rate"),
        ("180f", .service, "Battery Service"),
        ("185f", .service, "Generic Voice Assistant"),
        ("fe59", .service, "Secure DFU Service"),
        ("fcb2", .service, "Apple Inc."),
        ("2a00", .characteristic, "Device Name"),
        ("2a37", .characteristic, "Heart Rate Measurement"),
        ("2b29", .characteristic, "Client Supported Features"),
        ("2b2a", .characteristic, "Database Hash"),
        ("2b8c", .characteristic, "CO2 Concentration"),
        ("2902", .descriptor, "Client Characteristic Configuration"),
        ("2904", .descriptor, "Characteristic Presentation Format"),
        ("2803", .declaration, "Characteristic"),
        ("272f", .unit, "Celsius temperature (degree Celsius)"),
        ("6e400001-b5a3-f393-e0a9-e50e24dcca9e", .service, "Nordic UART Service"),
        ("00001530-1212-efde-1523-785feabcd123", .service, "Legacy DFU Service"),
        ("6e400003-b5a3-f393-e0a9-e50e24dcca9e", .characteristic, "UART TX Characteristic"),
        ("00002a37-0000-1000-8000-00805f9b34fb", .characteristic, "Heart Rate Measurement"),
    ])
    func uuidsHaveNames(_ uuid: String, _ kind: AssignedNumbers.Kind, _ name: String) throws {
        let uuid = try #require(BluetoothUUID(uuid))
        #expect(AssignedNumbers.name(of: uuid, as: kind) == name)
        #expect(AssignedNumbers.name(of: uuid) == name)
    }

    @Test(arguments: ["0000", "17ff", "18ff", "2a5", "ffffffff", "6e400009-b5a3-f393-e0a9-e50e24dcca9e"])
    func unknownUUIDsHaveNone(_ text: String) {
        guard let uuid = BluetoothUUID(text) else { return }
        #expect(AssignedNumbers.name(of: uuid) == nil)
    }

    @Test func aNameIsOfItsKindOnly() {
        #expect(AssignedNumbers.name(of: 0x2A37, as: .service) == nil)
        #expect(AssignedNumbers.name(of: 0x180D, as: .characteristic) == nil)
    }

    @Test(arguments: [
        (UInt16(0x0000), "Ericsson AB"), (0x0001, "Nokia Mobile Phones"), (0x004C, "Apple, Inc."),
        (0x0059, "Nordic Semiconductor ASA"), (0x0499, "Ruuvi Innovations Ltd."),
        (0x024F, "Schneider Schreibgeräte GmbH"),
    ])
    func companiesHaveNames(_ identifier: UInt16, _ name: String) {
        #expect(AssignedNumbers.companyName(identifier) == name)
    }

    @Test(arguments: [
        (UInt16(0x0000), "Unknown"), (0x0340, "Heart Rate Sensor"), (0x0341, "Heart Rate Belt"),
        (0x037F, "Heart Rate Sensor"), (0x0444, "Running Walking Sensor"), (0x1444, "Location and Navigation Pod"),
    ])
    func appearancesHaveNames(_ value: UInt16, _ name: String) {
        #expect(AssignedNumbers.appearanceName(value) == name)
    }

    @Test(arguments: [
        (UInt8(0x01), "Flags"), (0x09, "Complete Local Name"), (0x16, "Service Data 16-bit UUID"),
        (0xFF, "Manufacturer Specific Data"),
    ])
    func advertisingDataTypesHaveNames(_ type: UInt8, _ name: String) {
        #expect(AssignedNumbers.advertisingDataTypeName(type) == name)
    }

    @Test(arguments: [
        ("Heart Rate Measurement", "heart_rate_measurement"),
        ("IEEE 11073-20601 Regulatory Certification Data List", "ieee_11073_20601_regulatory_certification_data_list"),
        ("Particulate Matter - PM2.5 Concentration", "particulate_matter_pm2_5_concentration"),
        ("  (odd)  ", "odd"), ("", ""),
    ])
    func namesHaveIdentifiers(_ name: String, _ identifier: String) {
        #expect(AssignedNumbers.identifier(name) == identifier)
    }

    @Test(arguments: [
        ("heart_rate", AssignedNumbers.Kind.service, BluetoothUUID(0x180D as UInt16)),
        ("Heart Rate", .service, 0x180D), ("heart-rate", .service, 0x180D), ("battery", .service, 0x180F),
        ("battery_service", .service, 0x180F), ("heart_rate_service", .service, 0x180D),
        ("heart_rate_measurement", .characteristic, 0x2A37),
        ("client_characteristic_configuration", .descriptor, 0x2902),
    ])
    func namesHaveUUIDs(_ name: String, _ kind: AssignedNumbers.Kind, _ uuid: BluetoothUUID) {
        #expect(AssignedNumbers.uuids(named: name, as: kind) == [uuid])
    }

    @Test(arguments: ["", "heart", "heart_rat", "nothing_of_the_kind", "Google LLC"])
    func otherNamesHaveNone(_ name: String) {
        #expect(AssignedNumbers.uuids(named: name, as: .service).isEmpty)
    }

    @Test func everyEntryIsFoundByItsNumberAndItsName() {
        for kind in AssignedNumbers.Kind.allCases {
            for identifier in AssignedNumbers.identifiers(of: kind) {
                let uuids = AssignedNumbers.uuids(named: identifier, as: kind)
                #expect(!uuids.isEmpty, "\(identifier)")
                for uuid in uuids {
                    #expect(AssignedNumbers.name(of: uuid, as: kind).map(AssignedNumbers.identifier) == identifier)
                }
            }
        }
    }

    @Test func formatsHaveNames() {
        #expect(ValueFormat(rawValue: 0x01).name == "boolean")
        #expect(ValueFormat(rawValue: 0x06).name == "uint16")
        #expect(ValueFormat(rawValue: 0x14).name == "float32")
        #expect(ValueFormat(rawValue: 0x16).reading == .medicalFloat(bits: 16))
        #expect(ValueFormat(rawValue: 0x19).name == "utf8s")
        #expect(ValueFormat(rawValue: 0x1C).name == "medASN1")
        #expect(ValueFormat(rawValue: 0x00).name == nil)
        #expect(ValueFormat(rawValue: 0x1D).name == nil)
        #expect(ValueFormat(rawValue: 0x0E).usesExponent)
        #expect(!ValueFormat(rawValue: 0x14).usesExponent)
    }
}
