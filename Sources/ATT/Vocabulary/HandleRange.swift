/// A range of attribute handles, both ends included, as a request may ask for: 0x0001 ≤ first ≤ last
/// (Core Specification, Vol 3, Part F, 3.4.3.1).
@frozen
public struct HandleRange: Hashable, Sendable {
    /// The first handle of the range, at least 0x0001.
    public let first: AttributeHandle
    /// The last handle of the range, at least `first`.
    public let last: AttributeHandle

    /// A range from `first` to `last`; `nil` unless 0x0001 ≤ first ≤ last. A server answers Invalid Handle (0x01) to
    /// a request where this is `nil`.
    @inlinable
    public init?(first: AttributeHandle, last: AttributeHandle) {
        guard first.rawValue >= 1, first <= last else { return nil }
        self.first = first
        self.last = last
    }

    @usableFromInline
    init(unchecked first: AttributeHandle, _ last: AttributeHandle) {
        self.first = first
        self.last = last
    }

    /// Every handle: 0x0001–0xFFFF.
    public static let all = HandleRange(unchecked: 0x0001, 0xFFFF)

    /// How many handles the range holds, 1–65535.
    @inlinable
    public var count: Int { Int(last.rawValue) &- Int(first.rawValue) &+ 1 }

    /// Whether `handle` lies in the range.
    @inlinable
    public func contains(_ handle: AttributeHandle) -> Bool { first <= handle && handle <= last }

    /// Whether `other` lies in the range, whole.
    @inlinable
    public func contains(_ other: HandleRange) -> Bool { first <= other.first && other.last <= last }

    /// Whether the two ranges share a handle.
    @inlinable
    public func overlaps(_ other: HandleRange) -> Bool { first <= other.last && other.first <= last }

    /// The handles that both ranges hold; `nil` when there are none.
    @inlinable
    public func clamped(to limits: HandleRange) -> HandleRange? {
        HandleRange(first: max(first, limits.first), last: min(last, limits.last))
    }
}

extension HandleRange: CustomStringConvertible {
    /// The two ends, as in `0x0001…0xffff`.
    public var description: String { "\(first)…\(last)" }
}
