import GATT
import TestSupport
import Testing

/// Requests and the command that write (Vol 3, Part F, 3.4.5 and 3.4.6), written by hand.
@Suite struct ServerWritingTests {
    @Test(arguments: [
        ("12 1900 01", "13"),
        // The application refuses another value; nobody may write; no such handle; not encrypted.
        ("12 1900 02", "01 12 1900 80"),
        ("12 1700 02", "01 12 1700 03"),
        ("12 0700 02", "01 12 0700 01"),
        ("12 2600 02", "01 12 2600 03"),
        // A value of fixed length takes no more octets; fewer are its first ones.
        ("12 2f00 01020304", "01 12 2f00 0d"),
        ("12 2f00 0908", "13"),
        // An empty value.
        ("12 2200", "13"),
        ("16 0700 0000 01", "01 16 0700 01"),
        ("16 1700 0000 01", "01 16 1700 03"),
        ("16 2200 0500 0102", "17 2200 0500 0102"),
        ("16 2200 0000", "17 2200 0000"),
        // Nothing is prepared: both kinds succeed.
        ("18 00", "19"),
        ("18 01", "19"),
        ("18 02", "01 18 0000 04"),
    ])
    func answers(_ request: String, _ response: String) {
        #expect(ServerHarness().send(request) == [hex(response).hexadecimal])
    }

    @Test func whatWasWrittenIsReadAndReported() {
        let server = ServerHarness()
        #expect(server.send("12 2200 aabb") == ["13"])
        #expect(server.send("0a 2200") == ["0baabb"])
        #expect(server.send("12 2f00 09") == ["13"])
        #expect(server.send("0a 2f00") == ["0b090203"])
        #expect(server.happened() == [.written(0x0022, value: [0xAA, 0xBB]), .written(0x002F, value: [9, 2, 3])])
    }

    @Test func aWriteCommandIsNeverAnswered() {
        let server = ServerHarness()
        #expect(server.send("52 2200 cc") == [])
        #expect(server.send("52 1700 cc") == [])
        #expect(server.send("52 0700 cc") == [])
        #expect(server.send("52 1900 02") == [])
        #expect(server.send("52 22") == [])
        #expect(server.happened() == [.written(0x0022, value: [0xCC])])
    }

    @Test func aSignedWriteCommandIsIgnored() {
        let server = ServerHarness()
        #expect(server.send("d2 2200 000000000000000000000000") == [])
        #expect(server.send("d2 2200") == [])
        #expect(server.happened() == [])
    }

    @Test func preparedPartsAreWrittenTogether() {
        let server = ServerHarness()
        #expect(server.send("16 2200 0000 000102") == ["1722000000000102"])
        #expect(server.send("16 2200 0300 0304") == ["17220003000304"])
        #expect(server.send("16 2f00 0100 ff") == ["172f000100ff"])
        #expect(server.happened() == [])
        #expect(server.send("18 01") == ["19"])
        #expect(
            server.happened() == [.written(0x0022, value: [0, 1, 2, 3, 4]), .written(0x002F, value: [1, 0xFF, 3])])
        #expect(server.send("0a 2200") == ["0b0001020304"])
        // The queue is empty now.
        #expect(server.send("12 2200 aa") == ["13"])
        #expect(server.send("18 01") == ["19"])
        #expect(server.send("0a 2200") == ["0baa"])
    }

    @Test func cancellingWritesNothing() {
        let server = ServerHarness()
        #expect(server.send("16 2f00 0000 ff") == ["172f000000ff"])
        #expect(server.send("18 00") == ["19"])
        #expect(server.send("18 01") == ["19"])
        #expect(server.send("0a 2f00") == ["0b010203"])
    }

    @Test(arguments: [
        // Beyond the end; too long; a value the application refuses; one part good and one bad.
        (["16 2200 3300 01"], "01 18 2200 07"),
        (["16 2f00 0200 0102"], "01 18 2f00 0d"),
        (["16 1900 0000 05"], "01 18 1900 80"),
        (["16 2f00 0000 ff", "16 2200 3300 01"], "01 18 2200 07"),
    ])
    func anErrorInTheQueueWritesNothingOfIt(_ prepared: [String], _ error: String) {
        let server = ServerHarness()
        for part in prepared { #expect(server.send(part) == ["17" + hex(part).dropFirst().map { $0 }.hexadecimal]) }
        #expect(server.send("18 01") == [hex(error).hexadecimal])
        #expect(server.send("0a 2f00") == ["0b010203"])
        #expect(server.happened() == [])
        #expect(server.send("18 01") == ["19"])
    }

    @Test func theLongestValueHas512Octets() {
        let server = ServerHarness(mtu: 517)
        let whole = [UInt8](repeating: 0x5A, count: 512)
        #expect(server.send(hex("12 2200") + whole) == ["13"])
        #expect(server.send(hex("16 2200 0000") + whole) == ["1722000000" + whole.hexadecimal])
        #expect(server.send("16 2200 0002 01") == ["172200000201"])
        #expect(server.send("18 01") == ["011822000d"])
    }

    @Test func noPartLongerThanAnyValueIsKept() {
        let server = ServerHarness(configuration: ServerConfiguration(mtu: 2048), mtu: 2048)
        #expect(server.send(hex("16 2200 0000") + [UInt8](repeating: 0, count: 513)) == ["011622000d"])
        #expect(server.send(hex("12 2200") + [UInt8](repeating: 0, count: 513)) == ["011222000d"])
    }

    @Test func theQueueIsBounded() {
        let server = ServerHarness(configuration: ServerConfiguration(maximumPreparedWrites: 2))
        #expect(server.send("16 2200 0000 01") == ["172200000001"])
        #expect(server.send("16 2200 0100 02") == ["172200010002"])
        #expect(server.send("16 2200 0200 03") == ["0116220009"])
        // What was queued before stays until the client decides.
        #expect(server.send("18 01") == ["19"])
        #expect(server.send("0a 2200") == ["0b0102"])
    }

    @Test func clientFeaturesAreOnlyEverSet() {
        let server = ServerHarness()
        #expect(server.send("12 0600 05") == ["13"])
        #expect(server.send("0a 0600") == ["0b05"])
        #expect(server.send("12 0600 04") == ["0112060013"])
        #expect(server.send("12 0600 07") == ["13"])
        #expect(ServerHarness().send("0a 0600") == ["0b00"])
    }
}
