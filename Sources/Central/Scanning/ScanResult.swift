public import GAP

/// An advertiser as a scan heard it.
public struct ScanResult: Sendable {
    /// What it advertises: advertising data and scan response together, with the report's particulars.
    public let advertisement: AdvertisementRecord
    /// When it was heard.
    public let time: Timestamp
    /// Whether this scan had not told of it before.
    public let isNew: Bool

    /// A result of its parts.
    public init(advertisement: AdvertisementRecord, time: Timestamp, isNew: Bool) {
        self.advertisement = advertisement
        self.time = time
        self.isNew = isNew
    }

    /// Its address, with the type; `nil` when it advertises anonymously.
    public var address: DeviceAddress? { advertisement.address }

    /// Its name, a complete one before a shortened one; `nil` when it tells none.
    public var name: String? { advertisement.name }

    /// Signal strength in dBm; `nil` when the controller does not know it.
    public var rssi: Int8? { advertisement.rssi }

    /// Whether it accepts connections.
    public var isConnectable: Bool { advertisement.properties.contains(.connectable) }

    /// The services it lists.
    public var serviceUUIDs: [BluetoothUUID] { advertisement.serviceUUIDs }
}
