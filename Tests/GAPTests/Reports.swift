import GAP
import TestSupport
import Wire

/// The advertiser of most tests here: C0:FF:EE:00:00:01, random.
let beacon = AddressOctets(value: 0xC0FF_EE00_0001)

/// A report over octets that outlive it.
@_lifetime(borrow data)
func report(
    _ properties: AdvertisingEventProperties, _ data: borrowing [UInt8], from address: AddressOctets = beacon,
    typeCode: UInt8 = 1, sid: UInt8? = nil, status: AdvertisingDataStatus = .complete, rssi: Int8? = -50
) -> AdvertisingReport {
    AdvertisingReport(
        properties: properties, dataStatus: status, addressTypeCode: typeCode, addressOctets: address,
        advertisingSID: sid, rssi: rssi, data: data.octets)
}

/// An assembler in a box, since `#expect` takes no values that cannot be copied.
final class Listener {
    private var assembler: AdvertisementAssembler

    init(limits: AdvertisementAssembler.Limits = .init()) {
        assembler = AdvertisementAssembler(limits: limits)
    }

    var unfinishedCount: Int { assembler.unfinishedCount }
    var abandonedCount: Int { assembler.abandonedCount }
    var deviceCount: Int { assembler.devices.count }

    func reset() { assembler.reset() }

    func receive(_ report: AdvertisingReport, at time: UInt64, deliver: (borrowing Advertisement) -> Void) {
        assembler.receive(report, at: time, deliver: deliver)
    }

    /// Takes a report of these parts, and returns what it completed.
    func take(
        _ properties: AdvertisingEventProperties, _ data: String, from address: AddressOctets = beacon,
        typeCode: UInt8 = 1, sid: UInt8? = nil, status: AdvertisingDataStatus = .complete, rssi: Int8? = -50,
        at time: UInt64 = 0
    ) -> AdvertisementRecord? {
        let octets = hex(data)
        var record: AdvertisementRecord?
        let report = report(
            properties, octets, from: address, typeCode: typeCode, sid: sid, status: status, rssi: rssi)
        receive(report, at: time) { record = AdvertisementRecord(copying: $0) }
        return record
    }
}

/// A device table in a box, since `#expect` takes no values that cannot be copied.
final class Table {
    private var table: DeviceTable

    init(maximumCount: Int = 100, seed: UInt64 = 1) {
        table = DeviceTable(maximumCount: maximumCount, seed: seed)
    }

    var count: Int { table.count }
    var forgottenCount: Int { table.forgottenCount }
    var all: [DeviceTable.Entry] { table.all }

    func entry(for key: AdvertisingSetKey) -> DeviceTable.Entry? { table.entry(for: key) }
    func removeAll() { table.removeAll() }

    @discardableResult
    func observe(_ report: AdvertisingReport, at time: UInt64) -> DeviceTable.Changes {
        table.observe(report, at: time)
    }
}
