/// How long answers took, in bounded memory: counts in buckets that are 1/16 of a power of two wide, so that every
/// percentile is right within 6.25 %, whatever the number of samples.
public struct LatencyHistogram: Hashable, Sendable {
    /// Sub-buckets of each power of two.
    private static let parts: UInt64 = 16

    private var buckets: [UInt32] = []
    /// How many samples there are.
    public private(set) var count = 0
    /// The shortest, in nanoseconds.
    public private(set) var minimum: Int64 = .max
    /// The longest, in nanoseconds.
    public private(set) var maximum: Int64 = 0

    public init() {}

    /// Adds a sample in nanoseconds; a negative one counts as 0.
    public mutating func add(_ nanoseconds: Int64) {
        let value = max(0, nanoseconds)
        let index = Self.index(UInt64(value))
        if index >= buckets.count { buckets += [UInt32](repeating: 0, count: index + 1 - buckets.count) }
        buckets[index] &+= 1
        count &+= 1
        minimum = min(minimum, value)
        maximum = max(maximum, value)
    }

    /// The sample below which `percent` of all lie, in nanoseconds; `nil` without samples.
    /// - Parameter percent: 0 to 100.
    public func percentile(_ percent: Double) -> Int64? {
        guard count > 0 else { return nil }
        if percent >= 100 { return maximum }
        let wanted = max(1, Int((Double(count) * percent / 100).rounded(.up)))
        var seen = 0
        for (index, number) in buckets.enumerated() where number > 0 {
            seen += Int(number)
            if seen >= wanted { return min(max(Self.middle(index), minimum), maximum) }
        }
        return maximum
    }

    /// Values below 16 have a bucket each; above, the four bits behind the leading one choose it.
    private static func index(_ value: UInt64) -> Int {
        guard value >= parts else { return Int(value) }
        let exponent = 63 - value.leadingZeroBitCount
        let part = (value >> UInt64(exponent - 4)) & (parts - 1)
        return (exponent - 3) * Int(parts) + Int(part)
    }

    private static func middle(_ index: Int) -> Int64 {
        guard index >= Int(parts) else { return Int64(index) }
        let exponent = UInt64(index / Int(parts) + 3)
        let part = UInt64(index % Int(parts))
        let low = (parts | part) << (exponent - 4)
        return Int64(truncatingIfNeeded: low + (1 << (exponent - 4)) / 2)
    }
}
