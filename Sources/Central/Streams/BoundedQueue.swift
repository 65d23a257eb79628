internal import Sockets

/// The buffer between a loop that produces and a task that consumes: bounded, with an explicit rule when it is full.
///
/// The producer appends any number of elements and then calls `wake` once: a consumer that waits is resumed at most once
/// for a whole batch of datagrams.
final class BoundedQueue<Element: Sendable>: Sendable {
    private struct Waiter {
        let id: UInt64
        let continuation: CheckedContinuation<Next, Never>
    }

    /// What a consumer gets.
    enum Next: Sendable {
        case element(Element)
        case end
        case failure(CentralError)
        /// Nothing is there; only the immediate form of asking returns this.
        case nothing
    }

    private struct State {
        var buffer = RingBuffer<Element>()
        var waiters: [Waiter] = []
        var end: Next?
        var lost = 0
        var nextID: UInt64 = 0
    }

    private let capacity: Int
    private let rule: OverflowRule
    private let overflow: @Sendable (Int) -> CentralError
    private let state = Locked(State())

    /// - Parameters:
    ///   - capacity: how many elements wait at most; at least one.
    ///   - overflow: the error of the rule `fail`, for that capacity.
    init(capacity: Int, rule: OverflowRule, overflow: @escaping @Sendable (Int) -> CentralError) {
        self.capacity = max(capacity, 1)
        self.rule = rule
        self.overflow = overflow
    }

    /// How many elements were lost to the rule.
    var lostCount: Int { state.withLock { $0.lost } }

    /// Whether nothing more will be appended.
    var isEnded: Bool { state.withLock { $0.end != nil } }

    /// Adds elements by the rule, without waking the consumer.
    func append(contentsOf elements: borrowing [Element]) {
        state.withLock { state in
            for index in elements.indices { append(elements[index], &state) }
        }
    }

    /// Adds one element by the rule, without waking the consumer.
    func append(_ element: Element) {
        state.withLock { append(element, &$0) }
    }

    private func append(_ element: Element, _ state: inout State) {
        guard state.end == nil else { return }
        if state.buffer.count >= capacity {
            state.lost += 1
            switch rule {
            case .dropOldest: _ = state.buffer.popFirst()
            case .dropNewest: return
            case .fail:
                state.end = .failure(overflow(capacity))
                return
            }
        }
        state.buffer.append(element)
    }

    /// Resumes a waiting consumer when there is something for it.
    func wake() {
        while let (waiter, next) = state.withLock({ takeForWaiter(&$0) }) {
            waiter.continuation.resume(returning: next)
        }
    }

    private func takeForWaiter(_ state: inout State) -> (Waiter, Next)? {
        guard !state.waiters.isEmpty else { return nil }
        let next = take(&state)
        if case .nothing = next { return nil }
        return (state.waiters.removeFirst(), next)
    }

    private func take(_ state: inout State) -> Next {
        if let element = state.buffer.popFirst() { return .element(element) }
        guard let end = state.end else { return .nothing }
        // The failure is thrown once; after it the sequence has ended.
        state.end = .end
        return end
    }

    /// Ends the sequence after what the buffer holds, with an error if there is one. The first end counts.
    func finish(throwing error: CentralError? = nil) {
        state.withLock { state in
            guard state.end == nil else { return }
            state.end = error.map { .failure($0) } ?? .end
        }
        wake()
    }

    /// The next element, the end, or nothing, without waiting.
    func takeNow() -> Next { state.withLock { take(&$0) } }

    /// The next element; `nil` at the end and when the task is cancelled.
    /// - Throws: the error the sequence ended with, once.
    func next(isolation: isolated (any Actor)?) async throws(CentralError) -> Element? {
        var next = takeNow()
        if case .nothing = next { next = await wait(isolation: isolation) }
        switch next {
        case .element(let element): return element
        case .failure(let error): throw error
        case .end, .nothing: return nil
        }
    }

    private func wait(isolation: isolated (any Actor)?) async -> Next {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        return await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: isolation) { continuation in
                    let next = state.withLock { state in
                        let next = take(&state)
                        guard case .nothing = next else { return next }
                        // A task is marked cancelled before its handler runs, and the handler takes this lock: either
                        // it is seen here or the handler finds the waiter.
                        if Task.isCancelled { return .end }
                        state.waiters.append(Waiter(id: id, continuation: continuation))
                        return .nothing
                    }
                    if case .nothing = next { return }
                    continuation.resume(returning: next)
                }
            },
            onCancel: {
                let waiter: Waiter? = state.withLock { state in
                    guard let index = state.waiters.firstIndex(where: { $0.id == id }) else { return nil }
                    return state.waiters.remove(at: index)
                }
                waiter?.continuation.resume(returning: .end)
            }, isolation: isolation)
    }
}
