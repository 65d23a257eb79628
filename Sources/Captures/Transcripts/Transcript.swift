// A transcript is an ATT exchange as text: one PDU a line, readable in a review and replayable in a test.
//
//     # Heart rate: the MTU exchange and one notification.
//     description: heart rate session
//     mtu: 23
//     0.000000 > 02 0502            # Exchange MTU Request
//     0.012500 < 03 1700
//     < 1b 1000 1048
//
// Lines before the first PDU of the form `key: value` are the header. `>` goes from the client (the central) to the
// server (the peripheral), `<` the other way. Octets are hexadecimal in order of transmission; spaces between them are
// free. A number before the arrow is the time in seconds. `#` starts a comment, on a line of its own or behind a PDU.
// Other lines of the form `key: value` among the PDUs are directives: they are kept and given to whoever replays.

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

    private var headerLines: [HeaderLine] = []

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

    /// The value of a header line; `nil` when there is none.
    public subscript(header key: String) -> String? {
        headerLines.first { $0.key == key }?.value
    }

    /// What the header says `ATT_MTU` is at the start; 23, the value of every new LE bearer (Vol 3, Part G, 5.2.1),
    /// when it says nothing.
    public var mtu: Int { self[header: "mtu"].flatMap { Int($0) } ?? 23 }
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
                if let comment { lines.append(.comment(comment)) }
                continue
            }
            if let arrow = Self.arrow(in: content) {
                isHeader = false
                lines.append(.pdu(try Self.pdu(content, arrow: arrow, comment: comment, line: number)))
            } else if let colon = content.firstIndex(of: ":") {
                let key = String(Self.trimmed(content[..<colon]))
                let value = String(Self.trimmed(content[content.index(after: colon)...]))
                guard !key.isEmpty else { throw SyntaxError(line: number, reason: "nothing stands before the colon") }
                if isHeader {
                    headerLines.append(HeaderLine(key: key, value: value))
                } else {
                    lines.append(.directive(key: key, value: value))
                }
            } else {
                throw SyntaxError(
                    line: number,
                    reason: "expected '> octets', '< octets', 'key: value' or '# comment', not '\(content)'")
            }
        }
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
        let digits = content[content.index(after: arrow)...].filter { !$0.isWhitespace }
        guard let octets = [UInt8](hexadecimal: digits) else {
            throw SyntaxError(
                line: line, reason: "'\(trimmed(content[content.index(after: arrow)...]))' is not hexadecimal")
        }
        guard !octets.isEmpty else { throw SyntaxError(line: line, reason: "a PDU has at least its opcode") }
        guard octets.count <= longestPDU else {
            throw SyntaxError(line: line, reason: "a PDU has at most \(longestPDU) octets, not \(octets.count)")
        }
        return PDU(
            content[arrow] == ">" ? .fromClient : .fromServer, octets, microseconds: microseconds, comment: comment)
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

extension Transcript: CustomStringConvertible {
    /// The transcript as text, which reads back as the same transcript.
    public var description: String {
        var text = ""
        for line in headerLines { text += "\(line.key): \(line.value)\n" }
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
