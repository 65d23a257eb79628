import ATT

/// The first difference between a transcript and what happened.
public struct ReplayDifference: Error, Hashable, Sendable {
    /// What is different, in a few words.
    public var reason: String
    /// Where in the transcript, counted in PDUs from 0.
    public var position: Int
    /// The PDU of the transcript; `nil` when it has none there.
    public var expected: Transcript.PDU?
    /// The PDU that came; `nil` when none did.
    public var received: [UInt8]?
    /// The PDUs before, at most three.
    public var before: [Transcript.PDU]
    /// Which side sent what is different.
    public var direction: Transcript.Direction

    init(_ reason: String, at position: Int, _ script: ReplayScript, expected: Int?, received: [UInt8]?) {
        self.reason = reason
        self.position = position
        self.expected = expected.map { script.pdus[$0] }
        self.received = received
        before = Array(script.pdus[max(0, position - 3)..<min(position, script.pdus.count)])
        direction = script.side == .server ? .fromClient : .fromServer
    }
}

extension ReplayDifference: CustomStringConvertible {
    /// The reason in a line, then what came before, what was expected (`-`) and what came (`+`), with marks under the
    /// octets that differ.
    public var description: String {
        var lines = ["PDU \(position + 1): \(reason)"]
        let first = position - before.count
        for (index, pdu) in before.enumerated() { lines.append(line(" ", first + index, pdu.direction, pdu.octets)) }
        if let expected { lines.append(line("-", position, expected.direction, expected.octets)) }
        if let received {
            lines.append(line("+", position, direction, received))
            if let expected { lines += marks(expected.octets, received) }
        }
        return lines.joined(separator: "\n")
    }

    private func line(_ mark: String, _ index: Int, _ direction: Transcript.Direction, _ octets: [UInt8]) -> String {
        let number = String(index + 1)
        let words = octets.isEmpty ? "(empty)" : octets.map { [$0].hexadecimal }.joined(separator: " ")
        let padding = String(repeating: " ", count: max(0, 4 - number.count))
        return "\(mark)\(padding)\(number) \(direction.rawValue) \(words)  # \(describe(octets.octets))"
    }

    /// Carets under the octets that differ; none when nothing but the length does.
    private func marks(_ a: [UInt8], _ b: [UInt8]) -> [String] {
        var text = ""
        for index in 0..<max(a.count, b.count) {
            let isSame = index < a.count && index < b.count && a[index] == b[index]
            text += isSame ? "   " : "^^ "
        }
        while text.last == " " { text.removeLast() }
        return text.isEmpty ? [] : ["        " + text]
    }
}
