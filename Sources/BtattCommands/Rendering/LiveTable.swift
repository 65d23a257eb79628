import Central

/// A table of advertisers that is drawn again, in its place on the terminal, as they are heard.
struct LiveTable {
    private let console: Console
    private var rows: [[String]] = []
    private var places: [DeviceAddress: Int] = [:]
    /// How many lines were drawn last, which the next drawing goes back over.
    private var drawn = 0
    private var lastDrawing: UInt64 = 0

    /// Not more often than this, in nanoseconds: a terminal in a crowded room would do nothing else.
    private static let pause: UInt64 = 100_000_000

    init(_ console: Console) { self.console = console }

    /// Takes what was heard into the table.
    mutating func show(_ fields: AdvertisementFields, _ result: ScanResult) throws(Failure) {
        let cells = fields.cells(.plain)
        if let address = result.address, let place = places[address] {
            rows[place] = cells
        } else {
            if let address = result.address { places[address] = rows.count }
            rows.append(cells)
        }
        let now = result.time.monotonic.nanoseconds
        guard result.isNew || now >= lastDrawing + Self.pause else { return }
        lastDrawing = now
        try draw()
    }

    /// Draws the table as it is.
    mutating func draw() throws(Failure) {
        let (width, height) = (console.terminal.width, console.terminal.height)
        var table = TextTable(["ADDRESS", "RSSI", "NAME", "SAYS"])
        let room = max(1, height - 3)
        for row in rows.prefix(room) { table.append(row) }
        var lines = table.lines(style: console.terminal.outputStyle, width: width - 1)
        if rows.count > room { lines.append("… and \(rows.count - room) more") }
        let back = drawn > 0 ? "\u{1B}[\(drawn)A\r\u{1B}[J" : ""
        try console.raw(back + lines.joined(separator: "\n") + "\n")
        drawn = lines.count
    }
}
