// L2CAP: frames come out whole and only those, however they were cut; what is answered on the signalling channel can be
// read.

import L2CAP
import Wire

extension FuzzTarget {
    static let reassembly = FuzzTarget(
        "l2cap", maximumLength: 2048,
        seeds: { fixtures in
            fixtures.lines("acl", in: "regressions/l2cap").map { packet in
                let data = packet.dropFirst(4)
                return [0xFF, 0x00, UInt8(truncatingIfNeeded: data.count)] + data
            } + [[0x40, 0x20, 5, 7, 1] + Array(0..<40)]
        },
        run: { (input) throws(Finding) in
            var decisions = Decisions(input)
            let limit = Int(decisions.number16())
            var cuts = decisions
            try anythingIsBounded(&decisions, limit)
            try whatIsCutIsPutTogether(&cuts)
        })

    /// Fragments of anything: frames are as long as they say and no longer than allowed.
    private static func anythingIsBounded(_ decisions: inout Decisions, _ limit: Int) throws(Finding) {
        var reassembler = FrameReassembler(maximumFrameLength: limit)
        var sinceFirst = 0
        var finding: Finding?
        while !decisions.isAtEnd {
            let isFirst = decisions.flag()
            let fragment = decisions.octets(upTo: 255)
            sinceFirst = isFirst ? fragment.count : sinceFirst + fragment.count
            let total = sinceFirst
            let before = reassembler.discardedCount
            let maximum = reassembler.maximumFrameLength
            var delivered = 0
            let discarded = reassembler.receive(fragment.octets, isFirst ? .first : .continuing) { frame in
                delivered += 1
                if frame.encodedByteCount != total { finding = Finding("a frame of other octets than came") }
                if frame.encodedByteCount > maximum { finding = Finding("a frame is longer than allowed") }
                if frame.channel == .null { finding = Finding("a frame on no channel") }
                _ = touch(frame.payload)
            }
            if let finding { throw finding }
            try check(delivered <= 1, "\(delivered) frames of one fragment")
            try check(delivered == 0 || !reassembler.isCollecting, "a frame is whole and goes on")
            try check((reassembler.discardedCount > before) == !discarded.isEmpty, "what was discarded is not counted")
        }
    }

    /// A frame that is cut anywhere comes out as it was.
    private static func whatIsCutIsPutTogether(_ decisions: inout Decisions) throws(Finding) {
        var cuts: [Int] = []
        for _ in 0..<decisions.number(below: 8) { cuts.append(decisions.number(below: 256)) }
        let payload = decisions.rest()
        guard !payload.isEmpty else { return }
        let channel = ChannelIdentifier.attributeProtocol
        let frame = [UInt8](capacity: 4 + payload.count) { output in
            try? BasicFrame(channel: channel, payload: payload.octets).encode(into: &output)
        }
        var reassembler = FrameReassembler()
        var rest = frame[...]
        var position = FrameReassembler.Position.first
        var received: [[UInt8]] = []
        while !rest.isEmpty {
            let fragment = Array(rest.prefix(max(1, cuts.popLast() ?? rest.count)))
            rest = rest.dropFirst(fragment.count)
            let discarded = reassembler.receive(fragment.octets, position) { frame in
                if frame.channel == channel { received.append([UInt8](octets: frame.payload)) }
            }
            try check(discarded.isEmpty, "a fragment of a good frame was discarded")
            position = .continuing
        }
        try check(received == [payload], "the frame did not come out as it was")
    }

    static let signalling = FuzzTarget(
        "signalling", maximumLength: 256,
        seeds: { fixtures in fixtures.lines("rx", in: "regressions/l2cap").map { Array($0.dropFirst(4)) } },
        run: { (input) throws(Finding) in
            for acceptsParameterUpdates in [true, false] {
                let reply: [UInt8]
                switch CentralSignalling(acceptsParameterUpdates: acceptsParameterUpdates).receive(input) {
                case .ignore: continue
                case .reply(let payload): reply = payload
                case .update(let request, let payload):
                    try check(request.isValid && acceptsParameterUpdates, "parameters that are not valid are accepted")
                    reply = payload
                }
                let answer: (identifier: UInt8, isAnswer: Bool)
                do throws(MalformedError) {
                    answer = try header(reply)
                } catch {
                    throw Finding("the answer \(reply.hexadecimal) cannot be read: \(error)")
                }
                let asked = [UInt8](octets: input)
                try check(answer.isAnswer, "the answer is none")
                try check(asked.count >= 2 && answer.identifier == asked[1], "the identifier differs")
                // Answers are not answered, or two of these would talk for ever.
                try check(reaction(to: reply) == .ignore, "the answer is answered")
            }
        })

    private static func reaction(to payload: [UInt8]) -> CentralSignalling.Reaction {
        CentralSignalling(acceptsParameterUpdates: true).receive(payload.octets)
    }

    private static func header(_ payload: [UInt8]) throws(MalformedError) -> (identifier: UInt8, isAnswer: Bool) {
        let packet = try SignallingPacket(parsing: payload.octets)
        return (packet.identifier, packet.code.isAnswer)
    }
}
