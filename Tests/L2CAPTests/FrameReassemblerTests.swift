import L2CAP
import TestSupport
import Testing
import Wire

@Suite struct FrameReassemblerTests {
    /// Feeds fragments, `>` before a first one and `.` before a continuing one.
    private func feed(
        _ reassembler: inout FrameReassembler, _ fragments: [String]
    ) -> (frames: [String], discarded: FrameReassembler.Discarded) {
        var frames: [String] = []
        var discarded: FrameReassembler.Discarded = []
        for fragment in fragments {
            let octets = hex(String(fragment.dropFirst()))
            discarded.formUnion(
                reassembler.receive(octets.octets, fragment.hasPrefix(">") ? .first : .continuing) {
                    frames.append("\($0.channel.rawValue) \($0.payload.hexadecimal)")
                })
        }
        return (frames, discarded)
    }

    @Test(arguments: [
        [">03 00 04 00 02 f7 00"], [">03", ".00", ".04", ".00", ".02", ".f7", ".00"], [">", ".03 00 04 00 02 f7 00"],
        [">03 00 04", ".00 02 f7 00"], [">03 00 04 00", ".02 f7 00"], [">03 00 04 00 02", ".", ".f7 00"],
    ])
    func aFrameMayBeCutAnywhere(_ fragments: [String]) {
        var reassembler = FrameReassembler()
        let found = feed(&reassembler, fragments)
        #expect(found.frames == ["4 02f700"])
        #expect(found.discarded == [])
        #expect(!reassembler.isCollecting)
    }

    @Test func anEmptyPayloadIsAFrame() {
        var reassembler = FrameReassembler()
        #expect(feed(&reassembler, [">00 00 04 00"]).frames == ["4 "])
    }

    @Test func anOrphanIsThrownAway() {
        var reassembler = FrameReassembler()
        let found = feed(&reassembler, [".02 f7 00", ">03 00 04 00 02 f7 00", ".aa", ">01 00 04 00 1e"])
        #expect(found.frames == ["4 02f700", "4 1e"])
        #expect(found.discarded == .orphan)
        #expect(reassembler.discardedCount == 2)
    }

    @Test func continuingFragmentsThatAreTooLong() {
        var reassembler = FrameReassembler()
        let found = feed(&reassembler, [">03 00 04 00 02", ".f7 00 aa", ".bb", ">01 00 04 00 1e"])
        #expect(found.frames == ["4 1e"])
        #expect(found.discarded == .overlong)
        #expect(reassembler.discardedCount == 1)
    }

    @Test func aFrameAboveTheLimitIsSkippedWhole() {
        var reassembler = FrameReassembler(maximumFrameLength: 27)
        let found = feed(&reassembler, [">18 00 04 00 01", ".02 03", ".04", ">17 00 04 00 01", ">01 00 04 00 1e"])
        #expect(found.frames == ["4 1e"])
        #expect(found.discarded == [.tooLong, .incomplete])
        #expect(reassembler.discardedCount == 2)
    }

    @Test func aHeaderCutInTwoIsJudgedWhenItIsWhole() {
        var reassembler = FrameReassembler(maximumFrameLength: 27)
        let found = feed(&reassembler, [">ff", ".ff 04 00 01", ".02", ">b2 00", ".00 00", ".01"])
        #expect(found.frames == [])
        #expect(found.discarded == [.tooLong, .nullChannel])
    }

    @Test func resetForgetsTheBeginning() {
        var reassembler = FrameReassembler()
        _ = feed(&reassembler, [">03 00 04 00 02"])
        #expect(reassembler.isCollecting)
        reassembler.reset()
        #expect(feed(&reassembler, [">01 00 04 00 1e"]).discarded == [])
    }

    @Test func framesWithTheirHeader() throws {
        let frame = hex("03 00 04 00 02 f7 00")
        #expect(try BasicFrame(parsing: frame.octets).channel == .attributeProtocol)
        let short = hex("04 00 04 00 02 f7 00")
        #expect(throws: MalformedError(.truncated, at: 4)) { _ = try BasicFrame(parsing: short.octets).channel }
        let long = hex("02 00 04 00 02 f7 00")
        #expect(throws: MalformedError(.trailingOctets, at: 6)) { _ = try BasicFrame(parsing: long.octets).channel }
        #expect(throws: EncodeError.tooLong(length: 65_536, maximum: 65_535)) {
            let payload = [UInt8](repeating: 0, count: 65_536)
            _ = try [UInt8](capacity: 8) { output throws(EncodeError) in
                try BasicFrame(channel: .attributeProtocol, payload: payload.octets).encode(into: &output)
            }
        }
        #expect(ChannelIdentifier(rawValue: 0x0040).isDynamic)
        #expect(!ChannelIdentifier.attributeProtocol.isDynamic)
        #expect(ChannelIdentifier.securityManager.description == "0x0006")
    }

    /// Random fragments: nothing traps, every frame fits its limits, and a good frame after any of them comes out.
    @Test func randomFragments() {
        var random = SeededGenerator.printingItsSeed(for: "random ACL fragments")
        for _ in 0..<2_000 {
            var reassembler = FrameReassembler(maximumFrameLength: 64)
            for _ in 0..<30 {
                let fragment = random.octets(0...40)
                reassembler.receive(fragment.octets, random.next() % 2 == 0 ? .first : .continuing) {
                    #expect($0.encodedByteCount <= 64)
                    #expect($0.channel != .null)
                }
            }
            #expect(feed(&reassembler, [">01 00 04 00 1e"]).frames == ["4 1e"])
        }
    }
}
