import Central
import CommandLineParsing
import Sockets

/// One run of a shell: takes lines, and runs them one after the other on its connection.
final class ShellSession: Sendable {
    private let context: CommandContext
    private let session: OpenSession
    private let source: any LineSource
    /// The attributes of the device, for completion.
    private let known: Locked<DiscoveredDatabase?>
    private let state = Locked(State())

    private struct State {
        /// Ends the wait for a line, while there is one.
        var reading: Task<Result<SourceLine?, Failure>, Never>?
        /// The command that runs.
        var running: Task<Failure?, Never>?
        var isLinkLost = false
    }

    /// What came of a line.
    private enum Outcome {
        case done
        case failed(Failure)
        case quit
    }

    /// - Parameters:
    ///   - context: what the shell was started with.
    ///   - session: its connection.
    ///   - source: its lines.
    ///   - known: gets the attributes of the device as they become known.
    init(
        _ context: CommandContext, _ session: OpenSession, _ source: any LineSource,
        known: Locked<DiscoveredDatabase?> = Locked(nil)
    ) {
        self.known = known
        self.context = context
        self.session = session
        self.source = source
    }

    /// Runs lines until they end, one of a script fails, or the link is lost. Subscriptions are switched off then.
    func run() async throws(Failure) {
        let watch = Task { [self] in
            guard (try? await session.connection.waitUntilDisconnected()) != nil else { return }
            linkWasLost()
        }
        defer { watch.cancel() }
        if session.isInteractive { lookUpAttributes() }
        do throws(Failure) {
            try await runLines()
        } catch {
            await session.background.endAll()
            throw error
        }
        await session.background.endAll()
    }

    /// Ends the command that runs, if one does, and not the shell.
    func interrupt() { state.withLock { $0.running }?.cancel() }

    private func runLines() async throws(Failure) {
        while let line = try await nextLine() {
            switch await run(line) {
            case .done: continue
            case .quit: return
            case .failed(.outputClosed): throw .outputClosed
            case .failed(let failure):
                if Task.isCancelled { throw .interrupted }
                if !session.isInteractive { throw failure == .interrupted ? failure : .reported(failure.status) }
            }
        }
    }

    // MARK: Lines

    /// Takes what was kept of the device for completion, while the prompt is there already: by one request at most, and
    /// none when nothing was kept.
    private func lookUpAttributes() {
        Task { [known, connection = session.connection] in
            guard let database = try? await connection.provenAttributes() else { return }
            known.withLock { $0 = database }
        }
    }

    private func nextLine() async throws(Failure) -> SourceLine? {
        if let database = await session.connection.knownAttributes?.database { known.withLock { $0 = database } }
        let source = source
        let task = Task { () -> Result<SourceLine?, Failure> in
            do throws(Failure) {
                return .success(try await source.next())
            } catch {
                return .failure(error)
            }
        }
        let isLinkLost = state.withLock { state in
            state.reading = task
            return state.isLinkLost
        }
        if isLinkLost { task.cancel() }
        let result = await task.valueCancelledWithCaller
        state.withLock { $0.reading = nil }
        if case .success(nil) = result { return nil }
        if await session.connection.disconnection != nil {
            throw Failure(await session.connection.linkError("receive anything more"))
        }
        return try result.get()
    }

    private func linkWasLost() {
        let reading = state.withLock { state in
            state.isLinkLost = true
            return state.reading
        }
        reading?.cancel()
    }

    // MARK: Commands

    private func run(_ line: SourceLine) async -> Outcome {
        var context = context
        context.place = line.place
        context.session = session
        do throws(Failure) {
            switch try ShellProgram.parse(line.text) {
            case nil: return .done
            case .quit: return .quit
            case .version: try context.console.line("btatt \(Btatt.version)")
            case .help(let command):
                let width = min(context.console.terminal.width, 100)
                try context.console.raw(ShellProgram.program.help(command, width: width))
            case .command(let type, let arguments):
                let arguments = arguments.inheriting(GlobalOptions.all, from: context.arguments)
                if let failure = await run(type, arguments, line.place) { return .failed(failure) }
            }
            return .done
        } catch {
            try? context.report(error)
            return .failed(error)
        }
    }

    private func run(
        _ command: any BtattCommand.Type, _ arguments: ParsedArguments, _ place: ScriptPlace?
    ) async -> Failure? {
        var context = CommandContext(
            arguments: arguments,
            // The window may have another size by now.
            console: Console(
                context.console, verbosity: Btatt.verbosity(arguments),
                terminal: session.isInteractive ? .current() : context.console.terminal))
        context.place = place
        context.session = session
        context.session?.requestsBefore = await session.connection.requestCount
        let task = Task { [context] in await Btatt.run(command, context) }
        state.withLock { $0.running = task }
        let failure = await task.valueCancelledWithCaller
        state.withLock { $0.running = nil }
        return failure
    }
}
