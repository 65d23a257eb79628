import Central
import CommandLineParsing

/// `btatt bonds`
enum BondsCommand: BtattCommand {
    static let declaration = Command(
        "bonds", summary: "list the devices that were paired with",
        discussion:
            "The devices whose keys are kept, with the adapter that the keys are for. The keys themselves are not shown. "
            + "What bluetoothd keeps is not among them.",
        examples: [Command.Example("btatt bonds --json", "for a program")])

    static func run(_ context: CommandContext) async throws(Failure) {
        let bonds: [Bond]
        do throws(CentralError) {
            bonds = try context.bonds.all()
        } catch {
            throw Failure(error)
        }
        if context.isJSON {
            for bond in bonds { try context.console.line(bond.json) }
            return
        }
        guard !bonds.isEmpty else { return context.console.note("\(context.bonds.path) holds no bonds") }
        var table = TextTable(["ADAPTER", "DEVICE", "PAIRING", "PROTECTED", "KEY", "IDENTITY", "PAIRED"])
        for bond in bonds {
            table.append([
                "\(bond.adapter)", "\(bond.address)", bond.isSecureConnections ? "secure connections" : "legacy",
                bond.isAuthenticated ? "yes" : "no", "\(bond.keySize) octets", bond.hasIdentityKey ? "yes" : "no",
                bond.moment.description,
            ])
        }
        for line in table.lines(style: context.style) { try context.console.line(line) }
    }
}

extension Bond {
    fileprivate var moment: Moment { Moment(microseconds: unixSeconds &* 1_000_000) }

    fileprivate var json: JSONObject { json(kind: "bond") }

    func json(kind: String) -> JSONObject {
        [
            "kind": .string(kind), "adapter": .string("\(adapter)"), "address": .string("\(address.octets)"),
            "addressType": .string("\(address.type)"), "authenticated": .boolean(isAuthenticated),
            "secureConnections": .boolean(isSecureConnections), "keySize": .integer(keySize),
            "identityKey": .boolean(hasIdentityKey), "time": .string(moment.description),
        ]
    }
}
