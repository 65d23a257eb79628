import CommandLineParsing

/// `btatt shell`
enum ShellCommand: BtattCommand {
    static let file = Positional(
        "FILE", .file, .optional, help: "A script, one command a line; - for standard input.")

    static let declaration = Command(
        "shell", summary: "run commands on one connection",
        discussion:
            "Connects once, and runs the commands that are typed, or the lines of FILE, or those of standard input when "
            + "it is no terminal: discover, services, includes, characteristics, descriptors, read, write, subscribe, "
            + "mtu, pair, bonds, and the shell's own: unsubscribe, wait SECONDS, help, quit.\n\n"
            + "Words are split as shells do: quotes, backslashes, and comments after #. A script stops at the first "
            + "failure, says at which line, and exits with its status.\n\n"
            + "Values of a subscription are shown while other commands run. A script's subscribe waits for as many "
            + "values as --count says, or as long as --duration says; without them it goes on until unsubscribe or the "
            + "end of the script.",
        positionals: [file],
        examples: [
            Command.Example("btatt -d virtual:heart-rate shell", "interactive"),
            Command.Example("btatt -d C0:FF:EE:00:00:01/random shell setup.btatt", "the commands of a file"),
            Command.Example(
                "printf 'mtu\\nread 180f/2a19\\n' | btatt -d virtual:heart-rate --json shell", "from a pipe"),
        ])

    static func run(_ context: CommandContext) async throws(Failure) {
        // What is wrong is said before anything is connected to.
        let path = context.arguments[file]
        let source = try ScriptLines(path)
        let exchange = MTUExchange()
        try await context.withConnection(observer: exchange.observer) { (connection) async throws(Failure) in
            let session = OpenSession(
                connection: connection, exchange: exchange, background: BackgroundSubscriptions(context.console),
                isInteractive: false, readsStandardInput: path == nil || path == "-")
            try await ShellSession(context, session, source).run()
        }
    }
}
