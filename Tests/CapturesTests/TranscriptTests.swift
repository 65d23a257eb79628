import Captures
import Foundation
import TestSupport
import Testing

@Suite struct TranscriptTests {
    static let text = """
        description: heart rate session
        mtu: 23
        # The MTU exchange.
        0.000000 > 020502  # Exchange MTU Request
        1.012500 < 031700
        wait: 30s
        < 1b10001048

        """

    @Test func readsEveryKindOfLine() throws {
        let transcript = try Transcript(parsing: Self.text)
        #expect(transcript[header: "description"] == "heart rate session")
        #expect(transcript.mtu == 23)
        #expect(transcript.mtus == [23])
        #expect(try Transcript(parsing: "mtu: 64 185 517").mtus == [64, 185, 517])
        #expect(try Transcript(parsing: "mtu: 64 185 517").mtu == 64)
        #expect(try Transcript(parsing: "").mtu == 23)
        #expect(try Transcript(parsing: "").mtus == [])
        #expect(
            transcript.pdus == [
                .init(.fromClient, hex("020502"), microseconds: 0, comment: "Exchange MTU Request"),
                .init(.fromServer, hex("031700"), microseconds: 1_012_500),
                .init(.fromServer, hex("1b10001048")),
            ])
        #expect(transcript.lines.contains(.directive(key: "wait", value: "30s")))
        #expect(transcript.lines.first == .comment("The MTU exchange."))
    }

    @Test func writesWhatItReads() throws {
        #expect(try Transcript(parsing: Self.text).description == Self.text)
    }

    @Test func spacesBetweenOctetsAndCaseAreFree() throws {
        let transcript = try Transcript(parsing: "  2.5  >   0A 03 00\r\n<0B\t01 FF")
        #expect(
            transcript.pdus == [
                .init(.fromClient, hex("0a0300"), microseconds: 2_500_000), .init(.fromServer, hex("0b01ff")),
            ])
    }

    @Test func octetsMayBeAbbreviated() throws {
        let transcript = try Transcript(parsing: "> 0a 03 00\n< 0b 00..0f ff 5a*3 0102*2 f f\n<\n< 0b 00..00 aa*0")
        #expect(
            transcript.pdus.map(\.octets) == [
                hex("0a0300"), hex("0b000102030405060708090a0b0c0d0e0fff5a5a5a01020102ff"), [], hex("0b00"),
            ])
    }

    @Test func anEmptyLineEndsTheHeader() throws {
        let text = "description: a read\nmtu: 23\n\ndo: read 0x0003\n> 0a0300\n"
        let transcript = try Transcript(parsing: text)
        #expect(transcript.header.map(\.key) == ["description", "mtu"])
        #expect(transcript.lines.first == .directive(key: "do", value: "read 0x0003"))
        #expect(transcript.lineNumber(of: 0) == 4)
        #expect(transcript.lineNumber(of: 1) == 5)
        #expect(transcript.lineNumber(of: 2) == nil)
        #expect(transcript.description == text)
    }

    /// Every transcript of the project is one, also those written for tests with directives of their own.
    @Test func fixturesAreTranscripts() throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../Fixtures/transcripts").standardized
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".txt") }
        #expect(names.count > 100)
        for name in names {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            let transcript = try Transcript(parsing: text)
            #expect(!transcript.pdus.isEmpty || text.contains("do:"), "\(name)")
            #expect(try Transcript(parsing: transcript.description).description == transcript.description, "\(name)")
        }
    }

    @Test(arguments: [
        ("> 0..f..", "line 1: '0..f..' is not hexadecimal"), ("< 0b 05..04", "line 1: '0b 05..04' is not hexadecimal"),
        ("< 0b *3", "line 1: '0b *3' is not hexadecimal"), ("< 0 01*2 1", "line 1: '0 01*2 1' is not hexadecimal"),
        ("< 0b 5a*999999999999", "line 1: a PDU has at most 65535 octets, not 65536"),
        ("> 0a03\n> 0a0", "line 2: '0a0' is not hexadecimal"), (">", "line 1: a PDU has at least its opcode"),
        ("1.x > 0a", "line 1: expected"), ("1.2.3 > 0a", "line 1: '1.2.3' is no time"), ("hello", "line 1: expected"),
        (": 3", "line 1: nothing stands before the colon"), ("1.1234567 > 0a", "line 1: '1.1234567' is no time"),
    ])
    func errorsNameTheLine(_ text: String, _ message: String) {
        let error = #expect(throws: Transcript.SyntaxError.self) { try Transcript(parsing: text) }
        #expect(error?.description.hasPrefix(message) == true, "\(String(describing: error))")
    }
}
