// Advertising reports, from the octets of an HCI event down to the AD structures. A host only ever decodes them.

import CBenchmark
import GAP
import HCI

/// Folds every report of an event into the digest, down to its AD structures.
@inline(__always)
private func fold(_ digest: inout UInt64, reports: consuming AdvertisingReports) {
    while let report = reports.next() {
        fold(&digest, UInt64(report.properties.rawValue))
        fold(&digest, UInt64(report.addressTypeCode))
        fold(&digest, report.addressOctets.value)
        fold(&digest, UInt64(UInt8(bitPattern: report.rssi ?? 127)))
        var structures = report.data.makeIterator()
        while let structure = structures.next() {
            fold(&digest, UInt64(structure.type.rawValue))
            fold(&digest, structure.data)
        }
    }
}

/// Flags, a name, 16-bit services and manufacturer data: 31 octets.
private let advertisingData31: [UInt8] =
    [2, 0x01, 0x06, 5, 0x03, 0x0D, 0x18, 0x0F, 0x18, 8, 0x09] + Array("Bumble!".utf8) + [12, 0xFF] + counting(11)

enum AdvertisingReport31: CodecCase {
    static let name = "advertising report 31 B"
    static var reference: reference_case { REFERENCE_ADVERTISING_REPORT }
    static var packet: [UInt8] {
        [0x3E, UInt8(12 + advertisingData31.count), 0x02, 1, 0x00, 0x01, 1, 2, 3, 4, 5, 0xC6]
            + [UInt8(advertisingData31.count)] + advertisingData31 + [0xC4]
    }
    // The address, and the data of the last structure.
    static var variable: [Range<Int>] { [6..<12, 33..<44] }

    @inline(__always)
    static func decode(_ packet: RawSpan, _ digest: inout UInt64) throws(MalformedError) {
        let event = try EventPacket(parsing: packet)
        guard event.leSubevent == .advertisingReport else { throw MalformedError(.wrongOpcode, at: 0) }
        fold(&digest, reports: try AdvertisingReports(parsing: event.parameters, layout: .legacy))
    }
}

enum ExtendedReport229: CodecCase {
    static let name = "extended report 229 B"
    static var reference: reference_case { REFERENCE_EXTENDED_ADVERTISING_REPORT }
    static let data = advertisingData31 + [197, 0xFF] + counting(196)
    static var packet: [UInt8] {
        [0x3E, UInt8(26 + data.count), 0x0D, 1, 0x01, 0x00, 0x01, 1, 2, 3, 4, 5, 0xC6, 1, 2, 0, 127, 0xC4]
            + [0, 0, 0, 0, 0, 0, 0, 0, 0] + [UInt8(data.count)] + data
    }
    static var variable: [Range<Int>] { [7..<13, 61..<packet.count] }

    @inline(__always)
    static func decode(_ packet: RawSpan, _ digest: inout UInt64) throws(MalformedError) {
        let event = try EventPacket(parsing: packet)
        guard event.leSubevent == .extendedAdvertisingReport else { throw MalformedError(.wrongOpcode, at: 0) }
        fold(&digest, reports: try AdvertisingReports(parsing: event.parameters, layout: .extended))
    }
}
