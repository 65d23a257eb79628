/// How the program ends.
enum ExitStatus: Int32, Sendable, CaseIterable {
    /// Everything was done.
    case done = 0
    /// The peer refused, or did not keep to the protocol.
    case refused = 1
    /// The command line was wrong.
    case usage = 2
    /// There is no adapter that can be used.
    case noAdapter = 3
    /// Rights are missing.
    case noRights = 4
    /// The device was not found, or no connection came about.
    case noConnection = 5
    /// The link was lost.
    case linkLost = 6
    /// Something took too long.
    case timedOut = 7
    /// The program was interrupted.
    case interrupted = 130

    /// What the status means, in a few words.
    var meaning: String {
        switch self {
        case .done: "done"
        case .refused: "the peer refused, or broke the protocol"
        case .usage: "wrong usage"
        case .noAdapter: "no usable adapter"
        case .noRights: "missing rights"
        case .noConnection: "device not found, or no connection"
        case .linkLost: "link lost"
        case .timedOut: "timed out"
        case .interrupted: "interrupted"
        }
    }
}

/// Why a command ended without being done.
struct Failure: Error, Hashable, Sendable {
    /// The exit status.
    var status: ExitStatus
    /// One sentence for people: what failed, on what, why, what to try.
    var message: String
    /// The same for programs: an ATT error's `code`, `name`, `opcode` and `handle`.
    var detail: JSONObject?
    /// The line of a script that is to blame, where it is not the command's of now.
    var place: ScriptPlace?

    init(_ status: ExitStatus, _ message: String, detail: JSONObject? = nil, at place: ScriptPlace? = nil) {
        self.place = place
        self.status = status
        self.message = message
        self.detail = detail
    }

    /// Nobody reads the output any more: the program ends quietly.
    static let outputClosed = Failure(.done, "")
    /// What failed has been said already; only the exit status is left.
    static func reported(_ status: ExitStatus) -> Failure { Failure(status, "") }
    /// A signal asked the program to end.
    static let interrupted = Failure(.interrupted, "interrupted")
}
