// How figures are shown: a table for people, one JSON object a line for programs.

/// A number and the name of its column; not a number where there is none to tell.
typealias Figure = (name: String, value: Double)

/// One line of the report.
struct Row {
    var group: String
    var name: String
    /// Figures in the order of their columns.
    var figures: [Figure]
}

/// A number with as many decimals as its size deserves; what is less than a hundredth is nothing.
func shown(_ value: Double) -> String {
    if value.isNaN { return "-" }
    if abs(value) < 0.005 { return "0" }
    let decimals = value >= 1000 || value == value.rounded() ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3
    return fixed(value, decimals)
}

private func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "\(value)" }
    let scale = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
    let scaled = Int64((abs(value) * scale).rounded())
    let whole = scaled / Int64(scale)
    let sign = value < 0 && scaled != 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(whole)" }
    let fraction = String(scaled % Int64(scale))
    return "\(sign)\(whole).\(String(repeating: "0", count: decimals - fraction.count))\(fraction)"
}

/// Prints rows as they come.
struct Report {
    let json: Bool
    private var group = ""

    init(json: Bool) { self.json = json }

    mutating func add(_ row: Row) {
        if json {
            let figures = row.figures.map { "\"\($0.name)\":\($0.value.isNaN ? "null" : shown($0.value))" }.joined(
                separator: ",")
            print("{\"group\":\"\(row.group)\",\"name\":\"\(row.name)\",\(figures)}")
            return
        }
        if row.group != group {
            if !group.isEmpty { print() }
            group = row.group
            print(padded(group, 40) + row.figures.map { padded($0.name, 14, right: true) }.joined())
        }
        print(padded(row.name, 40) + row.figures.map { padded(shown($0.value), 14, right: true) }.joined())
    }

    private func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
        let space = String(repeating: " ", count: max(1, width - text.count))
        return right ? space + text : text + space
    }
}
