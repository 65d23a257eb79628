/// The advertising reports of one event, as a lazy list (Core Specification, Vol 4, Part E, 7.7.65.2, 7.7.65.11,
/// 7.7.65.13).
///
/// The specification prints the parameters as arrays, and sends them report by report (5.2): all fields of the first
/// report, then all of the second. A report that the event is too short for ends the list and is told by
/// `malformation`; those before it are good.
///
/// ```swift
/// var reports = reports
/// while let report = reports.next() { … }
/// if let malformation = reports.malformation { … }
/// ```
@frozen
public struct AdvertisingReports: ~Escapable {
    /// Which event they came in.
    @frozen
    public enum Layout: Sendable {
        /// LE Advertising Report.
        case legacy
        /// LE Directed Advertising Report.
        case directed
        /// LE Extended Advertising Report.
        case extended
    }

    /// A report that does not fit its event.
    @frozen
    public struct Malformation: Hashable, Sendable {
        /// Which report, counted from 0.
        public let index: Int
        /// What is wrong, at an offset from the subevent code.
        public let error: MalformedError

        @inlinable
        public init(index: Int, error: MalformedError) {
            self.index = index
            self.error = error
        }
    }

    /// Which event they came in.
    public let layout: Layout
    /// How many reports the event declares.
    public let declaredCount: Int
    @usableFromInline var reader: OctetReader
    @usableFromInline var read = 0
    @usableFromInline var failure: Malformation?

    /// Reads the parameters of an LE Meta event, the subevent code first.
    /// - Throws: `truncated` when not even the number of reports is there.
    @inlinable
    @_lifetime(copy parameters)
    public init(parsing parameters: RawSpan, layout: Layout) throws(MalformedError) {
        self.layout = layout
        reader = OctetReader(parameters, at: 1)
        declaredCount = Int(try reader.uint8())
    }

    /// The report that does not fit; known once `next()` has returned `nil`.
    @inlinable
    public var malformation: Malformation? { failure }

    /// The next report, or `nil` when there are no more.
    @inlinable
    @_lifetime(copy self)
    public mutating func next() -> AdvertisingReport? {
        guard read < declaredCount, failure == nil else { return nil }
        do throws(MalformedError) {
            let report: AdvertisingReport
            switch layout {
            case .legacy: report = try Self.legacy(&reader)
            case .directed: report = try Self.directed(&reader)
            case .extended: report = try Self.extended(&reader)
            }
            read &+= 1
            return report
        } catch {
            failure = Malformation(index: read, error: error)
            return nil
        }
    }

    @inlinable
    @_lifetime(copy reader)
    static func legacy(_ reader: inout OctetReader) throws(MalformedError) -> AdvertisingReport {
        let type = try reader.uint8()
        let addressType = try reader.uint8()
        let address = try reader.addressOctets()
        let length = try reader.uint8()
        let data = try reader.octets(Int(length))
        let rssi = try reader.uint8()
        return AdvertisingReport(
            properties: AdvertisingEventProperties(legacyEventType: type), addressTypeCode: addressType,
            addressOctets: address, rssi: power(rssi), data: data)
    }

    @inlinable
    @_lifetime(copy reader)
    static func directed(_ reader: inout OctetReader) throws(MalformedError) -> AdvertisingReport {
        let type = try reader.uint8()
        let addressType = try reader.uint8()
        let address = try reader.addressOctets()
        let directType = try reader.uint8()
        let directAddress = try reader.addressOctets()
        let rssi = try reader.uint8()
        return AdvertisingReport(
            properties: AdvertisingEventProperties(legacyEventType: type), addressTypeCode: addressType,
            addressOctets: address, rssi: power(rssi),
            directAddress: DeviceAddress(directAddress, typeCode: directType), data: try reader.octets(0))
    }

    @inlinable
    @_lifetime(copy reader)
    static func extended(_ reader: inout OctetReader) throws(MalformedError) -> AdvertisingReport {
        let type = try reader.uint16()
        let addressType = try reader.uint8()
        let address = try reader.addressOctets()
        let primaryPHY = try reader.uint8()
        let secondaryPHY = try reader.uint8()
        let sid = try reader.uint8()
        let txPower = try reader.uint8()
        let rssi = try reader.uint8()
        let interval = try reader.uint16()
        let directType = try reader.uint8()
        let directAddress = try reader.addressOctets()
        let length = try reader.uint8()
        let data = try reader.octets(Int(length))
        let properties = AdvertisingEventProperties(rawValue: type & 0x1F)
        return AdvertisingReport(
            properties: properties, dataStatus: AdvertisingDataStatus(rawValue: UInt8(truncatingIfNeeded: type >> 5)),
            addressTypeCode: addressType, addressOctets: address, primaryPHY: PHY(rawValue: primaryPHY),
            secondaryPHY: secondaryPHY == 0 ? nil : PHY(rawValue: secondaryPHY),
            advertisingSID: sid == 0xFF ? nil : sid, txPower: power(txPower), rssi: power(rssi),
            periodicAdvertisingInterval: interval,
            directAddress: properties.contains(.directed) ? DeviceAddress(directAddress, typeCode: directType) : nil,
            data: data)
    }

    /// A power in dBm; 127 says that it is not known.
    @inlinable
    static func power(_ octet: UInt8) -> Int8? { octet == 127 ? nil : Int8(bitPattern: octet) }
}
