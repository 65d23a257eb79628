/// An identity resolving key: who has it recognises a device behind its resolvable private addresses, which change every
/// few minutes (Core Specification, Vol 6, Part B, 1.3.2.2).
///
/// The upper half of such an address is random, the lower half a hash of it under the key.
public struct IdentityResolvingKey: Hashable, Sendable {
    /// The key as a number of 128 bits, which is transmitted with its least significant octet first.
    public let value: UInt128

    /// The key of a number.
    public init(value: UInt128) { self.value = value }

    /// Whether the device with this key made the address. One foreign address in sixteen million passes, too.
    public func resolves(_ address: DeviceAddress) -> Bool {
        guard address.kind == .resolvablePrivate else { return false }
        let octets = address.octets.value
        return hash(of: UInt32(truncatingIfNeeded: octets >> 24)) == UInt32(truncatingIfNeeded: octets & 0xFF_FFFF)
    }

    /// The random address hash function `ah` (Vol 3, Part H, 2.2.2).
    /// - Parameter random: 24 bits.
    /// - Returns: 24 bits.
    public func hash(of random: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: BlockCipher(key: value).encrypt(UInt128(random & 0xFF_FFFF)) & 0xFF_FFFF)
    }
}

/// AES with keys of 128 bits (FIPS 197), encryption only: the security function `e` (Vol 3, Part H, 2.2.1).
///
/// The key is a secret, so nothing is looked up in tables: time and memory do not depend on it. That makes it slow,
/// tens of microseconds a block, and an address is resolved once.
private struct BlockCipher {
    /// Eleven keys, for the beginning and for each round.
    private let roundKeys: [UInt128]

    init(key: UInt128) {
        var keys = [key]
        var constant: UInt8 = 1
        for _ in 0..<10 {
            let last = keys[keys.count - 1]
            let word = UInt32(truncatingIfNeeded: last)
            var mask: UInt32 = 0
            // The last word, rotated by one octet and substituted.
            for shift in [UInt32(16), 8, 0, 24] {
                mask = mask << 8 | UInt32(Self.substituted(UInt8(truncatingIfNeeded: word >> shift)))
            }
            mask ^= UInt32(constant) << 24
            var next: UInt128 = 0
            for shift in [UInt128(96), 64, 32, 0] {
                mask ^= UInt32(truncatingIfNeeded: last >> shift)
                next = next << 32 | UInt128(mask)
            }
            keys.append(next)
            constant = Self.product(constant, 2)
        }
        roundKeys = keys
    }

    func encrypt(_ block: UInt128) -> UInt128 {
        var state = block ^ roundKeys[0]
        for round in 1...10 {
            state = Self.transformed(state, mixes: round < 10) ^ roundKeys[round]
        }
        return state
    }

    /// SubBytes, ShiftRows and, but for the last round, MixColumns.
    private static func transformed(_ state: UInt128, mixes: Bool) -> UInt128 {
        var result: UInt128 = 0
        for column in 0..<4 {
            // Row by row, from the columns to the right of this one.
            var octets = (0..<4).map { row -> UInt8 in
                let place = 4 * ((column + row) % 4) + row
                return substituted(UInt8(truncatingIfNeeded: state >> UInt128(120 - 8 * place)))
            }
            if mixes {
                let sum = octets[0] ^ octets[1] ^ octets[2] ^ octets[3]
                let first = octets[0]
                for row in 0..<4 {
                    let next = row < 3 ? octets[row + 1] : first
                    octets[row] ^= sum ^ product(octets[row] ^ next, 2)
                }
            }
            for octet in octets { result = result << 8 | UInt128(octet) }
        }
        return result
    }

    /// The S-box: the inverse in the field of 256 elements, then an affine map.
    private static func substituted(_ octet: UInt8) -> UInt8 {
        // x²⁵⁴ is the inverse of x, and 0 for 0.
        var power = octet
        var inverse: UInt8 = 1
        for _ in 0..<7 {
            power = product(power, power)
            inverse = product(inverse, power)
        }
        var result: UInt8 = 0x63
        for shift in 0..<5 {
            result ^= inverse << UInt8(shift) | (shift == 0 ? 0 : inverse >> UInt8(8 - shift))
        }
        return result
    }

    /// The product in the field of 256 elements, without branches on its factors.
    private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
        var (a, result) = (a, UInt8(0))
        for bit in 0..<8 {
            result ^= a & (0 &- (b >> UInt8(bit) & 1))
            a = a << 1 ^ (0x1B & (0 &- (a >> 7)))
        }
        return result
    }
}
