extension EventLoop: SerialExecutor {
    public func enqueue(_ job: consuming ExecutorJob) {
        add(.actorJob(UnownedJob(job)))
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    public func checkIsolated() {
        precondition(isCurrent, "not on the event loop's thread")
    }

    public func isIsolatingCurrentContext() -> Bool? { isCurrent }
}

extension EventLoop {
    /// Where tasks run that shall not change threads: `Task(executorPreference: loop.taskExecutor)`.
    public var taskExecutor: LoopTaskExecutor { LoopTaskExecutor(self) }
}

/// Runs tasks on the thread of an event loop.
///
/// It is an object of its own, because a task belongs to no actor: run as if it were isolated to the loop, it would be
/// filed anew at every call of an asynchronous function, also of one that has nothing to wait for.
public final class LoopTaskExecutor: TaskExecutor {
    private let loop: EventLoop

    init(_ loop: EventLoop) { self.loop = loop }

    public func enqueue(_ job: consuming ExecutorJob) {
        loop.add(.taskJob(UnownedJob(job), self))
    }

    public func asUnownedTaskExecutor() -> UnownedTaskExecutor {
        unsafe UnownedTaskExecutor(ordinary: self)
    }
}
