import Captures
import GAP
import HCI
import TestSupport
import Testing
import Wire

@Suite struct BtsnoopWriterTests {
    private let time = CaptureTime(nanoseconds: 1_700_000_000_000_001_000)

    @Test func headerIsThatOfH4() {
        #expect(BtsnoopWriter().fileHeader == hex("6274736e6f6f7000 00000001 000003ea"))
    }

    /// 0x00e2e7d7274fa241 microseconds since the year 0 are 0x00dcddb30f2f8000 more than since 1970.
    @Test func recordIsBigEndianWithFlags() {
        let record = BtsnoopWriter().record(.event, .received, at: time, packet: hex("0e0401030c00"))
        #expect(record == hex("00000007 00000007 00000003 00000000 00e2e7d7274dc001 04 0e0401030c00"))
    }

    @Test func pduIsDressedAsOneACLPacket() {
        let framing = ATTCaptureFraming()
        #expect(
            framing.pdu(hex("020502").octets, .sent, at: time).suffix(12) == hex("02 4000 0700 0300 0400 020502"))
        #expect(
            framing.pdu(hex("031700").octets, .received, at: time).suffix(12) == hex("02 4020 0700 0300 0400 031700"))
    }

    @Test func connectionIsOpenedAndClosed() {
        let framing = ATTCaptureFraming(connectionHandle: 0x0041)
        let address = hex("f5f4f3f2f1f0")
        #expect(
            framing.connected(to: address, isRandom: true, at: time).suffix(22)
                == hex("04 3e13 01 00 4100 00 01 f5f4f3f2f1f0 1800 0000 f401 00"))
        #expect(framing.disconnected(reason: 0x13, at: time).suffix(7) == hex("04 0504 00 4100 13"))
    }

    @Test func whatIsWrittenIsRead() throws {
        let writer = BtsnoopWriter()
        let file = writer.fileHeader + ATTCaptureFraming().pdu(hex("0a0300").octets, .sent, at: time)
        var parser = CaptureParser()
        var packets: [String] = []
        var times: [CaptureTime?] = []
        let used = try parser.parse(file.octets, isLast: true) { record in
            packets.append(record.packet.hexadecimal)
            times.append(record.time)
        }
        #expect(used == file.count)
        #expect(packets == ["40000700030004000a0300"])
        #expect(times == [time])
    }

    /// Data link 2001: the flags are adapter and opcode, and there is no type octet.
    @Test func recordsOfTheMonitor() {
        let writer = BtsnoopWriter(.monitor)
        #expect(writer.fileHeader == hex("6274736e6f6f700000000001000007d1"))
        #expect(
            writer.message(12, adapter: 0xFFFF, at: time, hex("6e00").octets)
                == hex("00000002 00000002 ffff000c 00000000 00e2e7d7274dc001 6e00"))
        #expect(
            ATTCaptureFraming(writer: writer).pdu(hex("031700").octets, .received, at: time)
                == hex("0000000b 0000000b 00000005 00000000 00e2e7d7274dc001 4020 0700 0300 0400 031700"))
    }

    /// An advertisement as it would be kept of this event.
    private func advertisement(_ event: [UInt8]) throws -> AdvertisementRecord {
        var assembler = AdvertisementAssembler()
        var record: AdvertisementRecord?
        var reports = try AdvertisingReports(parsing: event.octets.extracting(droppingFirst: 2), layout: .extended)
        while let report = reports.next() {
            assembler.receive(report, at: 0) { record = AdvertisementRecord(copying: $0) }
        }
        return try #require(record)
    }

    /// The event that a controller sent is the event that is written: a legacy advertisement, a scan response, an
    /// extended directed one with everything in it, an anonymous one.
    @Test(arguments: [
        "3e1d 0d 01 1300 01 f5f4f3f2f1f0 01 00 ff 7f d0 0000 00 000000000000 03 020106",
        "3e1c 0d 01 1b00 00 f5f4f3f2f1f0 01 00 ff 7f 7f 0000 00 000000000000 02 0109",
        "3e1d 0d 01 0500 01 f5f4f3f2f1f0 03 02 07 f4 d0 5000 01 0605040302c1 03 020106",
        "3e1d 0d 01 0000 ff 000000000000 01 01 03 7f d0 0000 00 000000000000 03 020106",
    ])
    func advertisementsAreReports(_ event: String) throws {
        let record = BtsnoopWriter().advertisement(try advertisement(hex(event)), at: time)
        #expect(Array(record.dropFirst(24)).hexadecimal == "04" + hex(event).hexadecimal)
    }

    /// 300 octets take two reports, of which the first says that more is to come.
    @Test func longAdvertisementsTakeSeveralReports() throws {
        let data = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        var record = try advertisement(
            hex("3e1d 0d 01 0100 01 f5f4f3f2f1f0 01 01 03 7f d0 0000 00 000000000000 03 020106"))
        record.advertisingData = StoredAdvertisingData(copying: AdvertisingData(data.octets))
        let file = BtsnoopWriter().fileHeader + BtsnoopWriter().advertisement(record, at: time)
        var parser = CaptureParser()
        var packets: [[UInt8]] = []
        _ = try parser.parse(file.octets, isLast: true) { packets.append([UInt8](octets: $0.packet)) }
        #expect(packets.map(\.count) == [2 + 255, 2 + 26 + 71])
        #expect(packets.map { $0[4] } == [0x21, 0x01])
        #expect(packets.flatMap { $0.dropFirst(28) } == data)
    }
}
