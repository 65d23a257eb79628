import AssignedNumbers
import Central
import CommandLineParsing

/// `btatt services`
enum ServicesCommand: BtattCommand {
    static let uuid = Option("uuid", "UUID", .uuid(of: .service), help: "Only services of this UUID or name.")
    static let secondary = Flag("secondary", help: "Secondary services instead of primary ones.")

    static let declaration = Command(
        "services", summary: "find services",
        discussion: "Without options all primary services are found, by Read By Group Type; with --uuid those of one "
            + "UUID, by Find By Type Value.",
        options: [uuid, secondary, RangeOptions.start, RangeOptions.end],
        examples: [Command.Example("btatt -d virtual:heart-rate services --uuid heart_rate", "where a service is")])

    static func run(_ context: CommandContext) async throws(Failure) {
        let range = try RangeOptions.range(context.arguments)
        let uuid = context.arguments[uuid]
        let isSecondary = context.arguments[secondary]
        try await context.withConnection { (connection) async throws(Failure) in
            let services = try await attempt { () async throws(CentralError) in
                guard isSecondary else { return try await connection.discoverServices(uuid, in: range) }
                let all = try await connection.discoverSecondaryServices(in: range)
                return all.filter { uuid == nil || $0.uuid == uuid }
            }
            for service in services {
                try context.show(
                    service.json, "\(context.style.faint("\(service.handle)"))  \(service.line(context.style))")
            }
            try await context.summarise(services.count, on: connection)
        }
    }
}
