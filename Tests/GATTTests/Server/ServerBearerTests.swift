import GATT
import TestSupport
import Testing

/// The MTU, unknown and malformed PDUs, roles.
@Suite struct ServerBearerTests {
    /// The client's MTU, the server's, what both use then.
    @Test(
        "GATT/SR/GAC/BV-01-C: the smaller MTU is used",
        arguments: [
            ("0502", 517, 517), ("1700", 517, 23), ("0500", 517, 23), ("0000", 517, 23), ("ffff", 517, 517),
            ("6400", 517, 100), ("0502", 48, 48), ("0502", 23, 23),
        ])
    func theSmallerMTUIsUsed(_ client: String, _ server: Int, _ agreed: Int) {
        let harness = ServerHarness(configuration: ServerConfiguration(mtu: server))
        let own = [UInt8(truncatingIfNeeded: server), UInt8(truncatingIfNeeded: server >> 8)].hexadecimal
        #expect(harness.send("02" + client) == ["03" + own])
        #expect(harness.mtu == agreed)
        #expect(harness.happened() == (agreed == 23 ? [] : [.mtuChanged(agreed)]))
        let read = harness.send("0a 2200")
        #expect(read.first?.count == 2 * min(51, agreed))
    }

    @Test("GATT/SR/UNS/BI-01-C: an unknown request is refused", arguments: ["3e", "24 0102", "80", "bf 00"])
    func unknownRequests(_ pdu: String) {
        #expect(ServerHarness().send(pdu) == ["01" + [hex(pdu)[0]].hexadecimal + "000006"])
    }

    @Test("GATT/SR/UNS/BI-02-C: an unknown command is ignored", arguments: ["7e", "40 0102", "fe 00"])
    func unknownCommands(_ pdu: String) {
        #expect(ServerHarness().send(pdu) == [])
    }

    /// From the public report behind `att-unknown-opcodes`, and more.
    @Test(arguments: [
        ("24 01", ["0124000006"]), ("7e 01", []), ("d2 0300 000000000000000000000000", []), ("40", []), ("c0", []),
        ("ff", []), ("00", ["0100000006"]), ("14 01", ["0114000006"]), ("3e", ["013e000006"]), ("80", ["0180000006"]),
        ("", []),
        // Nothing of what a server sends is answered when it comes here.
        ("01 0a 0100 01", []), ("03 1700", []), ("0b", []), ("13", []), ("1b 0100 00", []), ("23 0100 0000", []),
    ])
    func whatNobodyKnows(_ pdu: String, _ answers: [String]) {
        let server = ServerHarness()
        #expect(server.send(pdu) == answers)
        #expect(server.send("0a 1700") == ["0b01"])
    }

    @Test(arguments: [
        "02", "02 17", "02 1700 00", "04", "04 0100 ff", "04 0100 ffff 00", "06 0100 ffff 00", "08 0100 ffff",
        "08 0100 ffff 03", "08 0100 ffff 032800", "0a", "0a 01", "0a 0100 00", "0c 0100", "0c 0100 0000 00", "0e",
        "0e 0100", "0e 0100 0200 03", "10 0100 ffff", "10 0100 ffff 0028 00", "12", "12 01", "16", "16 0100 00",
        "18", "18 00 00", "20", "20 0100", "20 0100 0200 03",
    ])
    func malformedRequestsAreInvalidPDUs(_ pdu: String) {
        let server = ServerHarness()
        #expect(server.send(pdu) == ["01" + [hex(pdu)[0]].hexadecimal + "000004"])
    }

    @Test func aPDULongerThanTheMTUIsInvalid() {
        let server = ServerHarness()
        let long = [UInt8](repeating: 0, count: 21)
        #expect(server.send(hex("12 2200") + long) == ["0112000004"])
        #expect(server.send(hex("52 2200") + long) == [])
        #expect(server.happened() == [])
        #expect(server.send(hex("12 2200") + long.dropLast()) == ["13"])
    }

    @Test func requestsCanBeSwitchedOff() {
        let server = ServerHarness(configuration: ServerConfiguration(unsupportedRequests: [.exchangeMTURequest]))
        #expect(server.send("02 0502") == ["0102000006"])
        #expect(server.mtu == 23)
    }

    @Test func anIndicationToTheServerIsConfirmed() {
        #expect(ServerHarness().send("1d 0100 00") == ["1e"])
    }

    @Test func nothingHappensOnAClosedBearer() {
        let server = ServerHarness()
        server.engine.bearerClosed()
        #expect(server.send("0a 1700") == [])
        #expect(server.notify(0x0014, value: [1]) == false)
        #expect(server.nextDeadline == nil)
    }

    /// Whatever comes, every request has one answer, nothing traps, and what is kept stays small.
    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func anyOctets(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let server = ServerHarness(mtu: 64)
        let opcodes: [UInt8] = [
            0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20, 0x52, 0xD2, 0x1D, 0x1B,
        ]
        let handles: [UInt8] = [0x00, 0x01, 0x04, 0x14, 0x15, 0x22, 0x29, 0x2F, 0xF0, 0xFF]
        for _ in 0..<4000 {
            var pdu = [opcodes[Int(random.next() % 16)]]
            for _ in 0..<Int(random.next() % 40) {
                let byte = random.next()
                pdu.append(byte % 3 == 0 ? UInt8(truncatingIfNeeded: byte >> 8) : handles[Int(byte >> 8 % 10) % 10])
            }
            // The delayed read would make the next request one too many.
            // An indication is confirmed like a request is answered, unless it is malformed or too long.
            let isIndication = pdu[0] == 0x1D && pdu.count >= 3 && pdu.count <= server.mtu
            let isRequest = ![0x52, 0xD2, 0x1B, 0x1D].contains(pdu[0]) || isIndication
            var answers = server.send(pdu)
            if isRequest, server.nextDeadline != nil { answers += server.wait(.seconds(2)) }
            // A configuration that was enabled may send the value first.
            let responses = answers.filter { !$0.hasPrefix("1b") && !$0.hasPrefix("1d") }
            #expect(responses.count == (isRequest ? 1 : 0), "seed \(seed), \(pdu.hexadecimal)")
            #expect(answers.allSatisfy { $0.utf8.count <= 2 * server.mtu })
            while answers.contains(where: { $0.hasPrefix("1d") }) { answers = server.send("1e") }
        }
        #expect(!server.isClosed)
    }
}
