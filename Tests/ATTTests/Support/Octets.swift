import ATT

/// The octets that a PDU encodes to.
func encoded(_ pdu: some PDU & ~Escapable) throws(EncodeError) -> [UInt8] {
    try [UInt8](capacity: 600) { output throws(EncodeError) in try pdu.encode(into: &output) }
}

/// The error of parsing octets as a type; `nil` when they are valid.
func malformation<P: PDU & ~Escapable>(_: P.Type, _ octets: [UInt8]) -> MalformedError? {
    do throws(MalformedError) {
        _ = try P(parsing: octets.octets)
        return nil
    } catch {
        return error
    }
}

/// Random numbers that a seed repeats (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    let seed: UInt64
    private var state: UInt64

    /// A generator of a seed; without one, of a seed that a failing test must print.
    init(seed: UInt64 = .random(in: 0 ... .max)) {
        self.seed = seed
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func octets(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
