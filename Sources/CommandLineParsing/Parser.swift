extension Program {
    /// Reads a command line.
    /// - Parameter arguments: the words after the program's name.
    /// - Throws: the first thing that is wrong, in one line.
    public func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        var parser = Parser(program: self, rest: arguments[...])
        return try parser.run()
    }
}

/// One pass over the words of a command line.
private struct Parser {
    let program: Program
    var rest: ArraySlice<String>
    var command: Command?
    var parsed = ParsedArguments()
    /// Names of the options in the order in which they were first given, for messages.
    var given: [String] = []
    var words: [String] = []

    init(program: Program, rest: ArraySlice<String>) {
        self.program = program
        self.rest = rest
    }

    mutating func run() throws(UsageError) -> Invocation {
        var optionsEnded = false
        while let word = rest.popFirst() {
            if !optionsEnded, word == "--" {
                optionsEnded = true
            } else if !optionsEnded, word.hasPrefix("--") {
                try longOption(word)
            } else if !optionsEnded, word.hasPrefix("-"), word != "-" {
                try shortOptions(word)
            } else if command == nil {
                command = try find(word)
            } else {
                words.append(word)
            }
        }
        return try finish()
    }

    // MARK: Options

    private mutating func longOption(_ word: String) throws(UsageError) {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let option = options.first(where: { $0.name == name }) else { throw unknownOption(word, name) }
        if option.valueName == nil {
            guard parts.count == 1 else { throw error("option \"\(option.spelling)\" takes no value") }
            try take(option, "")
        } else if parts.count == 2 {
            try take(option, String(parts[1]))
        } else {
            try take(option, try followingValue(option, option.spelling))
        }
    }

    private mutating func shortOptions(_ word: String) throws(UsageError) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                throw unknownOption("-\(letter)", word.count > 2 ? String(word.dropFirst()) : String(letter))
            }
            guard option.valueName != nil else {
                try take(option, "")
                continue
            }
            let attached = letters.hasPrefix("=") ? letters.dropFirst() : letters
            if letters.isEmpty {
                try take(option, try followingValue(option, "-\(letter)"))
            } else {
                try take(option, String(attached))
            }
            return
        }
    }

    private mutating func followingValue(
        _ option: OptionSpecification, _ spelling: String
    ) throws(UsageError) -> String {
        // A word that is itself a known option is not taken for a value: the value was forgotten.
        guard let value = rest.first, !isOption(value) else {
            throw error("option \"\(spelling)\" needs a value, \(option.valueName ?? "VALUE")")
        }
        rest.removeFirst()
        return value
    }

    private func isOption(_ word: String) -> Bool {
        guard word.hasPrefix("-"), word.count > 1 else { return false }
        if word.hasPrefix("--") {
            let name = word.dropFirst(2).prefix { $0 != "=" }
            return name.isEmpty || options.contains { $0.name == name }
        }
        return word.count == 2 && options.contains { $0.short == word.last }
    }

    private mutating func take(_ option: OptionSpecification, _ text: String) throws(UsageError) {
        let value: any Sendable
        do throws(ValueError) {
            value = try option.convert(text)
        } catch {
            throw self.error(describe(error, text, "option \"\(option.spelling)\""))
        }
        if !given.contains(option.name) { given.append(option.name) }
        if option.isRepeatable {
            parsed.options[option.name, default: []].append(value)
        } else {
            parsed.options[option.name] = [value]
        }
    }

    /// The options that may stand here: a command's own only after it.
    private var options: [OptionSpecification] { (command?.options ?? []) + program.globalOptions }

    private func unknownOption(_ word: String, _ name: String) -> UsageError {
        let spelling = String(word.prefix { $0 != "=" })
        let owners = program.commands.filter { command in
            command.options.contains { $0.name == name || (name.count == 1 && $0.short == name.first) }
        }
        if let command, !owners.isEmpty {
            let list = owners.map { "\"\($0.name)\"" }.joined(separator: ", ")
            return error("\"\(command.name)\" has no option \"\(spelling)\"; it belongs to \(list)", plain: true)
        }
        if command == nil, let owner = owners.first {
            return error(
                "option \"\(spelling)\" belongs to a command and stands after it, as in "
                    + "\"\(program.line("\(owner.name) \(spelling)"))\"", plain: true)
        }
        let near = name.count > 1 ? nearest(to: name, among: options.map(\.name)) : nil
        return error("unknown option \"\(spelling)\"", suggestion: near.map { "--\($0)" })
    }

    // MARK: Command and positional arguments

    private func find(_ name: String) throws(UsageError) -> Command {
        if let command = program.command(name) { return command }
        throw error(
            "unknown command \"\(name)\"", suggestion: nearest(to: name, among: program.commands.map(\.name)))
    }

    private mutating func finish() throws(UsageError) -> Invocation {
        if parsed[Program.version] { return .version }
        if parsed[Program.help], command?.name != "help" { return .help(command) }
        guard let command else { throw error("no command was given") }
        for group in command.exclusive {
            let present = given.filter(group.contains)
            if present.count > 1 {
                throw error("options \"--\(present[0])\" and \"--\(present[1])\" exclude each other")
            }
        }
        try assignPositionals(command)
        switch command.name {
        case Program.helpCommand.name:
            return .help(try parsed[Program.helpSubject].map { (name) throws(UsageError) in try find(name) })
        case Program.completionCommand.name:
            guard let shell = parsed[Program.shell].flatMap(Shell.init(rawValue:)) else { return .help(command) }
            return .completion(shell)
        default: return .run(command, parsed)
        }
    }

    private mutating func assignPositionals(_ command: Command) throws(UsageError) {
        var words = words[...]
        for positional in command.positionals {
            if words.isEmpty, positional.arity.isRequired { throw error("missing \(positional.name)") }
            repeat {
                guard let word = words.popFirst() else { break }
                do throws(ValueError) {
                    parsed.positionals[positional.name, default: []].append(try positional.convert(word))
                } catch {
                    throw self.error(describe(error, word, positional.name))
                }
            } while positional.arity.isMany
        }
        if let word = words.first { throw error("unexpected argument \"\(word)\"") }
    }

    // MARK: Errors

    private func error(_ message: String, suggestion: String? = nil, plain: Bool = false) -> UsageError {
        let subject = program.line(command.map { "\($0.name) --help" } ?? (program.name.isEmpty ? "help" : "--help"))
        // A message that already ends in a suggestion needs no other help.
        let isEnough = plain || message.hasSuffix("?")
        return UsageError(message, suggestion: suggestion, seeAlso: isEnough ? nil : subject)
    }

    private func describe(_ error: ValueError, _ text: String, _ subject: String) -> String {
        let position = error.position.map { " at character \($0 + 1)" } ?? ""
        return "\(subject): \"\(text)\"\(position) \(error.message)"
    }
}
