extension Program {
    /// The help of a command, or of the program.
    /// - Parameter width: how many columns a line may take; below 40 counts as 40.
    public func help(_ command: Command?, width: Int = 80) -> String {
        var text = HelpText(width: max(40, width))
        if let command {
            describe(command, &text)
        } else {
            describe(&text)
        }
        return text.result
    }

    private func describe(_ text: inout HelpText) {
        text.paragraph(name.isEmpty ? summary : "\(name): \(summary)")
        text.usage("Usage:", line("[OPTION...] COMMAND [ARGUMENT...]"))
        text.section("Commands", commands.map { ($0.name, $0.summary) })
        text.section("Global options", globalOptions.map(row))
        for topic in topics { text.section(topic.title, topic.rows) }
        text.paragraph("\"\(line("help COMMAND"))\" explains a command.")
    }

    private func describe(_ command: Command, _ text: inout HelpText) {
        text.paragraph("\(line(command.name)): \(command.summary)")
        let options = command.options.isEmpty ? [] : ["[OPTION...]"]
        let words = [command.name] + options + command.positionals.map(\.synopsis)
        text.usage("Usage:", line(words.joined(separator: " ")))
        for paragraph in command.discussion.split(separator: "\n\n") { text.paragraph(String(paragraph)) }
        text.section("Arguments", command.positionals.map { ($0.name, $0.help) })
        text.section("Options", command.options.map(row))
        text.section("Global options", globalOptions.map(row))
        text.examples(command.examples)
    }

    private func row(_ option: OptionSpecification) -> (String, String) {
        let short = option.short.map { "-\($0), " } ?? "    "
        let value = option.valueName.map { " \($0)" } ?? ""
        return (
            "\(short)\(option.spelling)\(value)", option.help + (option.isRepeatable && !value.isEmpty ? again : "")
        )
    }

    private var again: String { " May be given several times." }
}

/// Text wrapped to a width, in sections separated by empty lines.
private struct HelpText {
    let width: Int
    private(set) var result = ""

    init(width: Int) { self.width = width }

    mutating func paragraph(_ text: String) {
        separate()
        for line in wrap(text, first: 0, indent: 0) { result += line + "\n" }
    }

    mutating func usage(_ label: String, _ text: String) {
        separate()
        let indent = label.count + 1
        let lines = wrap(text, first: indent, indent: indent)
        result += lines.isEmpty ? "" : "\(label) " + lines.joined(separator: "\n") + "\n"
    }

    mutating func section(_ title: String, _ rows: [(term: String, meaning: String)]) {
        guard !rows.isEmpty else { return }
        separate()
        result += "\(title):\n"
        // A term that would push the explanations too far to the right gets a line of its own.
        let column = min(28, 4 + (rows.map(\.term.count).max() ?? 0))
        for row in rows {
            result += "  \(row.term)"
            let lines = wrap(row.meaning, first: column, indent: column)
            if row.term.count + 4 > column {
                result += "\n" + String(repeating: " ", count: column)
            } else {
                result += String(repeating: " ", count: column - row.term.count - 2)
            }
            result += lines.joined(separator: "\n") + "\n"
        }
    }

    mutating func examples(_ examples: [Command.Example]) {
        guard !examples.isEmpty else { return }
        separate()
        result += "Examples:\n"
        for example in examples { result += "  \(example.line)\n      \(example.meaning)\n" }
    }

    private mutating func separate() {
        if !result.isEmpty { result += "\n" }
    }

    /// Lines of at most `width` columns; the first one begins at column `first`, without its indentation, the others
    /// are indented. A word that is longer than a line is not cut.
    private func wrap(_ text: String, first: Int, indent: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var used = first
        for word in text.split(whereSeparator: \.isWhitespace) {
            if !line.isEmpty, used + 1 + word.count > width {
                lines.append(line)
                line = String(repeating: " ", count: indent)
                used = indent
            } else if !line.isEmpty {
                line += " "
                used += 1
            }
            line += word
            used += word.count
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }
}
