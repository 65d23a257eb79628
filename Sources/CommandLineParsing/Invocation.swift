/// What a command line asks for.
public enum Invocation: Sendable {
    /// To run a command.
    case run(Command, ParsedArguments)
    /// To show the help of a command, or of the program.
    case help(Command?)
    /// To show the version.
    case version
    /// To print a completion script.
    case completion(Shell)
}

/// The options and arguments of a command line, already converted to their types.
public struct ParsedArguments: Sendable {
    var options: [String: [any Sendable]] = [:]
    var positionals: [String: [any Sendable]] = [:]

    /// The same arguments, and those of `options` that were not given as `others` has them, such as the ones that a whole
    /// session was started with.
    public func inheriting(_ options: [any OptionDeclaration], from others: ParsedArguments) -> ParsedArguments {
        var result = self
        for name in options.map(\.specification.name) where result.options[name] == nil {
            result.options[name] = others.options[name]
        }
        return result
    }

    /// Whether a flag was given.
    public subscript(flag: Flag) -> Bool { options[flag.specification.name] != nil }

    /// How often a flag was given.
    public func count(_ flag: Flag) -> Int { options[flag.specification.name]?.count ?? 0 }

    /// The last value of an option; `nil` when it was not given.
    public subscript<Value>(option: Option<Value>) -> Value? { self.values(option).last }

    /// All values of an option, in order.
    public func values<Value>(_ option: Option<Value>) -> [Value] {
        (options[option.specification.name] ?? []).compactMap { $0 as? Value }
    }

    /// The value of a positional argument; `nil` when it was left out, which only an optional one can be.
    public subscript<Value>(positional: Positional<Value>) -> Value? { self.values(positional).first }

    /// All values of a positional argument, in order.
    public func values<Value>(_ positional: Positional<Value>) -> [Value] {
        (positionals[positional.specification.name] ?? []).compactMap { $0 as? Value }
    }
}

/// Why a command line was refused, in one line.
public struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public var message: String
    /// What was probably meant.
    public var suggestion: String?
    /// The command line that explains more, such as `btatt read --help`.
    public var seeAlso: String?

    public init(_ message: String, suggestion: String? = nil, seeAlso: String? = nil) {
        self.message = message
        self.suggestion = suggestion
        self.seeAlso = seeAlso
    }

    public var description: String {
        if let suggestion { return "\(message); did you mean \"\(suggestion)\"?" }
        if let seeAlso { return "\(message); see \"\(seeAlso)\"" }
        return message
    }
}
