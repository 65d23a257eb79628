package import CommandLineParsing

/// A device as it was given on the command line.
package enum TargetSyntax: Hashable, Sendable {
    /// An address, its octets in the order in which people write them, and whether it is a random one; without that,
    /// a short scan finds out.
    case address([UInt8], isRandom: Bool?)
    /// The device that advertises this name.
    case name(String)
    /// A virtual peripheral: a built-in one, or the path of a file that describes one.
    case virtual(String)
    /// The path of a Unix socket that carries the Attribute Protocol.
    case unix(String)
}

extension TargetSyntax {
    static let prefixes = ["name", "virtual", "unix"]

    /// Reads a TARGET: `AA:BB:CC:DD:EE:FF`, the same with `/public` or `/random`, `name:TEXT`, `virtual:NAME-or-FILE`,
    /// `unix:PATH`.
    package init(_ text: String) throws(ValueError) {
        let colon = text.firstIndex(of: ":")
        let prefix = colon.map { String(text[..<$0]) } ?? ""
        let rest = colon.map { String(text[text.index(after: $0)...]) } ?? ""
        if Self.prefixes.contains(prefix), rest.isEmpty {
            throw ValueError("has nothing after \"\(prefix):\"", at: prefix.count + 1)
        }
        switch prefix {
        case "name": self = .name(rest)
        case "virtual": self = .virtual(rest)
        case "unix": self = .unix(rest)
        default:
            if prefix.count > 2, let near = nearest(to: prefix, among: Self.prefixes) {
                throw ValueError("has an unknown prefix \"\(prefix):\"; did you mean \"\(near):\"?", at: 0)
            }
            self = try Self.address(text)
        }
    }

    private static func address(_ text: String) throws(ValueError) -> TargetSyntax {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        var octets: [UInt8] = []
        var position = 0
        for part in parts[0].split(separator: ":", omittingEmptySubsequences: false) {
            guard part.utf8.count == 2, part.allSatisfy(\.isHexDigit), let octet = UInt8(part, radix: 16) else {
                if octets.isEmpty {
                    throw ValueError(
                        "is no device: an address AA:BB:CC:DD:EE:FF, name:TEXT, virtual:NAME or unix:PATH is expected")
                }
                throw ValueError("has \"\(part)\" where two hexadecimal digits are expected", at: position)
            }
            octets.append(octet)
            position += 3
        }
        guard octets.count == 6 else { throw ValueError("has \(octets.count) octets; an address has six") }
        guard parts.count == 2 else { return .address(octets, isRandom: nil) }
        switch parts[1] {
        case "public": return .address(octets, isRandom: false)
        case "random": return .address(octets, isRandom: true)
        default: throw ValueError("has \"/\(parts[1])\"; it can be /public or /random", at: parts[0].count)
        }
    }
}
