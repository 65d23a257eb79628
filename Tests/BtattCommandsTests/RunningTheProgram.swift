import Testing

@testable import BtattCommands

/// Not the one of Testing.
typealias ExitStatus = BtattCommands.ExitStatus

/// What one command line did.
struct Run {
    var status: ExitStatus
    var output: String
    var error: String

    /// The lines of standard output.
    var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// Runs the program as a process would, with recorded streams.
/// - Parameter line: the words after the program's name, separated by single spaces.
func btatt(_ line: String, terminal: Terminal = .none) async -> Run {
    await btatt(line.split(separator: " ").map(String.init), terminal: terminal)
}

/// Runs the program as a process would, with recorded streams.
func btatt(_ arguments: [String], terminal: Terminal = .none) async -> Run {
    let recorder = Recorder()
    let status = await Btatt.run(arguments, terminal) { recorder.console(terminal, $0) }
    return Run(status: status, output: recorder.output, error: recorder.error)
}
