import AssignedNumbers
import Central
import CommandLineParsing

/// `btatt scan`
enum ScanCommand: BtattCommand {
    static let active = Flag(
        "active", help: "Ask advertisers for their scan response, where names often are; the default.")
    static let passive = Flag("passive", help: "Only listen; nothing is sent.")
    static let listen = Flag("listen", help: "Start no scan; hear what the adapter reports for somebody else's.")
    static let duration = Option("duration", "SECONDS", .decimal(in: 0.001...31_536_000), help: "Stop after this time.")
    static let count = Option("count", "N", .integer(in: 1...Int.max), help: "Stop after so many results.")
    static let service = Option(
        "service", "UUID", .uuid(of: .service), isRepeatable: true, help: "Only advertisers of this service.")
    static let name = Option("name", "TEXT", .text, help: "Only advertisers whose name holds this, in whatever case.")
    static let rssi = Option("rssi", "DBM", .integer(in: -127...20), help: "Only advertisers at least this strong.")
    static let duplicates = Flag("duplicates", help: "Tell of every advertisement, not only of what is new.")

    static let declaration = Command(
        "scan", summary: "listen to advertisements",
        discussion:
            "On a terminal a table is kept up to date; in a pipe there is one line for each advertiser, and another "
            + "when it says something new. Without --duration or --count the scan goes on until it is interrupted.",
        options: [active, passive, listen, duration, count, service, name, rssi, duplicates],
        exclusive: [[active, passive, listen]],
        examples: [
            Command.Example("btatt -i virtual scan --duration 2", "the built-in radio"),
            Command.Example(
                "btatt scan --service heart_rate --count 1 --json", "the first heart-rate sensor, for a program"),
        ])

    static func run(_ context: CommandContext) async throws(Failure) {
        let options = options(context.arguments)
        var left = context.arguments[count] ?? Int.max
        try await context.withCentral { (central) async throws(Failure) in
            context.console.note("scanning on \(central.radioName ?? "nothing")")
            var table = context.isJSON || !context.console.terminal.outputIsTerminal ? nil : LiveTable(context.console)
            var results = central.scan(options).makeAsyncIterator()
            while left > 0 {
                let next: ScanResult?
                do throws(CentralError) {
                    next = try await results.next()
                } catch {
                    try table?.draw()
                    throw Failure(error)
                }
                guard let result = next else { break }
                context.captured(result)
                let fields = AdvertisementFields(result.advertisement)
                if table != nil {
                    try table?.show(fields, result)
                } else {
                    try show(fields, result, context)
                }
                left -= 1
            }
            try table?.draw()
        }
    }

    private static func options(_ arguments: ParsedArguments) -> ScanOptions {
        var options = ScanOptions()
        options.mode = arguments[listen] ? .listen : arguments[passive] ? .passive : .active
        options.services = arguments.values(service)
        options.name = arguments[name].map { .containing($0) }
        options.minimumRSSI = arguments[rssi].flatMap { Int8(exactly: $0) }
        options.duplicates = arguments[duplicates] ? .all : .changes
        options.duration = arguments[duration].map { .milliseconds(Int64(($0 * 1_000).rounded())) }
        return options
    }

    private static func show(
        _ fields: AdvertisementFields, _ result: ScanResult, _ context: CommandContext
    ) throws(Failure) {
        let moment = Moment(microseconds: Int64(result.time.unixNanoseconds / 1_000))
        let cells = fields.cells(context.style).filter { !$0.isEmpty }
        try context.show(fields.json(moment), cells.joined(separator: "  "))
    }
}
