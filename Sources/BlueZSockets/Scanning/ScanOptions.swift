public import HCI

/// How a scan listens.
public enum ScanMode: String, Hashable, Sendable, CaseIterable {
    /// Asks advertisers for their scan response, which often holds the name.
    case active
    /// Sends nothing.
    case passive
    /// Starts no scan, and only listens to what the controller reports for somebody else's scan.
    case listen
}

/// How to scan.
public struct ScanOptions: Hashable, Sendable {
    /// How the scan listens.
    public var mode: ScanMode
    /// From the start of one scan window to the next, in units of 0.625 ms, 0x0004–0x4000.
    public var interval: UInt16
    /// How long the radio listens in each interval, in units of 0.625 ms, 0x0004–0x4000; at most the interval.
    public var window: UInt16
    /// Whether reports that bring nothing new are handed out too. This is decided here, not by the controller, which
    /// would drop changed data with the repeats.
    public var reportsRepeats: Bool
    /// Whether the coded PHY is scanned too, where the controller has it.
    public var scansCodedPHY: Bool
    /// The address that scan requests of an active scan carry.
    public var ownAddressType: OwnAddressType

    /// Options; the defaults listen all the time and hand out what is new.
    public init(
        mode: ScanMode = .active, interval: UInt16 = 0x0060, window: UInt16 = 0x0060, reportsRepeats: Bool = false,
        scansCodedPHY: Bool = false, ownAddressType: OwnAddressType = .public
    ) {
        self.mode = mode
        self.interval = interval
        self.window = window
        self.reportsRepeats = reportsRepeats
        self.scansCodedPHY = scansCodedPHY
        self.ownAddressType = ownAddressType
    }

    /// A time in units of 0.625 ms, kept within 0x0004–0x4000 (2.5 ms to 10.24 s).
    public static func units(of time: Duration) -> UInt16 {
        UInt16(min(max(time.wholeNanoseconds / 625_000, 0x0004), 0x4000))
    }
}

/// Which of the two families of commands a scan uses. A controller that has taken one family refuses the other until it
/// is reset (Core Specification, Vol 4, Part E, 3.1.1).
public enum ScanCommands: Hashable, Sendable {
    /// LE Set Scan Parameters, LE Set Scan Enable: for controllers without extended advertising.
    case legacy
    /// LE Set Extended Scan Parameters, LE Set Extended Scan Enable.
    case extended

    /// The other one.
    var other: ScanCommands { self == .legacy ? .extended : .legacy }

    /// The command that sets the parameters.
    func parameters(_ options: ScanOptions, features: LEFeatures) -> (CommandOpcode, [UInt8]) {
        let window = min(options.window, options.interval)
        switch self {
        case .legacy:
            let command = LESetScanParametersCommand(
                isActive: options.mode == .active, interval: options.interval, window: window,
                ownAddressType: options.ownAddressType)
            return (LESetScanParametersCommand.opcode, command.parameters)
        case .extended:
            let scan = LESetExtendedScanParametersCommand.Scan(
                isActive: options.mode == .active, interval: options.interval, window: window)
            let coded = options.scansCodedPHY && features.contains(.leCodedPHY)
            let command = LESetExtendedScanParametersCommand(
                ownAddressType: options.ownAddressType, le1M: scan, leCoded: coded ? scan : nil)
            return (LESetExtendedScanParametersCommand.opcode, command.parameters)
        }
    }

    /// The command that switches the scan on or off.
    func enable(_ isEnabled: Bool) -> (CommandOpcode, [UInt8]) {
        switch self {
        case .legacy:
            (LESetScanEnableCommand.opcode, LESetScanEnableCommand(isEnabled: isEnabled).parameters)
        case .extended:
            (LESetExtendedScanEnableCommand.opcode, LESetExtendedScanEnableCommand(isEnabled: isEnabled).parameters)
        }
    }
}
