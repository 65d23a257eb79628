import TestSupport
import Testing

@testable import GATT

/// Attributes as the text that is kept between connections.
@Suite struct KnownDatabaseTextTests {
    static let text = """
        btatt attributes 1
        device C0:DE:00:00:18:0D/random
        hash 000102030405060708090a0b0c0d0e0f
        service 0001 0009 1801
        include 0002 0010 ffff b7a70001-1d00-4c1e-9f00-00a77a77a77a
        characteristic 0003 0004 0006 a0 2a05
        extended 0001
        descriptor 0005 2900
        descriptor 0006 00002902-0000-1000-8000-00805f9b34fb
        characteristic 0007 0008 0009 02 b7a70002-1d00-4c1e-9f00-00a77a77a77a
        secondary 0010 ffff b7a70001-1d00-4c1e-9f00-00a77a77a77a
        end cd11039efa8635a7

        """

    static func known() -> KnownDatabase {
        let long = PeripheralDatabases.uuid(1)
        func range(_ first: AttributeHandle, _ last: AttributeHandle) -> HandleRange {
            HandleRange(first: first, last: last) ?? .all
        }
        let changed = Characteristic(
            uuid: 0x2A05, declarationHandle: 0x0003, valueHandle: 0x0004,
            properties: [.indicate, .extendedProperties], endHandle: 0x0006, extendedProperties: .reliableWrite)
        let other = Characteristic(
            uuid: PeripheralDatabases.uuid(2), declarationHandle: 0x0007, valueHandle: 0x0008, properties: .read,
            endHandle: 0x0009)
        return KnownDatabase(
            DiscoveredDatabase(services: [
                .init(
                    service: Service(uuid: 0x1801, range: range(0x0001, 0x0009)),
                    includes: [IncludedService(handle: 0x0002, range: range(0x0010, 0xFFFF), uuid: long)],
                    characteristics: [
                        .init(
                            characteristic: changed,
                            descriptors: [
                                Descriptor(uuid: .characteristicExtendedProperties, handle: 0x0005),
                                Descriptor(uuid: BluetoothUUID(0x2902).expanded, handle: 0x0006),
                            ]), .init(characteristic: other),
                    ]), .init(service: Service(uuid: long, range: range(0x0010, 0xFFFF), isPrimary: false)),
            ]), hash: DatabaseHash(octets: hex("000102030405060708090a0b0c0d0e0f")))
    }

    @Test func writing() {
        #expect(Self.known().text(for: "C0:DE:00:00:18:0D/random") == Self.text)
    }

    @Test func reading() throws {
        let known = try KnownDatabase(parsing: Self.text, for: "C0:DE:00:00:18:0D/random")
        #expect(known == Self.known())
        // The width of a UUID counts for the hash.
        #expect(known.database.services[0].characteristics[0].descriptors[1].uuid.width == .bits128)
    }

    /// Databases of all shapes come back as they went, and have the same hash.
    @Test func roundTrips() throws {
        for seed: UInt64 in 0..<20 {
            var random = SeededGenerator(seed: seed)
            let database = DiscoveredDatabase(truthOf: try RandomDatabase.make(&random))
            let known = KnownDatabase(database, hash: seed % 2 == 0 ? nil : DatabaseHash(database))
            let read = try KnownDatabase(parsing: known.text(for: "unix:/a b%c\n"), for: "unix:/a b%c\n")
            #expect(read == known)
            #expect(DatabaseHash(read.database) == DatabaseHash(database))
        }
    }

    @Test func anotherDevice() {
        #expect(throws: KnownDatabaseError.otherDevice("C0:DE:00:00:18:0D/random")) {
            try KnownDatabase(parsing: Self.text, for: "C0:DE:00:00:18:0D/public")
        }
    }

    @Test func anotherVersion() {
        let text = Self.text.replacing("attributes 1", with: "attributes 2")
        #expect(throws: KnownDatabaseError.otherVersion("2")) { try KnownDatabase(parsing: text, for: "") }
        #expect(throws: KnownDatabaseError.notAttributes) { try KnownDatabase(parsing: "", for: "") }
        #expect(throws: KnownDatabaseError.notAttributes) { try KnownDatabase(parsing: "\n\n\n\n\n", for: "") }
        #expect(throws: KnownDatabaseError.notAttributes) { try KnownDatabase(parsing: "btatt bonds 1\n", for: "") }
    }

    /// Wherever it was cut, and whatever one character became.
    @Test func damage() {
        let device = "C0:DE:00:00:18:0D/random"
        for count in 0..<Self.text.utf8.count {
            #expect(throws: KnownDatabaseError.self) {
                try KnownDatabase(parsing: String(Self.text.prefix(count)), for: device)
            }
        }
        var random = SeededGenerator(seed: 7)
        for index in Self.text.indices where Bool.random(using: &random) {
            var text = Self.text
            text.replaceSubrange(index...index, with: text[index] == "7" ? "8" : "7")
            #expect(throws: KnownDatabaseError.self) { try KnownDatabase(parsing: text, for: device) }
        }
        #expect(throws: KnownDatabaseError.damaged) { try KnownDatabase(parsing: Self.text + "\n", for: device) }
    }

    /// Lines that are wrong although the checksum is right.
    @Test(arguments: [
        "service 0000 0009 1801", "service 0009 0001 1801", "service 0001 0009", "service 0001 0009 18",
        "include 0002 0010 ffff 180f", "characteristic 0003 0004 0006 a0 2a05", "descriptor 0005 2900",
        "extended 0001", "hash none", "end 0", "nonsense", "service 0001 0009 1801 1801",
        "service 0001 0009 1801\ncharacteristic 0003 0002 0006 a0 2a05",
        "service 0001 0009 1801\ncharacteristic 0003 0004 0003 a0 2a05",
        "service 0001 0009 1801\ncharacteristic 0003 0004 0006 a 2a05",
        "service 0001 0009 1801\ncharacteristic 0003 0004 0006 a0a0 2a05",
        "service 0001 0009 1801\ninclude 0002 0010 0005 180f", "service 0001 0009 1801\nextended 0001",
        "service 0001 0009 1801\ncharacteristic 0003 0004 0006 a0 2a05\ndescriptor 0000 2900",
    ])
    func wrongLines(_ lines: String) {
        let content = "btatt attributes 1\ndevice x\nhash none\n\(lines)\n"
        // The checksum of another text of the same content.
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for octet in content.utf8 { sum = (sum ^ UInt64(octet)) &* 0x0000_0100_0000_01B3 }
        let digits = String(sum, radix: 16)
        let text = content + "end " + String(repeating: "0", count: 16 - digits.count) + digits + "\n"
        let error = #expect(throws: KnownDatabaseError.self) { try KnownDatabase(parsing: text, for: "x") }
        guard case .malformed? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
