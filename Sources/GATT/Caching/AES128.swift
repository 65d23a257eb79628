// AES with keys of 128 bits (FIPS 197), encryption only, as the Database Hash and virtual peripherals need it.
//
// The key of the Database Hash is zero and its input is what anybody may read; a virtual peripheral's key stands in its
// file. So nothing secret passes through here, and table look-ups, whose time depends on the data, give nothing away. Keys
// that are secrets, such as a client's Connection Signature Resolving Key, are for the kernel's or a library's AES: see
// `MessageSigner`.

/// AES-128 encryption of blocks, each a number whose most significant octet comes first.
struct AES128: Sendable {
    /// Four words for each of the eleven rounds.
    private let roundKeys: [UInt32]

    /// - Parameter key: the key, its first octet the most significant one.
    init(key: UInt128) {
        var words = (0..<4).map { UInt32(truncatingIfNeeded: key >> UInt128(96 - 32 * $0)) }
        var constant: UInt32 = 1
        while words.count < 44 {
            var word = words[words.count - 1]
            if words.count % 4 == 0 {
                word = Self.substituted(word << 8 | word >> 24) ^ constant << 24
                constant = UInt32(Self.doubled(UInt8(truncatingIfNeeded: constant)))
            }
            words.append(words[words.count - 4] ^ word)
        }
        roundKeys = words
    }

    /// One block, encrypted.
    func encrypt(_ block: UInt128) -> UInt128 {
        var a = UInt32(truncatingIfNeeded: block >> 96) ^ roundKeys[0]
        var b = UInt32(truncatingIfNeeded: block >> 64) ^ roundKeys[1]
        var c = UInt32(truncatingIfNeeded: block >> 32) ^ roundKeys[2]
        var d = UInt32(truncatingIfNeeded: block) ^ roundKeys[3]
        var next = 4
        while next < 40 {
            let (w, x, y, z) = (
                Self.mixed(a, b, c, d) ^ roundKeys[next], Self.mixed(b, c, d, a) ^ roundKeys[next + 1],
                Self.mixed(c, d, a, b) ^ roundKeys[next + 2], Self.mixed(d, a, b, c) ^ roundKeys[next + 3]
            )
            (a, b, c, d) = (w, x, y, z)
            next += 4
        }
        let high =
            UInt64(Self.shifted(a, b, c, d) ^ roundKeys[40]) << 32 | UInt64(Self.shifted(b, c, d, a) ^ roundKeys[41])
        let low =
            UInt64(Self.shifted(c, d, a, b) ^ roundKeys[42]) << 32 | UInt64(Self.shifted(d, a, b, c) ^ roundKeys[43])
        return UInt128(high) << 64 | UInt128(low)
    }

    /// One column after SubBytes, ShiftRows and MixColumns.
    private static func mixed(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
        let second = columns[Int(b >> 16 & 0xFF)]
        let third = columns[Int(c >> 8 & 0xFF)]
        let fourth = columns[Int(d & 0xFF)]
        return columns[Int(a >> 24)] ^ (second >> 8 | second << 24) ^ (third >> 16 | third << 16)
            ^ (fourth >> 24 | fourth << 8)
    }

    /// One column after SubBytes and ShiftRows, for the last round.
    private static func shifted(_ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> UInt32 {
        substituted(a & 0xFF00_0000 | b & 0x00FF_0000 | c & 0x0000_FF00 | d & 0x0000_00FF)
    }

    /// SubBytes on the four octets of a word.
    private static func substituted(_ word: UInt32) -> UInt32 {
        UInt32(substitution[Int(word >> 24)]) << 24 | UInt32(substitution[Int(word >> 16 & 0xFF)]) << 16
            | UInt32(substitution[Int(word >> 8 & 0xFF)]) << 8 | UInt32(substitution[Int(word & 0xFF)])
    }

    /// Twice an element of the field of 2⁸ elements, whose polynomial is x⁸ + x⁴ + x³ + x + 1.
    private static func doubled(_ element: UInt8) -> UInt8 {
        element << 1 ^ (element & 0x80 == 0 ? 0 : 0x1B)
    }

    /// SubBytes of every octet: the inverse in the field, then an affine map (FIPS 197, 5.1.1). Powers of the generator 3
    /// and of its inverse, side by side, give each element beside its inverse.
    private static let substitution: [UInt8] = {
        var table = [UInt8](repeating: 0x63, count: 256)
        var element: UInt8 = 1
        var inverse: UInt8 = 1
        repeat {
            element ^= doubled(element)
            // Division by 3 is multiplication by 0xF6.
            inverse ^= inverse << 1
            inverse ^= inverse << 2
            inverse ^= inverse << 4
            if inverse & 0x80 != 0 { inverse ^= 0x09 }
            func turned(_ bits: UInt8) -> UInt8 { inverse << bits | inverse >> (8 - bits) }
            table[Int(element)] = inverse ^ turned(1) ^ turned(2) ^ turned(3) ^ turned(4) ^ 0x63
        } while element != 1
        return table
    }()

    /// SubBytes and MixColumns of every octet in the first row of a column; other rows are rotations of it.
    private static let columns: [UInt32] = substitution.map { value in
        let double = doubled(value)
        return UInt32(double) << 24 | UInt32(value) << 16 | UInt32(value) << 8 | UInt32(double ^ value)
    }
}
