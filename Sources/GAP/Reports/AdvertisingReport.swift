/// One advertising report: what a controller heard once, legacy and extended in one form
/// (Core Specification, Vol 4, Part E, 7.7.65.2, 7.7.65.11, 7.7.65.13).
///
/// A view: its data belongs to the event packet it came in. An extended report may be a fragment
/// (`dataStatus == .moreToCome`); `AdvertisementAssembler` joins those.
@frozen
public struct AdvertisingReport: ~Escapable {
    /// What sort of PDU was heard.
    public var properties: AdvertisingEventProperties
    /// Whether the data is complete.
    public var dataStatus: AdvertisingDataStatus
    /// The address type as the controller gave it: 0x00 public, 0x01 random, 0x02 and 0x03 the same but an identity
    /// that the controller resolved, 0xFF anonymous.
    public var addressTypeCode: UInt8
    /// The six octets as the controller gave them; zeros when anonymous.
    public var addressOctets: AddressOctets
    /// The PHY of the advertising channel.
    public var primaryPHY: PHY
    /// The PHY of the data channel; `nil` when all was on the advertising channel.
    public var secondaryPHY: PHY?
    /// The advertising set identifier, 0x00–0x0F; `nil` when there is none, as in legacy PDUs.
    public var advertisingSID: UInt8?
    /// The transmit power in dBm; `nil` when the controller does not know it.
    public var txPower: Int8?
    /// The signal strength in dBm; `nil` when the controller does not know it.
    public var rssi: Int8?
    /// The interval of the periodic advertising, in units of 1.25 ms; 0 when there is none.
    public var periodicAdvertisingInterval: UInt16
    /// The address a directed advertisement is meant for, where the report names it.
    public var directAddress: DeviceAddress?
    /// The advertising data, or the scan response data where `properties` says so.
    public var data: AdvertisingData

    /// A report of its fields. The defaults are those of a legacy report.
    @inlinable
    @inline(__always)
    @_lifetime(copy data)
    public init(
        properties: AdvertisingEventProperties, dataStatus: AdvertisingDataStatus = .complete,
        addressTypeCode: UInt8, addressOctets: AddressOctets, primaryPHY: PHY = .le1M, secondaryPHY: PHY? = nil,
        advertisingSID: UInt8? = nil, txPower: Int8? = nil, rssi: Int8? = nil,
        periodicAdvertisingInterval: UInt16 = 0, directAddress: DeviceAddress? = nil, data: RawSpan
    ) {
        self.properties = properties
        self.dataStatus = dataStatus
        self.addressTypeCode = addressTypeCode
        self.addressOctets = addressOctets
        self.primaryPHY = primaryPHY
        self.secondaryPHY = secondaryPHY
        self.advertisingSID = advertisingSID
        self.txPower = txPower
        self.rssi = rssi
        self.periodicAdvertisingInterval = periodicAdvertisingInterval
        self.directAddress = directAddress
        self.data = AdvertisingData(data)
    }

    /// Whether the advertiser gave no address.
    @inlinable
    public var isAnonymous: Bool { addressTypeCode == 0xFF }

    /// Whether the controller resolved a private address and reports the identity behind it.
    @inlinable
    public var isIdentityAddress: Bool { addressTypeCode == 0x02 || addressTypeCode == 0x03 }

    /// The advertiser's address; `nil` when anonymous or of an unknown type.
    @inlinable
    public var address: DeviceAddress? {
        DeviceAddress(addressOctets, typeCode: addressTypeCode)
    }

    /// Whether the data is a scan response.
    @inlinable
    public var isScanResponse: Bool { properties.contains(.scanResponse) }
}

extension DeviceAddress {
    /// An address with its type as HCI codes it: 0x00 and 0x02 public, 0x01 and 0x03 random (identity types are not
    /// told apart); `nil` for anything else, such as 0xFF, anonymous (Core Specification, Vol 4, Part E, 7.7.65.13).
    @inlinable
    public init?(_ octets: AddressOctets, typeCode: UInt8) {
        switch typeCode {
        case 0x00, 0x02: self.init(octets, type: .public)
        case 0x01, 0x03: self.init(octets, type: .random)
        default: return nil
        }
    }
}

/// Which advertising set a report belongs to: address type, address and SID, by which fragments are joined and
/// advertisers remembered. One device may run several sets.
@frozen
public struct AdvertisingSetKey: Hashable, Sendable {
    /// The address in the low 48 bits, its type code in the next 8, the SID (0xFF for none) in the highest 8.
    public let packed: UInt64

    @inlinable
    init(packed: UInt64) { self.packed = packed }

    /// The set of `report`.
    @inlinable
    public init(_ report: borrowing AdvertisingReport) {
        packed =
            report.addressOctets.value | UInt64(report.addressTypeCode) << 48
            | UInt64(report.advertisingSID ?? 0xFF) << 56
    }

    /// The advertiser's address; `nil` when anonymous or of an unknown type.
    @inlinable
    public var address: DeviceAddress? {
        DeviceAddress(AddressOctets(value: packed), typeCode: UInt8(truncatingIfNeeded: packed >> 48))
    }

    /// The advertising set identifier; `nil` for legacy PDUs.
    @inlinable
    public var advertisingSID: UInt8? {
        let sid = UInt8(truncatingIfNeeded: packed >> 56)
        return sid == 0xFF ? nil : sid
    }
}
