import Synchronization

@testable import BtattCommands

/// Keeps what a console writes.
final class Recorder: Sendable {
    private let streams = Mutex((output: "", error: ""))

    var output: String { streams.withLock { $0.output } }
    var error: String { streams.withLock { $0.error } }

    func console(_ terminal: Terminal = .none, _ verbosity: Console.Verbosity = .normal) -> Console {
        Console(
            terminal: terminal, verbosity: verbosity,
            output: { octets in
                self.streams.withLock { $0.output += String(decoding: octets, as: UTF8.self) }
                return nil
            },
            error: { octets in
                self.streams.withLock { $0.error += String(decoding: octets, as: UTF8.self) }
                return nil
            })
    }
}
