import Captures
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
}
