import Central
import CommandLineParsing
import Glibc
import Testing

@testable import BtattCommands

/// `bonds`, `unpair` and `pair` as far as they go without an adapter.
@Suite struct BondCommandTests {
    private static let contents = """
        btatt-bonds 1
        device 00:AA:01:00:00:00 F0:F1:F2:F3:F4:F5/random 1700000000
        ltk 3 0 16 0000 0000000000000000 000102030405060708090a0b0c0d0e0f
        irk 9b7d390aa610103405adc857a33402ec
        device 00:AA:01:00:00:00 01:23:45:67:89:AB/public 1700000001
        ltk 0 1 7 1234 8877665544332211 ff000000000000000000000000000000

        """

    @Test func theBondsAreListedWithoutTheirKeys() async throws {
        try await withBonds(Self.contents) { path in
            let run = await btatt("--bonds \(path) bonds")
            #expect(run.status == .done)
            #expect(
                run.output == """
                    ADAPTER            DEVICE                    PAIRING             PROTECTED  KEY        IDENTITY  PAIRED
                    00:AA:01:00:00:00  F0:F1:F2:F3:F4:F5/random  secure connections  yes        16 octets  yes       2023-11-14T22:13:20.000000Z
                    00:AA:01:00:00:00  01:23:45:67:89:AB/public  legacy              no         7 octets   no        2023-11-14T22:13:21.000000Z

                    """)
            let json = await btatt("--json --bonds \(path) bonds")
            #expect(json.lines.count == 2)
            #expect(!json.output.contains("0102030405") && !json.output.contains("9b7d390a"))
        }
    }

    @Test func noBondsAreNoFailure() async throws {
        let run = await btatt("--bonds /tmp/btatt-nowhere-\(getpid())/bonds bonds")
        #expect(run.status == .done && run.output.isEmpty && run.error.isEmpty)
    }

    @Test func aDeviceIsForgottenByItsAddress() async throws {
        try await withBonds(Self.contents) { path in
            let run = await btatt("-i virtual --bonds \(path) -d F0:F1:F2:F3:F4:F5 unpair")
            #expect(run.status == .done)
            #expect(run.output == "forgot F0:F1:F2:F3:F4:F5/random\n")
            #expect(await btatt("--json --bonds \(path) bonds").lines.count == 1)
            let again = await btatt("-i virtual --bonds \(path) -d F0:F1:F2:F3:F4:F5/random unpair")
            #expect(again.status == .refused)
            #expect(again.error.contains("there is no bond with it"))
            #expect(await btatt("-i virtual --bonds \(path) -d virtual:heart-rate unpair").status == .usage)
        }
    }

    @Test func aFileThatIsNotPrivateIsRefused() async throws {
        try await withBonds(Self.contents) { path in
            // The path is a C string for the time of the call.
            #expect(unsafe chmod(path, 0o644) == 0)
            let run = await btatt("--bonds \(path) bonds")
            #expect(run.status == .refused)
            #expect(run.error.contains("chmod 600"))
        }
    }

    @Test func whereThereIsNoRadioThereIsNoPairing() async {
        let run = await btatt("-d virtual:heart-rate pair")
        #expect(run.status == .refused)
        #expect(run.output.isEmpty)
        #expect(run.error.contains("there is no radio link"))
    }

    @Test(arguments: [
        ("123456", true), ("000042", true), ("7", true), ("1234567", false), ("-1", false), ("12a", false),
    ])
    func passkeysHaveUpToSixDigits(text: String, isValid: Bool) async {
        let run = await btatt("--passkey \(text) -d virtual:heart-rate read 0x0003")
        #expect((run.status == .done) == isValid, "\(run.error)")
    }

    @Test func passkeysAreShownAndReadWithAllTheirDigits() {
        #expect(PairingDialogue.digits(42) == "000042")
        #expect(PairingDialogue.digits(999_999) == "999999")
        #expect(PairingDialogue.passkey("123 456") == 123_456)
        #expect(PairingDialogue.passkey("000042") == 42)
        for text in ["", "1234567", "12a", "-1", "١٢"] { #expect(PairingDialogue.passkey(text) == nil, "\(text)") }
    }

    @Test func withoutATerminalOnlyWhatNeedsNoAnswerIsSaid() async throws {
        let recorder = Recorder()
        let arguments = try parsed("-d virtual:heart-rate pair")
        let dialogue = PairingDialogue(context: CommandContext(arguments: arguments, console: recorder.console()))
        #expect(await dialogue.answer(.comparison(number: 1), "X") == .no)
        #expect(await dialogue.answer(.passkeyEntry, "X") == .no)
        _ = await dialogue.answer(.passkeyDisplay(passkey: 12), "X")
        #expect(recorder.error.contains("enter the passkey 000012 on X"))
        #expect(recorder.output.isEmpty)
    }

    @Test(arguments: [
        ("", Terminal.none, PairingCapability.none), ("--passkey 1 ", .none, .keyboard),
        ("--io yesno ", .none, .yesNo), ("--io display --passkey 1 ", .none, .display),
        ("", terminal, .keyboardDisplay), ("--io none ", terminal, .none),
    ])
    func whatCanBeAskedFollowsFromOptionsAndTerminal(
        options: String, terminal: Terminal, capability: PairingCapability
    ) throws {
        let arguments = try parsed("\(options)-d virtual:heart-rate pair")
        let context = CommandContext(arguments: arguments, console: Recorder().console(terminal))
        #expect(context.pairing.capability == capability)
    }

    private static let terminal = Terminal(
        outputIsTerminal: true, errorIsTerminal: true, isInteractive: true, noColour: true, width: 80)

    private func parsed(_ line: String) throws -> ParsedArguments {
        guard case .run(_, let arguments) = try Btatt.program.parse(line.split(separator: " ").map(String.init)) else {
            throw Failure(.usage, "no command")
        }
        return arguments
    }
}

/// Runs `body` with the path of a private file that holds `contents`.
func withBonds<Result>(_ contents: String, _ body: (String) async throws -> Result) async throws -> Result {
    let path = "/tmp/btatt-bonds-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    // As many octets as the text has.
    _ = unsafe Array(contents.utf8).withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
    close(file)
    defer { _ = unsafe unlink(path) }
    return try await body(path)
}

extension JSONDocumentationTests {
    /// What the commands print that need a file of bonds.
    static func bondObjects() async -> [(String, [String])] {
        let contents = """
            btatt-bonds 1
            device 00:AA:01:00:00:00 F0:F1:F2:F3:F4:F5/random 1700000000
            ltk 3 0 16 0000 0000000000000000 000102030405060708090a0b0c0d0e0f

            """
        let objects = try? await withBonds(contents) { path in
            let lines = ["bonds", "-i virtual -d F0:F1:F2:F3:F4:F5 unpair"]
            var objects: [(String, [String])] = []
            for line in lines { objects.append((line, await btatt("--json --bonds \(path) \(line)").lines)) }
            return objects
        }
        return objects ?? []
    }
}
