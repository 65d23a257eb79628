internal import BlueZSockets
internal import GAP

/// A bond with its keys.
struct BondRecord: Hashable, Sendable {
    var adapter: AddressOctets
    var address: DeviceAddress
    var unixSeconds: Int64
    var keys: [LongTermKey] = []
    var identityKey: IdentityResolvingKey?

    /// The key with which a central encrypts.
    var usableKey: LongTermKey? { keys.first { $0.isUsable } }

    var bond: Bond {
        Bond(
            adapter: adapter, address: address, isAuthenticated: usableKey?.isAuthenticated ?? false,
            isSecureConnections: usableKey?.isSecureConnections ?? false, keySize: Int(usableKey?.size ?? 0),
            hasIdentityKey: identityKey != nil, unixSeconds: unixSeconds)
    }

    /// Takes a key in, and takes out those that it replaces.
    mutating func add(_ key: PairingSettings.NewKey) {
        switch key {
        case .longTerm(let key):
            keys.removeAll { $0.isReplaced(by: key) }
            keys.append(key)
        case .identity(let identity): identityKey = identity.key
        }
    }
}

/// The bonds of a file: lines of words.
///
///     btatt-bonds 1
///     device ADAPTER DEVICE SECONDS
///     ltk KIND CENTRAL SIZE DIVERSIFIER RANDOM KEY
///     irk KEY
///
/// Keys belong to the device above them. KIND, CENTRAL and SIZE are as the kernel's management interface has them;
/// DIVERSIFIER and RANDOM are hexadecimal numbers, and a KEY is its octets in order of transmission. SECONDS is when it was
/// paired, since 1970.
struct BondFile: Hashable, Sendable {
    var records: [BondRecord] = []

    private static let heading = "btatt-bonds"
    private static let version = "1"

    /// What is wrong with a file.
    enum FormatError: Error, Hashable, CustomStringConvertible {
        case notAStore
        case laterVersion(String)
        case line(Int)

        var description: String {
            switch self {
            case .notAStore: "it is no file of bonds"
            case .laterVersion(let version): "it is of version \(version), and only version 1 is known"
            case .line(let number): "line \(number) is damaged"
            }
        }
    }

    init(records: [BondRecord] = []) { self.records = records }

    /// Reads a file. Nothing in it is passed over: a key that is lost without a word is one that is missed later.
    init(parsing octets: [UInt8]) throws(FormatError) {
        let lines = String(decoding: octets, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let first = lines.first?.split(separator: " ").map(String.init) ?? []
        guard first.count == 2, first[0] == Self.heading else { throw .notAStore }
        guard first[1] == Self.version else { throw .laterVersion(first[1]) }
        for (index, line) in lines.enumerated().dropFirst() where !line.isEmpty {
            guard read(line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)) else {
                throw .line(index + 1)
            }
        }
        // Cut off in the middle of a line.
        guard lines.last == "" else { throw .line(lines.count) }
    }

    private mutating func read(_ words: [String]) -> Bool {
        switch words[0] {
        case "device":
            guard words.count == 4, let adapter = AddressOctets(words[1]), let address = DeviceAddress(words[2]),
                let seconds = Int64(words[3])
            else { return false }
            records.append(BondRecord(adapter: adapter, address: address, unixSeconds: seconds))
        case "ltk":
            guard let last = records.indices.last, words.count == 7, let kind = UInt8(words[1]),
                words[2] == "0" || words[2] == "1", let size = UInt8(words[3]), (7...16).contains(size),
                words[4].utf8.count == 4, let diversifier = UInt16(words[4], radix: 16),
                words[5].utf8.count == 16, let random = UInt64(words[5], radix: 16), let value = Self.key(words[6])
            else { return false }
            records[last].keys.append(
                LongTermKey(
                    address: records[last].address, kind: LongTermKey.Kind(rawValue: kind),
                    isForCentral: words[2] == "1",
                    size: size, diversifier: diversifier, random: random, value: value))
        case "irk":
            guard let last = records.indices.last, words.count == 2, let value = Self.key(words[1]) else {
                return false
            }
            records[last].identityKey = IdentityResolvingKey(value: value)
        default: return false
        }
        return true
    }

    /// The octets of the file.
    var octets: [UInt8] {
        var text = "\(Self.heading) \(Self.version)\n"
        for record in records {
            text += "device \(record.adapter) \(record.address) \(record.unixSeconds)\n"
            for key in record.keys {
                let diversifier = Self.digits(UInt64(key.diversifier), count: 4)
                let random = Self.digits(key.random, count: 16)
                text += "ltk \(key.kind.rawValue) \(key.isForCentral ? 1 : 0) \(key.size) \(diversifier) \(random) "
                text += "\(Self.text(key.value))\n"
            }
            if let key = record.identityKey { text += "irk \(Self.text(key.value))\n" }
        }
        return Array(text.utf8)
    }

    private static func digits(_ number: UInt64, count: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }

    private static func text(_ key: UInt128) -> String {
        stride(from: 0, to: 128, by: 8).map { UInt8(truncatingIfNeeded: key >> UInt128($0)) }.hexadecimal
    }

    private static func key(_ text: String) -> UInt128? {
        guard text.utf8.count == 32, let octets = [UInt8](hexadecimal: text), octets.count == 16 else { return nil }
        return octets.reversed().reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    }
}
