import ATT
import Captures
import GAP
import HCI
import TestSupport
import Testing

/// Fixtures/regressions/captures and the reassembly cases of Fixtures/regressions/l2cap.
@Suite struct CaptureRegressionTests {
    /// What a file gives, in the words of the fixtures.
    private func facts(_ octets: [UInt8]) -> (
        records: [String], events: [String], counts: [String: Int], error: String?
    ) {
        var parser = CaptureParser()
        var decoder = CaptureDecoder()
        var records: [String] = []
        var events: [String] = []
        var error: String?
        do throws(CaptureError) {
            _ = try parser.parse(octets.octets, isLast: true) { record in
                records.append("\(record.kind) \(record.direction)")
                decoder.receive(record) { event in
                    switch event {
                    case .pdu(let pdu): events.append("att \(pdu.direction) \(pdu.octets.hexadecimal)")
                    case .connected(let connection):
                        let peer = connection.peer?.description ?? "unknown"
                        events.append("opened \(connection.number) \(connection.handle) \(peer)")
                    case .disconnected(let connection, let reason, _):
                        events.append("closed \(connection.number) 0x\([reason.rawValue].hexadecimal)")
                    case .advertising: events.append("advertising")
                    }
                }
            }
        } catch let problem {
            error = problem.description
        }
        let counts = [
            "skipped": parser.foreignRecordCount, "vendor": decoder.omissions.vendorPackets,
            "malformed": decoder.omissions.malformedPackets, "broken": decoder.omissions.brokenFrames,
            "connections": decoder.connectionCount,
        ]
        return (records, events, counts, error)
    }

    /// `file`: a whole file; or `h4`: packets with their type octet, ACL data from the controller. Then, in order:
    /// `record` with kind and direction, where the file has any such line; `att`, `opened`, `closed`; counts by name;
    /// `error`: a part of the sentence.
    @Test(arguments: RegressionFile.all(in: "captures"))
    func captures(_ file: RegressionFile) {
        let found = facts(file["file"].first?.octets ?? Self.capture(of: file["h4"].map(\.octets)))
        let error = file["error"].first?.value
        #expect((found.error == nil) == (error == nil), "\(String(describing: found.error))")
        if let error { #expect(found.error?.contains(error) == true, "\(found.error ?? "")") }
        if !file["record"].isEmpty || error != nil { #expect(found.records == file["record"].map(\.value)) }
        let events = file.lines.filter { ["att", "opened", "closed"].contains($0.key) }
        #expect(found.events == events.map { "\($0.key) \($0.value)" })
        for (key, count) in found.counts {
            guard let line = file[key].first else { continue }
            #expect(count == line.number(), "\(key)")
        }
    }

    /// The same ACL packets as in the reassembler's own test: what comes out on the channel of ATT, and nothing else.
    @Test(arguments: RegressionFile.all(in: "l2cap").filter { $0.name.hasPrefix("reassembly-") })
    func reassembly(_ file: RegressionFile) {
        let found = facts(Self.capture(of: file["acl"].map(\.octets)))
        let frames = file["frame"].map(\.words).filter { $0[1] == "4" }
        #expect(found.events == frames.map { "att received \($0.dropFirst(2).joined())" })
        let vendor = file["discarded"].count { $0.value == "nullchannel" }
        #expect(found.counts["vendor"] == vendor)
        #expect(found.counts["broken"] == file["discarded"].count - vendor)
    }

    /// Packets with their type octet as a btsnoop file.
    private static func capture(of packets: [[UInt8]]) -> [UInt8] {
        let writer = BtsnoopWriter()
        return packets.enumerated().reduce(writer.fileHeader) { file, item in
            let kind = H4Kind(rawValue: item.element.first ?? 0) ?? .event
            let time = CaptureTime(nanoseconds: 1_700_000_000_000_000_000 + Int64(item.offset) * 1_000_000)
            return file
                + writer.record(
                    kind, kind == .command ? .sent : .received, at: time, packet: Array(item.element.dropFirst()))
        }
    }
}
