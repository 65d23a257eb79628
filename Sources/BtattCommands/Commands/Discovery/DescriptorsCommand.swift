import Central
import CommandLineParsing

/// `btatt descriptors`
enum DescriptorsCommand: BtattCommand {
    static let attribute = Positional(
        "CHARACTERISTIC", .attribute, .optional, help: "Only the descriptors of this characteristic, a path.")

    static let declaration = Command(
        "descriptors", summary: "find the type of each attribute",
        discussion: "Find Information tells the UUID of every attribute of the range: declarations, values and "
            + "descriptors.",
        positionals: [attribute], options: [RangeOptions.start, RangeOptions.end],
        examples: [Command.Example("btatt -d virtual:heart-rate descriptors 180d/2a37", "of one characteristic")])

    static func run(_ context: CommandContext) async throws(Failure) {
        let range = try RangeOptions.range(context.arguments)
        let attribute = context.arguments[attribute]
        try await context.withConnection { (connection) async throws(Failure) in
            let descriptors: [Descriptor]
            if let attribute {
                var resolver = AttributeResolver(connection)
                guard let characteristic = try await resolver.find(attribute).characteristic else {
                    throw Failure(
                        .usage, "CHARACTERISTIC is a path, such as 180d/2a37; for handles use --start and --end")
                }
                descriptors = try await attempt { () async throws(CentralError) in
                    try await connection.discoverDescriptors(of: characteristic)
                }
            } else {
                descriptors = try await attempt { () async throws(CentralError) in
                    try await connection.discoverDescriptors(in: range)
                }
            }
            for descriptor in descriptors {
                try context.show(
                    descriptor.json, "\(context.style.faint("\(descriptor.handle)"))  \(descriptor.line(context.style))"
                )
            }
            try await context.summarise(descriptors.count, on: connection)
        }
    }
}
