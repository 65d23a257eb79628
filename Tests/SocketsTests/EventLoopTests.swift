import Glibc
import Sockets
import Testing

/// An actor whose executor is a loop.
private actor Resident {
    let loop: EventLoop
    private(set) var count = 0

    init(on loop: EventLoop) { self.loop = loop }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    func visit() -> Bool {
        count += 1
        return loop.isCurrent
    }

    nonisolated func callBack() {
        assumeIsolated { $0.count += 1 }
    }
}

@Suite(.timeLimit(.minutes(1))) struct EventLoopTests {
    @Test func actorsRunOnItsThread() async throws {
        let loop = try EventLoop()
        let resident = Resident(on: loop)
        #expect(await resident.visit())
        #expect(!loop.isCurrent)
        loop.execute { resident.callBack() }
        #expect(await resident.visit())
        #expect(await resident.count == 3)
        loop.stop()
    }

    @Test func tasksPreferIt() async throws {
        let loop = try EventLoop()
        let onLoop = await Task(executorPreference: loop.taskExecutor) {
            await Task.yield()
            return loop.isCurrent
        }.value
        #expect(onLoop)
        loop.stop()
    }

    @Test func tasksAreNotFiledAnewByCallsThatDoNotWait() async throws {
        let loop = try EventLoop()
        let wasInterrupted = await Task(executorPreference: loop.taskExecutor) {
            let hasRun = Locked(false)
            loop.execute { hasRun.withLock { $0 = true } }
            for _ in 0..<10 { await doNothing() }
            return hasRun.withLock { $0 }
        }.value
        #expect(!wasInterrupted)
        loop.stop()
    }

    @Test func workOfManyThreadsIsAllDone() async throws {
        let loop = try EventLoop()
        let resident = Resident(on: loop)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    for _ in 0..<100 { _ = await resident.visit() }
                }
            }
        }
        #expect(await resident.count == 5000)
        loop.stop()
    }

    @Test func timersFireInTheOrderOfTheirDeadlines() async throws {
        let loop = try EventLoop()
        let (fired, continuation) = AsyncStream<Int>.makeStream()
        loop.execute {
            let now = loop.now()
            for index in [3, 1, 4, 2, 0] {
                let timer = LoopTimer(on: loop) { continuation.yield(index) }
                timer.arm(at: now + UInt64(index) * 2_000_000)
            }
            let last = LoopTimer(on: loop) { continuation.finish() }
            last.arm(at: now + 20_000_000)
            let never = LoopTimer(on: loop) { continuation.yield(99) }
            never.arm(at: now + 1_000_000)
            never.disarm()
            let invalid = LoopTimer(on: loop) { continuation.yield(98) }
            invalid.arm(at: now + 1_000_000)
            invalid.invalidate()
        }
        #expect(await fired.reduce(into: []) { $0.append($1) } == [0, 1, 2, 3, 4])
        loop.stop()
    }

    @Test func aTimerArmedAgainForLaterOrEarlierFiresOnceThen() async throws {
        let loop = try EventLoop()
        let start = loop.now()
        let later: UInt64 = await withCheckedContinuation { continuation in
            let timer = LoopTimer(on: loop) { continuation.resume(returning: loop.now() - start) }
            loop.execute {
                timer.arm(at: start + 5_000_000)
                timer.arm(at: start + 30_000_000)
            }
        }
        #expect(later >= 30_000_000)
        let earlier: UInt64 = await withCheckedContinuation { continuation in
            let start = loop.now()
            let timer = LoopTimer(on: loop) { continuation.resume(returning: loop.now() - start) }
            loop.execute {
                timer.arm(at: start + 60_000_000_000)
                timer.arm(at: start + 5_000_000)
            }
        }
        #expect(earlier >= 5_000_000 && earlier < 30_000_000_000)
        loop.stop()
    }

    @Test func anEventOfASourceThatWasCancelledReachesNobody() async throws {
        // Both descriptors become readable in one turn; whichever handler runs first cancels the other source.
        let loop = try EventLoop(manualWith: LinuxSystemCalls())
        let system = loop.system
        let one = try system.eventDescriptor()
        let two = try system.eventDescriptor()
        let calls = Locked(0)
        let sources = Locked<[DescriptorSource]>([])
        let handler: @Sendable (Readiness) -> Void = { _ in
            calls.withLock { $0 += 1 }
            for source in sources.withLock({ $0 }) { source.cancel() }
        }
        for descriptor in [one, two] {
            let source = try DescriptorSource(descriptor, on: loop, interest: .readable, handler: handler)
            sources.withLock { $0.append(source) }
            let number: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
            _ = try unsafe system.write(descriptor, number.span.bytes)
        }
        loop.turn()
        #expect(calls.withLock { $0 } == 1)
        for descriptor in [one, two] { try system.close(descriptor) }
        // The handler holds them, and they hold the handler.
        sources.withLock { $0 = [] }
    }

    @Test func signalsArriveAsEvents() async throws {
        let loop = try EventLoop()
        let (arrived, continuation) = AsyncStream<Int32>.makeStream()
        // A real-time signal that nothing else uses, sent to the process: the kernel chooses the thread.
        let number = firstRealTimeSignal + 5
        await withCheckedContinuation { (started: CheckedContinuation<Void, Never>) in
            loop.execute {
                let source = try? SignalSource([number], on: loop) { continuation.yield($0) }
                sourceHolder.withLock { $0 = source }
                kill(getpid(), number)
                started.resume()
            }
        }
        #expect(await arrived.first { _ in true } == number)
        sourceHolder.withLock { $0?.cancel() }
        loop.stop()
    }
}

private let sourceHolder = Locked<SignalSource?>(nil)
/// SIGRTMIN of Glibc, a macro that Swift does not import.
private let firstRealTimeSignal: Int32 = 34

/// An asynchronous call without anything to wait for.
private func doNothing() async {}
