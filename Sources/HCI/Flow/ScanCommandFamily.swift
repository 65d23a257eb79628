/// Which scan commands a controller takes: legacy or extended, never both between two resets
/// (Core Specification, Vol 4, Part E, 3.1.1).
@frozen
public enum ScanCommandFamily: Sendable, Hashable, CaseIterable {
    /// LE Set Scan Parameters and LE Set Scan Enable; connecting by LE Create Connection.
    case legacy
    /// LE Set Extended Scan Parameters and LE Set Extended Scan Enable; connecting by LE Extended Create Connection.
    case extended

    /// The family to begin with: extended when the controller has extended advertising (LE feature bit 12).
    @inlinable
    public init(_ features: LEFeatures) {
        self = features.contains(.extendedAdvertising) ? .extended : .legacy
    }

    /// The family to go on with when this one's scan parameters were answered by `status`; `nil` when the other would
    /// not help. Command Disallowed says that the controller was used with the other family, or scans already;
    /// Unknown HCI Command that it has no such commands.
    @inlinable
    public func alternative(after status: StatusCode) -> ScanCommandFamily? {
        switch status {
        case .commandDisallowed: self == .legacy ? .extended : .legacy
        case .unknownCommand: self == .extended ? .legacy : nil
        default: nil
        }
    }

    /// The packets that start a scan, type octets first, each to be sent when the one before was answered.
    /// - Parameters:
    ///   - isActive: whether scan responses are asked for.
    ///   - interval: from the start of one scan window to the next, in units of 0.625 ms.
    ///   - window: how long each scan lasts, in units of 0.625 ms.
    ///   - scansCoded: LE Coded too, for controllers that have the PHY; extended only.
    public func startPackets(
        isActive: Bool, interval: UInt16 = 0x0060, window: UInt16 = 0x0060, scansCoded: Bool = false
    ) -> [[UInt8]] {
        switch self {
        case .legacy:
            return [
                LESetScanParametersCommand(isActive: isActive, interval: interval, window: window).packet,
                LESetScanEnableCommand(isEnabled: true).packet,
            ]
        case .extended:
            let scan = LESetExtendedScanParametersCommand.Scan(isActive: isActive, interval: interval, window: window)
            return [
                LESetExtendedScanParametersCommand(le1M: scan, leCoded: scansCoded ? scan : nil).packet,
                LESetExtendedScanEnableCommand(isEnabled: true).packet,
            ]
        }
    }

    /// The packet that stops a scan.
    public var stopPacket: [UInt8] {
        switch self {
        case .legacy: LESetScanEnableCommand(isEnabled: false).packet
        case .extended: LESetExtendedScanEnableCommand(isEnabled: false).packet
        }
    }
}
