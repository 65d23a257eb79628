/// One command of a program.
public struct Command: Sendable {
    /// A command line and what it is for, as help shows it.
    public struct Example: Sendable {
        /// The whole command line.
        public var line: String
        /// What it does.
        public var meaning: String

        public init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }

    /// The name.
    public var name: String
    /// What it does, in a few words, for the list of commands.
    public var summary: String
    /// What else help says; paragraphs are separated by an empty line.
    public var discussion: String
    /// The positional arguments, in order.
    public var positionals: [PositionalSpecification]
    /// The command's own options.
    public var options: [OptionSpecification]
    /// Groups of names of options of which at most one may be given.
    public var exclusive: [[String]]
    /// Command lines to learn from.
    public var examples: [Example]

    public init(
        _ name: String, summary: String, discussion: String = "", positionals: [any PositionalDeclaration] = [],
        options: [any OptionDeclaration] = [], exclusive: [[any OptionDeclaration]] = [], examples: [Example] = []
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.positionals = positionals.map(\.specification)
        self.options = options.map(\.specification)
        self.exclusive = exclusive.map { $0.map(\.specification.name) }
        self.examples = examples
    }
}

/// A section of the program's help that is neither commands nor options.
public struct Topic: Sendable {
    /// The heading, without colon.
    public var title: String
    /// Lines of two columns: a term and its explanation.
    public var rows: [(term: String, meaning: String)]

    public init(_ title: String, _ rows: [(term: String, meaning: String)]) {
        self.title = title
        self.rows = rows
    }
}

/// A program: its commands and what they share.
public struct Program: Sendable {
    /// The name as it is typed; empty for the commands of a shell, which begin with the command.
    public var name: String
    /// What the program is, in a few words.
    public var summary: String
    /// Options that stand before or after the command.
    public var globalOptions: [OptionSpecification]
    /// The commands, in the order of help; `help` is added at the end, and `completion` where there is a name.
    public var commands: [Command]
    /// What else the program's help explains.
    public var topics: [Topic]

    public init(
        _ name: String, summary: String, globalOptions: [any OptionDeclaration], commands: [Command],
        topics: [Topic] = []
    ) {
        self.name = name
        self.summary = summary
        self.globalOptions = globalOptions.map(\.specification) + [Self.help.specification, Self.version.specification]
        self.commands = commands + [Self.helpCommand] + (name.isEmpty ? [] : [Self.completionCommand])
        self.topics = topics
    }

    static let help = Flag("help", short: "h", help: "Show this help, or that of the command.")
    static let version = Flag("version", help: "Show the version.")

    static let helpSubject = Positional("COMMAND", .text, .optional, help: "The command to explain.")
    static let helpCommand = Command("help", summary: "explain a command", positionals: [helpSubject])

    static let shell = Positional("SHELL", .oneOf(Shell.allCases.map(\.rawValue)), help: "bash, zsh or fish.")
    static let completionCommand = Command(
        "completion", summary: "print a completion script for a shell",
        discussion: "The script is made for the shell to load; each shell has its place for such files.",
        positionals: [shell],
        examples: [
            Command.Example("source <(btatt completion bash)", "for this session of bash"),
            Command.Example("btatt completion fish > ~/.config/fish/completions/btatt.fish", "for good, in fish"),
        ])

    /// A command line of the program.
    func line(_ words: String) -> String { name.isEmpty ? words : "\(name) \(words)" }

    /// The command of a name.
    public func command(_ name: String) -> Command? { commands.first { $0.name == name } }
}

/// A shell for which a completion script can be made.
public enum Shell: String, Sendable, CaseIterable {
    case bash
    case zsh
    case fish
}
