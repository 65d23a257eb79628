// What a peer sends may end up on a terminal: names, strings, descriptions. Control characters in them would move the
// cursor or change colours, so they are shown escaped, and columns are counted as a terminal counts them.

/// Text that a peer sent, safe and readable in a line of output: control characters, line ends and marks that change
/// the direction of writing are escaped as `\n`, `\u{1b}`.
func printable(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar.value {
        case 0x0A: result += "\\n"
        case 0x0D: result += "\\r"
        case 0x09: result += "\\t"
        case 0x00...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
            result += "\\u{\(String(scalar.value, radix: 16))}"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}

/// How many columns `text` takes on a terminal.
func columns(_ text: String) -> Int {
    text.reduce(0) { $0 + columns($1) }
}

/// A character takes two columns when its first scalar is wide (East Asian, emoji), none when it only combines.
private func columns(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    let isWide =
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
            0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: character.unicodeScalars.contains { $0.value == 0xFE0F }
        }
    return isWide ? 2 : 1
}

/// `text` cut to `width` columns, with an ellipsis in the last one when something is missing.
func shortened(_ text: String, to width: Int) -> String {
    guard columns(text) > width else { return text }
    var result = ""
    var used = 0
    for character in text {
        let wide = columns(character)
        guard used + wide < width else { break }
        result.append(character)
        used += wide
    }
    return result + "…"
}

/// `text` filled with spaces to `width` columns.
func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - columns(text)))
}

/// Rows in aligned columns, two spaces apart; the last column is not filled, so that no line ends in spaces.
struct TextTable {
    /// The headings; none shows none.
    var headings: [String] = []
    private(set) var rows: [[String]] = []

    init(_ headings: [String] = []) { self.headings = headings }

    mutating func append(_ row: [String]) { rows.append(row) }

    /// The lines, the heading first. Cells are plain text: escape sequences have no columns.
    /// - Parameter width: how many columns a line may take.
    func lines(style: Style, width: Int = .max) -> [String] {
        let all = (headings.isEmpty ? [] : [headings]) + rows
        var widths: [Int] = []
        for row in all {
            for (index, cell) in row.enumerated() {
                if index == widths.count { widths.append(0) }
                widths[index] = max(widths[index], columns(cell))
            }
        }
        return all.enumerated().map { number, row in
            let last = row.lastIndex { !$0.isEmpty } ?? 0
            let cells = row.prefix(last + 1).enumerated().map { index, cell in
                index == last ? cell : padded(cell, to: widths[index])
            }
            let line = shortened(cells.joined(separator: "  "), to: width)
            return number == 0 && !headings.isEmpty ? style.faint(line) : line
        }
    }
}

/// Colours and weights, when the output may have them.
struct Style: Hashable, Sendable {
    /// Whether escape sequences are written.
    var isEnabled: Bool

    static let plain = Style(isEnabled: false)

    /// Names of things.
    func bold(_ text: String) -> String { apply("1", text) }
    /// What is there but rarely read.
    func faint(_ text: String) -> String { apply("2", text) }
    /// Values.
    func value(_ text: String) -> String { apply("36", text) }
    /// Failures.
    func failure(_ text: String) -> String { apply("31", text) }

    private func apply(_ code: String, _ text: String) -> String {
        isEnabled && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
