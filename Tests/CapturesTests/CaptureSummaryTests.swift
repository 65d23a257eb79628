import ATT
import Captures
import GAP
import HCI
import TestSupport
import Testing

@Suite struct CaptureSummaryTests {
    /// A capture of ATT PDUs, ten milliseconds apart.
    private func summary(_ pdus: [(String, CaptureDirection)]) throws -> [ConnectionSummary] {
        let framing = ATTCaptureFraming()
        func time(_ index: Int) -> CaptureTime {
            CaptureTime(nanoseconds: 1_700_000_000_000_000_000 + Int64(index) * 10_000_000)
        }
        var file = BtsnoopWriter().fileHeader
        file += framing.connected(to: hex("f5f4f3f2f1f0"), isRandom: true, at: time(0))
        for (index, (pdu, direction)) in pdus.enumerated() {
            file += framing.pdu(hex(pdu).octets, direction, at: time(index + 1))
        }
        file += framing.disconnected(reason: 0x13, at: time(pdus.count + 1))
        var parser = CaptureParser()
        var summary = CaptureSummary()
        _ = try parser.parse(file.octets, isLast: true) { summary.add($0) }
        return summary.connections
    }

    @Test func tellsWhatHappened() throws {
        let connections = try summary([
            ("020502", .sent), ("03f700", .received), ("0a1200", .sent), ("010a120002", .received),
            ("0a1400", .sent), ("0b01", .received), ("1b12000648", .received), ("1b12000649", .received),
            ("1b1200064a", .received), ("2312000100aa1400020001", .received), ("1b00", .received), ("0b", .received),
        ])
        let connection = try #require(connections.first)
        #expect(connections.count == 1)
        #expect(connection.connection.peer?.description == "F0:F1:F2:F3:F4:F5/random")
        #expect(connection.reason?.rawValue == 0x13)
        #expect(connection.mtu == 247)
        #expect(connection.pduCount == 12)
        #expect(connection.opcodeCounts[0x1B] == 4)
        #expect(
            connection.errors == [.init(request: .readRequest, handle: 0x0012, code: .readNotPermitted): 1])
        #expect(connection.latencies[.readRequest]?.count == 2)
        #expect(connection.latencies[.readRequest]?.percentile(50).map { abs($0 - 10_000_000) < 625_000 } == true)
        #expect(connection.values[0x0012]?.count == 4)
        #expect(connection.values[0x0012]?.octetCount == 7)
        #expect(connection.values[0x0012]?.rate == 100)
        #expect(connection.malformedCount == 2)
        #expect(connection.unaskedCount == 1)
    }

    @Test func percentilesAreWithinASixteenth() {
        var histogram = LatencyHistogram()
        for value in 1...100_000 { histogram.add(Int64(value)) }
        for percent in [1.0, 25, 50, 75, 90, 99, 99.9] {
            let exact = percent * 1_000
            let found = Double(histogram.percentile(percent) ?? 0)
            #expect(abs(found - exact) <= exact / 16, "\(percent) %")
        }
        #expect(histogram.percentile(100) == 100_000)
        #expect(histogram.minimum == 1)
        histogram.add(.max)
        histogram.add(-5)
        #expect(histogram.percentile(100) == .max)
    }
}
