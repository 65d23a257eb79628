import GATT
import TestSupport
import Testing

/// Requests that find attributes. Requests and responses are written by hand from Vol 3, Part F, 3.4.3 and 3.4.4.
@Suite struct ServerDiscoveryTests {
    /// Each: request, the one response.
    @Test(arguments: [
        // Find Information: 16-bit UUIDs until the MTU of 23 is full (5 entries of 4).
        (
            "04 0100 ffff", "05 01 0100 0028 0200 0328 0300 052a 0400 0229 0500 0328",
        ),
        // The list ends where UUIDs of the other size begin …
        ("04 2100 2400", "05 01 2100 0328"),
        // … and 128-bit ones come one to a response at this MTU.
        ("04 2200 2400", "05 02 2200 7aa7777aa700009f1e4c001d1000a7b7"),
        ("04 2300 2300", "05 01 2300 0129"),
        ("04 2400 2400", "05 02 2400 7aa7777aa700009f1e4c001d1100a7b7"),
        // Nothing there, a start of 0, and a start above the end.
        ("04 3000 ff00", "01 04 3000 0a"),
        ("04 0000 ffff", "01 04 0000 01"),
        ("04 0500 0400", "01 04 0500 01"),
        ("04 f3ff ffff", "01 04 f3ff 0a"),
        // Find By Type Value: a 16-bit service, one of 128 bits, none, an invalid range, and another type.
        ("06 0100 ffff 0028 0d18", "07 1000 1900"),
        ("06 0100 ffff 0028 7aa7777aa700009f1e4c001d0100a7b7", "07 2000 2f00"),
        ("06 0100 ffff 0028 0a18", "01 06 0100 0a"),
        ("06 1100 ffff 0028 0d18", "01 06 1100 0a"),
        ("06 0000 ffff 0028 0d18", "01 06 0000 01"),
        ("06 0900 0800 0028 0d18", "01 06 0900 01"),
        ("06 0100 ffff 0128 7aa7777aa700009f1e4c001d0200a7b7", "07 f0ff ffff"),
        ("06 0100 ffff 382a 01", "07 1700 1700"),
        // An attribute that may not be read is not found by its value either.
        ("06 0100 ffff 002a 736563726574", "01 06 0100 0a"),
        // Read By Group Type: one length in a response, so the 128-bit service comes alone.
        ("10 0100 ffff 0028", "11 06 0100 0600 0118 1000 1900 0d18"),
        ("10 1100 ffff 0028", "11 14 2000 2f00 7aa7777aa700009f1e4c001d0100a7b7"),
        ("10 2100 ffff 0028", "01 10 2100 0a"),
        ("10 0100 ffff 0128", "11 14 f0ff ffff 7aa7777aa700009f1e4c001d0200a7b7"),
        // Not a group, a group type of 128 bits that is one, and invalid ranges.
        ("10 0100 ffff 0328", "01 10 0100 10"),
        ("10 0100 ffff fb349b5f80000080 00100000 00280000", "11 06 0100 0600 0118 1000 1900 0d18"),
        ("10 0000 ffff 0028", "01 10 0000 01"),
        ("10 0200 0100 0028", "01 10 0200 01"),
        // Read By Type: characteristic declarations of one length, 7 octets and a handle.
        ("08 1000 1900 0328", "09 07 1300 10 1400 372a 1600 02 1700 382a 1800 08 1900 392a"),
        ("08 2000 2400 0328", "09 15 2100 0a 2200 7aa7777aa700009f1e4c001d1000a7b7"),
        // Includes: with the 16-bit UUID, and without the 128-bit one.
        ("08 1000 1900 0228", "09 06 1100 f0ff ffff"),
        ("08 1200 1900 0228", "09 08 1200 0100 0600 0118"),
        ("08 0100 ffff 0000", "01 08 0100 0a"),
        ("08 0000 ffff 0328", "01 08 0000 01"),
        ("08 0900 0800 0328", "01 08 0900 01"),
        // The first match may not be read: its handle and why.
        ("08 2500 ffff 002a", "01 08 2600 05"),
        ("08 2c00 ffff 382a", "01 08 2d00 81"),
        // A later one only ends the list.
        ("08 0100 ffff 382a", "09 03 1700 01"),
        // By a UUID of 128 bits, the value cut at MTU − 4.
        (
            "08 0100 ffff 7aa7777aa700009f1e4c001d1000a7b7",
            "09 15 2200 000102030405060708090a0b0c0d0e0f101112"
        ),
    ])
    func answers(_ request: String, _ response: String) {
        #expect(ServerHarness().send(request) == [hex(response).hexadecimal])
    }

    @Test func aLargerMTUHoldsMore() {
        let server = ServerHarness(mtu: 64)
        #expect(
            server.send("08 0100 ffff 0328") == [
                hex(
                    """
                    09 07 0200 20 0300 052a 0500 0a 0600 292b 1300 10 1400 372a 1600 02 1700 382a 1800 08 1900 392a
                    """
                ).hexadecimal
            ])
        // A value is never longer than 253 octets in a list, whatever the MTU.
        var database = AttributeDatabase.test
        database.setValue([UInt8](repeating: 0xEE, count: 300), at: 0x0022)
        let large = ServerHarness(database, mtu: 517)
        let response = large.send("08 2200 2200 7aa7777aa700009f1e4c001d1000a7b7")
        #expect(response == ["09ff2200" + String(repeating: "ee", count: 253)])
    }

    @Test func attributesOfOneTypeAndDifferentLengthsComeInSeveralResponses() throws {
        let service = ServiceDefinition(
            uuid: 0x1815,
            characteristics: [
                CharacteristicDefinition(uuid: 0x2A56, properties: .read, value: [1]),
                CharacteristicDefinition(uuid: 0x2A56, properties: .read, value: [2]),
                CharacteristicDefinition(uuid: 0x2A56, properties: .read, value: [3, 4]),
                CharacteristicDefinition(uuid: 0x2A56, properties: .read, value: [5]),
                CharacteristicDefinition(uuid: 0x2A56, properties: .read, value: []),
            ])
        let server = ServerHarness(try AttributeDatabase(services: [service]))
        #expect(server.send("08 0100 ffff 562a") == [hex("09 03 0300 01 0500 02").hexadecimal])
        #expect(server.send("08 0600 ffff 562a") == [hex("09 04 0700 0304").hexadecimal])
        #expect(server.send("08 0800 ffff 562a") == [hex("09 03 0900 05").hexadecimal])
        #expect(server.send("08 0a00 ffff 562a") == [hex("09 02 0b00").hexadecimal])
    }

    @Test func anEmptyDatabaseHasNothing() {
        let server = ServerHarness(AttributeDatabase())
        #expect(server.send("10 0100 ffff 0028") == ["011001000a"])
        #expect(server.send("04 0100 ffff") == ["010401000a"])
        #expect(server.send("0a 0100") == ["010a010001"])
    }
}
