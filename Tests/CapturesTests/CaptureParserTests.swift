// Capture files as octets: each format, each way of wrapping packets, and each kind of damage.

import Captures
import TestSupport
import Testing
import Wire

/// What a record held, kept for comparison.
private struct Seen: Equatable {
    var direction: CaptureDirection
    var kind: CapturePacketKind
    var adapter = 0
    var packet: String
    var nanoseconds: Int64?
}

/// Everything a file gives when it is handed in `step` octets at a time, and how it ended.
private func read(_ file: [UInt8], step: Int = .max) -> (records: [Seen], parser: CaptureParser, error: CaptureError?) {
    var parser = CaptureParser()
    var seen: [Seen] = []
    var start = 0
    var end = 0
    do throws(CaptureError) {
        repeat {
            end = step < file.count - end ? end + step : file.count
            start += try parser.parse(
                file.octets.extracting(start..<end), isLast: end == file.count
            ) { record in
                seen.append(
                    Seen(
                        direction: record.direction, kind: record.kind, adapter: record.adapter,
                        packet: record.packet.hexadecimal, nanoseconds: record.time?.nanoseconds))
            }
        } while end < file.count
    } catch {
        return (seen, parser, error)
    }
    return (seen, parser, nil)
}

@Suite struct CaptureParserTests {
    /// Data link 1001: the flags alone tell direction and kind; 0xe2e7d7274fa240 is 2023-09-14 12:26:40 UTC here.
    static let h1 = hexadecimal(
        """
        6274736e6f6f700000000001000003e90000000300000003000000020000000000e2e7d7274fa240030c000000000600
        000006000000030000000000e2e7d7274fa2410e0401030c000000000b0000000b000000000000000000e2e7d7274fa2
        4240000700030004000a03000000001f0000001f000000010000000000e2e7d7274fa24340201b00170004001b0300aa
        aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
        """)

    /// Data link 2001: flags are the adapter index << 16 | the monitor's opcode.
    static let monitor = hexadecimal(
        """
        6274736e6f6f700000000001000007d10000001000000010000000000000000000e2e7d7274fa2400000000000000000
        68636930000000000000000300000003000000020000000000e2e7d7274fa241030c0000000006000000060000000300
        00000000e2e7d7274fa2420e0401030c000000000b0000000b000000040000000000e2e7d7274fa24340000700030004
        000a03000000000500000005ffff000c0000000000e2e7d7274fa2446e6f746500
        """)

    /// LINKTYPE 187: H4 without a direction.
    static let pcap187 = hexadecimal(
        """
        d4c3b2a102000400000000000000000000000400bb00000000f1536500000000040000000400000001030c0000f15365
        010000000c0000000c0000000240000700030004000a0300
        """)

    /// A pcapng file with an Ethernet interface, a nanosecond interface and an unknown block.
    static let mixed = hexadecimal(
        """
        0a0d0d0a1c0000004d3c2b1a01000000ffffffffffffffff1c0000000100000014000000c9000000ffffffff14000000
        010000001400000001000000ffff0000140000000100000020000000fe00000000000000090001000900000000000000
        20000000ad0b0000100000000102030410000000060000004400000000000000240a0600402220182400000024000000
        000000010240201b00170004001b0300aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa440000000600000030000000
        01000000240a0600402220180e0000000e00000000000000000000000000000000000000300000000600000030000000
        02000000fe9c971700ca853d0f0000000f0000000000000440000700030004000a03000030000000
        """)

    static func hexadecimal(_ lines: String) -> [UInt8] { hex(lines.split(separator: "\n").joined()) }

    @Test func btsnoopWithoutTypeOctets() {
        let (records, parser, error) = read(Self.h1)
        #expect(error == nil)
        #expect(parser.format == .btsnoop)
        #expect(records.map(\.kind) == [.command, .event, .acl, .acl])
        #expect(records.map(\.direction) == [.sent, .received, .sent, .received])
        #expect(records.map(\.packet).prefix(3) == ["030c00", "0e0401030c00", "40000700030004000a0300"])
        #expect(records[1].nanoseconds.map { $0 - (records[0].nanoseconds ?? 0) } == 1_000)
    }

    @Test func btsnoopOfTheMonitor() {
        let (records, _, error) = read(Self.monitor)
        #expect(error == nil)
        #expect(records.map(\.kind) == [.other(0), .command, .event, .acl, .other(12)])
        #expect(records.map(\.adapter) == [0, 0, 0, 0, 0xFFFF])
        #expect(records[3].direction == .sent)
        #expect(records[3].packet == "40000700030004000a0300")
    }

    @Test func pcapWithoutDirection() {
        let (records, parser, error) = read(Self.pcap187)
        #expect(error == nil)
        #expect(parser.format == .pcap)
        #expect(records.map(\.kind) == [.command, .acl])
        #expect(records.map(\.direction) == [.sent, .unknown])
        #expect(records[1].packet == "40000700030004000a0300")
        #expect(records[0].nanoseconds == 1_700_000_000_000_000_000)
    }

    /// The same packet in both byte orders and both resolutions, and with the direction of LINKTYPE 201 and the
    /// header of LINKTYPE 254.
    @Test(arguments: [
        ("d4c3b2a1020004000000000000000000ffff0000c9000000 00f1536507000000080000000800000000000001 04100142", 7_000),
        (
            "a1b2c3d4000200040000000000000000 0000ffff000000c9 6553f10000000007 0000000800000008 00000001 04100142",
            7_000
        ),
        ("4d3cb2a1020004000000000000000000ffff0000fe000000 00f1536507000000070000000700000000030003100301", 7),
    ])
    func pcapByteOrdersAndResolutions(_ text: String, _ fraction: Int64) {
        let (records, _, error) = read(hex(text.split(separator: " ").joined()))
        #expect(error == nil)
        #expect(records.count == 1)
        #expect(records.first?.kind == .event)
        #expect(records.first?.direction == .received)
        #expect(records.first?.packet.hasPrefix("10") == true)
        #expect(records.first?.nanoseconds == 1_700_000_000_000_000_000 + fraction)
    }

    @Test func pcapngWithSeveralInterfaces() {
        let (records, parser, error) = read(Self.mixed)
        #expect(error == nil)
        #expect(parser.format == .pcapng)
        #expect(parser.foreignRecordCount == 1)
        #expect(parser.foreignLinkType == 1)
        #expect(records.map(\.kind) == [.acl, .acl])
        #expect(records.map(\.adapter) == [0, 0])
        #expect(records.map(\.direction) == [.received, .sent])
        #expect(records[1].packet == "40000700030004000a0300")
        #expect(records.allSatisfy { ($0.nanoseconds ?? 0) / 1_000_000_000 == 1_700_000_000 })
    }

    /// A length of a record that no memory should be taken for, and nothing that traps on it.
    @Test(arguments: ["ffffffff", "7fffffff", "00040001"])
    func btsnoopWithAnImpossibleLength(_ length: String) {
        let file = hex("6274736e6f6f700000000001000003ea\(length)\(length)000000000000000000e2e7d7274fa24001")
        let (records, _, error) = read(file)
        #expect(records.isEmpty)
        #expect(error?.offset == 16)
        guard case .impossibleLength = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: [
        ("6274736e6f6f700000000001000003eb", "link type 1003"),
        ("6274736e6f6f700000000002000003ea", "btsnoop version 2"),
        ("d4c3b2a1020004000000000000000000ffff000000010000", "link type 256 (LE link layer"),
        ("d4c3b2a1020004000000000000000000ffff0000fb000000", "link type 251 (LE link layer"),
        ("d4c3b2a1020004000000000000000000ffff000010010000", "link type 272 (Nordic sniffer"),
        ("d4c3b2a1020004000000000000000000ffff0000c0000000", "link type 192 (per-packet information"),
        ("89504e470d0a1a0a0000000d494844520000000100000001", "no btsnoop, pcap or pcapng"), ("", "no btsnoop"),
    ])
    func otherFilesAreNamed(_ file: String, _ sentence: String) {
        let (records, _, error) = read(hex(file))
        #expect(records.isEmpty)
        #expect(error?.description.contains(sentence) == true, "\(String(describing: error))")
    }

    static let files = [h1, monitor, pcap187, mixed]

    /// However the file comes in, it gives the same records.
    @Test(arguments: files, [1, 2, 3, 5, 7, 16, 33])
    func piecesGiveTheSame(_ file: [UInt8], _ step: Int) {
        let whole = read(file)
        let pieces = read(file, step: step)
        #expect(pieces.records == whole.records)
        #expect(pieces.error == nil)
    }

    /// A file cut at any octet gives the records before the cut, and never more than one error.
    @Test(arguments: files)
    func cutsKeepWhatCameBefore(_ file: [UInt8]) async {
        let whole = read(file).records
        for length in 0..<file.count {
            await Task.yield()
            let (records, parser, error) = read(Array(file.prefix(length)))
            #expect(records == Array(whole.prefix(records.count)), "cut at \(length)")
            if error == nil {
                // Only a cut between two records can go unnoticed.
                #expect(parser.offset == length)
            }
        }
    }

    /// Any octet changed to any value may change what is read, but nothing traps and all of it ends.
    @Test(arguments: files)
    func changedOctetsNeverTrap(_ file: [UInt8]) async {
        for index in file.indices {
            // Tests that wait for something must not wait for this one.
            await Task.yield()
            for value in [0, 1, 0x7F, 0x80, 0xFF, file[index] &+ 1] {
                var changed = file
                changed[index] = value
                let (records, _, _) = read(changed)
                #expect(records.count <= file.count)
            }
        }
    }
}
