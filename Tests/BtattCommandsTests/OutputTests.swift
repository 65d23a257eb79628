import Presentation
import Sockets
import Testing

@testable import BtattCommands

@Suite struct OutputTests {
    @Test func objectsKeepTheirOrder() {
        var object: JSONObject = ["handle": 37, "uuid": "2a37", "name": nil, "ok": true, "list": [1, "a", []]]
        object["handle"] = 38
        object["late"] = .null
        object["uuid"] = nil
        #expect(object.line == #"{"handle":38,"ok":true,"list":[1,"a",[]],"late":null}"#)
    }

    @Test(arguments: [
        ("plain", #""plain""#), ("a\"b\\c", #""a\"b\\c""#), ("\u{8}\t\n\u{C}\r", #""\b\t\n\f\r""#),
        ("\u{0}\u{1B}\u{7F}\u{9F}", #""\u0000\u001b\u007f\u009f""#), ("é日🫀/", #""é日🫀/""#),
        ("\u{2028}\u{2029}", #""\u2028\u2029""#),
    ])
    func stringsAreEscaped(_ text: String, _ json: String) {
        let object: JSONObject = ["s": .string(text)]
        #expect(object.line == "{\"s\":\(json)}")
    }

    @Test func numbersAreNumbers() {
        let object: JSONObject = [
            "a": .number(1.5), "b": .number(.infinity), "c": .number(.nan), "d": .integer(-3),
            "e": .decimal(.finite(mantissa: 366, exponent: -1)), "f": .decimal(.undefined("not a number")),
            "g": .object(["x": 1]),
        ]
        #expect(object.line == #"{"a":1.5,"b":null,"c":null,"d":-3,"e":36.6,"f":null,"g":{"x":1}}"#)
    }

    @Test(arguments: [
        (Int128(366), -1, "36.6"), (-366, -1, "-36.6"), (5, -3, "0.005"), (-5, -1, "-0.5"), (12, 2, "1200"),
        (0, -2, "0.00"), (0, 3, "0"), (7, 0, "7"), (5, -30, "5e-30"), (1, 127, "1e127"), (100, -2, "1.00"),
    ])
    func decimalsKeepTheirDigits(_ mantissa: Int128, _ exponent: Int, _ text: String) {
        #expect(DecimalNumber.finite(mantissa: mantissa, exponent: exponent).description == text)
    }

    @Test(arguments: [
        (Int64(0), "1970-01-01T00:00:00.000000Z"), (951_782_400_000_001, "2000-02-29T00:00:00.000001Z"),
        (1_735_689_599_999_999, "2024-12-31T23:59:59.999999Z"), (1_740_787_200_250_000, "2025-03-01T00:00:00.250000Z"),
        (-1, "1969-12-31T23:59:59.999999Z"), (4_107_542_400_000_000, "2100-03-01T00:00:00.000000Z"),
    ])
    func timesAreISO8601(_ microseconds: Int64, _ text: String) {
        #expect(Moment(microseconds: microseconds).description == text)
    }

    @Test func columnsAreAligned() {
        var table = TextTable(["NAME", "RSSI", "X"])
        table.append(["a", "-70", ""])
        table.append(["日本", "-7", "z"])
        #expect(table.lines(style: .plain) == ["NAME  RSSI  X", "a     -70", "日本  -7    z"])
        #expect(table.lines(style: Style(isEnabled: true))[0] == "\u{1B}[2mNAME  RSSI  X\u{1B}[0m")
        #expect(table.lines(style: .plain, width: 9) == ["NAME  RS…", "a     -70", "日本  -7…"])
        #expect(columns("e\u{301}") == 1)
        #expect(columns("🫀") == 2)
        #expect(shortened("abcdef", to: 4) == "abc…")
        #expect(shortened("日本語", to: 4) == "日…")
    }

    @Test func whatAPeerSendsCannotMoveTheCursor() {
        #expect(printable("a\u{1B}[2Jb\nc\u{202E}d") == "a\\u{1b}[2Jb\\nc\\u{202e}d")
    }

    @Test func progressIsForTerminalsOnly() throws {
        let recorder = Recorder()
        let pipe = recorder.console(.none)
        pipe.progress("1 of 2")
        try pipe.line("x")
        #expect(recorder.output == "x\n")
        #expect(recorder.error.isEmpty)

        let shown = Recorder()
        let terminal = shown.console(
            Terminal(outputIsTerminal: true, errorIsTerminal: true, noColour: false, width: 80))
        terminal.progress("1 of 2")
        try terminal.line("x")
        #expect(shown.error == "\r\u{1B}[K1 of 2\r\u{1B}[K")
    }

    @Test func aClosedOutputEndsQuietly() {
        let console = Console(terminal: .none, verbosity: .normal, output: { _ in .brokenPipe }, error: { _ in nil })
        #expect(throws: Failure.outputClosed) { try console.line("x") }
    }

    @Test func anOutputThatTakesNoMoreIsAFailure() {
        let full = Errno(rawValue: 28)
        let console = Console(terminal: .none, verbosity: .normal, output: { _ in full }, error: { _ in nil })
        let failure = Failure(.usage, "cannot write to standard output: No space left on device (ENOSPC)")
        #expect(throws: failure) { try console.line("x") }
    }
}
