/// What an advertising report says about the PDU that was heard: the Event_Type of an extended report
/// (Core Specification, Vol 4, Part E, 7.7.65.13), into which legacy types are translated (Table 7.1 there).
@frozen
public struct AdvertisingEventProperties: OptionSet, Hashable, Sendable {
    public let rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The advertiser accepts connections.
    @inlinable public static var connectable: Self { Self(rawValue: 0x0001) }
    /// The advertiser answers scan requests.
    @inlinable public static var scannable: Self { Self(rawValue: 0x0002) }
    /// The advertisement is meant for one device.
    @inlinable public static var directed: Self { Self(rawValue: 0x0004) }
    /// The data is a scan response.
    @inlinable public static var scanResponse: Self { Self(rawValue: 0x0008) }
    /// A legacy PDU was heard.
    @inlinable public static var legacy: Self { Self(rawValue: 0x0010) }

    /// `ADV_IND`: connectable and scannable undirected, legacy.
    @inlinable public static var advInd: Self { [.legacy, .connectable, .scannable] }
    /// `ADV_DIRECT_IND`: connectable directed, legacy.
    @inlinable public static var advDirectInd: Self { [.legacy, .connectable, .directed] }
    /// `ADV_SCAN_IND`: scannable undirected, legacy.
    @inlinable public static var advScanInd: Self { [.legacy, .scannable] }
    /// `ADV_NONCONN_IND`: neither, legacy.
    @inlinable public static var advNonconnInd: Self { [.legacy] }
    /// `SCAN_RSP`, legacy. Extended reports add `connectable` when it answers an `ADV_IND`; legacy reports cannot.
    @inlinable public static var scanRsp: Self { [.legacy, .scannable, .scanResponse] }

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
    @inlinable public static var complete: Self { Self(rawValue: 0b00) }
    /// More data comes in the next report.
    @inlinable public static var moreToCome: Self { Self(rawValue: 0b01) }
    /// There was more data, but the controller lost it; nothing more comes.
    @inlinable public static var truncated: Self { Self(rawValue: 0b10) }
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
    @inlinable public static var le1M: Self { Self(rawValue: 0x01) }
    /// Two megasymbols per second, uncoded.
    @inlinable public static var le2M: Self { Self(rawValue: 0x02) }
    /// One megasymbol per second, coded: slower and further.
    @inlinable public static var leCoded: Self { Self(rawValue: 0x03) }
    /// One megasymbol per second, coded with S=2, where a controller tells the codings apart.
    @inlinable public static var leCodedS2: Self { Self(rawValue: 0x04) }
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
