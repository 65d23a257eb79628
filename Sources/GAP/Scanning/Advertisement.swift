/// A complete advertisement as a host sees it: the report that came now, its fragments joined, beside the other half
/// (advertising data or scan response) of the same advertiser that was heard before.
@frozen
public struct Advertisement: ~Escapable {
    /// The report that came now. Its data is whole, and `dataStatus` is `complete` or `truncated`.
    public let report: AdvertisingReport
    /// What the advertiser's advertisement says about it; a scan response alone does not say all.
    public let properties: AdvertisingEventProperties
    /// The last advertising data of this advertiser; empty when only its scan response was heard.
    public let advertisingData: AdvertisingData
    /// The last scan response of this advertiser; empty when none was heard.
    public let scanResponse: AdvertisingData
    /// What was not known before this report. Empty for a repeat. Anonymous advertisers are not remembered,
    /// so theirs is always `newAdvertiser` and `advertisingData`.
    public let changes: DeviceTable.Changes

    @inlinable
    @_lifetime(copy report, copy advertisingData, copy scanResponse)
    init(
        report: consuming AdvertisingReport, properties: AdvertisingEventProperties, advertisingData: RawSpan,
        scanResponse: RawSpan, changes: DeviceTable.Changes
    ) {
        self.report = report
        self.properties = properties
        self.advertisingData = AdvertisingData(advertisingData)
        self.scanResponse = AdvertisingData(scanResponse)
        self.changes = changes
    }

    /// Whether the advertiser accepts connections.
    @inlinable
    public var isConnectable: Bool { properties.contains(.connectable) }

    /// Whether the report brought nothing new.
    @inlinable
    public var isRepeat: Bool { changes.isEmpty }

    /// The local name: a complete one before a shortened one, from either half.
    public var name: String? {
        advertisingData.completeName ?? scanResponse.completeName
            ?? advertisingData.shortenedName ?? scanResponse.shortenedName
    }

    /// Whether either half lists the service `uuid`.
    public func advertises(_ uuid: BluetoothUUID) -> Bool {
        advertisingData.advertises(uuid) || scanResponse.advertises(uuid)
    }
}

/// An advertisement as an owned value, for keeping and passing on.
public struct AdvertisementRecord: Hashable, Sendable {
    /// The advertiser's address; `nil` when anonymous.
    public var address: DeviceAddress?
    /// Whether the controller resolved a private address and reports the identity behind it.
    public var isIdentityAddress: Bool
    /// What the advertiser's advertisement says about it.
    public var properties: AdvertisingEventProperties
    /// Whether the report behind this record was a scan response.
    public var isScanResponse: Bool
    /// `complete` or `truncated`.
    public var dataStatus: AdvertisingDataStatus
    /// The PHY of the advertising channel.
    public var primaryPHY: PHY
    /// The PHY of the data channel; `nil` when all was on the advertising channel.
    public var secondaryPHY: PHY?
    /// The advertising set identifier; `nil` for legacy PDUs.
    public var advertisingSID: UInt8?
    /// The transmit power the controller reported, in dBm; what the device itself says is in its data.
    public var txPower: Int8?
    /// The signal strength in dBm; `nil` when the controller does not know it.
    public var rssi: Int8?
    /// The interval of the periodic advertising, in units of 1.25 ms; 0 when there is none.
    public var periodicAdvertisingInterval: UInt16
    /// The address a directed advertisement is meant for.
    public var directAddress: DeviceAddress?
    /// The advertising data.
    public var advertisingData: StoredAdvertisingData
    /// The scan response; empty when none was heard.
    public var scanResponse: StoredAdvertisingData
    /// What was not known before.
    public var changes: DeviceTable.Changes

    /// A copy of `advertisement`.
    public init(copying advertisement: borrowing Advertisement) {
        address = advertisement.report.address
        isIdentityAddress = advertisement.report.isIdentityAddress
        properties = advertisement.properties
        isScanResponse = advertisement.report.isScanResponse
        dataStatus = advertisement.report.dataStatus
        primaryPHY = advertisement.report.primaryPHY
        secondaryPHY = advertisement.report.secondaryPHY
        advertisingSID = advertisement.report.advertisingSID
        txPower = advertisement.report.txPower
        rssi = advertisement.report.rssi
        periodicAdvertisingInterval = advertisement.report.periodicAdvertisingInterval
        directAddress = advertisement.report.directAddress
        advertisingData = StoredAdvertisingData(copying: advertisement.advertisingData)
        scanResponse = StoredAdvertisingData(copying: advertisement.scanResponse)
        changes = advertisement.changes
    }

    /// What a table keeps of an advertiser. It keeps nothing of the PHYs and of what was directed to whom.
    public init(_ entry: DeviceTable.Entry) {
        address = entry.key.address
        isIdentityAddress = false
        properties = entry.properties
        isScanResponse = false
        dataStatus = .complete
        primaryPHY = .le1M
        secondaryPHY = nil
        advertisingSID = entry.key.advertisingSID
        txPower = nil
        rssi = entry.rssi
        periodicAdvertisingInterval = 0
        directAddress = nil
        advertisingData = entry.advertisingData
        scanResponse = entry.scanResponse
        changes = []
    }

    /// The local name: a complete one before a shortened one, from either half.
    public var name: String? {
        advertisingData.view.completeName ?? scanResponse.view.completeName
            ?? advertisingData.view.shortenedName ?? scanResponse.view.shortenedName
    }

    /// The service UUIDs of both halves, in order, each once.
    public var serviceUUIDs: [BluetoothUUID] {
        var seen: [BluetoothUUID] = []
        for half in [advertisingData, scanResponse] {
            var uuids = half.view.serviceUUIDs
            while let uuid = uuids.next() {
                if !seen.contains(uuid) { seen.append(uuid) }
            }
        }
        return seen
    }
}
