// An advertisement that was heard without a controller, as a controller would have reported it: in LE Extended Advertising
// Report events (Vol 4, Part E, 7.7.65.13), which have a place for everything that is known of it. Data that does not fit
// into one report goes on in the next.

public import GAP
import Wire

extension BtsnoopWriter {
    /// The most octets of data in one report: an event has 255, of which 26 are other fields.
    private static let mostData = 229

    /// The records of an advertisement: of its advertising data, or of its scan response where that is what was heard.
    public func advertisement(_ record: AdvertisementRecord, at time: CaptureTime) -> [UInt8] {
        let data = record.isScanResponse ? record.scanResponse.octets : record.advertisingData.octets
        var properties = UInt16(record.properties.rawValue)
        if record.isScanResponse { properties |= AdvertisingEventProperties.scanResponse.rawValue }
        var records: [UInt8] = []
        var start = 0
        repeat {
            let part = data[start..<min(data.count, start + Self.mostData)]
            start += part.count
            // Data_Status: 00 complete, 01 more to come, 10 the rest is lost.
            let isLast = start == data.count
            let status: UInt16 = !isLast ? 1 : record.dataStatus == .complete ? 0 : 2
            records += self.record(
                .event, .received, at: time, packet: event(record, properties | status << 5, Array(part)))
        } while start < data.count
        return records
    }

    private func event(_ record: AdvertisementRecord, _ eventType: UInt16, _ data: [UInt8]) -> [UInt8] {
        let anonymous: UInt8 = 0xFF
        let type = record.address.map { UInt8($0.type == .random ? 1 : 0) } ?? anonymous
        let direct = record.directAddress
        let report: [UInt8] =
            [UInt8(truncatingIfNeeded: eventType), UInt8(truncatingIfNeeded: eventType >> 8), type]
            + octets(record.address) + [record.primaryPHY.rawValue, record.secondaryPHY?.rawValue ?? 0]
            + [record.advertisingSID ?? 0xFF, power(record.txPower), power(record.rssi)]
            + [
                UInt8(truncatingIfNeeded: record.periodicAdvertisingInterval),
                UInt8(truncatingIfNeeded: record.periodicAdvertisingInterval >> 8),
            ] + [direct.map { $0.type == .random ? 1 : 0 } ?? 0] + octets(direct)
            + [UInt8(truncatingIfNeeded: data.count)] + data
        return [0x3E, UInt8(truncatingIfNeeded: report.count + 2), 0x0D, 1] + report
    }

    /// Six octets, least significant first; zeros for none.
    private func octets(_ address: DeviceAddress?) -> [UInt8] {
        let value = address?.octets.value ?? 0
        return (0..<6).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    /// A power in dBm; 127 says that it is not known.
    private func power(_ power: Int8?) -> UInt8 { power.map { UInt8(bitPattern: $0) } ?? 127 }
}
