extension Program {
    /// zsh's `_arguments` does the parsing; the script gives it one specification an option.
    var zshCompletion: String {
        let function = "_\(name)"
        var text = """
            #compdef \(name)
            # Completion of \(name) for zsh: put it as \(function) into a folder of $fpath.
            \(function)() {
                local curcontext=$curcontext state line
                local -a global=(

            """
        for option in globalOptions { text += zshOption(option, indent: 8) }
        text += """
                )
                _arguments -C -S "${global[@]}" '1: :->command' '*:: :->arguments'
                case $state in
                    command)
                        local -a commands=(

            """
        for command in commands {
            text += "                \(quoted("\(command.name):\(command.summary)"))\n"
        }
        text += """
                        )
                        _describe command commands ;;
                    arguments)
                        case $words[1] in

            """
        for command in commands {
            text += "                \(command.name))\n                    _arguments -S \"${global[@]}\" \\\n"
            for option in command.options { text += zshOption(option, indent: 24, end: " \\\n") }
            let completions = completions(of: command)
            for (index, positional) in command.positionals.enumerated() {
                let place = positional.arity.isMany ? "*" : "\(index + 1)"
                let message = zshEscaped(positional.name)
                let action = zshAction(completions[index])
                text += "                        \(quoted("\(place):\(message):\(action)")) \\\n"
            }
            text += "                        ;;\n"
        }
        text += """
                        esac ;;
                esac
            }
            if [[ $funcstack[1] == \(function) ]]; then \(function) "$@"; else compdef \(function) \(name); fi

            """
        return text
    }

    private func zshOption(_ option: OptionSpecification, indent: Int, end: String = "\n") -> String {
        let space = String(repeating: " ", count: indent)
        let help = zshEscaped(option.help)
        let value = option.valueName.map { ":\(zshEscaped($0)):\(zshAction(option.completion))" } ?? ""
        let again = option.isRepeatable ? "*" : ""
        return option.spellings.map { spelling in
            let joined = option.valueName == nil ? "" : spelling.hasPrefix("--") ? "=" : "+"
            return "\(space)\(quoted("\(again)\(spelling)\(joined)[\(help)]\(value)"))\(end)"
        }.joined()
    }

    private func zshAction(_ completion: Completion) -> String {
        switch completion {
        case .none, .known: " "
        case .words(let words): "(\(words.map(zshEscaped).joined(separator: " ")))"
        case .files: "_files"
        }
    }

    /// Colons and brackets separate the parts of a specification.
    private func zshEscaped(_ text: String) -> String {
        var result = ""
        for character in text {
            if ":[]\\".contains(character) { result += "\\" }
            result.append(character)
        }
        return result
    }
}
