import Central
import CommandLineParsing

/// A command of the program; the Attribute Protocol has commands too.
typealias Command = CommandLineParsing.Command

/// What a command has to work with.
struct CommandContext: Sendable {
    /// The options and arguments, already of their types.
    let arguments: ParsedArguments
    /// Where results and words go.
    let console: Console
    /// Where the session is written, when `--capture` asks for it.
    var capture: CaptureFile?
    /// The connection of the shell that runs the command, which uses it and does not make one of its own.
    var session: OpenSession?
    /// The line of a script that the command is from.
    var place: ScriptPlace?

    /// Whether results are JSON objects.
    var isJSON: Bool { arguments[GlobalOptions.json] }

    /// How results may be dressed.
    var style: Style { console.terminal.outputStyle }

    /// Shows a result: an object for programs, or a line for people.
    func show(_ object: @autoclosure () -> JSONObject, _ line: @autoclosure () -> String) throws(Failure) {
        if isJSON { try console.line(object()) } else { try console.line(line()) }
    }

    /// Says what failed: in a sentence on standard error and, for programs, as an object on standard output.
    func report(_ failure: Failure) throws(Failure) {
        guard !failure.message.isEmpty else { return }
        // A failure ends a script: values that come after it would hide it from who looks at the end of the output.
        if let session, !session.isInteractive { session.background.mute() }
        let place = failure.place ?? place
        console.warn(place.map { "\($0): \(failure.message)" } ?? failure.message)
        guard isJSON else { return }
        try console.line([
            "kind": "error", "status": .integer(Int(failure.status.rawValue)), "message": .string(failure.message),
            "line": place.map { .integer($0.line) }, "error": failure.detail.map { .object($0) },
        ])
    }

    /// How many requests the command has taken: the MTU exchange included when it made the connection, and otherwise only its
    /// own.
    func requestCount(on connection: Connection) async -> Int {
        await connection.requestCount - (session?.requestsBefore ?? 0)
    }

    /// Says at the end of a discovery how many results there were and how many requests they took.
    /// - Parameter isKept: whether they are what was kept of an earlier discovery.
    func summarise(_ count: Int, on connection: Connection, isKept: Bool? = nil) async throws(Failure) {
        let requests = await requestCount(on: connection)
        console.note("\(count) results, \(requests) requests\(isKept == true ? ", kept attributes" : "")")
        guard isJSON else { return }
        try console.line([
            "kind": "total", "count": .integer(count), "requests": .integer(requests),
            "mtu": .integer(await connection.mtu), "kept": isKept.map { .boolean($0) },
        ])
    }

    /// A handler that shows how far long work is, on a terminal.
    func progress(_ what: String) -> Connection.ProgressHandler {
        let console = console
        return { done, total in
            console.progress(total.map { "\(what): \(done) of \($0)" } ?? "\(what): \(done)")
        }
    }
}

/// One command of the program: how it is declared and what it does.
protocol BtattCommand: Sendable {
    static var declaration: Command { get }
    static func run(_ context: CommandContext) async throws(Failure)
}

extension Failure {
    /// A failure of the library under the commands.
    init(_ error: CentralError) {
        guard error.category != .cancelled else {
            self = .interrupted
            return
        }
        var detail = error.gattError?.json
        if let security = error.security {
            if detail == nil { detail = [:] }
            detail?["security"] = .string(security.rawValue)
        }
        self.init(ExitStatus(rawValue: error.exitStatus) ?? .refused, error.description, detail: detail)
    }

    /// A failure of a GATT procedure, where no sentence of the library is at hand.
    init(_ error: GATTError, _ what: String) {
        self.init(.refused, "\(what) failed: \(error)", detail: error.json)
    }
}
