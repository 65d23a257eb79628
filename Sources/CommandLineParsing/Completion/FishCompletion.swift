extension Program {
    /// fish takes one `complete` command for every offer, each with the condition under which it holds.
    var fishCompletion: String {
        let names = commands.map(\.name).joined(separator: " ")
        var text = """
            # Completion of \(name) for fish: \(name) completion fish > ~/.config/fish/completions/\(name).fish
            complete -c \(name) -f

            """
        for option in globalOptions { text += fishOption(option, condition: nil) }
        for command in commands {
            text += "complete -c \(name) -n \(quoted("not __fish_seen_subcommand_from \(names)"))"
            text += " -a \(command.name) -d \(quoted(command.summary))\n"
        }
        for command in commands {
            let condition = "__fish_seen_subcommand_from \(command.name)"
            for option in command.options { text += fishOption(option, condition: condition) }
            for completion in completions(of: command) where !fishValues(completion).isEmpty {
                text += "complete -c \(name) -n \(quoted(condition))\(fishValues(completion))\n"
            }
        }
        return text
    }

    private func fishOption(_ option: OptionSpecification, condition: String?) -> String {
        var text = "complete -c \(name)"
        if let condition { text += " -n \(quoted(condition))" }
        if let short = option.short { text += " -s \(short)" }
        text += " -l \(option.name)"
        if option.valueName != nil { text += " -x\(fishValues(option.completion))" }
        return text + " -d \(quoted(option.help))\n"
    }

    private func fishValues(_ completion: Completion) -> String {
        switch completion {
        case .none, .known: ""
        case .words(let words): " -a \(quoted(words.joined(separator: " ")))"
        case .files: " -F"
        }
    }
}
