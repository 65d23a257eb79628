/// A one-shot timer of an event loop that can be armed again, also from within its own handler.
///
/// Every method is called on the loop's thread; calling from another thread stops the program.
public final class LoopTimer: @unchecked Sendable {
    // Sendable: touched by the loop's thread only, which each method checks.

    /// When it fires next, in nanoseconds of `EventLoop.now()`; `nil` when disarmed.
    public internal(set) var deadline: UInt64?

    /// The time under which the queue has filed it: at or before the deadline.
    var filed: UInt64 = 0
    /// Its place in the queue; `nil` when it is in none.
    var place: Int?

    private unowned let loop: EventLoop
    private let handler: @Sendable () -> Void

    /// A disarmed timer that runs `handler` on the loop's thread when it fires. The loop keeps an armed timer alive.
    public init(on loop: EventLoop, handler: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.handler = handler
    }

    /// Lets it fire at `deadline`, in nanoseconds of `EventLoop.now()`, and not at the time it was armed for before. A
    /// deadline in the past fires in the loop's next turn.
    public func arm(at deadline: UInt64) {
        loop.checkIsolated()
        loop.timers.arm(self, at: deadline)
    }

    /// Keeps it from firing until it is armed again. The loop may still hold it until the time it was armed for.
    public func disarm() {
        loop.checkIsolated()
        deadline = nil
    }

    /// Disarms it and makes the loop let go of it.
    public func invalidate() {
        loop.checkIsolated()
        loop.timers.remove(self)
    }

    func fire() { handler() }
}
