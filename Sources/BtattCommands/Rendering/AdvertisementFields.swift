import AssignedNumbers
import GAP
import Wire

/// What an advertiser says, gathered from both halves of its advertisement, for people and for programs.
struct AdvertisementFields {
    /// Data that a company, or a service, gave a meaning of its own.
    struct Owned: Hashable {
        /// The company identifier or the UUID, as JSON has it.
        var owner: JSONValue
        /// The assigned name of the owner.
        var name: String?
        var value: [UInt8]
        /// The owner for people.
        var label: String
    }

    let record: AdvertisementRecord
    private(set) var flags: AdvertisingFlags?
    private(set) var appearance: UInt16?
    private(set) var txPower: Int?
    private(set) var uri: String?
    private(set) var solicited: [BluetoothUUID] = []
    private(set) var serviceData: [Owned] = []
    private(set) var manufacturerData: [Owned] = []
    /// Where the structure of the data is broken: what came before is kept.
    private(set) var isMalformed = false

    init(_ record: AdvertisementRecord) {
        self.record = record
        for half in [record.advertisingData, record.scanResponse] { gather(half) }
    }

    private mutating func gather(_ half: StoredAdvertisingData) {
        let data = half.view
        flags = flags ?? data.flags
        appearance = appearance ?? data.appearance?.rawValue
        txPower = txPower ?? data.txPowerLevel.map { Int($0) }
        uri = uri ?? data.uri?.description
        var uuids = data.solicitedServiceUUIDs
        while let uuid = uuids.next() { solicited.append(uuid) }
        var services = data.serviceData
        while let entry = services.next() {
            serviceData.append(
                Owned(
                    owner: .string("\(entry.uuid.shortened)"),
                    name: AssignedNumbers.name(of: entry.uuid, as: .service), value: [UInt8](octets: entry.data),
                    label: entry.uuid.label(.service)))
        }
        var manufacturers = data.manufacturerData
        while let entry = manufacturers.next() {
            let name = AssignedNumbers.companyName(entry.company)
            manufacturerData.append(
                Owned(
                    owner: .integer(Int(entry.company)), name: name, value: [UInt8](octets: entry.data),
                    label: name ?? "company \(hexadecimal(entry.company))"))
        }
        if data.malformation != nil { isMalformed = true }
    }

    /// The advertiser for programs.
    func json(_ moment: Moment) -> JSONObject {
        var object: JSONObject = [
            "kind": "advertisement", "time": .string(moment.description),
            "address": record.address.map { .string("\($0.octets)") },
            "addressType": record.address.map { .string("\($0.type)") },
            "name": record.name.map { .string($0) }, "rssi": record.rssi.map { .integer(Int($0)) },
            "connectable": .boolean(record.properties.contains(.connectable)),
            "scanResponse": .boolean(record.isScanResponse),
            "sid": record.advertisingSID.map { .integer(Int($0)) },
            "services": .array(record.serviceUUIDs.map { .string("\($0.shortened)") }),
        ]
        if !solicited.isEmpty { object["solicited"] = .array(solicited.map { .string("\($0.shortened)") }) }
        object["manufacturerData"] = list(manufacturerData, "company")
        object["serviceData"] = list(serviceData, "uuid")
        object["appearance"] = appearance.map { .integer(Int($0)) }
        object["appearanceName"] = appearance.flatMap(AssignedNumbers.appearanceName).map { .string($0) }
        object["txPower"] = txPower.map { .integer($0) }
        object["uri"] = uri.map { .string($0) }
        object["flags"] = flags.map { .integer(Int($0.rawValue)) }
        object["data"] = .string(record.advertisingData.octets.hexadecimal)
        if !record.scanResponse.octets.isEmpty {
            object["scanResponseData"] = .string(record.scanResponse.octets.hexadecimal)
        }
        if record.dataStatus != .complete { object["truncated"] = true }
        if isMalformed { object["malformed"] = true }
        return object
    }

    private func list(_ entries: [Owned], _ key: String) -> JSONValue? {
        guard !entries.isEmpty else { return nil }
        return .array(
            entries.map {
                let object: JSONObject = [
                    key: $0.owner, "name": $0.name.map { .string($0) }, "value": .string($0.value.hexadecimal),
                ]
                return .object(object)
            })
    }

    /// Address, signal strength, name, and the rest in words.
    func cells(_ style: Style) -> [String] {
        [
            record.address?.description ?? "anonymous", record.rssi.map { "\($0) dBm" } ?? "",
            record.name.map { style.bold(printable($0)) } ?? "", details.joined(separator: "; "),
        ]
    }

    private var details: [String] {
        var parts: [String] = []
        let services = record.serviceUUIDs
        if !services.isEmpty { parts.append(services.map { $0.label(.service) }.joined(separator: ", ")) }
        if !solicited.isEmpty { parts.append("wants " + solicited.map { $0.label(.service) }.joined(separator: ", ")) }
        if let appearance {
            parts.append(AssignedNumbers.appearanceName(appearance) ?? "appearance \(hexadecimal(appearance))")
        }
        for entry in manufacturerData + serviceData {
            parts.append("\(printable(entry.label)): \(entry.value.hexadecimal)")
        }
        if let txPower { parts.append("sends with \(txPower) dBm") }
        if let uri { parts.append(printable(uri)) }
        if !record.properties.contains(.connectable) { parts.append("not connectable") }
        if record.dataStatus != .complete { parts.append("truncated") }
        if isMalformed { parts.append("malformed") }
        return parts
    }
}
