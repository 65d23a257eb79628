/// SipHash-2-4 with a result of 128 bits (Aumasson and Bernstein, 2012): a keyed hash that says nothing of its input to
/// who does not know the key.
struct KeyedHash {
    private let key: (UInt64, UInt64)

    /// - Parameter key: 128 random bits, kept secret.
    init(key: (UInt64, UInt64)) { self.key = key }

    /// The hash of a message, its two halves in the order in which they are written.
    func hash(_ message: [UInt8]) -> (UInt64, UInt64) {
        var state = State(key)
        var index = 0
        while index + 8 <= message.count {
            state.take(Self.word(message[index..<(index + 8)]))
            index += 8
        }
        // The rest, and the length in the highest octet.
        state.take(Self.word(message[index...]) | UInt64(UInt8(truncatingIfNeeded: message.count)) << 56)
        return state.finish()
    }

    /// Up to eight octets, least significant first.
    private static func word(_ octets: ArraySlice<UInt8>) -> UInt64 {
        octets.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private struct State {
        var v0, v1, v2, v3: UInt64

        init(_ key: (UInt64, UInt64)) {
            v0 = key.0 ^ 0x736F_6D65_7073_6575
            v1 = key.1 ^ 0x646F_7261_6E64_6F6D ^ 0xEE
            v2 = key.0 ^ 0x6C79_6765_6E65_7261
            v3 = key.1 ^ 0x7465_6462_7974_6573
        }

        mutating func take(_ word: UInt64) {
            v3 ^= word
            mix(2)
            v0 ^= word
        }

        mutating func finish() -> (UInt64, UInt64) {
            v2 ^= 0xEE
            mix(4)
            let first = v0 ^ v1 ^ v2 ^ v3
            v1 ^= 0xDD
            mix(4)
            return (first, v0 ^ v1 ^ v2 ^ v3)
        }

        private mutating func mix(_ rounds: Int) {
            for _ in 0..<rounds {
                v0 &+= v1
                v1 = Self.rotated(v1, 13) ^ v0
                v0 = Self.rotated(v0, 32)
                v2 &+= v3
                v3 = Self.rotated(v3, 16) ^ v2
                v0 &+= v3
                v3 = Self.rotated(v3, 21) ^ v0
                v2 &+= v1
                v1 = Self.rotated(v1, 17) ^ v2
                v2 = Self.rotated(v2, 32)
            }
        }

        private static func rotated(_ value: UInt64, _ bits: UInt64) -> UInt64 {
            value << bits | value >> (64 - bits)
        }
    }
}
