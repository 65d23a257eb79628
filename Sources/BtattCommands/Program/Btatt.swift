import CommandLineParsing

/// The program: its declaration, and one run of it.
public enum Btatt {
    /// The version that `--version` shows.
    public static let version = "0.1.0"

    static let commands: [any BtattCommand.Type] = [
        AdaptersCommand.self, ScanCommand.self, DiscoverCommand.self, ServicesCommand.self, IncludesCommand.self,
        CharacteristicsCommand.self, DescriptorsCommand.self, ReadCommand.self, WriteCommand.self,
        SubscribeCommand.self, MTUCommand.self, ShellCommand.self, PairCommand.self, BondsCommand.self,
        UnpairCommand.self,
        ServeCommand.self, DecodeCommand.self, ReplayCommand.self, RecordCommand.self,
    ]

    static let program = Program(
        "btatt", summary: "a Bluetooth LE central for scripts and for people", globalOptions: GlobalOptions.all,
        commands: commands.map { $0.declaration },
        topics: [
            attributeTopic, Topic("Exit status", ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }),
        ])

    /// How an ATTRIBUTE is written.
    static let attributeTopic = Topic(
        "ATTRIBUTE",
        [
            ("0x0025, 37", "a handle; nothing is discovered for it"),
            (
                "180d/2a37",
                "service and characteristic, by UUID or by assigned name (heart_rate/heart_rate_measurement)"
            ),
            ("180d[2]/2a37/2902", "[n] is the n-th of equals; a third step is a descriptor"),
            ("2a37", "the only characteristic of this UUID"),
        ])

    /// Runs one command line.
    /// - Parameters:
    ///   - arguments: the words after the program's name.
    ///   - makeConsole: makes the streams for how much is to be said.
    /// - Returns: the exit status.
    static func run(
        _ arguments: [String], _ terminal: Terminal, _ makeConsole: (Console.Verbosity) -> Console
    ) async -> ExitStatus {
        let console = makeConsole(.normal)
        do throws(Failure) {
            switch try parse(arguments) {
            case .help(let command): try console.raw(program.help(command, width: min(terminal.width, 100)))
            case .version: try console.line("btatt \(version)")
            case .completion(let shell): try console.raw(program.completion(for: shell))
            case .run(let command, let arguments):
                guard let type = commands.first(where: { $0.declaration.name == command.name }) else { return .usage }
                let context = CommandContext(arguments: arguments, console: makeConsole(verbosity(arguments)))
                return await run(type, context)?.status ?? .done
            }
            return .done
        } catch {
            if !error.message.isEmpty { console.warn(error.message) }
            return error.status
        }
    }

    /// Runs a command, and reports what failed.
    /// - Returns: why it was not done; `nil` when it was.
    static func run(_ command: any BtattCommand.Type, _ context: CommandContext) async -> Failure? {
        defer { context.console.clearProgress() }
        do throws(Failure) {
            try await context.capturing { (context) async throws(Failure) in
                try await command.run(context)
                // A sequence that ends because its task was cancelled does not throw.
                if Task.isCancelled { throw .interrupted }
            }
            return nil
        } catch {
            // Whether the report reaches anybody does not change what happened.
            if error.status != .interrupted { try? context.report(error) }
            return error
        }
    }

    private static func parse(_ arguments: [String]) throws(Failure) -> Invocation {
        do throws(UsageError) {
            return try program.parse(arguments)
        } catch {
            throw Failure(.usage, error.description)
        }
    }

    static func verbosity(_ arguments: ParsedArguments) -> Console.Verbosity {
        if arguments[GlobalOptions.quiet] { return .quiet }
        return arguments[GlobalOptions.verbose] ? .verbose : .normal
    }
}
