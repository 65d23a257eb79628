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
    /// The parameters of the event.
    @usableFromInline let octets: RawSpan
    /// Where the next report starts in them.
    @usableFromInline var offset = 2
    /// How many reports are still to come; none after one that does not fit.
    @usableFromInline var left: Int
    @usableFromInline var failure: Malformation?

    /// Reads the parameters of an LE Meta event, the subevent code first.
    /// - Throws: `truncated` when not even the number of reports is there.
    @inlinable
    @inline(__always)
    @_lifetime(copy parameters)
    public init(parsing parameters: RawSpan, layout: Layout) throws(MalformedError) {
        guard parameters.byteCount >= 2 else { throw MalformedError(.truncated, at: parameters.byteCount) }
        self.layout = layout
        octets = parameters
        // In bounds: there are two octets.
        declaredCount = Int(unsafe parameters.unsafeLoad(fromUncheckedByteOffset: 1, as: UInt8.self))
        left = declaredCount
    }

    /// The report that does not fit; known once `next()` has returned `nil`.
    @inlinable
    public var malformation: Malformation? { failure }

    /// The next report, or `nil` when there are no more.
    @inlinable
    @inline(__always)
    @_lifetime(copy self)
    public mutating func next() -> AdvertisingReport? {
        guard left > 0 else { return nil }
        let report: AdvertisingReport?
        switch layout {
        case .legacy: report = legacy()
        case .directed: report = directed()
        case .extended: report = extended()
        }
        guard let report else {
            fail()
            return nil
        }
        left &-= 1
        return report
    }

    /// Type, address type, address, length of the data, data, signal strength; `nil` when the octets end before.
    @inlinable
    @inline(__always)
    @_lifetime(copy self)
    mutating func legacy() -> AdvertisingReport? {
        let room = octets.byteCount &- offset &- 10
        guard room >= 0 else { return nil }
        // In bounds: ten octets are left, and as many more as there are of data.
        let length = Int(unsafe octet(8))
        guard room >= length else { return nil }
        let report = unsafe AdvertisingReport(
            properties: AdvertisingEventProperties(legacyEventType: octet(0)), addressTypeCode: octet(1),
            addressOctets: address(2), rssi: Self.power(octet(9 &+ length)), data: data(9, count: length))
        offset &+= 10 &+ length
        return report
    }

    /// Type, address type, address, type and address of the receiver, signal strength; `nil` when the octets end before.
    @inlinable
    @inline(__always)
    @_lifetime(copy self)
    mutating func directed() -> AdvertisingReport? {
        guard octets.byteCount &- offset >= 16 else { return nil }
        // In bounds: sixteen octets are left.
        let report = unsafe AdvertisingReport(
            properties: AdvertisingEventProperties(legacyEventType: octet(0)), addressTypeCode: octet(1),
            addressOctets: address(2), rssi: Self.power(octet(15)),
            directAddress: DeviceAddress(address(9), typeCode: octet(8)), data: data(16, count: 0))
        offset &+= 16
        return report
    }

    /// Type, address type, address, primary and secondary PHY, SID, transmit power, signal strength, periodic
    /// interval, type and address of the receiver, length of the data, data; `nil` when the octets end before.
    @inlinable
    @inline(__always)
    @_lifetime(copy self)
    mutating func extended() -> AdvertisingReport? {
        let room = octets.byteCount &- offset &- 24
        guard room >= 0 else { return nil }
        // In bounds: 24 octets are left, and as many more as there are of data.
        let length = Int(unsafe octet(23))
        guard room >= length else { return nil }
        let type = unsafe UInt16(octet(0)) | UInt16(octet(1)) << 8
        let properties = AdvertisingEventProperties(rawValue: type & 0x1F)
        let secondaryPHY = unsafe octet(10)
        let sid = unsafe octet(11)
        let report = unsafe AdvertisingReport(
            properties: properties, dataStatus: AdvertisingDataStatus(rawValue: UInt8(truncatingIfNeeded: type >> 5)),
            addressTypeCode: octet(2), addressOctets: address(3), primaryPHY: PHY(rawValue: octet(9)),
            secondaryPHY: secondaryPHY == 0 ? nil : PHY(rawValue: secondaryPHY),
            advertisingSID: sid == 0xFF ? nil : sid, txPower: Self.power(octet(12)), rssi: Self.power(octet(13)),
            periodicAdvertisingInterval: UInt16(octet(14)) | UInt16(octet(15)) << 8,
            directAddress: properties.contains(.directed) ? DeviceAddress(address(17), typeCode: octet(16)) : nil,
            data: data(24, count: length))
        offset &+= 24 &+ length
        return report
    }

    /// A power in dBm; 127 says that it is not known.
    @inlinable
    @inline(__always)
    static func power(_ octet: UInt8) -> Int8? { octet == 127 ? nil : Int8(bitPattern: octet) }
}

// The fields of the report at `offset`. Whoever reads one has found it to be in bounds.
extension AdvertisingReports {
    @unsafe
    @inlinable
    @inline(__always)
    func octet(_ field: Int) -> UInt8 {
        unsafe octets.unsafeLoad(fromUncheckedByteOffset: offset &+ field, as: UInt8.self)
    }

    @unsafe
    @inlinable
    @inline(__always)
    func address(_ field: Int) -> AddressOctets {
        let low = unsafe octets.unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ field, as: UInt32.self)
        let high = unsafe octets.unsafeLoadUnaligned(fromUncheckedByteOffset: offset &+ field &+ 4, as: UInt16.self)
        return AddressOctets(value: UInt64(UInt32(littleEndian: low)) | UInt64(UInt16(littleEndian: high)) << 32)
    }

    @unsafe
    @inlinable
    @inline(__always)
    @_lifetime(copy self)
    func data(_ field: Int, count: Int) -> RawSpan {
        unsafe octets.slice(uncheckedFrom: offset &+ field, count: count)
    }

    /// Ends the list at a report that does not fit, and works out which of its fields is cut short.
    @usableFromInline
    @inline(never)
    mutating func fail() {
        let widths: [Int]
        switch layout {
        case .legacy: widths = [1, 1, 6, 1]
        case .directed: widths = [1, 1, 6, 1, 6, 1]
        case .extended: widths = [2, 1, 6, 1, 1, 1, 1, 1, 2, 1, 6, 1]
        }
        var field = offset
        for width in widths {
            guard octets.byteCount &- field >= width else { break }
            field &+= width
        }
        // All of them are there: then the data is not, whose length is the last one, or what follows the data.
        if layout == .legacy, field == offset &+ 9 {
            // In bounds: nine octets are there.
            let length = Int(unsafe octet(8))
            if octets.byteCount &- field >= length { field &+= length }
        }
        failure = Malformation(index: declaredCount &- left, error: MalformedError(.truncated, at: field))
        left = 0
    }
}
