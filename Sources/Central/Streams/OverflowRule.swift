/// What happens to a value that comes while the buffer of its consumer is full.
///
/// Radio links do not wait for a program, so a bounded buffer has to lose something; this says what. Either way the
/// number of lost values can be asked for.
@frozen
public enum OverflowRule: Hashable, Sendable {
    /// The value that waited longest is lost: for measurements of which the latest counts.
    case dropOldest
    /// The value that came now is lost: for the beginning of something.
    case dropNewest
    /// The sequence hands out what the buffer holds and then throws: for data that must be complete.
    case fail
}
