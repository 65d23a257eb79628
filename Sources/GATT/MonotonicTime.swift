/// A point on a clock that never goes back; only differences between two points mean something.
///
/// The engines of this module never read a clock: whoever drives them passes the time in, which is what makes a
/// thirty-second rule testable in microseconds. Any origin will do, as long as it is the same for every call.
@frozen
public struct MonotonicTime: Hashable, Sendable {
    /// Nanoseconds since the clock's origin.
    public var nanoseconds: UInt64

    @inlinable
    public init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// The clock's origin.
    @inlinable
    public static var zero: MonotonicTime { MonotonicTime(nanoseconds: 0) }

    /// The point `duration` after `time`; it stops at either end of what the clock can tell.
    @inlinable
    public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = duration.components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return MonotonicTime(nanoseconds: seconds < 0 ? .min : .max) }
        let (step, carried) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !carried else { return MonotonicTime(nanoseconds: seconds < 0 ? .min : .max) }
        let (sum, passed) =
            step < 0
            ? time.nanoseconds.subtractingReportingOverflow(step.magnitude)
            : time.nanoseconds.addingReportingOverflow(step.magnitude)
        return MonotonicTime(nanoseconds: passed ? (step < 0 ? .min : .max) : sum)
    }

    /// How long after `earlier` the point `later` lies; negative when it lies before.
    @inlinable
    public static func - (later: MonotonicTime, earlier: MonotonicTime) -> Duration {
        if later.nanoseconds >= earlier.nanoseconds {
            .nanoseconds(Int64(clamping: later.nanoseconds &- earlier.nanoseconds))
        } else {
            .zero - .nanoseconds(Int64(clamping: earlier.nanoseconds &- later.nanoseconds))
        }
    }
}

extension MonotonicTime: Comparable {
    @inlinable
    public static func < (a: MonotonicTime, b: MonotonicTime) -> Bool { a.nanoseconds < b.nanoseconds }
}
