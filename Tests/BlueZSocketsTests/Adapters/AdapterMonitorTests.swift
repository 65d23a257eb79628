import BlueZSockets
import Sockets
import SocketsTestSupport
import TestSupport
import Testing

@Suite struct AdapterMonitorTests {
    private func watch(
        _ stage: Stage
    ) throws(BluetoothSocketError) -> (AdapterMonitor, Locked<[AdapterChange]>) {
        let changes = Locked<[AdapterChange]>([])
        let monitor = try AdapterMonitor(on: stage.loop) { change in changes.withLock { $0.append(change) } }
        return (monitor, changes)
    }

    @Test func theKernelsOwnEventsAreTold() throws {
        let stage = try Stage(
            Script.monitor(8)
                + Script.heard(
                    8, "04 fd 06 0100 0300 0000", "04 fd 06 0100 0400 0000", "04 fd 06 0100 0100 0100",
                    "04 fd 06 0100 0200 0100", "04 fd 06 0100 0500 0000", "04 fd 06 0200 0300 0000", "04 fd", "")
                + [(.receiveMany(8), .error(.wouldBlock))])
        let (monitor, changes) = try watch(stage)
        #expect(monitor.isComplete)
        stage.playOut()
        #expect(
            changes.withLock { $0 } == [
                AdapterChange(index: 0, kind: .up), AdapterChange(index: 0, kind: .down),
                AdapterChange(index: 1, kind: .added), AdapterChange(index: 1, kind: .removed),
            ])
        stage.system.expect([(.epollControl(.remove, 8, events: 0), .done), (.close(8), .done)])
        monitor.cancel()
        monitor.cancel()
        stage.expectDone()
    }

    @Test func withoutRightsTheManagementSocketIsRead() throws {
        let stage = try Stage(
            Script.unprivilegedMonitor(8)
                + Script.heard(
                    8,
                    // New Settings of hci0: still powered, off, off, on; Index Added and Index Removed of hci1.
                    "0600 0000 0400 91020c00", "0600 0000 0400 90020c00", "0600 0000 0400 90020c00",
                    "0600 0000 0400 91020c00", "0400 0100 0000", "0500 0100 0000", "0800 0000 0100 00", "0600 0000")
                + [(.receiveMany(8), .error(.wouldBlock))])
        let (monitor, changes) = try watch(stage)
        #expect(!monitor.isComplete)
        stage.playOut()
        #expect(
            changes.withLock { $0 } == [
                AdapterChange(index: 0, kind: .down), AdapterChange(index: 0, kind: .up),
                AdapterChange(index: 1, kind: .added), AdapterChange(index: 1, kind: .removed),
            ])
        stage.system.expect([(.epollControl(.remove, 8, events: 0), .done), (.close(8), .done)])
        monitor.cancel()
        stage.expectDone()
    }

    private static let socketCall = SystemCall.socket(domain: 31, type: 0x80803, protocol: 1)

    @Test(arguments: 0..<5)
    func whatWasOpenedIsClosedWhenAStepFails(step: Int) throws {
        var rows = Script.monitor(8)
        rows[step].1 = .error(.noMemory)
        rows.removeSubrange((step + 1)...)
        // Nothing is open before the first step.
        if step > 0 { rows.append((.close(8), .done)) }
        let stage = try Stage(rows)
        #expect(throws: BluetoothSocketError.self) { try watch(stage) }
        stage.expectDone()
    }

    @Test func anErrorOfReadingEndsTheReading() throws {
        let stage = try Stage(
            Script.monitor(8) + [
                (.epollWait(waits: true), .events([(8, .readable)])),
                (.receiveMany(8), .error(.wouldBlock)),
            ])
        let (monitor, changes) = try watch(stage)
        stage.playOut()
        #expect(changes.withLock { $0 } == [])
        stage.expectDone()
        stage.system.expect([(.epollControl(.remove, 8, events: 0), .done), (.close(8), .done)])
        monitor.cancel()
    }

    @Test func changesAreASequence() async throws {
        let stage = try Stage(Script.monitor(8) + Script.heard(8, "04 fd 06 0100 0400 0000"))
        let changes = try AdapterMonitor.changes(on: stage.loop)
        turnOnce(stage)
        stage.system.expect([(.epollControl(.remove, 8, events: 0), .done), (.close(8), .done)])
        var iterator = changes.makeAsyncIterator()
        #expect(await iterator.next() == AdapterChange(index: 0, kind: .down))
    }

    private func turnOnce(_ stage: Stage) { stage.playOut() }
}
