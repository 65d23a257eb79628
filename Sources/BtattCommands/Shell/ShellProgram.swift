import CommandLineParsing

/// The commands of a shell as a program of their own, which has no name.
enum ShellProgram {
    /// The options that a line may have; all others are about the connection.
    static let lineOptions: [any OptionDeclaration] = [GlobalOptions.json, GlobalOptions.quiet, GlobalOptions.verbose]

    /// Those of the program's commands that work on an open connection, and the shell's own.
    static let commands: [any BtattCommand.Type] =
        [
            DiscoverCommand.self, ServicesCommand.self, IncludesCommand.self, CharacteristicsCommand.self,
            DescriptorsCommand.self, ReadCommand.self, WriteCommand.self, SubscribeCommand.self,
        ] + [UnsubscribeCommand.self, WaitCommand.self, MTUCommand.self, PairCommand.self, BondsCommand.self]

    static let quit = [
        Command(
            "quit", summary: "end the shell", discussion: "Subscriptions are switched off, and the link is closed."),
        Command("exit", summary: "end the shell", discussion: "The same as quit."),
    ]

    static let program = Program(
        "", summary: "commands on one connection", globalOptions: lineOptions,
        commands: commands.map { inShell($0.declaration) } + quit, topics: [Btatt.attributeTopic])

    /// What is to be run.
    enum Step: Sendable {
        case command(any BtattCommand.Type, ParsedArguments)
        case help(Command?)
        case version
        case quit
    }

    /// What a line asks for; `nil` for an empty one.
    static func parse(_ line: String) throws(Failure) -> Step? {
        let words = try ShellLine.split(line)
        guard !words.isEmpty else { return nil }
        do throws(UsageError) {
            switch try program.parse(words) {
            case .help(let command): return .help(command)
            case .version: return .version
            case .completion: return nil
            case .run(let command, let arguments):
                guard let type = commands.first(where: { $0.declaration.name == command.name }) else { return .quit }
                return .command(type, arguments)
            }
        } catch {
            throw Failure(.usage, refusal(words) ?? error.description)
        }
    }

    /// Why a line of the program is none of its shell.
    private static func refusal(_ words: [String]) -> String? {
        if words.first == ShellCommand.declaration.name { return "this is a shell already" }
        let own = Set(program.globalOptions.map(\.name))
        let foreign = Btatt.program.globalOptions.filter { !own.contains($0.name) }
        for word in words.prefix(while: { $0 != "--" }) {
            let name = word.prefix { $0 != "=" }
            guard let option = foreign.first(where: { $0.spelling == name || $0.short.map { "-\($0)" } == word }) else {
                continue
            }
            return
                "option \"\(option.spelling)\" is about the connection, which is there already: give it to \"btatt shell\""
        }
        // The name may be the one of a command of the program.
        let line = words.first { !$0.hasPrefix("-") } ?? ""
        guard program.command(line) == nil, Btatt.program.command(line) != nil else { return nil }
        return "\"\(line)\" does not work on an open connection: run \"btatt \(line)\" beside the shell"
    }

    /// The declaration with its examples as they are typed in the shell.
    private static func inShell(_ command: Command) -> Command {
        var command = command
        command.examples = command.examples.compactMap { example in
            guard !example.line.contains("|"), !example.line.contains(">"),
                let start = example.line.firstRange(of: " \(command.name)")?.lowerBound
            else { return nil }
            let line = String(example.line[example.line.index(after: start)...])
            guard (try? program(for: command).parse(ShellLine.split(line))) != nil else { return nil }
            return Command.Example(line, example.meaning)
        }
        return command
    }

    private static func program(for command: Command) -> Program {
        Program("", summary: "", globalOptions: lineOptions, commands: [command])
    }
}
