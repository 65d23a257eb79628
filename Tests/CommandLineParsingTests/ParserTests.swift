import CommandLineParsing
import Testing

@Suite struct ParserTests {
    @Test(arguments: [
        "-i hci1 read 5", "-ihci1 read 5", "-i=hci1 read 5", "--adapter hci1 read 5", "--adapter=hci1 read 5",
        "read -i hci1 5", "read 5 --adapter hci1", "read --adapter=hci1 -- 5", "-i hci0 read 5 -i hci1",
    ])
    func globalOptionsStandAnywhere(_ line: String) throws {
        let (command, arguments) = try Sample.arguments(line)
        #expect(command == "read")
        #expect(arguments[Sample.adapter] == "hci1")
        #expect(arguments.values(Sample.attribute) == ["5"])
    }

    @Test func flagsClusterAndTheLastMayTakeAValue() throws {
        let (_, arguments) = try Sample.arguments("-qvvi hci1 read 5")
        #expect(arguments[Sample.quiet])
        #expect(arguments.count(Sample.verbose) == 2)
        #expect(arguments[Sample.adapter] == "hci1")
        #expect(!arguments[Sample.json])
    }

    @Test func valuesKeepTheirTypeAndOrder() throws {
        let (_, arguments) = try Sample.arguments("read --offset 0x10 -u 180d --uuid=2a37 a b --timeout 2.5")
        #expect(arguments[Sample.offset] == 16)
        #expect(arguments.values(Sample.uuid) == ["180d", "2a37"])
        #expect(arguments.values(Sample.attribute) == ["a", "b"])
        #expect(arguments[Sample.timeout] == 2.5)
    }

    @Test func afterTwoHyphensEverythingIsAnArgument() throws {
        let (_, arguments) = try Sample.arguments("read -- --json -q -- -")
        #expect(arguments.values(Sample.attribute) == ["--json", "-q", "--", "-"])
        #expect(!arguments[Sample.json])
    }

    @Test func aLoneHyphenIsAnArgument() throws {
        #expect(try Sample.arguments("read -").arguments.values(Sample.attribute) == ["-"])
    }

    @Test func anEmptyValueIsAValue() throws {
        #expect(try Sample.arguments("read 5 --uuid=").arguments.values(Sample.uuid) == [""])
    }

    @Test func optionalArgumentsMayBeMissing() throws {
        #expect(try Sample.arguments("scan").arguments[Sample.count] == nil)
        #expect(try Sample.arguments("scan 3").arguments[Sample.count] == 3)
    }

    @Test(arguments: [
        ("", "no command was given; see \"sample --help\""),
        ("raed 5", "unknown command \"raed\"; did you mean \"read\"?"),
        ("frobnicate", "unknown command \"frobnicate\"; see \"sample --help\""),
        ("--adaptr hci0 read 5", "unknown option \"--adaptr\"; did you mean \"--adapter\"?"),
        ("read 5 --ofset=2", "unknown option \"--ofset\"; did you mean \"--offset\"?"),
        ("read 5 -z", "unknown option \"-z\"; see \"sample read --help\""),
        ("read 5 -qz", "unknown option \"-z\"; see \"sample read --help\""),
        ("scan --offset 2", "\"scan\" has no option \"--offset\"; it belongs to \"read\""),
        (
            "--offset 2 read 5",
            "option \"--offset\" belongs to a command and stands after it, as in \"sample read --offset\""
        ),
        ("read 5 --offset", "option \"--offset\" needs a value, N; see \"sample read --help\""),
        ("read 5 -i", "option \"-i\" needs a value, hciN; see \"sample read --help\""),
        ("-i --json read 5", "option \"-i\" needs a value, hciN; see \"sample --help\""),
        ("read 5 --json=1", "option \"--json\" takes no value; see \"sample read --help\""),
        ("read 5 --offset x", "option \"--offset\": \"x\" is not a whole number; see \"sample read --help\""),
        ("read 5 --offset 0x-1", "option \"--offset\": \"0x-1\" is not a whole number; see \"sample read --help\""),
        (
            "read 5 --offset 65536",
            "option \"--offset\": \"65536\" is not between 0 and 65535; see \"sample read --help\""
        ),
        ("read 5 --timeout nan", "option \"--timeout\": \"nan\" is not a number; see \"sample read --help\""),
        ("read 5 --timeout 601", "option \"--timeout\": \"601\" is not between 0 and 600; see \"sample read --help\""),
        (
            "scan --mode notfy",
            "option \"--mode\": \"notfy\" is none of \"notify\", \"indicate\"; did you mean \"notify\"?"
        ),
        (
            "scan --active --passive",
            "options \"--active\" and \"--passive\" exclude each other; see \"sample scan --help\""
        ),
        ("read", "missing ATTRIBUTE; see \"sample read --help\""),
        ("scan 3 4", "unexpected argument \"4\"; see \"sample scan --help\""),
        ("scan 0", "COUNT: \"0\" is not between 1 and 9; see \"sample scan --help\""),
        ("help raed", "unknown command \"raed\"; did you mean \"read\"?"),
        (
            "completion csh",
            "SHELL: \"csh\" is none of \"bash\", \"zsh\", \"fish\"; did you mean \"zsh\"?"
        ),
    ])
    func whatIsWrongIsSaidInOneLine(_ line: String, _ message: String) {
        #expect {
            _ = try Sample.parse(line)
        } throws: { error in
            #expect("\(error)" == message)
            return "\(error)" == message
        }
    }

    @Test(arguments: ["-h", "--help", "-h read 5", "read -h", "read --help", "help read", "help", "read 5 -qh"])
    func helpIsNeverWrong(_ line: String) throws {
        guard case .help(let command) = try Sample.parse(line) else {
            Issue.record("\(line) does not ask for help")
            return
        }
        #expect(command?.name == (line.contains("read") ? "read" : nil))
    }

    @Test func versionAndCompletion() throws {
        guard case .version = try Sample.parse("--version") else { throw Sample.NotRun() }
        guard case .completion(.zsh) = try Sample.parse("completion zsh") else { throw Sample.NotRun() }
    }

    @Test(arguments: [
        ("raed", "read"), ("rea", "read"), ("SCAN", "scan"), ("characterstics", "characteristics"),
        ("desc", "descriptors"),
    ])
    func nearWordsAreSuggested(_ word: String, _ suggestion: String) {
        let candidates = ["read", "scan", "characteristics", "descriptors"]
        #expect(nearest(to: word, among: candidates) == suggestion)
    }

    @Test(arguments: ["", "x", "frobnicate", "write"])
    func farWordsAreNot(_ word: String) {
        #expect(nearest(to: word, among: ["read", "scan", "characteristics"]) == nil)
    }
}
