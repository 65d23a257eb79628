import HCI
import L2CAP
import TestSupport
import Testing
import Wire

/// Fixtures/regressions/l2cap.
@Suite struct RegressionTests {
    /// `acl`: ACL packets with their type octet, in order. Then all that must come out, in order: `frame` with handle,
    /// channel and payload; `discarded` with what was thrown away.
    @Test(arguments: RegressionFile.all(in: "l2cap").filter { $0.name.hasPrefix("reassembly-") })
    func reassembly(_ file: RegressionFile) throws {
        var reassemblers: [ConnectionHandle: FrameReassembler] = [:]
        var frames: [String] = []
        var discarded: [String] = []
        for line in file["acl"] {
            let octets = line.octets
            guard case .acl(let packet) = try HCIPacket(parsing: octets.octets) else {
                Issue.record("no ACL packet")
                return
            }
            let handle = packet.handle
            let thrown = reassemblers[handle, default: FrameReassembler()]
                .receive(packet.data, packet.boundary.isFirst ? .first : .continuing) { frame in
                    let payload = [UInt8](octets: frame.payload).map { [$0].hexadecimal }.joined(separator: " ")
                    frames.append("\(handle) \(frame.channel.rawValue) \(payload)")
                }
            let names: [(FrameReassembler.Discarded, String)] = [
                (.incomplete, "incomplete"), (.overlong, "overlong"), (.orphan, "orphan"), (.tooLong, "toolong"),
                (.nullChannel, "nullchannel"),
            ]
            discarded += names.filter { thrown.contains($0.0) }.map(\.1)
        }
        #expect(frames == file["frame"].map(\.value))
        #expect(discarded == file["discarded"].map(\.value))
        #expect(reassemblers.values.allSatisfy { !$0.isCollecting })
    }

    /// Frames with their header between a central and its peer, in order: `rx` from the peer; `tx` what must be answered;
    /// `quiet` when nothing is. `update`: the connection parameters the controller is told at the end.
    @Test(arguments: RegressionFile.all(in: "l2cap").filter { $0.name.hasPrefix("exchange-") })
    func exchange(_ file: RegressionFile) throws {
        let signalling = CentralSignalling()
        var replies: [[UInt8]] = []
        var updates: [String] = []
        for line in file.lines {
            switch line.key {
            case "rx":
                #expect(replies.isEmpty)
                let octets = line.octets
                let frame = try BasicFrame(parsing: octets.octets)
                var reply: [UInt8]?
                if frame.channel == .securityManager {
                    reply = PairingRefusal().receive(frame.payload)
                } else {
                    switch signalling.receive(frame.payload) {
                    case .ignore: break
                    case .reply(let payload): reply = payload
                    case .update(let request, let payload):
                        reply = payload
                        updates.append(
                            "\(request.intervalMinimum) \(request.intervalMaximum) \(request.latency) \(request.timeout)"
                        )
                    }
                }
                guard let reply else { continue }
                let answer = BasicFrame(channel: frame.channel, payload: reply.octets)
                let octetsOut = try [UInt8](capacity: answer.encodedByteCount) { output throws(EncodeError) in
                    try answer.encode(into: &output)
                }
                replies.append(octetsOut)
            case "tx":
                #expect(replies == [line.octets])
                replies = []
            case "quiet": #expect(replies.isEmpty)
            default: break
            }
        }
        #expect(replies.isEmpty)
        #expect(updates == file["update"].map(\.value))
    }
}
