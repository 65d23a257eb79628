// A device file is lines: an indentation that says what a line belongs to, a keyword, and what the keyword needs. This is
// the part that knows about characters; the parser knows about keywords.

import GATT
import Wire

/// One line of a device file that says something, and how far it was read.
struct DeviceFileLine {
    /// Its number, counted from 1.
    let number: Int
    /// How many spaces it begins with.
    let indentation: Int
    /// Its characters, without comment and trailing spaces.
    let characters: [Character]
    /// The next character to read.
    var position: Int

    /// A piece of a line: what it says and where.
    struct Word {
        var text: String
        var column: Int
    }

    /// The lines that say something.
    static func lines(of text: String) throws(DeviceFileError) -> [DeviceFileLine] {
        var lines: [DeviceFileLine] = []
        var number = 0
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            let characters = withoutComment(Array(line))
            guard let first = characters.firstIndex(where: { $0 != " " }) else { continue }
            guard characters[first] != "\t" else {
                throw DeviceFileError(
                    line: number, column: first + 1, problem: "a tab indents the line", expected: "spaces")
            }
            lines.append(
                DeviceFileLine(number: number, indentation: first, characters: characters, position: first))
        }
        return lines
    }

    /// A line up to its comment: a `#` at the start or after a space, outside quotation marks.
    private static func withoutComment(_ characters: [Character]) -> [Character] {
        var isQuoted = false
        var end = characters.count
        for (index, character) in characters.enumerated() {
            if character == "\"", index == 0 || characters[index - 1] != "\\" { isQuoted.toggle() }
            let previous = index == 0 ? " " : characters[index - 1]
            if character == "#", !isQuoted, previous == " " || previous == "\t" {
                end = index
                break
            }
        }
        while end > 0, characters[end - 1] == " " || characters[end - 1] == "\t" { end -= 1 }
        return Array(characters[..<end])
    }

    /// The column of the next character, counted from 1.
    var column: Int { position + 1 }

    /// Whether nothing is left.
    var isAtEnd: Bool { position >= characters.count }

    /// The next character.
    var next: Character? { position < characters.count ? characters[position] : nil }

    mutating func skipSpaces() {
        while let next, next == " " || next == "\t" { position += 1 }
    }

    /// The next word, that is everything up to a space or a comma; `nil` at the end.
    mutating func word() -> Word? {
        skipSpaces()
        let start = position
        while let next, next != " ", next != "\t", next != "," { position += 1 }
        guard position > start else { return nil }
        return Word(text: String(characters[start..<position]), column: start + 1)
    }

    /// The next word, which must be there.
    mutating func word(_ expected: String) throws(DeviceFileError) -> Word {
        guard let word = word() else {
            guard next == nil else { throw error("a comma stands where it does not belong", expected: expected) }
            throw error("the line ends too early", expected: expected)
        }
        return word
    }

    /// Everything that is left, without the spaces around it.
    mutating func rest() -> Word {
        skipSpaces()
        let word = Word(text: String(characters[min(position, characters.count)...]), column: column)
        position = characters.count
        return word
    }

    /// Takes a comma, when it is next.
    mutating func comma() -> Bool {
        skipSpaces()
        guard next == "," else { return false }
        position += 1
        return true
    }

    /// Takes the word `text`, when it is next.
    mutating func takes(_ text: String) -> Bool {
        var copy = self
        guard copy.word()?.text == text else { return false }
        self = copy
        return true
    }

    /// Checks that nothing is left.
    mutating func end() throws(DeviceFileError) {
        skipSpaces()
        guard isAtEnd else {
            let column = column
            throw DeviceFileError(
                line: number, column: column, problem: "\"\(rest().text)\" is more than the line needs",
                expected: "the end of the line")
        }
    }

    /// An error at the next character.
    func error(_ problem: String, expected: String? = nil) -> DeviceFileError {
        DeviceFileError(line: number, column: column, problem: problem, expected: expected)
    }

    /// An error at a word.
    func error(_ word: Word, _ problem: String, expected: String? = nil) -> DeviceFileError {
        DeviceFileError(line: number, column: word.column, problem: problem, expected: expected)
    }

    // MARK: Words with a meaning

    /// A number in a range, decimal or hexadecimal after `0x`.
    mutating func number(_ what: String, in range: ClosedRange<Int64>) throws(DeviceFileError) -> Int64 {
        let expected = "\(what), \(range.lowerBound) to \(range.upperBound)"
        let word = try word(expected)
        guard let number = Self.number(word.text) else {
            throw error(word, "\"\(word.text)\" is not a number", expected: expected)
        }
        guard range.contains(number) else { throw error(word, "\(word.text) is out of range", expected: expected) }
        return number
    }

    /// A number as a person writes it.
    static func number(_ text: String) -> Int64? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative ? text.dropFirst() : text[...]
        guard digits.first?.isHexDigit == true else { return nil }
        let magnitude =
            digits.hasPrefix("0x") || digits.hasPrefix("0X") ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits)
        guard let magnitude else { return nil }
        guard isNegative else { return Int64(exactly: magnitude) }
        return magnitude <= UInt64(Int64.max) ? -Int64(magnitude) : nil
    }

    /// A UUID of 16, 32 or 128 bits.
    mutating func uuid() throws(DeviceFileError) -> BluetoothUUID {
        let expected = "a UUID such as 180D or 6e400001-b5a3-f393-e0a9-e50e24dcca9e"
        let word = try word(expected)
        guard let uuid = BluetoothUUID(word.text) else {
            throw error(word, "\"\(word.text)\" is not a UUID", expected: expected)
        }
        return uuid
    }

    /// A time: a number with `ms`, `s` or `min`, with or without a space between.
    mutating func duration() throws(DeviceFileError) -> Duration {
        let expected = "a time such as 250 ms, 1.5 s or 1 min"
        let word = try word(expected)
        let digits = word.text.prefix { $0.isNumber || $0 == "." }
        var unit = String(word.text.dropFirst(digits.count))
        if unit.isEmpty { unit = try self.word(expected).text }
        let milliseconds: [String: Double] = ["ms": 1, "s": 1000, "min": 60_000]
        guard let number = Double(digits), let factor = milliseconds[unit] else {
            throw error(word, "\"\(word.text)\" is not a time", expected: expected)
        }
        let value = number * factor
        guard value >= 1, value <= 86_400_000 else {
            throw error(word, "the time is out of range", expected: "1 ms to 1440 min")
        }
        return .microseconds(Int64(value * 1000))
    }

    /// An attribute handle.
    mutating func handle() throws(DeviceFileError) -> AttributeHandle {
        AttributeHandle(rawValue: UInt16(clamping: try number("a handle", in: 1...0xFFFF)))
    }

    /// One of some words.
    mutating func choice<Value>(
        _ what: String, _ choices: KeyValuePairs<String, Value>
    ) throws(DeviceFileError) -> Value {
        let expected = choices.map(\.key).joined(separator: ", ")
        let word = try word(expected)
        for (name, value) in choices where name == word.text { return value }
        throw error(word, "the \(what) \"\(word.text)\" is not known", expected: expected)
    }
}
