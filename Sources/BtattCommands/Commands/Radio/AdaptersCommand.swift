import AssignedNumbers
import Central
import CommandLineParsing
import HCI

/// `btatt adapters`
enum AdaptersCommand: BtattCommand {
    static let declaration = Command(
        "adapters", summary: "list the Bluetooth adapters",
        discussion:
            "Index, address, state, bus, manufacturer, version and LE features. What only the controller can tell "
            + "needs an adapter that is up, and for the LE features the right to ask it (root, or CAP_NET_RAW).",
        examples: [Command.Example("btatt adapters --json", "for a program")])

    static func run(_ context: CommandContext) async throws(Failure) {
        let adapters = try await attempt { () async throws(CentralError) in try await Central.adapters() }
        var table = TextTable(["ADAPTER", "ADDRESS", "STATE", "BUS", "VERSION", "MANUFACTURER", "LE FEATURES"])
        for adapter in adapters {
            if let missing = adapter.missing, adapter.isUp { context.console.note(missing.description) }
            if context.isJSON {
                try context.console.line(adapter.json)
            } else {
                table.append([
                    adapter.name, adapter.address.map { "\($0.octets)" } ?? "", adapter.state, adapter.bus,
                    adapter.coreVersion ?? "", adapter.manufacturerName ?? adapter.manufacturer.map(hexadecimal) ?? "",
                    adapter.supportsLE ? adapter.leFeatures?.description ?? "LE" : "no LE",
                ])
            }
        }
        if adapters.isEmpty {
            throw Failure(
                .noAdapter,
                "this machine has no Bluetooth adapter; plug one in, or use the virtual radio: \"-i virtual\"")
        }
        guard !context.isJSON else { return }
        for line in table.lines(style: context.style) { try context.console.line(line) }
    }
}

extension AdapterDescription {
    fileprivate var manufacturerName: String? { manufacturer.flatMap(AssignedNumbers.companyName) }

    fileprivate var json: JSONObject {
        [
            "kind": "adapter", "index": .integer(index), "name": .string(name),
            "address": address.map { .string("\($0.octets)") }, "state": .string(state), "bus": .string(bus),
            "le": .boolean(supportsLE), "version": coreVersion.map { .string($0) },
            "manufacturer": manufacturer.map { .integer(Int($0)) },
            "manufacturerName": manufacturerName.map { .string($0) },
            "leFeatures": leFeatures.map { .array($0.names.map { .string($0) }) },
        ]
    }
}
