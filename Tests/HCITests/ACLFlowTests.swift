import HCI
import L2CAP
import TestSupport
import Testing
import Wire

@Suite struct ACLFlowTests {
    /// The first fragment from the host has the boundary flag 00; some controllers swallow 10.
    @Test func theFirstFragmentOfTheHostIsNonFlushable() throws {
        let host = Host()
        host.connect(0x0040)
        try host.enqueue("03 00 04 00 02 05 02", on: 0x0040)
        #expect(host.nextData() == hex("02 40 00 07 00 03 00 04 00 02 05 02"))
        #expect(host.nextData() == nil)
    }

    @Test func aFrameIsCutIntoFragments() throws {
        let host = Host(dataLength: 5)
        host.connect(0x0040)
        try host.enqueue("07 00 04 00 12 03 00 01 02 03 04", on: 0x0040)
        #expect(
            host.sendAllData() == [
                hex("02 40 00 05 00 07 00 04 00 12"), hex("02 40 10 05 00 03 00 01 02 03"), hex("02 40 10 01 00 04"),
            ])
        #expect(host.outstandingCount(0x0040) == 3)
        #expect(host.freeCount == 1)
        #expect(host.waitingOctetCount(0x0040) == 0)
    }

    @Test func connectionsTakeTurns() throws {
        let host = Host(dataLength: 4, packetCount: 4)
        host.connect(1, 2)
        try host.enqueue("04 00 04 00 a1 a2 a3 a4", on: 1)
        try host.enqueue("04 00 04 00 a5 a6 a7 a8", on: 1)
        try host.enqueue("04 00 04 00 b1 b2 b3 b4", on: 2)
        #expect(host.sendAllData().map { $0[1] } == [1, 2, 1, 2])
        #expect(host.outstandingCount(1) == 2)
    }

    /// Two handles in one event, one of them with nothing outstanding: the free count never passes what there is.
    @Test func completedPacketsOfTwoHandles() throws {
        let host = Host(packetCount: 4)
        host.connect(0x0040, 0x0041)
        for _ in 0..<3 { try host.enqueue("01 00 04 00 1e", on: 0x0040) }
        #expect(host.sendAllData().count == 3)
        #expect(host.freeCount == 1)
        #expect(host.receive("04 13 09 02 40 00 02 00 41 00 01 00") == [])
        #expect(host.freeCount == 3)
        #expect(host.outstandingCount(0x0040) == 1)
        // More than are outstanding, and of a connection that is not there.
        #expect(host.receive("04 13 09 02 40 00 ff ff 77 00 01 00") == [])
        #expect(host.freeCount == 4)
        #expect(host.outstandingCount(0x0040) == 0)
    }

    /// No entry, an entry of 0, and two entries declared with one there.
    @Test func completedPacketsOfNothing() throws {
        let host = Host(packetCount: 4)
        host.connect(0x0040)
        for _ in 0..<3 { try host.enqueue("01 00 04 00 1e", on: 0x0040) }
        #expect(host.sendAllData().count == 3)
        #expect(host.receive("04 13 01 00") == [])
        #expect(host.freeCount == 1)
        #expect(host.receive("04 13 05 01 40 00 00 00") == [])
        #expect(host.freeCount == 1)
        #expect(host.receive("04 13 05 02 40 00 01 00") == [])
        #expect(host.freeCount == 2)
    }

    /// All buffers hold data of a connection that ends: they are free again, and the other connection sends.
    @Test func theEndOfAConnectionGivesItsBuffersBack() throws {
        let host = Host(packetCount: 4)
        host.connect(0x0040, 0x0041)
        for _ in 0..<4 { try host.enqueue("01 00 04 00 1e", on: 0x0040) }
        #expect(host.sendAllData().count == 4)
        try host.enqueue("03 00 04 00 0a 03 00", on: 0x0041)
        #expect(host.nextData() == nil)
        #expect(host.receive("04 05 04 00 40 00 13") == [.disconnected(0x0040, .remoteUserTerminated)])
        #expect(host.freeCount == 4)
        #expect(host.nextData() == hex("02 41 00 07 00 03 00 04 00 0a 03 00"))
    }

    @Test func aConnectionThatIsNotKnownOrDoesNotEnd() {
        let host = Host()
        host.connect(0x0040)
        #expect(host.receive("04 05 04 00 48 00 13") == [])
        #expect(host.receive("04 05 04 0c 40 00 00") == [])
        #expect(host.isConnected(0x0040))
    }

    /// Data just before its connection is announced goes nowhere, least of all to another connection; data after it
    /// arrives.
    @Test func dataBeforeItsConnection() {
        let host = Host()
        host.connect(0x0041)
        #expect(host.receive("02 40 20 07 00 03 00 04 00 02 f7 00") == [])
        #expect(
            host.receive("04 3e 13 01 00 40 00 00 01 01 00 00 ee ff c0 18 00 00 00 f4 01 00") == [.connected(0x0040)])
        #expect(
            host.receive("02 40 20 07 00 03 00 04 00 02 f7 00")
                == [.data(0x0040, .firstFlushable, "0300040002f700")])
    }

    /// A controller's debug log under a handle of its own.
    @Test func dataOfNoConnection() {
        let host = Host()
        host.connect(0x0040)
        #expect(host.receive("02 dc 2e 0a 00 b2 00 00 00 0a 00 f0 02 01 00") == [])
    }

    /// Events of the link layer between request and response of an MTU exchange: the response arrives all the same.
    @Test func linkEventsDuringAnMTUExchange() throws {
        let host = Host()
        host.connect(0x0040)
        try host.enqueue("03 00 04 00 02 05 02", on: 0x0040)
        #expect(host.nextData() == hex("02 40 00 07 00 03 00 04 00 02 05 02"))
        #expect(host.receive("04 3e 0b 07 40 00 68 00 48 08 1b 00 48 01") == [])
        #expect(host.receive("04 3e 06 0c 00 40 00 02 02") == [])
        #expect(host.receive("04 3e 0a 03 00 40 00 06 00 00 00 f4 01") == [])
        let happenings = host.receive("02 40 20 07 00 03 00 04 00 03 f7 00")
        #expect(happenings == [.data(0x0040, .firstFlushable, "0300040003f700")])
        // 0xf7 is the MTU, 247; the data length of 104 octets has nothing to do with it.
        let frame = hex("03 00 04 00 03 f7 00")
        let payload = try BasicFrame(parsing: frame.octets).payload.hexadecimal
        #expect(payload == "03f700")
    }

    @Test func whatIsRefused() {
        let host = Host()
        host.connect(0x0040)
        #expect(throws: ACLFlow.RefusedError.notConnected(0x0041)) { try host.enqueue("01 00 04 00 1e", on: 0x0041) }
        #expect(throws: ACLFlow.RefusedError.queueFull(0x0040)) {
            for _ in 0..<40_000 { try host.enqueue("01 00 04 00 1e", on: 0x0040) }
        }
    }

    @Test func aReassemblerUndoesTheCuts() throws {
        var random = SeededGenerator.printingItsSeed(for: "cut and put together")
        for _ in 0..<500 {
            let payload = random.octets(0...400)
            let frame = [UInt8](capacity: 4) { output in
                output.append(littleEndian: UInt16(payload.count))
                output.append(littleEndian: 4 as UInt16)
            }
            let host = Host(dataLength: Int(random.next() % 60) + 1, packetCount: 1000)
            host.connect(0x0040)
            try host.enqueue((frame + payload).hexadecimal, on: 0x0040)
            var reassembler = FrameReassembler()
            var frames: [[UInt8]] = []
            for packet in host.sendAllData() {
                guard case .acl(let packet) = try HCIPacket(parsing: packet.octets) else { continue }
                let discarded = reassembler.receive(packet.data, packet.boundary.isFirst ? .first : .continuing) {
                    frames.append([UInt8](octets: $0.payload))
                }
                #expect(discarded == [])
            }
            #expect(frames == [payload])
        }
    }
}
