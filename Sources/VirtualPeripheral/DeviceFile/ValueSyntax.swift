// Values as people write them. A value is one or more parts, separated by commas, whose octets follow each other:
//
//     hex: 01 02 ff        octets                        text: Hello          UTF-8 up to the end of the line
//     0x0102ff             the same                      text: "Hello, you"   with \" \\ \n \r \t \0 and \xNN
//     u8: 1 2 0xff         numbers, least significant    f32: 36.6            IEEE 754
//     i16: -1  u24: 3700   octet first: u and i of 8,    pattern: 512         octets 00 01 02 … ff 00 …
//                          16, 24, 32, 48, 64 bits       empty                no octets

import GATT
import Wire

extension DeviceFileLine {
    /// A value as octets.
    mutating func value() throws(DeviceFileError) -> [UInt8] {
        var octets: [UInt8] = []
        skipSpaces()
        let start = column
        repeat {
            octets += try valuePart()
        } while comma()
        guard octets.count <= AttributeDatabase.maximumValueLength else {
            throw DeviceFileError(
                line: number, column: start, problem: "the value has \(octets.count) octets",
                expected: "512 octets at most")
        }
        return octets
    }

    private static let valueForms =
        "a value: hex: 01 ff, 0x01ff, text: Hello, u8: 1 2, i16: -5, f32: 36.6, pattern: 512 or empty"

    private mutating func valuePart() throws(DeviceFileError) -> [UInt8] {
        var copy = self
        let word = try copy.word(Self.valueForms)
        if word.text == "empty" {
            self = copy
            return []
        }
        if word.text.hasPrefix("0x") {
            self = copy
            return try octets(of: word, digits: String(word.text.dropFirst(2)))
        }
        guard let colon = word.text.firstIndex(of: ":") else {
            throw error(word, "\"\(word.text)\" is not a value", expected: Self.valueForms)
        }
        // What follows the colon may follow it at once.
        let kind = String(word.text[..<colon])
        position = word.column - 1 + kind.count + 1
        switch kind {
        case "hex": return try hexadecimal()
        case "text": return try text()
        case "pattern": return CharacteristicBehaviour.pattern(Int(try number("a length", in: 0...512)))
        case "f32": return try numbers { text in Float(text).map { Self.octets($0.bitPattern, 4) } }
        case "f64": return try numbers { text in Double(text).map { Self.octets($0.bitPattern, 8) } }
        default:
            guard let bits = Int(kind.dropFirst()), [8, 16, 24, 32, 48, 64].contains(bits),
                kind.hasPrefix("u") || kind.hasPrefix("i")
            else { throw error(word, "\"\(kind):\" begins no value", expected: Self.valueForms) }
            return try integers(bits, isSigned: kind.hasPrefix("i"))
        }
    }

    private func octets(of word: Word, digits: String) throws(DeviceFileError) -> [UInt8] {
        guard let octets = [UInt8](hexadecimal: digits), !octets.isEmpty else {
            throw error(word, "\"\(word.text)\" is not octets", expected: "two hexadecimal digits for each octet")
        }
        return octets
    }

    private mutating func hexadecimal() throws(DeviceFileError) -> [UInt8] {
        var result: [UInt8] = []
        repeat {
            let word = try word("two hexadecimal digits for each octet")
            result += try octets(of: word, digits: word.text)
            skipSpaces()
        } while !isAtEnd && next != ","
        return result
    }

    private mutating func integers(_ bits: Int, isSigned: Bool) throws(DeviceFileError) -> [UInt8] {
        // Above 63 bits the number itself is the limit.
        let limit = bits == 64 ? Int64.max : (Int64(1) << (isSigned ? bits - 1 : bits)) - 1
        let range = (isSigned ? -limit - 1 : 0)...limit
        var result: [UInt8] = []
        repeat {
            let number = try number("a number", in: range)
            result += Self.octets(UInt64(bitPattern: number), bits / 8)
            skipSpaces()
        } while !isAtEnd && next != ","
        return result
    }

    private mutating func numbers(_ octets: (String) -> [UInt8]?) throws(DeviceFileError) -> [UInt8] {
        var result: [UInt8] = []
        repeat {
            let word = try word("a number such as 36.6")
            guard let part = octets(word.text) else {
                throw error(word, "\"\(word.text)\" is not a number", expected: "a number such as 36.6")
            }
            result += part
            skipSpaces()
        } while !isAtEnd && next != ","
        return result
    }

    private static func octets(_ number: some FixedWidthInteger & UnsignedInteger, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// Text up to the end of the line, or in quotation marks.
    mutating func text() throws(DeviceFileError) -> [UInt8] {
        skipSpaces()
        guard next == "\"" else { return Array(rest().text.utf8) }
        let opening = self
        position += 1
        var octets: [UInt8] = []
        while let character = next {
            position += 1
            switch character {
            case "\"": return octets
            case "\\": octets += try escaped()
            default: octets += Array(String(character).utf8)
            }
        }
        throw opening.error("the quotation mark is never closed", expected: "\" at the end of the text")
    }

    private mutating func escaped() throws(DeviceFileError) -> [UInt8] {
        let escapes: [Character: UInt8] = ["\"": 0x22, "\\": 0x5C, "n": 0x0A, "r": 0x0D, "t": 0x09, "0": 0]
        if let next, let octet = escapes[next] {
            position += 1
            return [octet]
        }
        if next == "x", position + 2 < characters.count {
            let digits = String(characters[position + 1...position + 2])
            if let octets = [UInt8](hexadecimal: digits), octets.count == 1 {
                position += 3
                return octets
            }
        }
        throw error("the text after \\ means nothing", expected: "one of \\\" \\\\ \\n \\r \\t \\0 \\xNN")
    }
}
