import Foundation

/// Random numbers that can be had again: SplitMix64 from a seed that is printed.
public struct SeededGenerator: RandomNumberGenerator {
    /// What the numbers follow from.
    public let seed: UInt64
    private var state: UInt64

    /// A generator of a seed; without one, of a seed that a failing test must print.
    public init(seed: UInt64 = .random(in: 0 ... .max)) {
        self.seed = seed
        state = seed
    }

    /// A generator for one run of the test `name`. It prints its seed; `BTATT_SEED=…` in the environment runs with that
    /// one.
    public static func printingItsSeed(for name: String) -> SeededGenerator {
        let seed = ProcessInfo.processInfo.environment["BTATT_SEED"].flatMap(UInt64.init) ?? .random(in: 0 ... .max)
        print("\(name): BTATT_SEED=\(seed)")
        return SeededGenerator(seed: seed)
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    /// So many random octets.
    public mutating func octets(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    /// Random octets, as many as the range allows. Small values and lengths come more often than by chance, since codecs
    /// fail on those.
    public mutating func octets(_ count: ClosedRange<Int>) -> [UInt8] {
        (0..<Int.random(in: count, using: &self)).map { _ in
            let octet = UInt8.random(in: 0...255, using: &self)
            return next() % 3 == 0 ? octet % 8 : octet
        }
    }
}
