import AssignedNumbers
import Central
import CommandLineParsing

/// `btatt read`
enum ReadCommand: BtattCommand {
    static let attributes = Positional(
        "ATTRIBUTE", .attribute, .any,
        help: "A handle (0x0025, 37) or a path (180d/2a37, heart_rate/body_sensor_location).")
    static let offset = Option("offset", "N", .integer(in: 0...511), help: "Begin at this octet of the value.")
    static let uuid = Option(
        "uuid", "UUID", .uuid(of: .characteristic), help: "Read all attributes of this type, by Read By Type.")
    static let multiple = Flag("multiple", help: "Read several attributes by one Read Multiple request.")
    static let variable = Flag("variable", help: "With --multiple: values of any length (opcode 0x20).")
    static let raw = Flag("raw", help: "Write the octets as they are, for another program.")

    static let declaration = Command(
        "read", summary: "read values",
        discussion:
            "A value longer than one PDU is read to its end. A path is looked up by as few requests as it needs; "
            + "a handle needs none.",
        positionals: [attributes],
        options: [offset, uuid, RangeOptions.start, RangeOptions.end, multiple, variable, raw],
        exclusive: [[uuid, multiple], [offset, uuid], [offset, multiple]],
        examples: [
            Command.Example("btatt -d virtual:heart-rate read 180f/2a19", "the battery level"),
            Command.Example("btatt -d virtual:heart-rate read --uuid 2a29", "without knowing the handle"),
            Command.Example("btatt -d unix:/tmp/att read 0x0003 --raw > name", "the octets, into a file"),
        ])

    static func run(_ context: CommandContext) async throws(Failure) {
        let arguments = context.arguments
        let attributes = arguments.values(attributes)
        if let uuid = arguments[uuid] {
            guard attributes.isEmpty else { throw Failure(.usage, "--uuid and ATTRIBUTE exclude each other") }
            try await read(uuid, in: try RangeOptions.range(arguments), context)
        } else if attributes.isEmpty {
            throw Failure(.usage, "missing ATTRIBUTE; see \"btatt read --help\"")
        } else if arguments[multiple] {
            try await readMultiple(attributes, context)
        } else if arguments[variable] {
            throw Failure(.usage, "--variable needs --multiple")
        } else {
            try await read(attributes, context)
        }
    }

    /// One after the other. What one attribute is refused does not keep the others from being read.
    private static func read(_ attributes: [AttributeSyntax], _ context: CommandContext) async throws(Failure) {
        let offset = context.arguments[offset] ?? 0
        try await context.withConnection { (connection) async throws(Failure) in
            var resolver = AttributeResolver(connection)
            var refused = false
            var counted = 0
            for attribute in attributes {
                let found = try await resolver.find(attribute)
                let value: [UInt8]
                do throws(CentralError) {
                    let progress = context.progress("reading \(found.handle)")
                    value = try await connection.read(found.handle, offset: offset, progress: progress)
                } catch {
                    guard attributes.count > 1, case .attributeError = error.gattError else { throw Failure(error) }
                    try context.report(Failure(error))
                    refused = true
                    continue
                }
                let requests = await context.requestCount(on: connection)
                try show(value, of: found, requests: requests - counted, context)
                counted = requests
            }
            if refused { throw .reported(.refused) }
        }
    }

    private static func read(
        _ uuid: BluetoothUUID, in range: HandleRange, _ context: CommandContext
    ) async throws(Failure) {
        try await context.withConnection { (connection) async throws(Failure) in
            let values = try await attempt { () async throws(CentralError) in
                try await connection.read(uuid: uuid, in: range)
            }
            let requests = await context.requestCount(on: connection)
            for value in values {
                let attribute = FoundAttribute(handle: value.handle, uuid: uuid)
                try show(value.value, of: attribute, requests: requests, context)
            }
        }
    }

    private static func readMultiple(_ attributes: [AttributeSyntax], _ context: CommandContext) async throws(Failure) {
        guard attributes.count > 1 else { throw Failure(.usage, "--multiple needs two attributes or more") }
        let isVariable = context.arguments[variable]
        try await context.withConnection { (connection) async throws(Failure) in
            var resolver = AttributeResolver(connection)
            var found: [FoundAttribute] = []
            for attribute in attributes { found.append(try await resolver.find(attribute)) }
            let handles = found.map(\.handle)
            if isVariable {
                let values = try await attempt { () async throws(CentralError) in
                    try await connection.readMultipleVariable(handles)
                }
                let requests = await context.requestCount(on: connection)
                for (attribute, value) in zip(found, values) {
                    try show(value, of: attribute, requests: requests, context)
                }
            } else {
                // The octets come one value after the other, and only the reader knows where one ends.
                let value = try await attempt { () async throws(CentralError) in
                    try await connection.readMultiple(handles)
                }
                guard !context.arguments[raw] else { return try context.console.raw(octets: value) }
                let requests = await context.requestCount(on: connection)
                try context.show(
                    [
                        "kind": "values", "handles": .array(handles.map(\.json)),
                        "value": .string(value.hexadecimal), "requests": .integer(requests),
                    ], context.style.value(value.hexadecimal))
            }
        }
    }

    private static func show(
        _ value: [UInt8], of attribute: FoundAttribute, requests: Int, _ context: CommandContext
    ) throws(Failure) {
        guard !context.arguments[raw] else { return try context.console.raw(octets: value) }
        var object: JSONObject = ["kind": "value", "handle": attribute.handle.json]
        if let uuid = attribute.uuid { object.append(uuid, as: attribute.kind) }
        let decoded = attribute.uuid.flatMap { decodeValue($0, value) }
        object.append(value: value, decoded: decoded)
        object["requests"] = .integer(requests)
        try context.show(
            object,
            "\(context.style.faint("\(attribute.handle)"))  \(valueText(value, decoded: decoded, context.style))")
    }
}
