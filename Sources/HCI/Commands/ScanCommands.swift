// Scanning (Core Specification, Vol 4, Part E, 7.8). A controller takes either the legacy or the extended commands until
// it is reset, and refuses the others with Command Disallowed (3.1.1): LE feature bit 12 says which to begin with.

/// Whose address a device uses for itself (Own_Address_Type).
@frozen
public struct OwnAddressType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The public address.
    public static let `public` = OwnAddressType(rawValue: 0x00)
    /// The random address of LE Set Random Address.
    public static let random = OwnAddressType(rawValue: 0x01)
    /// A resolvable private address the controller makes, else the public address.
    public static let resolvableOrPublic = OwnAddressType(rawValue: 0x02)
    /// A resolvable private address the controller makes, else the random address.
    public static let resolvableOrRandom = OwnAddressType(rawValue: 0x03)
}

/// Which advertisements a scanner reports (Scanning_Filter_Policy).
@frozen
public struct ScanningFilterPolicy: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// All but those directed to another device.
    public static let all = ScanningFilterPolicy(rawValue: 0x00)
    /// Of devices in the filter accept list only.
    public static let acceptList = ScanningFilterPolicy(rawValue: 0x01)
}

/// LE Set Scan Parameters (7.8.10).
@frozen
public struct LESetScanParametersCommand: HCICommand {
    public static let opcode = CommandOpcode.leSetScanParameters

    /// Whether scan responses are asked for.
    public var isActive: Bool
    /// From the start of one scan window to the next, in units of 0.625 ms, 0x0004–0x4000.
    public var interval: UInt16
    /// How long each scan lasts, in units of 0.625 ms, 0x0004–0x4000, at most the interval.
    public var window: UInt16
    /// Which address scan requests carry.
    public var ownAddressType: OwnAddressType
    /// Which advertisements are reported.
    public var filterPolicy: ScanningFilterPolicy

    public init(
        isActive: Bool, interval: UInt16 = 0x0060, window: UInt16 = 0x0060, ownAddressType: OwnAddressType = .public,
        filterPolicy: ScanningFilterPolicy = .all
    ) {
        self.isActive = isActive
        self.interval = interval
        self.window = window
        self.ownAddressType = ownAddressType
        self.filterPolicy = filterPolicy
    }

    public var parameterByteCount: Int { 7 }
    public func encodeParameters(into output: inout OutputRawSpan) {
        output.append(flag: isActive)
        output.append(littleEndian: interval)
        output.append(littleEndian: window)
        output.append(ownAddressType.rawValue)
        output.append(filterPolicy.rawValue)
    }
}

/// LE Set Scan Enable (7.8.11).
@frozen
public struct LESetScanEnableCommand: HCICommand {
    public static let opcode = CommandOpcode.leSetScanEnable

    /// Whether to scan.
    public var isEnabled: Bool
    /// Whether the controller leaves out repeats: it then leaves out changed data too.
    public var filtersDuplicates: Bool

    public init(isEnabled: Bool, filtersDuplicates: Bool = false) {
        self.isEnabled = isEnabled
        self.filtersDuplicates = filtersDuplicates
    }

    public var parameterByteCount: Int { 2 }
    public func encodeParameters(into output: inout OutputRawSpan) {
        output.append(flag: isEnabled)
        output.append(flag: filtersDuplicates)
    }
}

/// LE Set Extended Scan Parameters (7.8.64).
@frozen
public struct LESetExtendedScanParametersCommand: HCICommand {
    public static let opcode = CommandOpcode.leSetExtendedScanParameters

    /// How one primary PHY is scanned.
    @frozen
    public struct Scan: Hashable, Sendable {
        /// Whether scan responses are asked for.
        public var isActive: Bool
        /// From the start of one scan window to the next, in units of 0.625 ms, from 0x0004.
        public var interval: UInt16
        /// How long each scan lasts, in units of 0.625 ms, from 0x0004, at most the interval.
        public var window: UInt16

        public init(isActive: Bool, interval: UInt16 = 0x0060, window: UInt16 = 0x0060) {
            self.isActive = isActive
            self.interval = interval
            self.window = window
        }
    }

    /// Which address scan requests carry.
    public var ownAddressType: OwnAddressType
    /// Which advertisements are reported.
    public var filterPolicy: ScanningFilterPolicy
    /// How LE 1M is scanned; `nil` not at all. At least one of the two must be scanned.
    public var le1M: Scan?
    /// How LE Coded is scanned; `nil` not at all. Only where the controller has the PHY.
    public var leCoded: Scan?

    public init(
        ownAddressType: OwnAddressType = .public, filterPolicy: ScanningFilterPolicy = .all, le1M: Scan?,
        leCoded: Scan? = nil
    ) {
        self.ownAddressType = ownAddressType
        self.filterPolicy = filterPolicy
        self.le1M = le1M
        self.leCoded = leCoded
    }

    public var parameterByteCount: Int { 3 + (le1M == nil ? 0 : 5) + (leCoded == nil ? 0 : 5) }
    public func encodeParameters(into output: inout OutputRawSpan) {
        output.append(ownAddressType.rawValue)
        output.append(filterPolicy.rawValue)
        // Bit 0 is LE 1M, bit 2 LE Coded.
        output.append((le1M == nil ? 0 : 0b001) | (leCoded == nil ? 0 : 0b100))
        for scan in [le1M, leCoded] {
            guard let scan else { continue }
            output.append(flag: scan.isActive)
            output.append(littleEndian: scan.interval)
            output.append(littleEndian: scan.window)
        }
    }
}

/// LE Set Extended Scan Enable (7.8.65).
@frozen
public struct LESetExtendedScanEnableCommand: HCICommand {
    public static let opcode = CommandOpcode.leSetExtendedScanEnable

    /// Which repeats the controller leaves out (Filter_Duplicates).
    @frozen
    public struct DuplicateFilter: RawRepresentable, Hashable, Sendable {
        public let rawValue: UInt8

        @inlinable
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// None.
        public static let off = DuplicateFilter(rawValue: 0x00)
        /// All, changed data too.
        public static let on = DuplicateFilter(rawValue: 0x01)
        /// All within one period.
        public static let resetEachPeriod = DuplicateFilter(rawValue: 0x02)
    }

    /// Whether to scan.
    public var isEnabled: Bool
    /// Which repeats the controller leaves out.
    public var duplicateFilter: DuplicateFilter
    /// How long to scan, in units of 10 ms; 0 until disabled.
    public var duration: UInt16
    /// From the start of one duration to the next, in units of 1.28 s; 0 for one only.
    public var period: UInt16

    public init(
        isEnabled: Bool, duplicateFilter: DuplicateFilter = .off, duration: UInt16 = 0, period: UInt16 = 0
    ) {
        self.isEnabled = isEnabled
        self.duplicateFilter = duplicateFilter
        self.duration = duration
        self.period = period
    }

    public var parameterByteCount: Int { 6 }
    public func encodeParameters(into output: inout OutputRawSpan) {
        output.append(flag: isEnabled)
        output.append(duplicateFilter.rawValue)
        output.append(littleEndian: duration)
        output.append(littleEndian: period)
    }
}
