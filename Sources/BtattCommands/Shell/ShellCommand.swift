import Central
import CommandLineParsing
import Glibc
import Sockets

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
            + "Values of a subscription are shown while other commands run, and while one is typed. A script's subscribe "
            + "waits for as many values as --count says, or as long as --duration says; without them it goes on until "
            + "unsubscribe or the end of the script.\n\n"
            + "At a terminal there is editing with history and completion, by libedit, which reads ~/.editrc. Tab sends "
            + "no request: it completes what an earlier discovery found, and else assigned names; after \"discover\" paths "
            + "need no requests of their own either. Lines are kept in "
            + "~/.local/state/btatt/shell-history, except those that begin with a blank or have a key in them. Ctrl-C "
            + "ends the command that runs, or gives up the line; Ctrl-D ends the shell.",
        positionals: [file],
        examples: [
            Command.Example("btatt -d virtual:heart-rate shell", "interactive"),
            Command.Example("btatt -d C0:FF:EE:00:00:01/random shell setup.btatt", "the commands of a file"),
            Command.Example(
                "printf 'mtu\\nread 180f/2a19\\n' | btatt -d virtual:heart-rate --json shell", "from a pipe"),
        ])

    static func run(_ context: CommandContext) async throws(Failure) {
        let path = context.arguments[file]
        if path == nil, context.console.terminal.canType { return try await interact(context) }
        // What is wrong is said before anything is connected to.
        let source = try ScriptLines(path)
        let exchange = MTUExchange()
        try await context.withConnection(observer: exchange.observer) { (connection) async throws(Failure) in
            let session = OpenSession(
                connection: connection, exchange: exchange, background: BackgroundSubscriptions(context.console),
                isInteractive: false, readsStandardInput: path == nil || path == "-")
            try await ShellSession(context, session, source).run()
        }
    }

    private static func interact(_ context: CommandContext) async throws(Failure) {
        let known = Locked<DiscoveredDatabase?>(nil)
        let subscribed = Locked<BackgroundSubscriptions?>(nil)
        let editor = LineEditor(
            prompt: prompt(try context.target()), history: ShellHistory(path: Folders.shellHistory)
        ) { line, cursor in
            let names = subscribed.withLock { $0 }?.attributes.map(\.syntax.text) ?? []
            return ShellCompletion(line, cursor: cursor, .init(database: known.withLock { $0 }, subscribed: names))
        }
        let console = editor.console(context.console.terminal, context.console.verbosity)
        let context = CommandContext(arguments: context.arguments, console: console, capture: context.capture)
        let exchange = MTUExchange()
        try await context.withConnection(observer: exchange.observer) { (connection) async throws(Failure) in
            let session = OpenSession(
                connection: connection, exchange: exchange, background: BackgroundSubscriptions(console),
                isInteractive: true, readsStandardInput: true)
            subscribed.withLock { $0 = session.background }
            let shell = ShellSession(context, session, editor, known: known)
            // A signal goes to whoever asked for it last.
            let signals = try? SignalSource([SIGINT, SIGWINCH, SIGCONT]) { signal in
                switch signal {
                case SIGWINCH: editor.resize()
                case SIGCONT: editor.resume()
                default:
                    shell.interrupt()
                    editor.interrupt()
                }
            }
            defer { withExtendedLifetime(signals) {} }
            try await shell.run()
        }
    }

    /// `heart-rate> `
    private static func prompt(_ target: DeviceTarget) -> String {
        let name =
            switch target {
            case .virtual(let name), .name(let name): name
            case .unix(let path): String(path.split(separator: "/").last ?? "")
            default: "\(target)"
            }
        return shortened(printable(name), to: 32) + "> "
    }
}
