/// What an advertising report says about the PDU that was heard: the Event_Type of an extended report
/// (Core Specification, Vol 4, Part E, 7.7.65.13), into which legacy types are translated (Table 7.1 there).
@frozen
public struct AdvertisingEventProperties: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The advertiser accepts connections.
    public static let connectable = AdvertisingEventProperties(rawValue: 0x0001)
    /// The advertiser answers scan requests.
    public static let scannable = AdvertisingEventProperties(rawValue: 0x0002)
    /// The advertisement is meant for one device.
    public static let directed = AdvertisingEventProperties(rawValue: 0x0004)
    /// The data is a scan response.
    public static let scanResponse = AdvertisingEventProperties(rawValue: 0x0008)
    /// A legacy PDU was heard.
    public static let legacy = AdvertisingEventProperties(rawValue: 0x0010)

    /// `ADV_IND`: connectable and scannable undirected, legacy.
    public static let advInd: AdvertisingEventProperties = [.legacy, .connectable, .scannable]
    /// `ADV_DIRECT_IND`: connectable directed, legacy.
    public static let advDirectInd: AdvertisingEventProperties = [.legacy, .connectable, .directed]
    /// `ADV_SCAN_IND`: scannable undirected, legacy.
    public static let advScanInd: AdvertisingEventProperties = [.legacy, .scannable]
    /// `ADV_NONCONN_IND`: neither, legacy.
    public static let advNonconnInd: AdvertisingEventProperties = [.legacy]
    /// `SCAN_RSP`, legacy. Extended reports add `connectable` when it answers an `ADV_IND`; legacy reports cannot.
    public static let scanRsp: AdvertisingEventProperties = [.legacy, .scannable, .scanResponse]

    /// The properties that an event type of the legacy LE Advertising Report event stands for
    /// (Core Specification, Vol 4, Part E, 7.7.65.2); a reserved type is taken as neither connectable nor scannable.
    @inlinable
    public init(legacyEventType: UInt8) {
        switch legacyEventType {
        case 0x00: self = .advInd
        case 0x01: self = .advDirectInd
        case 0x02: self = .advScanInd
        case 0x04: self = .scanRsp
        default: self = .advNonconnInd
        }
    }
}

extension AdvertisingEventProperties: CustomStringConvertible {
    /// The names of the set bits: `connectable, scannable, legacy`.
    public var description: String {
        let names: [(AdvertisingEventProperties, String)] = [
            (.connectable, "connectable"), (.scannable, "scannable"), (.directed, "directed"),
            (.scanResponse, "scan response"), (.legacy, "legacy"),
        ]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}

/// Whether a report's data is all there is (Core Specification, Vol 4, Part E, 7.7.65.13, Event_Type bits 5 and 6).
@frozen
public struct AdvertisingDataStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue & 0x3 }

    /// The data is complete.
    public static let complete = AdvertisingDataStatus(rawValue: 0b00)
    /// More data comes in the next report.
    public static let moreToCome = AdvertisingDataStatus(rawValue: 0b01)
    /// There was more data, but the controller lost it; nothing more comes.
    public static let truncated = AdvertisingDataStatus(rawValue: 0b10)
}

extension AdvertisingDataStatus: CustomStringConvertible {
    /// `complete`, `more to come`, `truncated` or the reserved number.
    public var description: String {
        switch self {
        case .complete: "complete"
        case .moreToCome: "more to come"
        case .truncated: "truncated"
        default: "reserved (\(rawValue))"
        }
    }
}

/// A physical layer (Core Specification, Vol 6, Part B, 2; numbered as in Vol 4, Part E, 7.7.65.13).
@frozen
public struct PHY: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// One megasymbol per second, uncoded.
    public static let le1M = PHY(rawValue: 0x01)
    /// Two megasymbols per second, uncoded.
    public static let le2M = PHY(rawValue: 0x02)
    /// One megasymbol per second, coded: slower and further.
    public static let leCoded = PHY(rawValue: 0x03)
    /// One megasymbol per second, coded with S=2, where a controller tells the codings apart.
    public static let leCodedS2 = PHY(rawValue: 0x04)
}

extension PHY: CustomStringConvertible {
    /// `LE 1M`, `LE 2M`, `LE Coded`, or the number.
    public var description: String {
        switch self {
        case .le1M: "LE 1M"
        case .le2M: "LE 2M"
        case .leCoded: "LE Coded"
        case .leCodedS2: "LE Coded S=2"
        default: "PHY \(rawValue)"
        }
    }
}
