/// Which event (Core Specification, Vol 4, Part E, 7.7), open to codes this module has no type for.
@frozen
public struct EventCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The specification's name; `nil` where this module has none.
    public var name: String? { Self.names[rawValue] }
}

extension EventCode: CustomStringConvertible {
    /// The name, or the number where there is none.
    public var description: String { name ?? "event 0x\([rawValue].hexadecimal)" }
}

// Sections are of the Core Specification, Vol 4, Part E.
extension EventCode {
    /// Disconnection Complete, 7.7.5.
    public static let disconnectionComplete = EventCode(rawValue: 0x05)
    /// Encryption Change [v1], 7.7.8.
    public static let encryptionChange = EventCode(rawValue: 0x08)
    /// Read Remote Version Information Complete, 7.7.12.
    public static let readRemoteVersionInformationComplete = EventCode(rawValue: 0x0C)
    /// Command Complete, 7.7.14.
    public static let commandComplete = EventCode(rawValue: 0x0E)
    /// Command Status, 7.7.15.
    public static let commandStatus = EventCode(rawValue: 0x0F)
    /// Hardware Error, 7.7.16.
    public static let hardwareError = EventCode(rawValue: 0x10)
    /// Number Of Completed Packets, 7.7.19.
    public static let numberOfCompletedPackets = EventCode(rawValue: 0x13)
    /// Data Buffer Overflow, 7.7.26.
    public static let dataBufferOverflow = EventCode(rawValue: 0x1A)
    /// Encryption Key Refresh Complete, 7.7.39.
    public static let encryptionKeyRefreshComplete = EventCode(rawValue: 0x30)
    /// LE Meta, 7.7.65.
    public static let leMeta = EventCode(rawValue: 0x3E)
    /// Authenticated Payload Timeout Expired, 7.7.75.
    public static let authenticatedPayloadTimeoutExpired = EventCode(rawValue: 0x57)
    /// Encryption Change [v2], 7.7.8.
    public static let encryptionChangeV2 = EventCode(rawValue: 0x59)
    /// Vendor Specific, 5.4.4.
    public static let vendorSpecific = EventCode(rawValue: 0xFF)

    private static let names: [UInt8: String] = [
        0x05: "Disconnection Complete",
        0x08: "Encryption Change [v1]",
        0x0C: "Read Remote Version Information Complete",
        0x0E: "Command Complete",
        0x0F: "Command Status",
        0x10: "Hardware Error",
        0x13: "Number Of Completed Packets",
        0x1A: "Data Buffer Overflow",
        0x30: "Encryption Key Refresh Complete",
        0x3E: "LE Meta",
        0x57: "Authenticated Payload Timeout Expired",
        0x59: "Encryption Change [v2]",
        0xFF: "Vendor Specific",
    ]
}
