internal import CLinux
internal import Glibc
internal import Synchronization
internal import Wire

/// One thread that waits for descriptors, deadlines and work, and runs what they ask for.
///
/// The thread waits in `epoll_wait` without a time limit: nothing is polled. A descriptor that becomes ready wakes it, a
/// timerfd armed for the earliest deadline does, and an eventfd does when another thread adds work. Both of its own
/// descriptors are watched edge-triggered, so that they need not be read.
///
/// An event loop is a `SerialExecutor`: an actor that returns it as its `unownedExecutor` runs on the loop's thread,
/// where the callbacks of descriptors and timers run too, so these reach the actor with `assumeIsolated`, without a hop.
/// Tasks can run there as well: `Task(executorPreference: loop.taskExecutor)` consumes values without changing threads.
///
/// Callbacks must not block: everything else on the loop waits meanwhile.
public final class EventLoop: @unchecked Sendable {
    // Sendable: `remote` and `table` are behind locks, the thread's number is atomic, the rest is touched by the loop's
    // thread only.

    /// The loop of programs that need no other. It runs until the program ends.
    public static let shared: EventLoop = {
        do {
            return try EventLoop()
        } catch {
            fatalError("cannot make an event loop: \(error)")
        }
    }()

    /// The system calls of this loop and, unless they are given their own, of its sockets.
    public let system: any SystemCalls

    enum Work {
        case actorJob(UnownedJob)
        case taskJob(UnownedJob, LoopTaskExecutor)
        case closure(@Sendable () -> Void)
    }

    struct Remote {
        var work: [Work] = []
        var isWaiting = false
        var isStopped = false
    }

    let epoll: Int32
    private let wakeup: Int32
    private let timer: Int32
    private let events = EpollEvents()
    private let thread = Atomic<UInt>(0)
    private let remote = Locked(Remote())
    let table = Locked(DescriptorTable())

    // Of the loop's thread.
    private var local: [Work] = []
    private var running: [Work] = []
    var timers = TimerQueue()
    private var armedDeadline: UInt64?
    private var batches: [Int: DatagramBatch] = [:]

    private static let wakeupToken: UInt64 = .max
    private static let timerToken: UInt64 = .max - 1

    /// A loop on a new thread.
    /// - Throws: the error number of `epoll_create1`, `eventfd`, `timerfd_create` or `pthread_create`.
    public convenience init(system: any SystemCalls = LinuxSystemCalls(), name: String = "btatt-loop") throws(Errno) {
        try self.init(manualWith: system)
        try start(name: name)
    }

    /// A loop without a thread: the caller's thread becomes the loop's by calling `turn`. For tests with a table of
    /// system calls.
    /// - Throws: the error number of `epoll_create1`, `eventfd` or `timerfd_create`.
    public init(manualWith system: any SystemCalls) throws(Errno) {
        self.system = system
        epoll = try system.epollCreate()
        wakeup = try system.eventDescriptor()
        timer = try system.timerDescriptor()
        let edge = Readiness.readable.rawValue | EPOLLET.rawValue
        try system.epollControl(epoll, operation: .add, wakeup, events: edge, token: Self.wakeupToken)
        try system.epollControl(epoll, operation: .add, timer, events: edge, token: Self.timerToken)
    }

    deinit {
        for fd in [timer, wakeup, epoll] {
            // Nothing is left to do about a failing close.
            try? system.close(fd)
        }
    }

    /// Monotonic time in nanoseconds (`CLOCK_MONOTONIC`); timers compare with it.
    public func now() -> UInt64 { system.monotonicNow() }

    /// Whether the caller runs on the loop's thread.
    public var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Runs `body` on the loop's thread, after work that was given earlier.
    public func execute(_ body: @escaping @Sendable () -> Void) { add(.closure(body)) }

    /// Ends the loop's thread once work given until now has run. Sockets and timers of the loop no longer work then;
    /// close them first. `shared` must not be stopped.
    public func stop() {
        execute { self.remote.withLock { $0.isStopped = true } }
    }

    func add(_ work: Work) {
        if isCurrent {
            local.append(work)
            return
        }
        let mustWake = remote.withLock { remote in
            remote.work.append(work)
            defer { remote.isWaiting = false }
            return remote.isWaiting
        }
        if mustWake { wake() }
    }

    private func wake() {
        // The counter wants a number of eight octets above zero; one that is full has woken the loop already.
        let one: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
        _ = try? system.write(wakeup, one.octets)
    }

    /// The batch that sockets of this loop receive into, one for each capacity: receiving never nests.
    func batch(datagramCapacity: Int) -> DatagramBatch {
        if let batch = batches[datagramCapacity] { return batch }
        let batch = DatagramBatch(datagramCapacity: datagramCapacity)
        batches[datagramCapacity] = batch
        return batch
    }
}

// MARK: - The thread

extension EventLoop {
    private func start(name: String) throws(Errno) {
        try DetachedThread.run { self.run(name: name) }
    }

    private func run(name: String) {
        _ = clinux_block_all_signals()
        // A name longer than 15 octets is refused, which does no harm.
        _ = unsafe clinux_set_thread_name(name)
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        while !remote.withLock({ $0.isStopped }) {
            turn()
        }
    }

    /// Runs the work that is there, waits for events unless `waiting` is false or work is left, and handles them.
    public func turn(waiting: Bool = true) {
        if thread.load(ordering: .relaxed) == 0 { thread.store(UInt(pthread_self()), ordering: .relaxed) }
        runWork()
        rearmTimer()
        let mayWait =
            waiting && local.isEmpty
            && remote.withLock { remote in
                remote.isWaiting = remote.work.isEmpty && !remote.isStopped
                return remote.isWaiting
            }
        let count: Int
        do throws(Errno) {
            count = try system.epollWait(epoll, into: events, timeout: mayWait ? -1 : 0)
        } catch {
            // EINTR: a debugger or a stop signal. Other errors would be a broken descriptor of our own.
            guard error == .interrupted else { fatalError("epoll_wait: \(error)") }
            return
        }
        for index in 0..<count {
            let (token, events) = events[index]
            switch token {
            case Self.wakeupToken: break
            case Self.timerToken: fireTimers()
            default:
                let source = table.withLock { $0.source(of: token) }
                source?.handle(Readiness(rawValue: events))
            }
        }
    }

    private func runWork() {
        // Bounded, so that work that makes work cannot keep the loop from its descriptors.
        for _ in 0..<64 {
            let added = remote.withLock { remote in
                remote.isWaiting = false
                return remote.work.isEmpty ? [] : exchange(&remote.work, with: [])
            }
            local.append(contentsOf: added)
            if local.isEmpty { return }
            swap(&local, &running)
            for work in running {
                switch work {
                case .actorJob(let job): unsafe job.runSynchronously(on: asUnownedSerialExecutor())
                case .taskJob(let job, let executor):
                    unsafe job.runSynchronously(on: executor.asUnownedTaskExecutor())
                case .closure(let body): body()
                }
            }
            running.removeAll(keepingCapacity: true)
        }
    }
}

// MARK: - Timers

extension EventLoop {
    /// Arms the timerfd for the earliest deadline, when it is armed for a later one or not at all. One that is armed too
    /// early is left: it wakes the loop once for nothing, which costs less than a system call per request.
    private func rearmTimer() {
        guard let deadline = timers.earliest else { return }
        if let armedDeadline, armedDeadline <= deadline { return }
        armedDeadline = deadline
        do throws(Errno) {
            // 0 would disarm; the clock has passed 1 long ago.
            try system.setTimer(timer, deadline: max(deadline, 1))
        } catch {
            fatalError("timerfd_settime: \(error)")
        }
    }

    private func fireTimers() {
        armedDeadline = nil
        let now = now()
        while let timer = timers.popDue(at: now) {
            timer.fire()
        }
    }
}
