// What a capture needs more than one connection, or more than one packet, for.

import ATT
import Captures
import GAP
import HCI
import TestSupport
import Testing

/// A capture that is put together packet by packet, ten milliseconds apart.
struct CaptureBuilder {
    private(set) var octets = BtsnoopWriter().fileHeader
    private var count: Int64 = 0
    private let writer = BtsnoopWriter()

    mutating func add(_ kind: H4Kind, _ direction: CaptureDirection, _ packet: String) {
        octets += writer.record(
            kind, direction, at: CaptureTime(nanoseconds: 1_700_000_000_000_000_000 + count * 10_000_000),
            packet: hex(packet))
        count += 1
    }

    mutating func pdu(_ direction: CaptureDirection, _ pdu: String, handle: UInt16 = 0x0040) {
        let octets = hex(pdu)
        let word = handle | (direction == .received ? 0x2000 : 0)
        add(
            .acl, direction,
            [word, UInt16(octets.count + 4), UInt16(octets.count), 4].map { littleEndian($0) }.joined() + pdu)
    }

    mutating func connected(_ address: String = "f5f4f3f2f1f0", handle: UInt16 = 0x0040, role: String = "00") {
        add(.event, .received, "3e13 01 00 \(littleEndian(handle)) \(role) 01 \(address) 1800 0000 f401 00")
    }

    mutating func disconnected(_ reason: String = "13", handle: UInt16 = 0x0040) {
        add(.event, .received, "0504 00 \(littleEndian(handle)) \(reason)")
    }

    /// A discovery of the service 180d with its measurement at 0x0010 and a configuration at 0x0011.
    mutating func discovery() {
        pdu(.sent, "100100ffff0028")
        pdu(.received, "1106 0e00 1100 0d18")
        pdu(.sent, "080e001100 0328")
        pdu(.received, "0907 0f00 10 1000 372a")
        pdu(.sent, "0411001100")
        pdu(.received, "0501 1100 0229")
    }

    private func littleEndian(_ number: UInt16) -> String {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)].hexadecimal
    }

    /// What the capture gives: for each PDU its connection, the address of the peer, and the UUID of its attribute.
    func conversations() throws -> [String] {
        var parser = CaptureParser()
        var conversations = CapturedConversations()
        var seen: [String] = []
        _ = try parser.parse(octets.octets, isLast: true) { record in
            conversations.receive(record) { event in
                switch event {
                case .connected(let connection, _):
                    seen.append("#\(connection.number) + \(connection.peer?.description ?? "?")")
                case .disconnected(let connection, let reason, _):
                    seen.append("#\(connection.number) - \(reason.rawValue)")
                case .pdu(let pdu):
                    let uuid = pdu.insight.handle.flatMap { pdu.attributes[$0]?.uuid.description }
                    let arrow = pdu.direction == .sent ? ">" : pdu.direction == .received ? "<" : "?"
                    seen.append("#\(pdu.connection.number) \(arrow) \(pdu.octets.hexadecimal) \(uuid ?? "?")")
                }
            }
        }
        return seen
    }
}

@Suite struct ConversationsTests {
    /// A phone that knows the device does not discover it again.
    @Test func whatOneConnectionToldNamesTheNext() throws {
        var capture = CaptureBuilder()
        capture.connected()
        capture.discovery()
        capture.disconnected()
        capture.connected(handle: 0x0041)
        capture.pdu(.received, "1b10000048", handle: 0x0041)
        capture.disconnected(handle: 0x0041)
        capture.connected("f5f4f3f2f1f1", handle: 0x0042)
        capture.pdu(.received, "1b10000048", handle: 0x0042)
        #expect(
            try capture.conversations().suffix(5) == [
                "#2 + F0:F1:F2:F3:F4:F5/random", "#2 < 1b10000048 2a37", "#2 - 19",
                "#3 + F1:F1:F2:F3:F4:F5/random", "#3 < 1b10000048 ?",
            ])
    }

    /// The same where the log misses the end of the first connection.
    @Test func whatAConnectionWithoutAnEndToldIsKeptToo() throws {
        var capture = CaptureBuilder()
        capture.connected()
        capture.discovery()
        capture.connected(handle: 0x0041)
        capture.pdu(.received, "1b10000048", handle: 0x0041)
        #expect(try capture.conversations().last == "#2 < 1b10000048 2a37")
    }

    /// More connections than any controller has: those used longest ago are let go, and nothing else is lost.
    @Test func connectionsAreBounded() throws {
        var capture = CaptureBuilder()
        for handle in 0..<UInt16(CaptureDecoder.mostOpenConnections + 10) {
            capture.pdu(.received, "1b100000", handle: handle)
        }
        capture.pdu(.received, "1b100001", handle: 20)
        capture.pdu(.received, "1b100002", handle: 0)
        var parser = CaptureParser()
        var decoder = CaptureDecoder()
        var numbers: [Int] = []
        _ = try parser.parse(capture.octets.octets, isLast: true) { record in
            decoder.receive(record) { event in
                if case .pdu(let pdu) = event { numbers.append(pdu.connection.number) }
            }
        }
        #expect(decoder.openConnections.count == CaptureDecoder.mostOpenConnections)
        #expect(numbers.suffix(2) == [21, CaptureDecoder.mostOpenConnections + 11])
    }

    /// A descriptor belongs to the value before it, as far as everything in between is known.
    @Test func descriptorsBelongToTheValueBefore() {
        var tracker = ConversationTracker()
        for (pdu, direction) in [
            ("080100ffff0328", CaptureDirection.sent), ("0907 0f00 10 1000 372a", .received),
            ("0411001200", .sent), ("0501 1100 0229 1200 0129", .received),
            ("0416001700", .sent), ("0501 1600 0328 1700 0229", .received),
        ] {
            _ = tracker.observe(hex(pdu).octets, direction, at: nil)
        }
        let table = tracker.peerAttributes
        #expect(table.characteristic(of: 0x0011)?.uuid == 0x2A37)
        #expect(table.characteristic(of: 0x0012)?.uuid == 0x2A37)
        #expect(table.characteristic(of: 0x0017) == nil)
        #expect(table.characteristic(of: 0x0030) == nil)
    }

    /// Data overtakes the event that tells of its connection: it is the same one.
    @Test func dataBeforeItsConnectionEventBelongsToIt() throws {
        var capture = CaptureBuilder()
        capture.pdu(.received, "02f700")
        capture.connected()
        capture.pdu(.sent, "03f700")
        #expect(
            try capture.conversations() == [
                "#1 < 02f700 ?", "#1 + F0:F1:F2:F3:F4:F5/random", "#1 > 03f700 ?",
            ])
    }

    /// After Service Changed the handles of its range may be anything.
    @Test func serviceChangedForgetsARange() throws {
        var capture = CaptureBuilder()
        capture.connected()
        capture.pdu(.sent, "080100ffff0328")
        capture.pdu(.received, "0907 0200 20 0300 052a 0f00 10 1000 372a")
        capture.pdu(.received, "1b10000048")
        capture.pdu(.received, "1d0300 0a00 ffff")
        capture.pdu(.received, "1b10000048")
        #expect(
            try capture.conversations().suffix(3) == [
                "#1 < 1b10000048 2a37", "#1 < 1d03000a00ffff 2a05", "#1 < 1b10000048 ?",
            ])
    }

    /// LINKTYPE 187 tells no direction; the boundary flag of the first fragment does, also for what continues it.
    @Test func directionIsToldByTheBoundaryFlag() throws {
        let header = "d4c3b2a102000400000000000000000000000400bb000000"
        let packets = [
            "024000 0700 0300 0400 0a0300", "024020 0700 0800 0400 0b0102", "024000 0600 0300 0400 0a03",
            "024010 0500 0304050607", "024010 0100 00",
        ].map { $0.filter { $0 != " " } }
        var file = hex(header)
        for packet in packets {
            let octets = hex(packet)
            file += [0, 0, 0, 0, 0, 0, 0, 0, UInt8(octets.count), 0, 0, 0, UInt8(octets.count), 0, 0, 0] + octets
        }
        var parser = CaptureParser()
        var decoder = CaptureDecoder()
        var seen: [String] = []
        _ = try parser.parse(file.octets, isLast: true) { record in
            #expect(record.direction == .unknown)
            decoder.receive(record) { event in
                guard case .pdu(let pdu) = event else { return }
                seen.append("\(pdu.direction) \(pdu.octets.hexadecimal)")
            }
        }
        // Both frames are open when the first continuation comes, which then goes with the one that began last; that
        // makes it too long, so only the other direction's end is found again.
        #expect(seen.first == "sent 0a0300")
        #expect(decoder.omissions.brokenFrames <= 2)
    }

    /// Android's filtered log keeps the beginning of a packet only: nothing is made up from it.
    @Test func cutPacketsAreCountedAndBreakTheirFrame() throws {
        var capture = CaptureBuilder()
        capture.add(.acl, .received, "4020 0600 0500 0400 1b10")
        var octets = capture.octets
        var cut = CaptureBuilder()
        cut.add(.acl, .received, "4010 0300 0000")
        var record = Array(cut.octets.dropFirst(16))
        record[3] = 8  // One octet more was there than is kept.
        octets += record
        cut = CaptureBuilder()
        cut.add(.acl, .received, "4010 0200 4848")
        octets += cut.octets.dropFirst(16)
        var parser = CaptureParser()
        var decoder = CaptureDecoder()
        var count = 0
        _ = try parser.parse(octets.octets, isLast: true) { record in
            decoder.receive(record) { _ in count += 1 }
        }
        #expect(count == 0)
        #expect(decoder.omissions.cutPackets == 1)
        #expect(decoder.omissions.brokenFrames == 1)
    }

    /// Which side is the client decides what `>` is in a transcript; the role tells, and else the requests do.
    @Test(arguments: [(true, ">"), (false, "<"), (nil, ">")] as [(Bool?, String)])
    func transcriptsPointFromTheCentral(_ isCentral: Bool?, _ arrow: String) throws {
        var builder = TranscriptBuilder()
        builder.isCentral = isCentral
        builder.add(hex("0a0300").octets, .sent, at: CaptureTime(nanoseconds: 5_000_000_000), comment: "read")
        builder.add(hex("0b01").octets, .received, at: CaptureTime(nanoseconds: 5_012_345_678))
        builder.end(.connectionTimeout, at: nil)
        let back = arrow == ">" ? "<" : ">"
        let text = builder.transcript(header: [("description", "two PDUs")]).description
        #expect(
            text == """
                description: two PDUs
                mtu: 23
                0.000000 \(arrow) 0a0300  # read
                0.012345 \(back) 0b01
                closed: 0x08 Connection Timeout

                """)
        #expect(try Transcript(parsing: text).description == text)
    }
}
