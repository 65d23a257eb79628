import CEditLine

/// A place on a terminal, counted from 0.
struct CursorPlace: Hashable {
    private(set) var row = 0
    private(set) var column = 0
    private let width: Int

    /// Where the cursor is after `text`, as libedit shows it: a full row is followed by the next one at once, control
    /// characters are written out, and what does not fit scrolls away.
    init(after text: String, width: Int, height: Int) {
        self.width = width
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A: (row, column) = (row + 1, 0)
            case 0x09:
                repeat { put(1) } while column % 8 != 0
            case 0x00...0x1F, 0x7F:
                put(1)
                put(1)
            default:
                let columns = ceditline_columns(scalar.value)
                if columns >= 0 {
                    put(Int(columns))
                } else {
                    // \U+ and the digits.
                    for _ in 0..<(scalar.value > 0xFFFF ? 8 : 7) { put(1) }
                }
            }
        }
        row = min(row, height - 1)
    }

    private mutating func put(_ columns: Int) {
        if column + columns > width { (row, column) = (row + 1, 0) }
        column += columns
        if column >= width { (row, column) = (row + 1, 0) }
    }
}

/// Words in columns of equal width, as many as `width` has room for; of very many only the first ones.
func columnLines(_ words: [String], width: Int, limit: Int = 200) -> [String] {
    let shown = words.prefix(limit)
    let longest = (shown.map { columns($0) }.max() ?? 0) + 2
    let perLine = max(1, width / longest)
    let rows = (shown.count + perLine - 1) / perLine
    var lines = (0..<rows).map { row in
        let cells = stride(from: row, to: shown.count, by: rows).map { shown[$0] }
        return cells.enumerated().map { $0 == cells.count - 1 ? $1 : padded($1, to: longest) }.joined()
    }
    if words.count > limit { lines.append("and \(words.count - limit) more") }
    return lines
}

/// Makes characters of octets as they are typed; those that are not UTF-8 are left out.
struct ScalarDecoder {
    private var octets: [UInt8] = []

    /// The character that the octet ends; `nil` when more are needed. The kernel makes NUL of a Ctrl-D that was typed while
    /// it edited lines itself.
    mutating func append(_ octet: UInt8) -> Unicode.Scalar? {
        // What begins anew ends what was not finished.
        if octet & 0xC0 != 0x80 { octets.removeAll() }
        octets.append(octet)
        guard let text = String(validating: octets, as: UTF8.self) else {
            if octets.count >= 4 { octets.removeAll() }
            return nil
        }
        octets.removeAll()
        return text.unicodeScalars.first.map { $0.value == 0 ? "\u{04}" : $0 }
    }
}
