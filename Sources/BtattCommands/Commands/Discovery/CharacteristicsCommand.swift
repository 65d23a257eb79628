import AssignedNumbers
import Central
import CommandLineParsing

/// `btatt characteristics`
enum CharacteristicsCommand: BtattCommand {
    static let uuid = Option(
        "uuid", "UUID", .uuid(of: .characteristic), help: "Only characteristics of this UUID or name.")

    static let declaration = Command(
        "characteristics", summary: "find characteristics",
        discussion: "The first column is the handle of the value, which read, write and subscribe take.",
        options: [uuid, RangeOptions.start, RangeOptions.end],
        examples: [Command.Example("btatt -d virtual:heart-rate characteristics", "all of the device")])

    static func run(_ context: CommandContext) async throws(Failure) {
        let range = try RangeOptions.range(context.arguments)
        let uuid = context.arguments[uuid]
        try await context.withConnection { (connection) async throws(Failure) in
            let characteristics = try await attempt { () async throws(CentralError) in
                try await connection.discoverCharacteristics(uuid, in: range)
            }
            for characteristic in characteristics {
                try context.show(
                    characteristic.json,
                    "\(context.style.faint("\(characteristic.valueHandle)"))  \(characteristic.line(context.style))")
            }
            try await context.summarise(characteristics.count, on: connection)
        }
    }
}
