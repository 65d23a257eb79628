import Central
import Foundation
import GAP
import GATT

/// What was advertised, in the form in which delegates get it: advertising data and scan response together. A key is there
/// only when its field was.
func advertisementData(_ result: ScanResult) -> [String: Any] {
    let record = result.advertisement
    let halves = [record.advertisingData, record.scanResponse]
    var data: [String: Any] = [
        CBAdvertisementDataIsConnectable: NSNumber(value: result.isConnectable),
        // Not documented by Apple, yet there, and some programs insist.
        "kCBAdvDataTimestamp": Double(result.time.unixNanoseconds) / 1e9 - Date.timeIntervalBetween1970AndReferenceDate,
        "kCBAdvDataRxPrimaryPHY": NSNumber(value: record.primaryPHY.rawValue),
        "kCBAdvDataRxSecondaryPHY": NSNumber(value: record.secondaryPHY?.rawValue ?? 0),
    ]
    data[CBAdvertisementDataLocalNameKey] = result.name
    let power = record.advertisingData.view.txPowerLevel ?? record.scanResponse.view.txPowerLevel
    data[CBAdvertisementDataTxPowerLevelKey] = power.map { NSNumber(value: $0) }
    let services = record.serviceUUIDs
    if !services.isEmpty { data[CBAdvertisementDataServiceUUIDsKey] = services.map { CBUUID($0) } }
    var solicited: [BluetoothUUID] = []
    var serviceData: [CBUUID: Data] = [:]
    var manufacturerData: Data?
    for half in halves {
        var uuids = half.view.solicitedServiceUUIDs
        while let uuid = uuids.next() {
            if !solicited.contains(uuid) { solicited.append(uuid) }
        }
        var items = half.view.serviceData
        while let item = items.next() {
            // The latest counts; a scan response comes after the advertisement.
            serviceData[CBUUID(item.uuid)] = Data([UInt8](octets: item.data))
        }
        if manufacturerData == nil, let octets = half.view.first(.manufacturerSpecificData) {
            // As it was sent: the company identifier first, and also when there is less than that.
            manufacturerData = Data([UInt8](octets: octets))
        }
    }
    if !solicited.isEmpty { data[CBAdvertisementDataSolicitedServiceUUIDsKey] = solicited.map { CBUUID($0) } }
    if !serviceData.isEmpty { data[CBAdvertisementDataServiceDataKey] = serviceData }
    data[CBAdvertisementDataManufacturerDataKey] = manufacturerData
    return data
}
