/// AES-CMAC (RFC 4493): a message authentication code of 128 bits over octets in order.
struct CMAC: Sendable {
    private let cipher: AES128
    /// What is added to the last block when it is whole, and when it is not.
    private let wholeKey: UInt128
    private let paddedKey: UInt128

    /// - Parameter key: the key, its first octet the most significant one.
    init(key: UInt128) {
        cipher = AES128(key: key)
        wholeKey = Self.doubled(cipher.encrypt(0))
        paddedKey = Self.doubled(wholeKey)
    }

    /// Twice an element of the field of 2¹²⁸ elements.
    private static func doubled(_ element: UInt128) -> UInt128 {
        element << 1 ^ (element >> 127 == 0 ? 0 : 0x87)
    }

    /// The code of a message, its first octet the most significant one.
    func code(of message: [UInt8]) -> UInt128 {
        var state: UInt128 = 0
        var position = 0
        while position + 16 < message.count {
            state = cipher.encrypt(state ^ Self.block(message[position..<(position + 16)]))
            position += 16
        }
        let rest = message[position...]
        guard rest.count < 16 else { return cipher.encrypt(state ^ Self.block(rest) ^ wholeKey) }
        return cipher.encrypt(state ^ Self.block(rest + [0x80]) ^ paddedKey)
    }

    /// Up to sixteen octets as a number, filled up with zeros at the end.
    private static func block(_ octets: ArraySlice<UInt8>) -> UInt128 {
        var high: UInt64 = 0
        var low: UInt64 = 0
        for (index, octet) in octets.enumerated() {
            let placed = UInt64(octet) << UInt64(56 - 8 * (index & 7))
            if index < 8 { high |= placed } else { low |= placed }
        }
        return UInt128(high) << 64 | UInt128(low)
    }
}
