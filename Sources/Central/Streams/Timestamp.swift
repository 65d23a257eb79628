public import GATT
internal import Sockets

/// When something happened, on two clocks: one to measure with and one to show.
public struct Timestamp: Hashable, Sendable {
    /// The monotonic clock: differences of it are true durations.
    public var monotonic: MonotonicTime
    /// Nanoseconds since 1970 (UTC) by the system's clock, which may be set at any time.
    public var unixNanoseconds: UInt64

    /// A point in time.
    public init(monotonic: MonotonicTime, unixNanoseconds: UInt64) {
        self.monotonic = monotonic
        self.unixNanoseconds = unixNanoseconds
    }

    init(_ loop: EventLoop) {
        monotonic = MonotonicTime(nanoseconds: loop.now())
        unixNanoseconds = loop.system.realTimeNow()
    }
}

extension EventLoop {
    /// The loop's clock as the engines take it.
    var time: MonotonicTime { MonotonicTime(nanoseconds: now()) }
}
