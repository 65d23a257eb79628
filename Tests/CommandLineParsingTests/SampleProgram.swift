import CommandLineParsing

/// A small program with one of everything.
enum Sample {
    static let adapter = Option(
        "adapter", short: "i", "hciN", ValueType(completion: .words(["virtual", "hci0"])) { text in text },
        help: "Which adapter to use; the default is the first that is up.")
    static let timeout = Option(
        "timeout", "SECONDS", .decimal(in: 0...600), help: "How long to wait for each step.")
    static let json = Flag("json", help: "Print one JSON object a line.")
    static let quiet = Flag("quiet", short: "q", help: "Say less.")
    static let verbose = Flag("verbose", short: "v", help: "Say more.")

    static let attribute = Positional("ATTRIBUTE", .text, .oneOrMore, help: "A handle or a path.")
    static let offset = Option("offset", "N", .integer(in: 0...0xFFFF), help: "Where to begin, in octets.")
    static let uuid = Option("uuid", short: "u", "UUID", .text, isRepeatable: true, help: "Only these.")
    static let mode = Option("mode", "MODE", .oneOf(["notify", "indicate"]), help: "How values are sent.")
    static let active = Flag("active", help: "Ask for scan responses.")
    static let passive = Flag("passive", help: "Only listen.")
    static let file = Positional("FILE", .file, help: "The description of a peripheral.")
    static let output = Option("output", short: "o", "FILE", .file, help: "Where to write.")
    static let count = Positional("COUNT", .integer(in: 1...9), .optional, help: "How many.")

    static let program = Program(
        "sample", summary: "a program that shows everything",
        globalOptions: [adapter, timeout, json, quiet, verbose],
        commands: [
            Command(
                "read", summary: "read attributes",
                discussion:
                    "Reads go on past one MTU by themselves, which is something that a sentence can explain if it is "
                    + "long enough to be wrapped.\n\nA second paragraph.",
                positionals: [attribute], options: [offset, uuid],
                examples: [Command.Example("sample read 0x0025", "one attribute by its handle")]),
            Command(
                "scan", summary: "listen to advertisements", positionals: [count], options: [active, passive, mode],
                exclusive: [[active, passive]]),
            Command("serve", summary: "be a peripheral", positionals: [file], options: [output]),
        ],
        topics: [Topic("Exit status", [("0", "done"), ("2", "usage")])])

    static func parse(_ line: String) throws(UsageError) -> Invocation {
        try program.parse(line.split(separator: " ").map(String.init))
    }

    /// The arguments of a line that runs a command.
    static func arguments(_ line: String) throws -> (command: String, arguments: ParsedArguments) {
        guard case .run(let command, let arguments) = try parse(line) else { throw NotRun() }
        return (command.name, arguments)
    }

    struct NotRun: Error {}
}
