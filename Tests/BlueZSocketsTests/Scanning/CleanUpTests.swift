import BlueZSockets
import Glibc
import Sockets
import SocketsTestSupport
import Testing

@Suite struct CleanUpTests {
    @Test func whatIsLeftIsUndoneTheLatestFirstAndOnce() async throws {
        let loop = try EventLoop()
        let cleanUp = CleanUp(on: loop)
        let done = Locked<[String]>([])
        func note(_ text: String) -> @Sendable () -> Void { { done.withLock { $0.append(text) } } }
        _ = cleanUp.register("one", note("one"))
        let two = cleanUp.register("two", note("two"))
        _ = cleanUp.register("three", note("three"))
        #expect(cleanUp.pending == ["three", "two", "one"])
        cleanUp.withdraw(two)
        cleanUp.withdraw(two)
        await cleanUp.runAndWait()
        #expect(done.withLock { $0 } == ["three", "one"])
        await cleanUp.runAndWait()
        #expect(done.withLock { $0 } == ["three", "one"])
        #expect(cleanUp.pending == [])
        loop.stop()
    }

    @Test func aSignalHasTheCleanUpDoneFirst() async throws {
        let loop = try EventLoop()
        let cleanUp = CleanUp(on: loop)
        let order = Locked<[String]>([])
        _ = cleanUp.register("the scan") { order.withLock { $0.append("scan off, on the loop: \(loop.isCurrent)") } }
        let (signals, continuation) = AsyncStream<Int32>.makeStream()
        // A real-time signal that nothing else uses.
        let number: Int32 = 34 + 7
        try cleanUp.catchSignals([number]) { signal in
            order.withLock { $0.append("handler") }
            continuation.yield(signal)
        }
        kill(getpid(), number)
        #expect(await signals.first { _ in true } == number)
        #expect(order.withLock { $0 } == ["scan off, on the loop: true", "handler"])
        loop.stop()
    }

    @Test func theUsualSignalsAreThoseThatEndAProgram() {
        #expect(CleanUp.usualSignals == [2, 15, 1])
    }

    @Test func whoHoldsSocketsCanBeAsked() {
        // No Bluetooth here, or no other program with it: no more is known than that asking does not fail.
        #expect(!BluetoothSocketHolders.system.names().contains(""))
        #expect(BluetoothSocketHolders { ["hcitool (7)"] }.names() == ["hcitool (7)"])
    }
}
