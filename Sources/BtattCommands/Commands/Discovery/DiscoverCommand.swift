import Central
import CommandLineParsing

/// `btatt discover`
enum DiscoverCommand: BtattCommand {
    static let values = Flag("values", help: "Read every value and descriptor that is readable.")

    static let declaration = Command(
        "discover", summary: "show all services, characteristics and descriptors",
        discussion: "The first column is the handle that read, write and subscribe take.", options: [values],
        examples: [
            Command.Example("btatt -d virtual:heart-rate discover --values", "a built-in device, with its values"),
            Command.Example("btatt -d F0:F1:F2:F3:F4:F5/random discover --json", "for a program"),
        ])

    static func run(_ context: CommandContext) async throws(Failure) {
        let readsValues = context.arguments[values]
        let progress = context.progress("discovering")
        try await context.withConnection { (connection) async throws(Failure) in
            let database = try await attempt { () async throws(CentralError) in
                try await connection.discoverAll(progress: progress)
            }
            var tree = DatabaseTree(database: database)
            if readsValues { tree.values = try await read(database, connection, context) }
            if context.isJSON {
                for object in tree.objects() { try context.console.line(object) }
            } else {
                for line in tree.lines(context.style) { try context.console.line(line) }
            }
            context.console.note("\(database.attributeCount) attributes, \(await connection.requestCount) requests")
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
