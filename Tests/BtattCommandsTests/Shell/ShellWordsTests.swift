import Testing

@testable import BtattCommands

@Suite struct ShellWordsTests {
    static let lines: [(String, [String])] = [
        ("", []), ("   \t", []), ("read 3", ["read", "3"]), ("  read\t3  ", ["read", "3"]),
        ("write 3 'hex:01 02'", ["write", "3", "hex:01 02"]),
        ("write 3 \"text:a \\\"b\\\" \\c \\\\\"", ["write", "3", "text:a \"b\" \\c \\"]),
        ("write 3 text:a\\ b", ["write", "3", "text:a b"]), ("write 3 te'xt:'\"x\"", ["write", "3", "text:x"]),
        ("'' \"\"", ["", ""]), ("# nothing", []), ("read 3 # the third", ["read", "3"]),
        ("read 3#4", ["read", "3#4"]), ("read '#3'", ["read", "#3"]), ("read \\#3", ["read", "#3"]),
        ("read 'ü€😀'", ["read", "ü€😀"]), ("\\n", ["n"]), ("'a\\b'", ["a\\b"]),
    ]

    @Test(arguments: lines)
    func wordsAreSplitAsShellsDo(_ line: String, _ words: [String]) throws {
        #expect(try ShellLine.split(line) == words)
    }

    @Test(arguments: [
        ("read 'x", "the quote ' is not closed"), ("read \"x\\\"", "the quote \" is not closed"),
        ("read x\\", "the line ends in a backslash"), ("read \"x\\", "the line ends in a backslash"),
    ])
    func whatIsNotFinishedIsRefused(_ line: String, _ message: String) {
        #expect(throws: Failure(.usage, message)) { try ShellLine.split(line) }
    }

    @Test func anUnfinishedLineSaysWhereItsLastWordBegins() {
        let line = ShellLine("read 'heart ra".utf8)
        #expect(line.words.last == ShellWord(octets: Array("heart ra".utf8), start: 5, openQuote: UInt8(ascii: "'")))
        #expect(!line.endsInBlank)
        #expect(ShellLine("read ".utf8).endsInBlank)
        #expect(ShellLine("read # x".utf8).endsInComment)
    }
}
