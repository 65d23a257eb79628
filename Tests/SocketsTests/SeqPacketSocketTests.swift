import Glibc
import Sockets
import TestSupport
import Testing
import Wire

@Suite(.timeLimit(.minutes(1))) struct SeqPacketSocketTests {
    @Test func datagramsKeepTheirBordersAndOrder() async throws {
        let (a, b) = try SeqPacketSocket.pair()
        let recorder = Recorder { #expect(EventLoop.shared.isCurrent) }
        try b.start(recorder.handlers)
        #expect(try a.send(hex("02 05 02").octets) == .sent)
        #expect(try a.send(hex("0a 03 00").octets) == .sent)
        #expect(try a.send(hex("1e").octets) == .sent)
        let last = Recorder.Event.datagram(hex("1e"), truncated: false)
        #expect(
            await recorder.events(until: last) == [
                .datagram(hex("02 05 02"), truncated: false), .datagram(hex("0a 03 00"), truncated: false), last,
            ])
    }

    @Test func whatCameBeforeTheEndIsDeliveredBeforeIt() async throws {
        let (a, b) = try SeqPacketSocket.pair()
        for number in UInt8(0)..<100 { #expect(try a.send([number].octets) == .sent) }
        a.close()
        let recorder = Recorder()
        try b.start(recorder.handlers)
        let events = await recorder.all()
        #expect(events.count == 101)
        #expect(events.last == .closed(.closedByPeer))
        #expect(events.first == .datagram([0], truncated: false))
        #expect(events.dropLast().last == .datagram([99], truncated: false))
        #expect(b.isClosed)
    }

    @Test func oneSystemCallReceivesABatch() async throws {
        let (a, b) = try SeqPacketSocket.pair()
        for number in UInt8(0)..<70 { _ = try a.send([number].octets) }
        let recorder = Recorder()
        try b.start(recorder.handlers)
        let events = await recorder.events(until: .batch(6), withBatches: true)
        let batches = events.filter { if case .batch = $0 { true } else { false } }
        #expect(batches == [.batch(32), .batch(32), .batch(6)])
    }

    @Test func aDatagramBeyondTheCapacityIsMarked() async throws {
        let (a, b) = try SeqPacketSocket.pair(datagramCapacity: 4)
        let recorder = Recorder()
        try b.start(recorder.handlers)
        _ = try a.send(hex("01 02 03 04 05").octets)
        _ = try a.send(hex("06 07 08 09").octets)
        let last = Recorder.Event.datagram(hex("06 07 08 09"), truncated: false)
        #expect(
            await recorder.events(until: last) == [.datagram(hex("01 02 03 04"), truncated: true), last])
    }

    @Test func emptyDatagramsAreNoEnd() async throws {
        let (a, b) = try SeqPacketSocket.pair()
        let recorder = Recorder()
        try b.start(recorder.handlers)
        _ = try a.send(RawSpan())
        _ = try a.send(hex("01").octets)
        let last = Recorder.Event.datagram(hex("01"), truncated: false)
        #expect(await recorder.events(until: last) == [.datagram([], truncated: false), last])
        #expect(!b.isClosed)
        _ = try a.send(RawSpan())
        #expect(
            await recorder.events(until: .datagram([], truncated: false)) == [.datagram([], truncated: false)])
        a.close()
        #expect(await recorder.all() == [.closed(.closedByPeer)])
    }

    @Test func sendingStopsWhenFullAndGoesOnWhenThereIsRoom() async throws {
        let (a, b) = try SeqPacketSocket.pair()
        let sender = Recorder()
        try a.start(sender.handlers)
        let datagram = [UInt8](repeating: 7, count: 512)
        var sent = 0
        while try a.send(datagram.octets) == .sent { sent += 1 }
        #expect(sent > 10)
        let receiver = Recorder()
        try b.start(receiver.handlers)
        #expect(await sender.events(until: .writable) == [.writable])
        #expect(try a.send(hex("ff").octets) == .sent)
        let events = await receiver.events(until: .datagram(hex("ff"), truncated: false))
        #expect(events.count == sent + 1)
    }

    @Test func aSendThatFoundNoRoomBeforeTheStartIsRemembered() async throws {
        let (a, b) = try SeqPacketSocket.pair()
        while try a.send(hex("00").octets) == .sent {}
        let sender = Recorder()
        try a.start(sender.handlers)
        #expect(try a.send(hex("01").octets) == .wouldBlock)
        try b.start(Recorder().handlers)
        #expect(await sender.events(until: .writable) == [.writable])
        #expect(try a.send(hex("01").octets) == .sent)
        b.close()
    }

    @Test func closingIsIdempotentAndReportedOnce() async throws {
        let (a, b) = try SeqPacketSocket.pair()
        let recorder = Recorder { #expect(EventLoop.shared.isCurrent) }
        try a.start(recorder.handlers)
        a.close()
        a.close()
        #expect(await recorder.all() == [.closed(.closedHere)])
        #expect(throws: Errno.badFileDescriptor) { try a.send(hex("00").octets) }
        #expect(throws: Errno.badFileDescriptor) { try a.start(Recorder().handlers) }
        #expect(a.descriptor == nil)
        b.close()
    }

    @Test func sendingToAClosedPeerFailsWithoutASignal() throws {
        let (a, b) = try SeqPacketSocket.pair()
        b.close()
        #expect(throws: Errno.brokenPipe) { try a.send(hex("02").octets) }
    }

    @Test func aPeerThatLeavesOctetsUnreadResetsTheConnection() async throws {
        let (a, b) = try SeqPacketSocket.pair()
        _ = try b.send(hex("1b 03 00 05").octets)
        _ = try a.send(hex("01").octets)
        b.close()
        let recorder = Recorder()
        try a.start(recorder.handlers)
        // The error comes first from the kernel; what was received before is not lost.
        #expect(
            await recorder.all() == [
                .datagram(hex("1b 03 00 05"), truncated: false), .closed(.failed(.connectionReset)),
            ])
    }

    @Test func lettingGoClosesTheDescriptor() async throws {
        let recorder = Recorder()
        /// One end of a pair, started; nobody holds the other.
        func halfOfAPair() throws -> SeqPacketSocket {
            let (a, b) = try SeqPacketSocket.pair()
            try a.start(recorder.handlers)
            try b.start(Recorder().handlers)
            return a
        }
        let socket = try halfOfAPair()
        #expect(await recorder.all() == [.closed(.closedByPeer)])
        #expect(socket.isClosed)
    }

    @Test func manySocketsShareOneLoop() async throws {
        let loop = try EventLoop()
        var ends: [(SeqPacketSocket, SeqPacketSocket, Recorder)] = []
        for _ in 0..<100 {
            let (a, b) = try SeqPacketSocket.pair(on: loop)
            let recorder = Recorder { #expect(loop.isCurrent) }
            try b.start(recorder.handlers)
            ends.append((a, b, recorder))
        }
        for (index, end) in ends.enumerated() { _ = try end.0.send([UInt8(index)].octets) }
        for (index, end) in ends.enumerated() {
            end.0.close()
            #expect(
                await end.2.all() == [.datagram([UInt8(index)], truncated: false), .closed(.closedByPeer)])
        }
        loop.stop()
    }
}
