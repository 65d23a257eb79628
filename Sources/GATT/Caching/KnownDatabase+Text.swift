// What is known of a server, as text that is kept between connections. One attribute a line, so that a person can read it:
//
//     btatt attributes 1
//     device C0:DE:00:00:18:0D/random
//     hash 90a9fbb9bb30888aac8bf5ec482dcaf1           or: hash none
//     service 0001 0007 1800                          first handle, last handle, UUID; `secondary` for the other kind
//     include 0002 0010 0014 180f                     handle; first handle, last handle and UUID of the included service
//     characteristic 0003 0004 0005 12 2a37           declaration, value, last handle, properties, UUID
//     extended 0001                                   extended properties of the characteristic before
//     descriptor 0005 2902
//     end 5f3a…                                       a checksum of everything before
//
// Whoever reads it trusts nothing: another version, another device, a line that is wrong or missing are errors, and the
// attributes are then discovered as if nothing had been kept.

/// Why kept attributes cannot be used.
public enum KnownDatabaseError: Error, Hashable, Sendable {
    /// The text is something else.
    case notAttributes
    /// The text was written by another version of this module.
    case otherVersion(String)
    /// The attributes are those of another device.
    case otherDevice(String)
    /// A line is wrong; they are counted from 1.
    case malformed(line: Int)
    /// The end is missing, or something was changed.
    case damaged
}

extension KnownDatabaseError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notAttributes: "it holds no attributes"
        case .otherVersion(let version): "its version is \(version), not \(KnownDatabase.version)"
        case .otherDevice(let device): "it is of \(device)"
        case .malformed(let line): "line \(line) is wrong"
        case .damaged: "it was cut short or changed"
        }
    }
}

extension KnownDatabase {
    /// The version of the text.
    static let version = "1"
    private static let title = "btatt attributes"
    /// The longest text that is read, in octets: some forty for each of the 65,535 handles.
    public static let longestText = 1 << 22

    /// The text that is kept.
    /// - Parameter device: names the device, so that the attributes of one are never taken for those of another.
    public func text(for device: String) -> String {
        var lines = ["\(Self.title) \(Self.version)", "device \(Self.escaped(device))"]
        lines.append("hash \(hash?.description ?? "none")")
        for node in database.services {
            let service = node.service
            lines.append("\(service.isPrimary ? "service" : "secondary") \(service.range.digits) \(service.uuid)")
            for include in node.includes {
                lines.append("include \(include.handle.digits) \(include.range.digits) \(include.uuid)")
            }
            for node in node.characteristics {
                let characteristic = node.characteristic
                let handles = [characteristic.declarationHandle, characteristic.valueHandle, characteristic.endHandle]
                lines.append(
                    "characteristic \(handles.map(\.digits).joined(separator: " ")) "
                        + "\([characteristic.properties.rawValue].hexadecimal) \(characteristic.uuid)")
                if let extended = characteristic.extendedProperties {
                    lines.append("extended \(AttributeHandle(rawValue: extended.rawValue).digits)")
                }
                lines += node.descriptors.map { "descriptor \($0.handle.digits) \($0.uuid)" }
            }
        }
        let content = lines.joined(separator: "\n") + "\n"
        return content + "end \(Self.checksum(of: content))\n"
    }

    /// Reads a text that was kept.
    /// - Parameters:
    ///   - text: what `text(for:)` made.
    ///   - device: the device whose attributes are wanted.
    /// - Throws: why they cannot be used.
    public init(parsing text: String, for device: String) throws(KnownDatabaseError) {
        self.init(DiscoveredDatabase(), hash: nil)
        guard text.utf8.count <= Self.longestText else { throw .notAttributes }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.split(separator: " ") }
        guard let first = lines.first, first.count == 3, first[0...1].joined(separator: " ") == Self.title else {
            throw .notAttributes
        }
        guard first[2] == Self.version else { throw .otherVersion(String(first[2])) }
        // The last line ends the text, and nothing follows it.
        guard lines.count >= 5, lines.last == [], let end = text.dropLast().lastIndex(of: "\n") else { throw .damaged }
        let content = text[...end]
        guard lines[lines.count - 2] == ["end", Substring(Self.checksum(of: content))] else { throw .damaged }
        guard lines[1].count == 2, lines[1][0] == "device" else { throw .malformed(line: 2) }
        guard lines[1][1] == Self.escaped(device) else { throw .otherDevice(String(lines[1][1])) }
        guard lines[2].count == 2, lines[2][0] == "hash" else { throw .malformed(line: 3) }
        if lines[2][1] != "none" {
            guard let octets = [UInt8](hexadecimal: lines[2][1]), let hash = DatabaseHash(octets: octets) else {
                throw .malformed(line: 3)
            }
            self.hash = hash
        }
        for (index, words) in lines.enumerated().dropFirst(3).dropLast(2) {
            guard let keyword = words.first, let uuid = words.last, take(keyword, words.dropFirst(), uuid) else {
                throw .malformed(line: index + 1)
            }
        }
    }

    /// Takes one line of an attribute; false when it is wrong.
    private mutating func take(_ keyword: Substring, _ words: ArraySlice<Substring>, _ last: Substring) -> Bool {
        let numbers = words.prefix { $0.count == 4 }.compactMap {
            UInt16($0, radix: 16).map(AttributeHandle.init(rawValue:))
        }
        let uuid = BluetoothUUID(String(last))
        let service = database.services.count - 1
        let characteristic = service < 0 ? -1 : database.services[service].characteristics.count - 1
        func range(_ index: Int) -> HandleRange? {
            index + 1 < numbers.count ? HandleRange(first: numbers[index], last: numbers[index + 1]) : nil
        }
        switch (keyword, words.count) {
        case ("service", 3), ("secondary", 3):
            guard let range = range(0), let uuid else { return false }
            database.services.append(
                .init(service: Service(uuid: uuid, range: range, isPrimary: keyword == "service")))
        case ("include", 4):
            guard service >= 0, let range = range(1), let uuid, numbers[0] > .none else { return false }
            database.services[service].includes.append(
                IncludedService(handle: numbers[0], range: range, uuid: uuid))
        case ("characteristic", 5):
            guard service >= 0, numbers.count >= 3, numbers[0] > .none, numbers[1] > numbers[0],
                numbers[2] >= numbers[1], let uuid, let octets = [UInt8](hexadecimal: words[words.startIndex + 3]),
                let properties = octets.first, octets.count == 1
            else { return false }
            database.services[service].characteristics.append(
                .init(
                    characteristic: Characteristic(
                        uuid: uuid, declarationHandle: numbers[0], valueHandle: numbers[1],
                        properties: CharacteristicProperties(rawValue: properties), endHandle: numbers[2])))
        case ("extended", 1):
            guard characteristic >= 0, numbers.count == 1 else { return false }
            database.services[service].characteristics[characteristic].characteristic.extendedProperties =
                ExtendedProperties(rawValue: numbers[0].rawValue)
        case ("descriptor", 2):
            guard characteristic >= 0, !numbers.isEmpty, numbers[0] > .none, let uuid else { return false }
            database.services[service].characteristics[characteristic].descriptors.append(
                Descriptor(uuid: uuid, handle: numbers[0]))
        default: return false
        }
        return true
    }

    /// A name without spaces and line ends: what is not plain ASCII, and the sign itself, as `%2f`.
    private static func escaped(_ name: String) -> String {
        name.utf8.map { octet in
            octet > 0x20 && octet < 0x7F && octet != UInt8(ascii: "%")
                ? String(UnicodeScalar(octet)) : "%\([octet].hexadecimal)"
        }.joined()
    }

    /// Sixteen digits that change with any accident to the text (FNV-1a); no protection against intent.
    private static func checksum(of text: some StringProtocol) -> String {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for octet in text.utf8 { sum = (sum ^ UInt64(octet)) &* 0x0000_0100_0000_01B3 }
        return (0..<8).map { UInt8(truncatingIfNeeded: sum >> UInt64(56 - 8 * $0)) }.hexadecimal
    }
}

extension AttributeHandle {
    /// Four digits, as in `002a`.
    fileprivate var digits: String { [rawValue.high, rawValue.low].hexadecimal }
}

extension HandleRange {
    fileprivate var digits: String { "\(first.digits) \(last.digits)" }
}
