// A line of the shell is split into words as usual shells do:
//
//   blanks                separate words
//   'as it is'            nothing is special
//   "with \" and \\"      a backslash takes away the meaning of the quote and of itself
//   \x                    the octet x, whatever it is
//   # at a word's start   begins a comment
//
// All of these are octets of ASCII, so that the octets of other characters are never taken for one of them.

/// A word of a line, quotes and backslashes taken away.
struct ShellWord: Hashable, Sendable {
    /// What it says.
    var octets: [UInt8] = []
    /// Where it begins, as an offset in octets.
    var start: Int
    /// The quote that is open at its end, where the line ends in it.
    var openQuote: UInt8?
    /// Whether the line ends in a backslash.
    var endsInBackslash = false

    var text: String { String(decoding: octets, as: UTF8.self) }
}

/// The words of a line, as far as it goes: the last one may be unfinished.
struct ShellLine: Hashable, Sendable {
    var words: [ShellWord] = []
    /// Whether the line ends in a comment.
    var endsInComment = false
    /// Whether another word could begin at the end.
    var endsInBlank = true

    init(_ octets: some Sequence<UInt8>) {
        var word: ShellWord?
        for (offset, octet) in octets.enumerated() {
            guard !endsInComment else { break }
            if word?.endsInBackslash == true {
                word?.endsInBackslash = false
                if word?.openQuote != nil, octet != UInt8(ascii: "\""), octet != UInt8(ascii: "\\") {
                    word?.octets.append(UInt8(ascii: "\\"))
                }
                word?.octets.append(octet)
            } else if let quote = word?.openQuote {
                if octet == quote {
                    word?.openQuote = nil
                } else if octet == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                    word?.endsInBackslash = true
                } else {
                    word?.octets.append(octet)
                }
            } else if octet == UInt8(ascii: " ") || octet == UInt8(ascii: "\t") {
                if let ended = word { words.append(ended) }
                word = nil
            } else if octet == UInt8(ascii: "#"), word == nil {
                endsInComment = true
            } else {
                var current = word ?? ShellWord(start: offset)
                switch octet {
                case UInt8(ascii: "'"), UInt8(ascii: "\""): current.openQuote = octet
                case UInt8(ascii: "\\"): current.endsInBackslash = true
                default: current.octets.append(octet)
                }
                word = current
            }
        }
        endsInBlank = word == nil
        if let word { words.append(word) }
    }

    /// The words of a whole line.
    /// - Throws: when a quote is not closed, or the line ends in a backslash.
    static func split(_ text: String) throws(Failure) -> [String] {
        let line = ShellLine(text.utf8)
        if let last = line.words.last {
            if last.endsInBackslash { throw Failure(.usage, "the line ends in a backslash") }
            if let quote = last.openQuote {
                throw Failure(.usage, "the quote \(Character(UnicodeScalar(quote))) is not closed")
            }
        }
        return line.words.map(\.text)
    }
}
