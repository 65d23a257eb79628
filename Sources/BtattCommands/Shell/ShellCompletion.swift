import AssignedNumbers
import CommandLineParsing
import GATT

/// What a line of the shell could become: a function of the line and of what is known; nothing is asked of the device.
struct ShellCompletion: Hashable, Sendable {
    /// How many characters before the cursor are taken away.
    var deletion = 0
    /// What is put in their place.
    var insertion = ""
    /// What the word could become, when there are several ways and nothing can be put in.
    var candidates: [String] = []
    /// What to do for more.
    var hint: String?

    /// What a line can be completed from.
    struct Knowledge: Sendable {
        /// The attributes of the device, once they are known.
        var database: DiscoveredDatabase?
        /// What is subscribed to, as it was named.
        var subscribed: [String] = []
    }
}

/// What a word could become.
struct Candidate: Hashable, Sendable {
    /// The whole word.
    var text: String
    /// Whether another word comes after it.
    var isWhole = true
}

extension ShellCompletion {
    /// Completes the word that the cursor is in or behind.
    /// - Parameters:
    ///   - line: the octets of the line.
    ///   - cursor: how many of them are before the cursor; what is behind it does not count.
    init(_ line: [UInt8], cursor: Int, _ knowledge: Knowledge) {
        let before = ShellLine(line.prefix(cursor))
        guard !before.endsInComment else { return }
        var words = before.words
        let word = before.endsInBlank ? ShellWord(start: cursor) : words.removeLast()
        guard !word.endsInBackslash else { return }
        let text = word.text
        var offered = Self.offer(words.map(\.text), text, knowledge)
        if offered == nil, knowledge.database == nil {
            offered = []
            hint = "the attributes of the device are not known yet; \"discover\" finds them"
        }
        let candidates = Set(offered ?? []).filter { $0.text.lowercased().hasPrefix(text.lowercased()) }
            .sorted { $0.text < $1.text }
        guard let first = candidates.first else { return }
        hint = nil
        let common = candidates.dropFirst().reduce(first.text) { commonPrefix($0, $1.text) }
        // Quotes are closed and blanks follow where the word is whole.
        let end =
            candidates.count == 1 && first.isWhole ? (word.openQuote.map { String(UnicodeScalar($0)) } ?? "") + " " : ""
        if common.hasPrefix(text) {
            insertion = quoted(common.dropFirst(text.count), in: word) + end
        } else if word.octets.count == cursor - word.start, common.count >= text.count {
            // Typed in capitals, and without quotes.
            deletion = text.unicodeScalars.count
            insertion = quoted(common[...], in: word) + end
        }
        if insertion.isEmpty || insertion == text, candidates.count > 1 {
            (deletion, insertion) = (0, "")
            // Of paths the step that is to be chosen.
            let done = text.lastIndex(of: "/").map { text.distance(from: text.startIndex, to: $0) + 1 } ?? 0
            self.candidates = candidates.map { String($0.text.dropFirst(done)) }
        }
    }

    /// What could stand in the place of a word; `nil` when it is an attribute and nothing is known of those.
    private static func offer(_ words: [String], _ text: String, _ knowledge: Knowledge) -> [Candidate]? {
        let program = ShellProgram.program
        guard let index = words.firstIndex(where: { !$0.hasPrefix("-") }) else {
            return (text.hasPrefix("-") ? program.globalOptions.map(\.spelling) : program.commands.map(\.name))
                .map { Candidate(text: $0) }
        }
        guard let command = program.command(words[index]) else { return [] }
        let options = command.options + program.globalOptions
        var (position, optionsHaveEnded) = (0, false)
        var awaited: OptionSpecification?
        for word in words[(index + 1)...] {
            if awaited != nil {
                awaited = nil
            } else if !optionsHaveEnded, word == "--" {
                optionsHaveEnded = true
            } else if !optionsHaveEnded, word.hasPrefix("-"), word != "-" {
                awaited = options.first {
                    $0.valueName != nil && ($0.spelling == word || $0.short.map { "-\($0)" } == word)
                }
            } else {
                position += 1
            }
        }
        if let awaited { return values(awaited.completion, text, command, knowledge) }
        if !optionsHaveEnded, text.hasPrefix("-") {
            guard let equals = text.firstIndex(of: "=") else { return options.map { Candidate(text: $0.spelling) } }
            let option = options.first { $0.spelling == text[..<equals] }
            let start = text[...equals]
            return values(option?.completion ?? .none, String(text[equals...].dropFirst()), command, knowledge)?
                .map { Candidate(text: start + $0.text, isWhole: $0.isWhole) }
        }
        let completions = program.completions(of: command)
        guard let last = completions.last else { return [] }
        let isMany = command.positionals.last?.arity == .any || command.positionals.last?.arity == .oneOrMore
        guard position < completions.count || isMany else { return [] }
        return values(position < completions.count ? completions[position] : last, text, command, knowledge)
    }

    private static func values(
        _ completion: Completion, _ text: String, _ command: Command, _ knowledge: Knowledge
    ) -> [Candidate]? {
        switch completion {
        case .words(let words): return words.map { Candidate(text: $0) }
        case .known(KnownWords.subscribed): return knowledge.subscribed.map { Candidate(text: $0) }
        case .known(KnownWords.characteristic):
            let known = knowledge.database?.characteristics.map(\.characteristic.uuid) ?? []
            if text.isEmpty, !known.isEmpty { return known.map { Candidate(text: name($0, .characteristic)) } }
            return (known.map { "\($0.shortened)" } + AssignedNumbers.identifiers(of: .characteristic))
                .map { Candidate(text: $0) }
        case .known(KnownWords.attribute):
            if let database = knowledge.database {
                return AttributeCandidates(database: database, command: command.name).candidates(text)
            }
            return assigned(text)
        case .known, .none, .files: return []
        }
    }

    /// Paths of assigned names, where nothing is known of the device; `nil` when there would be too many.
    private static func assigned(_ text: String) -> [Candidate]? {
        let steps = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let last = steps.last, !last.isEmpty, steps.count <= 3 else { return nil }
        let start = text.dropLast(last.count)
        func names(_ kind: AssignedNumbers.Kind, then suffix: String = "") -> [Candidate] {
            AssignedNumbers.identifiers(of: kind).filter { $0.hasPrefix(last.lowercased()) }
                .map { Candidate(text: start + $0 + suffix, isWhole: suffix.isEmpty) }
        }
        let found =
            switch steps.count {
            case 1:
                // As of a known device: a characteristic alone only where no service begins like this.
                names(.service, then: "/").isEmpty ? names(.characteristic) : names(.service, then: "/")
            case 2: names(.characteristic)
            default: names(.descriptor)
            }
        return found.isEmpty ? nil : found
    }

    /// The assigned name of a UUID as it is typed, or its digits where no name leads to it: many are named after their makers.
    static func name(_ uuid: BluetoothUUID, _ kind: AssignedNumbers.Kind) -> String {
        let name = AssignedNumbers.name(of: uuid, as: kind).map { AssignedNumbers.identifier($0) } ?? ""
        return AssignedNumbers.uuids(named: name, as: kind) == [uuid] ? name : "\(uuid.shortened)"
    }
}

/// The paths to the attributes of a device.
struct AttributeCandidates {
    let database: DiscoveredDatabase
    /// The command that they are for: of those that only some characteristics allow, only these are offered.
    let command: String

    /// What a word could become: its next step.
    func candidates(_ text: String) -> [Candidate] {
        if text.hasPrefix("0x") || text.hasPrefix("0X") { return handles }
        let steps = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let last = steps.last else { return [] }
        let start = String(text.dropLast(last.count))
        switch steps.count {
        case 1:
            // A characteristic alone is a path as well; it is offered where no service begins like this.
            let services = forms(database.services.map(\.service.uuid), .service, last)
            let typed = last.lowercased()
            guard !services.contains(where: { $0.hasPrefix(typed) }) else {
                return services.map { Candidate(text: "\($0)/", isWhole: false) }
            }
            return forms(database.characteristics, last).filter { !$0.contains("[") }
                .map { Candidate(text: $0) }
        case 2:
            return forms(characteristics(of: steps[0]), last).map { Candidate(text: start + $0) }
        case 3:
            guard let syntax = try? AttributeSyntax("\(steps[0])/\(steps[1])"), case .path(let path) = syntax,
                let found = try? database.find(path),
                let node = database.characteristic(valueHandle: found.handle)
            else { return [] }
            return forms(node.descriptors.map(\.uuid), .descriptor, last).map { Candidate(text: start + $0) }
        default: return []
        }
    }

    private func characteristics(of step: String) -> [DiscoveredDatabase.CharacteristicNode] {
        guard let syntax = try? AttributeSyntax("\(step)/2a00"), case .path(let path) = syntax,
            let service = path.service
        else { return [] }
        let nodes = database.services.filter { service.uuids.contains($0.service.uuid) }
        let node = try? service.choose(nodes, "service") { $0.service.handle }
        return node?.characteristics ?? []
    }

    private var handles: [Candidate] {
        database.characteristics.flatMap { [$0.characteristic.valueHandle] + $0.descriptors.map(\.handle) }
            .map { Candidate(text: "\($0)") }
    }

    /// How characteristics can be written, those that the command is of use for; all of them when that is none.
    private func forms(_ nodes: [DiscoveredDatabase.CharacteristicNode], _ typed: String) -> [String] {
        let wanted: CharacteristicProperties =
            switch command {
            case ReadCommand.declaration.name: .read
            case WriteCommand.declaration.name: [.write, .writeWithoutResponse, .authenticatedSignedWrites]
            case SubscribeCommand.declaration.name: [.notify, .indicate]
            default: []
            }
        let isOfUse = nodes.map { !$0.characteristic.properties.isDisjoint(with: wanted) }
        let isAny = isOfUse.contains(true)
        // Numbers count all of them.
        let forms = numbered(nodes.map(\.characteristic.uuid), .characteristic, typed)
        return zip(forms, isOfUse).filter { $1 || !isAny }.flatMap(\.0)
    }

    private func forms(_ uuids: [BluetoothUUID], _ kind: AssignedNumbers.Kind, _ typed: String) -> [String] {
        numbered(uuids, kind, typed).flatMap(\.self)
    }

    /// How each can be written: by its assigned name, and by its UUID once something was typed; with a number where several
    /// are equal. The UUIDs are in the order of handles.
    private func numbered(_ uuids: [BluetoothUUID], _ kind: AssignedNumbers.Kind, _ typed: String) -> [[String]] {
        var counts: [BluetoothUUID: Int] = [:]
        for uuid in uuids { counts[uuid, default: 0] += 1 }
        var seen: [BluetoothUUID: Int] = [:]
        return uuids.map { uuid in
            seen[uuid, default: 0] += 1
            let number = counts[uuid, default: 1] > 1 ? "[\(seen[uuid, default: 1])]" : ""
            let name = ShellCompletion.name(uuid, kind)
            return (typed.isEmpty ? [name] : [name, "\(uuid.shortened)"]).map { $0 + number }
        }
    }
}

/// The characters that both begin with.
private func commonPrefix(_ a: String, _ b: String) -> String {
    String(zip(a, b).prefix { $0 == $1 }.map(\.0))
}

/// Text as it is typed inside a word, whose quote may be open.
private func quoted(_ text: Substring, in word: ShellWord) -> String {
    let special: Set<Character> = word.openQuote == nil ? [" ", "\t", "'", "\"", "\\", "#"] : ["\\", "\""]
    guard word.openQuote != UInt8(ascii: "'") else { return String(text) }
    return String(text.flatMap { special.contains($0) ? ["\\", $0] : [$0] })
}
