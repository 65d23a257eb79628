import Central
import CommandLineParsing

/// `btatt discover`
enum DiscoverCommand: BtattCommand {
    static let values = Flag("values", help: "Read every value and descriptor that is readable.")

    static let cached = Flag("cached", help: "Only what was kept of an earlier discovery; fail when it does not hold.")
    static let refresh = Flag("refresh", help: "Discover again, whatever was kept.")

    static let declaration = Command(
        "discover", summary: "show all services, characteristics and descriptors",
        discussion: "The first column is the handle that read, write and subscribe take.\n\n"
            + "What is found is kept (in ~/.cache/btatt/attributes), and used the next time, by the paths of other "
            + "commands too, when the device's Database Hash proves in one request that nothing has changed.",
        options: [values, cached, refresh], exclusive: [[cached, refresh]],
        examples: [
            Command.Example("btatt -d virtual:heart-rate discover --values", "a built-in device, with its values"),
            Command.Example("btatt -d F0:F1:F2:F3:F4:F5/random discover --json", "for a program"),
        ])

    static func run(_ context: CommandContext) async throws(Failure) {
        let readsValues = context.arguments[values]
        let source: AttributeSource =
            context.arguments[cached] ? .kept : context.arguments[refresh] ? .discovered : .keptOrDiscovered
        let progress = context.progress("discovering")
        try await context.withConnection { (connection) async throws(Failure) in
            let kept = try await attempt { () async throws(CentralError) in
                source == .discovered ? nil : try await connection.provenAttributes()
            }
            let database = try await attempt { () async throws(CentralError) in
                if let kept { return kept }
                return try await connection.attributes(from: source, progress: progress)
            }
            var tree = DatabaseTree(database: database)
            if readsValues { tree.values = try await read(database, connection, context) }
            if context.isJSON {
                for object in tree.objects() { try context.console.line(object) }
            } else {
                for line in tree.lines(context.style) { try context.console.line(line) }
            }
            try await context.summarise(database.attributeCount, on: connection, isKept: kept != nil)
        }
    }

    /// Reads what can be read. A refusal is a result like any other; a lost link ends the command.
    private static func read(
        _ database: DiscoveredDatabase, _ connection: Connection, _ context: CommandContext
    ) async throws(Failure) -> [AttributeHandle: ReadValue] {
        let handles = database.characteristics.flatMap { node in
            (node.characteristic.properties.contains(.read) ? [node.characteristic.valueHandle] : [])
                + node.descriptors.map(\.handle)
        }
        var values: [AttributeHandle: ReadValue] = [:]
        for (index, handle) in handles.enumerated() {
            context.console.progress("reading value \(index + 1) of \(handles.count)")
            do throws(CentralError) {
                values[handle] = .value(try await connection.read(handle))
            } catch {
                guard case .attributeError = error.gattError, let cause = error.gattError else { throw Failure(error) }
                values[handle] = .failed(cause)
            }
        }
        context.console.clearProgress()
        return values
    }
}
