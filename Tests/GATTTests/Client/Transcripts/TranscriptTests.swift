import Captures
import Testing

/// Every transcript under `Fixtures/transcripts` that an engine is held to.
@Suite struct TranscriptTests {
    /// Exchanges after public bug reports.
    @Test(arguments: TranscriptScript.all(in: "cases"))
    func publicReports(_ script: TranscriptScript) throws {
        try TranscriptRunner(script).run()
    }

    /// The specification's procedures, one by one.
    @Test(arguments: TranscriptScript.all(in: "procedures"))
    func procedures(_ script: TranscriptScript) throws {
        try TranscriptRunner(script).run()
    }

    /// Cases of the Bluetooth SIG's test suite for GATT clients.
    @Test(arguments: TranscriptScript.all(in: "conformance"))
    func conformance(_ script: TranscriptScript) throws {
        for mtu in try Transcript(parsing: script.text).mtus { try TranscriptRunner(script, mtu: mtu).run() }
    }

    /// The folders were found and not moved away.
    @Test func thereAreTranscripts() {
        #expect(TranscriptScript.all(in: "cases").count >= 30)
        #expect(TranscriptScript.all(in: "procedures").count >= 34)
        #expect(TranscriptScript.all(in: "conformance").count >= 122)
    }

    /// A transcript that does not hold is noticed.
    @Test(arguments: [
        "do: read 0x0003\n> 0a 0400", "do: read 0x0003", "do: read 0x0003\n> 0a 0300\n< 0b 01",
        "do: read 0x0003\n> 0a 0300\n< 0b 01\nevent: value 02", "do: read 0x0003\nnone:", "check: mtu 24", "log:",
        "event: value", "> 0a 0300", "do: fly", "> 0", "none",
    ])
    func aWrongTranscriptFails(_ steps: String) {
        #expect(throws: TranscriptError.self) {
            try TranscriptRunner(TranscriptScript(name: "wrong", text: "description: wrong\n\n" + steps)).run()
        }
    }
}
