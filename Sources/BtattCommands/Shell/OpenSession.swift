import Central

/// The connection of a shell as its commands see it.
struct OpenSession: Sendable {
    /// The connection, which no command closes.
    let connection: Connection
    /// What was said about the MTU when the connection was made.
    let exchange: MTUExchange
    /// Subscriptions that go on while other commands run.
    let background: BackgroundSubscriptions
    /// Whether somebody types the commands.
    let isInteractive: Bool
    /// Whether the commands come from standard input, so that it cannot give anything else.
    let readsStandardInput: Bool
    /// How many requests the connection had sent before the command began.
    var requestsBefore = 0
}

/// A line of a script: `FILE:3`.
struct ScriptPlace: Hashable, Sendable, CustomStringConvertible {
    /// The file as it was given, or what stands for it.
    var file: String
    /// The line, counted from 1.
    var line: Int

    var description: String { "\(file):\(line)" }
}
