import GATT
import TestSupport
import Testing

/// Client Characteristic Configuration, notifications and indications (Vol 3, Part F, 3.4.7; Part G, 3.3.3.3 and 4.10).
@Suite struct ServerValuesTests {
    @Test(arguments: [
        // 2A37 notifies, 2A05 indicates, 0x0028 does both.
        ("12 1500 0100", "13"), ("12 1500 0000", "13"), ("12 1500 01", "13"), ("12 0400 0200", "13"),
        ("12 1500", "13"),
        // What the characteristic cannot do, reserved bits, too many octets.
        ("12 1500 0200", "01 12 1500 fd"), ("12 1500 0300", "01 12 1500 fd"), ("12 0400 0100", "01 12 0400 fd"),
        ("12 1500 0400", "01 12 1500 13"), ("12 1500 0180", "01 12 1500 13"), ("12 1500 010000", "01 12 1500 0d"),
    ])
    func configurationsAreChecked(_ request: String, _ response: String) {
        #expect(ServerHarness().send(request) == [hex(response).hexadecimal])
    }

    @Test func aConfigurationBelongsToItsConnection() {
        let (first, second) = (ServerHarness(), ServerHarness())
        #expect(first.send("12 1500 0100") == ["13"])
        #expect(first.happened() == [.subscriptionChanged(0x0014, .notify)])
        #expect(first.send("0a 1500") == ["0b0100"])
        #expect(second.send("0a 1500") == ["0b0000"])
        #expect(first.notify(0x0014, value: hex("00 49")))
        #expect(first.sent() == ["1b14000049"])
        #expect(second.notify(0x0014, value: hex("00 49")) == false)
        #expect(second.sent() == [])
        #expect(first.send("12 1500 0000") == ["13"])
        #expect(first.happened() == [.subscriptionChanged(0x0014, [])])
        #expect(first.notify(0x0014, value: hex("00 49")) == false)
        // An indication was not asked for.
        #expect(first.indicate(0x0014, value: []) == false)
        #expect(first.notify(0x0017, value: [1]) == false)
        #expect(first.notify(0xFFFF, value: [1]) == false)
    }

    @Test func aNotificationIsCutAtTheMTU() {
        let server = ServerHarness()
        #expect(server.send("12 1500 0100") == ["13"])
        #expect(server.notify(0x0014, value: [UInt8](0..<30)))
        #expect(server.sent() == ["1b1400" + [UInt8](0..<20).hexadecimal])
    }

    @Test func aValueMayComeBeforeTheWriteResponse() {
        var database = AttributeDatabase.test
        database.setValue([0xAB], at: 0x0028)
        let server = ServerHarness(database)
        #expect(server.send("12 2900 0100") == ["1b2800ab", "13"])
        // It is on already: no second time, until it was off.
        #expect(server.send("12 2900 0100") == ["13"])
        #expect(server.send("12 2900 0000") == ["13"])
        #expect(server.send("12 2900 0200") == ["1d2800ab", "13"])
        #expect(server.send("1e") == [])
        #expect(server.send("52 2900 0100") == ["1b2800ab"])
        #expect(server.happened().contains(.confirmed(0x0028)))
        #expect(server.send("16 2900 0000 0000") == ["17290000000000"])
        #expect(server.send("16 2900 0000 0100") == ["17290000000100"])
        #expect(server.send("18 01") == ["19"])
    }

    @Test func oneIndicationIsOutstanding() {
        let server = ServerHarness()
        #expect(server.send("12 0400 0200") == ["13"])
        #expect(server.indicate(0x0003, value: [1]))
        #expect(server.indicate(0x0003, value: [2]))
        #expect(server.indicate(0x0003, value: [3]))
        #expect(server.sent() == ["1d030001"])
        #expect(server.nextDeadline == .zero + .seconds(30))
        // Requests are answered meanwhile, and notifications would go out.
        #expect(server.send("0a 1700") == ["0b01"])
        #expect(server.wait(.seconds(29)) == [])
        #expect(server.send("1e") == ["1d030002"])
        #expect(server.nextDeadline == .zero + .seconds(59))
        #expect(server.send("1e") == ["1d030003"])
        #expect(server.send("1e") == [])
        #expect(server.nextDeadline == nil)
        #expect(
            server.happened() == [
                .subscriptionChanged(0x0003, .indicate), .confirmed(0x0003), .confirmed(0x0003), .confirmed(0x0003),
            ])
    }

    @Test func indicationsThatWaitAreBoundedAndDroppedWhenNobodyWantsThem() {
        let server = ServerHarness(configuration: ServerConfiguration(maximumQueuedIndications: 1))
        #expect(server.send("12 0400 0200") == ["13"])
        #expect(server.indicate(0x0003, value: [1]))
        #expect(server.indicate(0x0003, value: [2]))
        #expect(server.indicate(0x0003, value: [3]) == false)
        #expect(server.sent() == ["1d030001"])
        #expect(server.send("12 0400 0000") == ["13"])
        #expect(server.send("1e") == [])
    }

    @Test func withoutAConfirmationTheBearerIsClosed() {
        let server = ServerHarness()
        #expect(server.send("12 0400 0200") == ["13"])
        #expect(server.indicate(0x0003, value: [1]))
        #expect(server.sent() == ["1d030001"])
        #expect(server.happened() == [.subscriptionChanged(0x0003, .indicate)])
        // A malformed confirmation is none.
        #expect(server.send("1e 00") == [])
        #expect(server.wait(.seconds(30)) == [])
        #expect(server.happened() == [.close(.confirmationTimedOut(0x0003))])
        #expect(server.send("1e") == [])
        #expect(server.happened() == [])
    }

    @Test func aConfirmationNobodyAskedForClosesTheBearer() {
        let server = ServerHarness()
        #expect(server.send("1e") == [])
        #expect(server.happened() == [.close(.unexpectedConfirmation)])
    }

    @Test func severalValuesTravelTogetherOnlyToClientsThatKnowThem() {
        let values: [(handle: AttributeHandle, value: [UInt8])] = [
            (0x0014, hex("00 50")), (0x0017, [1]), (0x0028, []), (0x0014, hex("00 51")),
        ]
        let server = ServerHarness()
        #expect(server.send("12 1500 0100") == ["13"])
        #expect(server.notify(values) == 2)
        #expect(server.sent() == ["1b14000050", "1b14000051"])
        #expect(server.send("12 2900 0100") == ["1b2800", "13"])
        #expect(server.send("12 0600 04") == ["13"])
        #expect(server.notify(values) == 3)
        #expect(server.sent() == [hex("23 1400 0200 0050 2800 0000 1400 0200 0051").hexadecimal])
        // Seven octets each and an opcode: at 23 three fit, the fourth goes alone.
        #expect(server.notify([(0x0014, [1, 2, 3]), (0x0014, [4, 5, 6]), (0x0014, [7, 8, 9]), (0x0014, [0])]) == 4)
        #expect(
            server.sent() == [
                hex("23 1400 0300 010203 1400 0300 040506 1400 0300 070809").hexadecimal, "1b140000",
            ])
        // One that fills the MTU goes alone and is cut.
        let long = [UInt8](repeating: 7, count: 25)
        #expect(server.notify([(0x0014, long), (0x0014, [1]), (0x0014, [2])]) == 3)
        #expect(
            server.sent() == [
                "1b1400" + long.prefix(20).map { $0 }.hexadecimal, hex("23 1400 0100 01 1400 0100 02").hexadecimal,
            ])
    }

    @Test func otherAttributesAreAnnounced() throws {
        let server = ServerHarness()
        #expect(server.send("12 0400 0200") == ["13"])
        #expect(server.send("12 1500 0100") == ["13"])
        let range = try #require(HandleRange(first: 0x0010, last: 0xFFFF))
        var smaller = AttributeDatabase(attributes: Array(AttributeDatabase.test.attributes.prefix(6)))
        #expect(server.replace(smaller, changed: range))
        #expect(server.sent() == ["1d03001000ffff"])
        #expect(server.send("1e") == [])
        #expect(server.send("0a 1700") == ["010a170001"])
        #expect(server.send("0a 0400") == ["0b0200"])
        // The configuration went with its attribute and does not come back with another.
        #expect(server.replace(.test, changed: range))
        #expect(server.sent() == ["1d03001000ffff"])
        #expect(server.send("0a 1500") == ["0b0000"])
        smaller = AttributeDatabase()
        #expect(server.replace(smaller, changed: .all) == false)
    }
}
