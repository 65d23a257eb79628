import Central
import CommandLineParsing

/// `btatt unpair`
enum UnpairCommand: BtattCommand {
    static let declaration = Command(
        "unpair", summary: "forget a device that was paired with",
        discussion:
            "Takes the keys of the device out of the file and out of the kernel. The device keeps its own: it has to "
            + "forget this side too before the two can pair again.",
        examples: [Command.Example("btatt -d C0:FF:EE:00:00:01/random unpair", "by its address, as \"bonds\" shows it")]
    )

    static func run(_ context: CommandContext) async throws(Failure) {
        let target = try context.target()
        let bonds = context.bonds
        let address: DeviceAddress
        switch target {
        case .address(let known): address = known
        case .addressOfUnknownType(let octets):
            let known = try await attempt { () async throws(CentralError) in try bonds.all() }
            guard let bond = known.first(where: { $0.address.octets == octets }) else {
                throw Failure(
                    .refused,
                    "cannot unpair \(octets): there is no bond with it; \"btatt bonds\" shows those that there are")
            }
            address = bond.address
        default: throw Failure(.usage, "unpair takes an address, as \"btatt bonds\" shows it")
        }
        try await context.withCentral { (central) async throws(Failure) in
            let removed = try await attempt { () async throws(CentralError) in
                try await central.unpair(address, bonds: bonds)
            }
            try context.show(
                [
                    "kind": "unpaired", "address": .string("\(address.octets)"),
                    "addressType": .string("\(address.type)"), "bonds": .integer(removed.count),
                ], "forgot \(address)")
        }
    }
}
