extension Program {
    /// A script that teaches a shell to complete the program's command lines.
    public func completion(for shell: Shell) -> String {
        switch shell {
        case .bash: bashCompletion
        case .zsh: zshCompletion
        case .fish: fishCompletion
        }
    }

    /// The positionals of a command as a shell completes them: those of `help` are the commands.
    public func completions(of command: Command) -> [Completion] {
        if command.name == Self.helpCommand.name { return [.words(commands.map(\.name))] }
        return command.positionals.map(\.completion)
    }
}

/// A word in single quotes, as bash, zsh and fish all read it.
func quoted(_ text: String) -> String {
    var result = "'"
    for character in text {
        if character == "'" { result += "'\\''" } else { result.append(character) }
    }
    return result + "'"
}

extension OptionSpecification {
    /// `-i` and `--adapter`.
    var spellings: [String] { (short.map { ["-\($0)"] } ?? []) + [spelling] }
}
