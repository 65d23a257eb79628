// A transcript is an ATT exchange as text: one PDU a line, readable in a review and replayable in a test.
//
//     # Heart rate: the MTU exchange and one notification.
//     description: heart rate session
//     mtu: 23
//     0.000000 > 02 0502            # Exchange MTU Request
//     0.012500 < 03 1700
//     < 1b 1000 1048
//
// Lines of the form `key: value` at the beginning are the header; it ends with the first PDU or the first empty line.
// `>` goes from the client (the central) to the server (the peripheral), `<` the other way. Octets are hexadecimal in
// order of transmission; spaces between them are free, `00..15` stands for ascending octets and `5a*20` for 20 equal
// ones. An empty `<` is a datagram without octets, which a peer may send although it is no PDU. A number before the
// arrow is the time in seconds. `#` starts a comment, on a line of its own or behind a PDU. Other lines of the form
// `key: value` are directives: they are kept and given to whoever replays. `closed` is the one that recordings have: the
// connection ended, for that reason, as in `closed: 0x08 Connection Timeout`.

import Wire

/// An ATT exchange as text.
public struct Transcript: Hashable, Sendable {
    /// Which way a PDU goes.
    public enum Direction: String, Hashable, Sendable {
        /// From the client to the server.
        case fromClient = ">"
        /// From the server to the client.
        case fromServer = "<"
    }

    /// One PDU of the exchange.
    public struct PDU: Hashable, Sendable {
        public var direction: Direction
        /// The PDU, its opcode first.
        public var octets: [UInt8]
        /// Microseconds since the start of the exchange, when known.
        public var microseconds: Int64?
        /// What stands behind `#`, without it.
        public var comment: String?

        public init(_ direction: Direction, _ octets: [UInt8], microseconds: Int64? = nil, comment: String? = nil) {
            self.direction = direction
            self.octets = octets
            self.microseconds = microseconds
            self.comment = comment
        }
    }

    /// One line of the exchange.
    public enum Line: Hashable, Sendable {
        case pdu(PDU)
        case directive(key: String, value: String)
        case comment(String)
    }

    /// A line that is none of a transcript, and why.
    public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The line's number, from 1.
        public var line: Int
        /// What is wrong with it.
        public var reason: String

        public var description: String { "line \(line): \(reason)" }
    }

    /// The directive that tells of the end of the connection.
    public static let closed = "closed"

    /// The longest PDU a line may hold, in octets: the largest value of `ATT_MTU`.
    public static let longestPDU = 65_535

    /// The header, in its order.
    public var header: [(key: String, value: String)] {
        get { headerLines.map { ($0.key, $0.value) } }
        set { headerLines = newValue.map { HeaderLine(key: $0.key, value: $0.value) } }
    }

    /// Everything after the header, in order.
    public var lines: [Line]

    private struct HeaderLine: Hashable, Sendable {
        var key: String
        var value: String
    }

    /// Where lines stood in the text: of interest for messages, and no part of what the transcript says.
    private struct Positions: Hashable, Sendable {
        var numbers: [Int] = []

        static func == (a: Self, b: Self) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    private var headerLines: [HeaderLine] = []
    private var positions = Positions()

    public init(header: [(key: String, value: String)] = [], lines: [Line] = []) {
        self.lines = lines
        self.header = header
    }

    /// The PDUs, in order.
    public var pdus: [PDU] {
        lines.compactMap { line in
            if case .pdu(let pdu) = line { pdu } else { nil }
        }
    }

    /// In which line of the text, counted from 1, `lines[index]` stood; `nil` for lines that were not read from a text.
    public func lineNumber(of index: Int) -> Int? {
        positions.numbers.indices.contains(index) ? positions.numbers[index] : nil
    }

    /// The value of a header line; `nil` when there is none.
    public subscript(header key: String) -> String? {
        headerLines.first { $0.key == key }?.value
    }

    /// What the header says `ATT_MTU` is at the start; 23, the value of every new LE bearer (Vol 3, Part G, 5.2.1),
    /// when it says nothing.
    public var mtu: Int { mtus.first ?? 23 }

    /// The values of `ATT_MTU` with which the exchange is the same, as in `mtu: 23 185 517`; empty when the header names
    /// none.
    public var mtus: [Int] {
        self[header: "mtu"].map { $0.split(separator: " ").compactMap { Int($0) } } ?? []
    }
}

extension Transcript {
    /// Reads a transcript.
    /// - Throws: `SyntaxError` with the number of the first line that is wrong.
    public init(parsing text: some StringProtocol) throws(SyntaxError) {
        self.init()
        var isHeader = true
        var number = 0
        for raw in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            let (content, comment) = Self.withoutComment(raw)
            if content.isEmpty {
                if let comment {
                    append(.comment(comment), from: number)
                } else if !headerLines.isEmpty {
                    isHeader = false
                }
                continue
            }
            if let arrow = Self.arrow(in: content) {
                isHeader = false
                append(.pdu(try Self.pdu(content, arrow: arrow, comment: comment, line: number)), from: number)
            } else if let colon = content.firstIndex(of: ":") {
                let key = String(Self.trimmed(content[..<colon]))
                let value = String(Self.trimmed(content[content.index(after: colon)...]))
                guard !key.isEmpty else { throw SyntaxError(line: number, reason: "nothing stands before the colon") }
                if isHeader {
                    headerLines.append(HeaderLine(key: key, value: value))
                } else {
                    append(.directive(key: key, value: value), from: number)
                }
            } else {
                throw SyntaxError(
                    line: number,
                    reason: "expected '> octets', '< octets', 'key: value' or '# comment', not '\(content)'")
            }
        }
    }

    private mutating func append(_ line: Line, from number: Int) {
        lines.append(line)
        positions.numbers.append(number)
    }

    /// The arrow of a PDU line: the first character, or the first after a time.
    private static func arrow(in content: Substring) -> Substring.Index? {
        guard let index = content.firstIndex(where: { $0 == ">" || $0 == "<" }) else { return nil }
        let before = trimmed(content[..<index])
        return before.allSatisfy { $0.isNumber || $0 == "." } ? index : nil
    }

    private static func pdu(
        _ content: Substring, arrow: Substring.Index, comment: String?, line: Int
    ) throws(SyntaxError) -> PDU {
        let time = trimmed(content[..<arrow])
        var microseconds: Int64?
        if !time.isEmpty {
            guard let value = Self.microseconds(time) else {
                throw SyntaxError(line: line, reason: "'\(time)' is no time in seconds, as in 1.250000")
            }
            microseconds = value
        }
        let direction: Direction = content[arrow] == ">" ? .fromClient : .fromServer
        let digits = content[content.index(after: arrow)...]
        guard let octets = Self.octets(digits) else {
            throw SyntaxError(line: line, reason: "'\(trimmed(digits))' is not hexadecimal")
        }
        guard direction == .fromServer || !octets.isEmpty else {
            throw SyntaxError(line: line, reason: "a PDU has at least its opcode")
        }
        guard octets.count <= longestPDU else {
            throw SyntaxError(line: line, reason: "a PDU has at most \(longestPDU) octets, not \(octets.count)")
        }
        return PDU(direction, octets, microseconds: microseconds, comment: comment)
    }

    /// Octets as a transcript writes them: hexadecimal in words, `00..15` for ascending ones, `5a*20` for repeated
    /// ones; `nil` for anything else. More than the longest PDU is as much as one octet too many.
    public static func octets(_ text: some StringProtocol) -> [UInt8]? {
        var all: [UInt8] = []
        // Digits may be parted by spaces anywhere; only a word with a sign stands for itself.
        var digits = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            guard word.contains(where: { $0 == "." || $0 == "*" }) else {
                digits += word
                continue
            }
            guard let before = [UInt8](hexadecimal: digits), let meant = abbreviated(Substring(word)) else {
                return nil
            }
            digits = ""
            all += before + meant
            if all.count > longestPDU { return [UInt8](all.prefix(longestPDU + 1)) }
        }
        guard let rest = [UInt8](hexadecimal: digits) else { return nil }
        return all + rest
    }

    private static func abbreviated(_ word: Substring) -> [UInt8]? {
        if let dots = word.firstRange(of: "..") {
            guard let first = UInt8(word[..<dots.lowerBound], radix: 16),
                let last = UInt8(word[dots.upperBound...], radix: 16), first <= last
            else { return nil }
            return Array(first...last)
        }
        guard let star = word.firstIndex(of: "*"), let part = [UInt8](hexadecimal: word[..<star]), !part.isEmpty,
            let count = Int(word[word.index(after: star)...]), count >= 0
        else { return nil }
        var octets: [UInt8] = []
        for _ in 0..<min(count, longestPDU / part.count + 1) { octets += part }
        return octets
    }

    /// Seconds with up to six decimals, exactly.
    private static func microseconds(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let seconds = Int64(parts[0]), seconds >= 0, seconds < 1 << 40 else { return nil }
        guard parts.count == 2 else { return seconds * 1_000_000 }
        let digits = parts[1]
        guard (1...6).contains(digits.count), let fraction = Int64(digits), fraction >= 0 else { return nil }
        return seconds * 1_000_000 + (digits.count..<6).reduce(fraction) { value, _ in value * 10 }
    }

    private static func withoutComment(_ raw: some StringProtocol) -> (content: Substring, comment: String?) {
        let line = Substring(raw)
        guard let mark = line.firstIndex(of: "#") else { return (trimmed(line), nil) }
        return (trimmed(line[..<mark]), String(trimmed(line[line.index(after: mark)...])))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}

extension Transcript.Line {
    fileprivate var isComment: Bool {
        if case .comment = self { true } else { false }
    }
}

extension Transcript: CustomStringConvertible {
    /// The transcript as text, which reads back as the same transcript.
    public var description: String {
        var text = ""
        for line in headerLines { text += "\(line.key): \(line.value)\n" }
        // Without a line between, a directive would be read as one more line of the header.
        if !headerLines.isEmpty, case .directive? = lines.first(where: { !$0.isComment }) { text += "\n" }
        for line in lines {
            switch line {
            case .comment(let comment): text += comment.isEmpty ? "#\n" : "# \(comment)\n"
            case .directive(let key, let value): text += "\(key): \(value)\n"
            case .pdu(let pdu):
                if let time = pdu.microseconds {
                    let fraction = String(time % 1_000_000)
                    text +=
                        "\(time / 1_000_000).\(String(repeating: "0", count: max(0, 6 - fraction.count)))\(fraction) "
                }
                text += "\(pdu.direction.rawValue) \(pdu.octets.hexadecimal)"
                if let comment = pdu.comment { text += "  # \(comment)" }
                text += "\n"
            }
        }
        return text
    }
}
