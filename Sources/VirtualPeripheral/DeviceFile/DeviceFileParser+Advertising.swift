// The `advertise` block: AD structures in the order in which they are written (Supplement to the Core Specification, Part
// A), and how often and how strongly they are heard.

import GAP
import GATT
import Wire

extension DeviceFileParser {
    /// The keywords that add data.
    private static let dataKeywords =
        "flags, name, short-name, services, more-services, appearance, tx-power, manufacturer, service-data, data or raw"

    /// Reads the lines under `advertise`.
    mutating func advertising(
        _ header: DeviceFileLine, name: String
    ) throws(DeviceFileError) -> DeviceDescription.Advertising {
        var advertising = DeviceDescription.Advertising()
        var isExtended = false
        let repeatable: Set<String> = ["manufacturer", "service-data", "data", "raw"]
        var response: DeviceFileLine?
        try block(under: header.indentation, repeatable: repeatable) { parser, line, keyword throws(DeviceFileError) in
            switch keyword.text {
            case "every": advertising.interval = try line.duration()
            case "rssi": advertising.rssi = Int8(clamping: try line.number("the signal strength in dBm", in: -127...20))
            case "extended": isExtended = true
            case "kind":
                advertising.properties = try line.choice(
                    "kind", ["connectable": .advInd, "scannable": .advScanInd, "non-connectable": .advNonconnInd])
            case "scan-response":
                response = line
                var data: [UInt8] = []
                try parser.block(
                    under: line.indentation, repeatable: repeatable
                ) { parser, line, keyword throws(DeviceFileError) in
                    try parser.structure(keyword, &line, name: name, also: "", into: &data)
                }
                advertising.scanResponse = data
            default:
                try parser.structure(
                    keyword, &line, name: name, also: "every, rssi, kind, extended, scan-response, ",
                    into: &advertising.data)
            }
        }
        if isExtended {
            advertising.properties.remove(.legacy)
            // An extended advertisement is connectable or scannable, not both.
            if advertising.properties.contains(.connectable) { advertising.properties.remove(.scannable) }
        }
        let room = isExtended ? 1650 : 31
        try Self.check(advertising.data, room, header)
        if let response, let data = advertising.scanResponse { try Self.check(data, room, response) }
        return advertising
    }

    /// What a device without an `advertise` line advertises: flags and its name, as much of it as fits.
    static func usualAdvertising(
        _ line: DeviceFileLine, name: String
    ) throws(DeviceFileError) -> DeviceDescription.Advertising {
        var data: [UInt8] = [2, ADType.flags.rawValue, 0x06]
        let whole = Array(name.utf8)
        var part = name
        while part.utf8.count > 26 { part.removeLast() }
        let type = part.utf8.count == whole.count ? ADType.completeLocalName : .shortenedLocalName
        append(type, Array(part.utf8), to: &data)
        return DeviceDescription.Advertising(data: data)
    }

    private static func check(_ data: [UInt8], _ room: Int, _ line: DeviceFileLine) throws(DeviceFileError) {
        guard data.count <= room else {
            throw DeviceFileError(
                line: line.number, column: line.indentation + 1, problem: "the data has \(data.count) octets",
                expected: room == 31 ? "31 at most, or the line \"extended\"" : "\(room) at most")
        }
    }

    private static func append(_ type: ADType, _ value: [UInt8], to data: inout [UInt8]) {
        data += [UInt8(clamping: value.count + 1), type.rawValue] + value
    }

    /// Adds the AD structure a line asks for.
    private func structure(
        _ keyword: Word, _ line: inout DeviceFileLine, name: String, also others: String, into data: inout [UInt8]
    ) throws(DeviceFileError) {
        let start = line
        var type = ADType.flags
        var value: [UInt8] = []
        switch keyword.text {
        case "raw":
            data += try line.value()
            return
        case "flags": value = [try flags(&line)]
        case "name":
            type = .completeLocalName
            line.skipSpaces()
            value = line.isAtEnd ? Array(name.utf8) : Array(try line.string("a name").utf8)
        case "short-name":
            type = .shortenedLocalName
            value = Array(try line.string("the beginning of the name").utf8)
        case "services": return try serviceLists(&line, isComplete: true, into: &data)
        case "more-services": return try serviceLists(&line, isComplete: false, into: &data)
        case "appearance":
            type = .appearance
            let number = UInt16(clamping: try line.number("the appearance", in: 0...0xFFFF))
            value = [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
        case "tx-power":
            type = .txPowerLevel
            value = [UInt8(bitPattern: Int8(clamping: try line.number("the power in dBm", in: -127...127)))]
        case "manufacturer":
            type = .manufacturerSpecificData
            let company = UInt16(clamping: try line.number("the company's number", in: 0...0xFFFF))
            value = [UInt8(truncatingIfNeeded: company), UInt8(truncatingIfNeeded: company >> 8)] + (try line.value())
        case "service-data":
            let uuid = try line.uuid()
            switch uuid.width {
            case .bits16: type = .serviceData16
            case .bits32: type = .serviceData32
            case .bits128: type = .serviceData128
            }
            value = Self.octets(of: uuid) + (try line.value())
        case "data":
            type = ADType(rawValue: UInt8(clamping: try line.number("the AD type", in: 0...0xFF)))
            value = try line.value()
        default: throw unknown(keyword, in: line, others + Self.dataKeywords)
        }
        guard value.count <= 254 else {
            throw start.error("the structure has \(value.count) octets", expected: "254 at most")
        }
        Self.append(type, value, to: &data)
    }

    private func flags(_ line: inout DeviceFileLine) throws(DeviceFileError) -> UInt8 {
        var flags: UInt8 = 0
        repeat {
            var copy = line
            if let word = copy.word(), DeviceFileLine.number(word.text) != nil {
                flags |= UInt8(clamping: try line.number("the flags", in: 0...0xFF))
            } else {
                flags |= try line.choice("flag", ["limited": 0x01, "general": 0x02, "le-only": 0x04])
            }
            _ = line.comma()
        } while !line.isAtEnd
        return flags
    }

    /// The lists of 16-, 32- and 128-bit UUIDs of one line, one structure for each width that occurs.
    private func serviceLists(
        _ line: inout DeviceFileLine, isComplete: Bool, into data: inout [UInt8]
    ) throws(DeviceFileError) {
        var uuids: [BluetoothUUID] = []
        repeat {
            uuids.append(try line.uuid())
            _ = line.comma()
        } while !line.isAtEnd
        let types: [(BluetoothUUID.Width, complete: ADType, incomplete: ADType)] = [
            (.bits16, .completeServiceUUIDs16, .incompleteServiceUUIDs16),
            (.bits32, .completeServiceUUIDs32, .incompleteServiceUUIDs32),
            (.bits128, .completeServiceUUIDs128, .incompleteServiceUUIDs128),
        ]
        for (width, complete, incomplete) in types {
            let list = uuids.filter { $0.width == width }.flatMap(Self.octets)
            if !list.isEmpty { Self.append(isComplete ? complete : incomplete, list, to: &data) }
        }
    }

    private static func octets(of uuid: BluetoothUUID) -> [UInt8] {
        [UInt8](capacity: uuid.width.octetCount) { output in output.append(uuid) }
    }
}
