import Sockets
import SocketsTestSupport
import TestSupport
import Testing
import Wire

/// Sockets and the loop against tables of system calls: what is called, in which order, with each errno handled.
@Suite struct SystemCallTableTests {
    private let readInterest: UInt32 = 0x2001
    /// A socket that nobody holds is closed.
    private let held = Locked<[SeqPacketSocket]>([])

    /// A socket with descriptor 7 on a loop without a thread, started.
    private func started(
        _ table: [(SystemCall, SystemReply)]
    ) throws -> (ScriptedSystemCalls, EventLoop, SeqPacketSocket, Locked<[Recorder.Event]>) {
        let system = ScriptedSystemCalls(
            ScriptedSystemCalls.loopCreation + [(.epollControl(.add, 7, events: readInterest), .done)] + table)
        let loop = try EventLoop(manualWith: system)
        let socket = SeqPacketSocket(adopting: 7, on: loop)
        held.withLock { $0.append(socket) }
        let events = Locked<[Recorder.Event]>([])
        try socket.start(
            SeqPacketHandlers(
                received: { batch in
                    for index in 0..<batch.count {
                        let octets = [UInt8](octets: batch.octets(at: index))
                        events.withLock { $0.append(.datagram(octets, truncated: false)) }
                    }
                },
                writable: { events.withLock { $0.append(.writable) } },
                closed: { reason in events.withLock { $0.append(.closed(reason)) } }))
        return (system, loop, socket, events)
    }

    @Test(arguments: [Errno.connectionReset, .timedOut, .networkDown, .hostDown, .connectionAborted, .ioError])
    func anErrorOfReceivingIsReportedAfterWhatIsQueued(error: Errno) throws {
        let (system, loop, _, events) = try started([
            (.epollWait(waits: true), .events([(7, [.readable, .error, .hangUp, .peerHangUp])])),
            (.receiveMany(7), .error(error)),
            (.receiveMany(7), .datagrams([hex("1b 03 00 01")])),
            (.receiveMany(7), .error(.wouldBlock)),
            (.epollControl(.remove, 7, events: 0), .done),
            (.close(7), .done),
        ])
        loop.turn()
        #expect(events.withLock { $0 } == [.datagram(hex("1b 03 00 01"), truncated: false), .closed(.failed(error))])
        #expect(system.mismatches == [])
        #expect(system.remaining == [])
    }

    @Test func anErrorWithoutOctetsIsAskedFor() throws {
        let (system, loop, _, events) = try started([
            (.epollWait(waits: true), .events([(7, [.error, .hangUp])])),
            (.receiveMany(7), .error(.wouldBlock)),
            (.socketOption(7, level: 1, name: 4), .octets(hex("6e 00 00 00"))),
            (.epollControl(.remove, 7, events: 0), .done),
            (.close(7), .done),
        ])
        loop.turn()
        #expect(events.withLock { $0 } == [.closed(.failed(.timedOut))])
        #expect(system.mismatches == [])
    }

    @Test func writabilityIsToldOnceWhenItIsAskedFor() throws {
        let (system, loop, socket, events) = try started([
            (.epollControl(.modify, 7, events: readInterest | 0x4), .done),
            (.epollWait(waits: true), .events([(7, .writable)])),
            (.epollControl(.modify, 7, events: readInterest), .done),
        ])
        socket.waitUntilWritable()
        loop.turn()
        #expect(events.withLock { $0 } == [.writable])
        #expect(system.mismatches == [])
        #expect(system.remaining == [])
    }

    @Test func interruptedReceivingIsRepeated() throws {
        let (system, loop, _, events) = try started([
            (.epollWait(waits: true), .events([(7, .readable)])),
            (.receiveMany(7), .error(.interrupted)),
            (.receiveMany(7), .datagrams([hex("0b 01")])),
        ])
        loop.turn()
        #expect(events.withLock { $0 } == [.datagram(hex("0b 01"), truncated: false)])
        #expect(system.mismatches == [])
    }

    @Test func theEndIsRecognisedWhenThePeerWentMeanwhile() throws {
        let (system, loop, _, events) = try started([
            (.epollWait(waits: true), .events([(7, .readable)])),
            (.receiveMany(7), .datagrams([hex("0b 01"), [], [], []])),
            (.pollNow(7), .value(0x2010)),
            (.epollControl(.remove, 7, events: 0), .done),
            (.close(7), .done),
        ])
        loop.turn()
        #expect(events.withLock { $0 } == [.datagram(hex("0b 01"), truncated: false), .closed(.closedByPeer)])
        #expect(system.mismatches == [])
    }

    @Test func backPressureWaitsForWritability() throws {
        let (system, loop, socket, events) = try started([
            (.send(7, hex("52 03 00 01")), .error(.interrupted)),
            (.send(7, hex("52 03 00 01")), .error(.wouldBlock)),
            (.epollControl(.modify, 7, events: readInterest | 4), .done),
            (.send(7, hex("52 03 00 01")), .error(.wouldBlock)),
            (.epollWait(waits: true), .events([(7, .writable)])),
            (.epollControl(.modify, 7, events: readInterest), .done),
        ])
        #expect(try socket.send(hex("52 03 00 01").octets) == .wouldBlock)
        #expect(try socket.send(hex("52 03 00 01").octets) == .wouldBlock)
        loop.turn()
        #expect(events.withLock { $0 } == [.writable])
        #expect(system.mismatches == [])
    }

    @Test(arguments: [Errno.messageTooLong, .brokenPipe, .notConnected, .noBufferSpace])
    func anErrorOfSendingIsThrown(error: Errno) throws {
        let (system, _, socket, _) = try started([(.send(7, hex("02 05 02")), .error(error))])
        #expect(throws: error) { try socket.send(hex("02 05 02").octets) }
        #expect(system.mismatches == [])
    }

    @Test func theDescriptorIsClosedOnceAndReportedByTheLoop() throws {
        let (system, loop, socket, events) = try started([
            (.epollControl(.remove, 7, events: 0), .done), (.close(7), .error(.ioError)),
            (.epollWait(waits: true), .events([])),
        ])
        socket.close()
        socket.close()
        #expect(events.withLock { $0 } == [])
        loop.turn()
        #expect(events.withLock { $0 } == [.closed(.closedHere)])
        #expect(system.mismatches == [])
        #expect(system.remaining == [])
    }

    @Test func aLoopClosesItsOwnDescriptors() throws {
        let system = ScriptedSystemCalls(
            ScriptedSystemCalls.loopCreation + [(.close(5), .done), (.close(4), .done), (.close(3), .done)])
        _ = try EventLoop(manualWith: system)
        #expect(system.mismatches == [])
        #expect(system.remaining == [])
    }

    @Test func theTimerIsArmedForTheEarliestDeadlineOnly() throws {
        let system = ScriptedSystemCalls(
            ScriptedSystemCalls.loopCreation + [
                (.epollWait(waits: false), .events([])),
                (.setTimer(31_000_000_000), .done),
                (.epollWait(waits: false), .events([])),
                (.setTimer(2_000_000_000), .done),
                (.epollWait(waits: false), .events([(5, .readable)])),
                // Still filed under its first deadline, which costs one wake-up and then finds the real one.
                (.setTimer(31_000_000_000), .done),
                (.epollWait(waits: false), .events([(5, .readable)])),
                (.setTimer(40_000_000_000), .done),
                (.epollWait(waits: false), .events([(5, .readable)])),
                (.epollWait(waits: false), .events([])),
            ])
        let loop = try EventLoop(manualWith: system)
        let fired = Locked<[String]>([])
        let slow = LoopTimer(on: loop) { fired.withLock { $0.append("slow") } }
        let quick = LoopTimer(on: loop) { fired.withLock { $0.append("quick") } }
        loop.turn(waiting: false)
        slow.arm(at: 31_000_000_000)
        loop.turn(waiting: false)
        // For later: no system call.
        slow.arm(at: 40_000_000_000)
        quick.arm(at: 2_000_000_000)
        system.setNow(2_000_000_001)
        loop.turn(waiting: false)
        #expect(fired.withLock { $0 } == ["quick"])
        system.setNow(31_000_000_000)
        loop.turn(waiting: false)
        system.setNow(40_000_000_000)
        loop.turn(waiting: false)
        loop.turn(waiting: false)
        #expect(fired.withLock { $0 } == ["quick", "slow"])
        #expect(system.mismatches == [])
        #expect(system.remaining == [])
    }

    @Test func connectingKeepsTheErrorAndClosesTheDescriptor() throws {
        let address = try UnixAddress(path: "/run/a")
        let octets = hex("01 00") + Array("/run/a".utf8) + [0]
        let type = LinuxNumbers.seqPacket | LinuxNumbers.nonBlocking
        let system = ScriptedSystemCalls(
            ScriptedSystemCalls.loopCreation + [
                (.socket(domain: 1, type: type, protocol: 0), .value(9)),
                (.connect(9, octets), .error(.interrupted)),
                (.connect(9, octets), .error(.connectionRefused)),
                (.close(9), .done),
            ])
        let loop = try EventLoop(manualWith: system)
        #expect(throws: Errno.connectionRefused) { try SeqPacketSocket.connect(to: address, on: loop) }
        #expect(system.mismatches == [])
        #expect(system.remaining == [])
    }
}
