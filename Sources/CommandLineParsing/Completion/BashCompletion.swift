extension Program {
    /// bash splits words at `:` and `=` for completion, which cuts addresses and `--option=value` apart. The script
    /// therefore reads the line up to the cursor itself, and removes from each offer what bash thinks is done already.
    var bashCompletion: String {
        let valueOptions = (globalOptions + commands.flatMap(\.options)).filter { $0.valueName != nil }
        var spellings: [String] = []
        for spelling in valueOptions.flatMap(\.spellings) where !spellings.contains(spelling) {
            spellings.append(spelling)
        }
        let function = "_\(identifier)"
        var text = """
            # Completion of \(name) for bash: source <(\(name) completion bash)
            \(function)() {
                local line=${COMP_LINE:0:COMP_POINT} words word current previous command= skip=
                current=${line##*[[:space:]]}
                read -ra words <<<"${line%"$current"}"
                previous=${words[${#words[@]}-1]}
                for word in "${words[@]:1}"; do
                    if [[ -n $skip ]]; then skip=; continue; fi
                    case $word in
                        \(spellings.joined(separator: "|"))) skip=1 ;;
                        -*) ;;
                        *) command=$word; break ;;
                    esac
                done
                if [[ $current == --*=* ]]; then
                    previous=${current%%=*}
                    current=${current#*=}
                fi
                COMPREPLY=()
                case "$command $previous" in

            """
        for command in commands {
            for option in command.options where option.valueName != nil {
                text += bashCase(option, command: command.name)
            }
        }
        for option in globalOptions where option.valueName != nil { text += bashCase(option, command: "*") }
        text += """
                    *)
                        case $command in

            """
        let global = globalOptions.map(\.spelling)
        for command in commands {
            let own = bashWords(command.options.map(\.spelling) + global)
            let reply = completions(of: command).map(bashReply).first { !$0.isEmpty } ?? ":"
            text += """
                                \(command.name)) if [[ $current == -* ]]; then \(own); else \(reply); fi ;;

                """
        }
        text += """
                            *) if [[ $current == -* ]]; then \(bashWords(global)); else \(bashWords(commands.map(\.name))); fi ;;
                        esac ;;
                esac
                if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
                    COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*:}"}"}")
                fi
            }
            complete -o default -F \(function) \(name)

            """
        return text
    }

    private var identifier: String { name.split(separator: "-").joined(separator: "_") }

    private func bashCase(_ option: OptionSpecification, command: String) -> String {
        // The pattern of a global option begins with an asterisk, which may not be quoted.
        let patterns = option.spellings.map { command == "*" ? "*\" \($0)\"" : "\"\(command) \($0)\"" }
        let reply = bashReply(option.completion)
        return "            \(patterns.joined(separator: "|"))) \(reply.isEmpty ? ":" : reply) ;;\n"
    }

    private func bashReply(_ completion: Completion) -> String {
        switch completion {
        case .none, .known: ""
        case .words(let words): bashWords(words)
        case .files: "COMPREPLY=($(compgen -f -- \"$current\"))"
        }
    }

    private func bashWords(_ words: [String]) -> String {
        "COMPREPLY=($(compgen -W \(quoted(words.joined(separator: " "))) -- \"$current\"))"
    }
}
