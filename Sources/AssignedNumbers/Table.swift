/// A static table of numbers and names, sorted by number: one line per number, `180d Heart Rate`.
///
/// The lines stay text, in one literal, instead of becoming an array or a dictionary: the compiler has nothing to
/// build, the program has nothing to initialise, and a look-up is a binary search over octets that allocates only its
/// result.
struct Table: Sendable {
    /// How many hexadecimal digits a number has.
    let digits: Int
    private let text: String

    init(digits: Int, _ text: String) {
        self.digits = digits
        self.text = text
    }

    private static let newline = UInt8(ascii: "\n")

    /// The name at `key`, which is given in lower-case hexadecimal digits, as many as the table has.
    func name(_ key: [UInt8]) -> String? {
        guard key.count == digits else { return nil }
        let octets = text.utf8.span
        var low = 0
        var high = octets.count
        while low < high {
            // The line around the middle of what is left.
            var start = low + (high - low) / 2
            while start > low, octets[start - 1] != Self.newline { start -= 1 }
            var end = start
            while end < high, octets[end] != Self.newline { end += 1 }
            // A line is longer than its number, by construction of the tables.
            guard end - start > digits else { return nil }
            switch Self.order(octets, from: start, key) {
            case 0: return Self.string(octets, start + digits + 1, end)
            case ..<0: low = end + 1
            default: high = start
            }
        }
        return nil
    }

    /// The name of a number of at most 16 bits.
    func name(_ number: UInt16) -> String? {
        name(Self.key(UInt64(number), digits: digits))
    }

    /// The lower-case hexadecimal digits of `number`.
    static func key(_ number: UInt64, digits: Int) -> [UInt8] {
        (0..<digits).map { position in
            let digit = UInt8(truncatingIfNeeded: number >> UInt64((digits - 1 - position) * 4)) & 0xF
            return digit < 10 ? 0x30 + digit : 0x57 + digit
        }
    }

    /// Every line, as the digits of the number and the name, in the order of the numbers.
    var entries: [(key: String, name: String)] {
        let octets = text.utf8.span
        var entries: [(key: String, name: String)] = []
        var start = 0
        for end in 0...octets.count where end == octets.count || octets[end] == Self.newline {
            if end - start > digits {
                entries.append(
                    (Self.string(octets, start, start + digits), Self.string(octets, start + digits + 1, end)))
            }
            start = end + 1
        }
        return entries
    }

    /// Negative, zero or positive: whether the octets at `start` sort before, with or after `key`.
    private static func order(_ octets: Span<UInt8>, from start: Int, _ key: [UInt8]) -> Int {
        for index in key.indices {
            let difference = Int(octets[start + index]) - Int(key[index])
            if difference != 0 { return difference }
        }
        return 0
    }

    private static func string(_ octets: Span<UInt8>, _ start: Int, _ end: Int) -> String {
        guard start <= end, let text = try? UTF8Span(validating: octets.extracting(start..<end)) else { return "" }
        return String(copying: text)
    }
}
