internal import Sockets

/// One place where one task waits for one value that a loop gives, once; cancelling the task ends the waiting at once.
final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, Never>)
        case full(Value)
        case taken
    }

    private let state = Locked(State.empty)

    /// Gives the value. Only the first one counts; whether this was it.
    @discardableResult
    func fulfil(_ value: Value) -> Bool {
        let (isFirst, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Value, Never>?) in
            switch state {
            case .empty:
                state = .full(value)
                return (true, nil)
            case .waiting(let continuation):
                state = .taken
                return (true, continuation)
            case .full, .taken: return (false, nil)
            }
        }
        continuation?.resume(returning: value)
        return isFirst
    }

    /// Waits for the value. `cancelled` is what the waiting returns when the task is cancelled first; `onCancel` runs
    /// then, on the thread that cancels.
    func value(
        whenCancelled cancelled: Value, isolation: isolated (any Actor)? = #isolation,
        onCancel: @escaping @Sendable () -> Void = {}
    ) async -> Value {
        await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: isolation) { continuation in
                    let ready: Value? = state.withLock { state in
                        guard case .full(let value) = state else {
                            state = .waiting(continuation)
                            return nil
                        }
                        state = .taken
                        return value
                    }
                    if let ready { continuation.resume(returning: ready) }
                }
            },
            onCancel: {
                if fulfil(cancelled) { onCancel() }
            }, isolation: isolation)
    }
}

/// Runs `body`, and gives up with `error` of the limit when it takes longer than that; `nil` is no limit.
///
/// `body` is cancelled then, and has to end at once when it is.
func withTimeLimit<Value: Sendable>(
    _ limit: Duration?, on loop: EventLoop, error: (Duration) -> CentralError,
    _ body: @escaping @Sendable () async -> Result<Value, CentralError>
) async throws(CentralError) -> Value {
    guard let limit else { return try await body().get() }
    let result = await withTaskGroup(of: Result<Value, CentralError>?.self) { group in
        group.addTask { await body() }
        group.addTask {
            await sleep(limit, on: loop)
            return nil
        }
        // Whichever ends first; a timer that ends because everything is cancelled leaves the word to the body.
        var first = await group.next() ?? nil
        if first == nil, Task.isCancelled { first = await group.next() ?? nil }
        group.cancelAll()
        return first
    }
    guard let result else { throw error(limit) }
    return try result.get()
}

/// Waits for a timer of the loop; returns early when the task is cancelled.
func sleep(_ duration: Duration, on loop: EventLoop) async {
    let promise = Promise<Void>()
    let timer = LoopTimer(on: loop) { promise.fulfil(()) }
    loop.execute { timer.arm(at: (loop.time + duration).nanoseconds) }
    await promise.value(whenCancelled: ())
    loop.execute { timer.invalidate() }
}
