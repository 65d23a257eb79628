// Capture files: read in one piece or in many, the records are the same; what is made of them stays bounded.

import ATT
import Captures
import Wire

extension FuzzTarget {
    static let captures = FuzzTarget(
        "captures", maximumLength: 8192,
        seeds: { fixtures in
            let framing = ATTCaptureFraming()
            let start = CaptureTime(nanoseconds: 1_700_000_000_000_000_000)
            let conversations = fixtures.transcripts.prefix(40).map { transcript in
                var octets =
                    BtsnoopWriter().fileHeader + framing.connected(to: [1, 2, 3, 4, 5, 6], isRandom: true, at: start)
                for pdu in transcript.pdus {
                    octets += framing.pdu(
                        pdu.octets.octets, pdu.direction == .fromClient ? .sent : .received, at: start)
                }
                return [16] + octets + framing.disconnected(reason: 0x13, at: start)
            }
            return conversations + [pcap, pcapng].map { [3] + $0 }
        },
        run: { (input) throws(Finding) in
            var decisions = Decisions(input)
            let piece = 1 + Int(decisions.octet())
            let file = decisions.rest()
            let whole = read(file, piece: max(1, file.count))
            let pieces = read(file, piece: piece)
            try check(whole == pieces, "read in pieces of \(piece), the capture is another one")
            try check(whole.used <= file.count, "more was used up than there was")
            try summarises(file)
        })

    /// A pcap file, link type 201 (H4 with a direction), of one command and one event.
    private static let pcap =
        [UInt8](
            hexadecimal: "d4c3b2a1020004000000000000000400c9000000"
                + "00f1536500000000" + "0800000008000000" + "0000000001030c00"
                + "00f1536510270000" + "0b0000000b000000" + "00000001040e0401030c00") ?? []

    /// A pcapng file: a section, an interface of link type 201 and one enhanced packet.
    private static let pcapng =
        [UInt8](
            hexadecimal: "0a0d0d0a1c0000004d3c2b1a01000000ffffffffffffffff1c000000"
                + "0100000014000000c90000000000040014000000"
                + "060000002800000000000000e0070500a0860100080000000800000000000000" + "01030c0028000000") ?? []

    /// What a capture says: its records and how it ends.
    private struct Reading: Equatable {
        struct Record: Equatable {
            var time: CaptureTime?
            var direction: CaptureDirection
            var kind: CapturePacketKind
            var adapter: Int
            var isCut: Bool
            var packet: [UInt8]
        }

        var records: [Record] = []
        var error: CaptureError?
        var used = 0
        var malformed = 0
        var foreign = 0
    }

    private static func read(_ file: [UInt8], piece: Int) -> Reading {
        var parser = CaptureParser()
        var reading = Reading()
        var end = 0
        do throws(CaptureError) {
            repeat {
                end = min(file.count, end + piece)
                let left = Array(file[reading.used..<end])
                reading.used += try parser.parse(left.octets, isLast: end == file.count) { record in
                    reading.records.append(
                        Reading.Record(
                            time: record.time, direction: record.direction, kind: record.kind,
                            adapter: record.adapter, isCut: record.isCut, packet: [UInt8](octets: record.packet)))
                }
            } while end < file.count
        } catch {
            reading.error = error
        }
        reading.used = parser.offset
        reading.malformed = parser.malformedRecordCount
        reading.foreign = parser.foreignRecordCount
        return reading
    }

    /// Connections and conversations of any packets.
    private static func summarises(_ file: [UInt8]) throws(Finding) {
        var parser = CaptureParser()
        var decoder = CaptureDecoder()
        var tracker = ConversationTracker()
        var summary = CaptureSummary()
        var finding: Finding?
        _ = try? parser.parse(file.octets, isLast: true) { record in
            summary.add(record)
            decoder.receive(record) { event in
                guard case .pdu(let pdu) = event else { return }
                let insight = tracker.observe(pdu.octets, pdu.direction, at: pdu.time)
                if insight.answers != nil, insight.isUnasked { finding = Finding("an answer is unasked") }
                if pdu.octets.byteCount > 65_535 { finding = Finding("a PDU is longer than L2CAP carries") }
                _ = describe(pdu.octets)
            }
            if decoder.openConnections.count > CaptureDecoder.mostOpenConnections {
                finding = Finding("\(decoder.openConnections.count) connections are open")
            }
        }
        if let finding { throw finding }
        try check(tracker.mtu >= 23, "ATT_MTU is \(tracker.mtu)")
        try check(summary.connections.count <= CaptureSummary.mostConnections, "too many connections are kept")
    }

    static let transcripts = FuzzTarget(
        "transcripts", maximumLength: 2048,
        seeds: { fixtures in fixtures.files(in: "transcripts").map(\.octets) },
        run: { (input) throws(Finding) in
            guard let transcript = try? Transcript(parsing: input.text) else { return }
            let text = transcript.description
            switch Result(catching: { () throws(Transcript.SyntaxError) in try Transcript(parsing: text) }) {
            case .success(let again): try check(again == transcript, "the text of the transcript reads as another one")
            case .failure(let error): throw Finding("the text of the transcript cannot be read: \(error)")
            }
            for index in transcript.lines.indices {
                try check(transcript.lineNumber(of: index) ?? 0 > 0, "line \(index) stood nowhere")
            }
        })
}
