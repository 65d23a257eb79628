import Central
import CommandLineParsing

/// `btatt includes`
enum IncludesCommand: BtattCommand {
    static let declaration = Command(
        "includes", summary: "find included services", options: [RangeOptions.start, RangeOptions.end],
        examples: [Command.Example("btatt -d virtual:torture includes", "all of the device")])

    static func run(_ context: CommandContext) async throws(Failure) {
        let range = try RangeOptions.range(context.arguments)
        try await context.withConnection { (connection) async throws(Failure) in
            let includes = try await attempt { () async throws(CentralError) in
                try await connection.discoverIncludedServices(in: range)
            }
            for include in includes {
                try context.show(
                    include.json, "\(context.style.faint("\(include.handle)"))  \(include.line(context.style))")
            }
            try await context.summarise(includes.count, on: connection)
        }
    }
}
