// How a VALUE is written on the command line, so that nothing is guessed:
//
//   0x0102ff, hex:01 02 ff         octets
//   text:hello                     UTF-8
//   u8:5  u16:300,0x12c  i32:-1    numbers, least significant octet first; a list after commas
//   f32:1.5  f64:-0.25             IEEE 754 numbers, likewise
//   file:PATH  -                   the octets of a file, or of standard input
//
// A bare word is text when it can be nothing else (`on`). A word that could be meant as digits (`0102`, `beef`, `5`) is
// refused, and the readings are shown: a tool that guesses writes the wrong octets to a device.

package import CommandLineParsing

/// A value as it was given on the command line.
package enum ValueSource: Hashable, Sendable {
    /// These octets.
    case octets([UInt8])
    /// All octets of a file.
    case file(String)
    /// All octets of standard input.
    case standardInput
}

extension ValueSource {
    /// Reads a VALUE.
    /// - Throws: what is wrong, and at which character.
    package init(_ text: String) throws(ValueError) {
        if text == "-" {
            self = .standardInput
        } else if text.hasPrefix("0x") || text.hasPrefix("0X") {
            guard text.count > 2 else { throw ValueError("has no digits; an empty value is hex:", at: 2) }
            self = .octets(try Self.hexadecimal(text.dropFirst(2), offset: 2, separators: false))
        } else if let colon = text.firstIndex(of: ":") {
            let prefix = text[..<colon]
            let rest = text[text.index(after: colon)...]
            self = try Self.prefixed(String(prefix), rest, offset: prefix.count + 1, whole: text)
        } else {
            self = try Self.bareWord(text)
        }
    }

    static let numberPrefixes = ["u8", "u16", "u24", "u32", "u64", "i8", "i16", "i24", "i32", "i64", "f32", "f64"]
    static let prefixes = ["hex", "text", "file"] + numberPrefixes

    private static func prefixed(
        _ prefix: String, _ rest: Substring, offset: Int, whole: String
    ) throws(ValueError) -> ValueSource {
        switch prefix {
        case "hex": return .octets(try hexadecimal(rest, offset: offset, separators: true))
        case "text": return .octets(Array(rest.utf8))
        case "file":
            guard !rest.isEmpty else { throw ValueError("names no file", at: offset) }
            return .file(String(rest))
        case _ where numberPrefixes.contains(prefix):
            return .octets(try numbers(prefix, rest, offset: offset))
        default:
            let near = nearest(to: prefix, among: prefixes).map { " did you mean \"\($0):\"?" } ?? ""
            throw ValueError("has an unknown prefix \"\(prefix):\";\(near) The text itself is text:\(whole)", at: 0)
        }
    }

    /// Pairs of digits; with `separators`, spaces, colons, commas or hyphens may stand between the pairs.
    private static func hexadecimal(
        _ text: Substring, offset: Int, separators: Bool
    ) throws(ValueError) -> [UInt8] {
        var octets: [UInt8] = []
        var pending: UInt8?
        for (index, character) in text.enumerated() {
            if let digit = character.hexDigitValue, character.isASCII {
                if let high = pending {
                    octets.append(high << 4 | UInt8(digit))
                    pending = nil
                } else {
                    pending = UInt8(digit)
                }
            } else if separators, " :,-".contains(character) {
                guard pending == nil else { throw ValueError("has half an octet", at: offset + index - 1) }
            } else {
                throw ValueError("has \"\(character)\", which is no hexadecimal digit", at: offset + index)
            }
        }
        guard pending == nil else {
            throw ValueError("has an odd number of digits, half an octet", at: offset + text.count - 1)
        }
        return octets
    }

    private static func numbers(_ prefix: String, _ list: Substring, offset: Int) throws(ValueError) -> [UInt8] {
        var octets: [UInt8] = []
        var position = offset
        for item in list.split(separator: ",", omittingEmptySubsequences: false) {
            let spaces = item.prefix { $0 == " " }.count
            let word = item.dropFirst(spaces).reversed().drop { $0 == " " }.reversed()
            octets += try number(prefix, String(word), at: position + spaces)
            position += item.count + 1
        }
        return octets
    }

    private static func number(_ prefix: String, _ word: String, at position: Int) throws(ValueError) -> [UInt8] {
        guard !word.isEmpty else { throw ValueError("lacks a number", at: position) }
        let bits = Int(prefix.dropFirst()) ?? 8
        if prefix.hasPrefix("f") {
            guard bits == 64 else {
                guard let number = Float(word) else { throw ValueError("has \"\(word)\", no number", at: position) }
                return littleEndian(UInt64(number.bitPattern), octets: 4)
            }
            guard let number = Double(word) else { throw ValueError("has \"\(word)\", no number", at: position) }
            return littleEndian(number.bitPattern, octets: 8)
        }
        let isSigned = prefix.hasPrefix("i")
        let range =
            isSigned
            ? -(Int128(1) << Int128(bits - 1))...(Int128(1) << Int128(bits - 1)) - 1
            : 0...(Int128(1) << Int128(bits)) - 1
        guard let number = integer(word) else {
            throw ValueError("has \"\(word)\", no whole number", at: position)
        }
        guard range.contains(number) else {
            throw ValueError(
                "has \(word), which \(prefix) cannot hold (\(range.lowerBound) to \(range.upperBound))", at: position)
        }
        return littleEndian(UInt64(truncatingIfNeeded: number), octets: bits / 8)
    }

    /// A decimal number, or a hexadecimal one after `0x`, either with a sign.
    private static func integer(_ word: String) -> Int128? {
        var digits = word[...]
        let isNegative = digits.hasPrefix("-")
        if isNegative || digits.hasPrefix("+") { digits.removeFirst() }
        let isHexadecimal = digits.lowercased().hasPrefix("0x")
        if isHexadecimal { digits.removeFirst(2) }
        guard let first = digits.first, first.isHexDigit,
            let magnitude = Int128(digits, radix: isHexadecimal ? 16 : 10)
        else { return nil }
        return isNegative ? -magnitude : magnitude
    }

    private static func littleEndian(_ value: UInt64, octets: Int) -> [UInt8] {
        (0..<octets).map { UInt8(truncatingIfNeeded: value >> UInt64($0 * 8)) }
    }

    private static func bareWord(_ word: String) throws(ValueError) -> ValueSource {
        guard !word.isEmpty else { throw ValueError("is empty; an empty value is hex:") }
        var readings: [String] = []
        if word.allSatisfy({ $0.isASCII && ($0.isHexDigit || $0 == " ") }), word.contains(where: \.isHexDigit) {
            let isWhole = (try? hexadecimal(word[...], offset: 0, separators: true)) != nil
            if isWhole { readings.append("octets (hex:\(word))") }
        }
        if integer(word) != nil { readings.append("a number (such as u8:\(word) or u16:\(word))") }
        if readings.isEmpty, word.first.map({ $0.isNumber || "+-.".contains($0) }) == true, Double(word) != nil {
            readings.append("a number (f32:\(word))")
        }
        guard !readings.isEmpty else { return .octets(Array(word.utf8)) }
        throw ValueError("could be \(readings.joined(separator: ", ")) or text (text:\(word)): say which")
    }
}
