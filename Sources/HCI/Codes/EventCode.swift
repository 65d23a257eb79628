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
    @inlinable public static var disconnectionComplete: Self { Self(rawValue: 0x05) }
    /// Encryption Change [v1], 7.7.8.
    @inlinable public static var encryptionChange: Self { Self(rawValue: 0x08) }
    /// Read Remote Version Information Complete, 7.7.12.
    @inlinable public static var readRemoteVersionInformationComplete: Self { Self(rawValue: 0x0C) }
    /// Command Complete, 7.7.14.
    @inlinable public static var commandComplete: Self { Self(rawValue: 0x0E) }
    /// Command Status, 7.7.15.
    @inlinable public static var commandStatus: Self { Self(rawValue: 0x0F) }
    /// Hardware Error, 7.7.16.
    @inlinable public static var hardwareError: Self { Self(rawValue: 0x10) }
    /// Number Of Completed Packets, 7.7.19.
    @inlinable public static var numberOfCompletedPackets: Self { Self(rawValue: 0x13) }
    /// Data Buffer Overflow, 7.7.26.
    @inlinable public static var dataBufferOverflow: Self { Self(rawValue: 0x1A) }
    /// Encryption Key Refresh Complete, 7.7.39.
    @inlinable public static var encryptionKeyRefreshComplete: Self { Self(rawValue: 0x30) }
    /// LE Meta, 7.7.65.
    @inlinable public static var leMeta: Self { Self(rawValue: 0x3E) }
    /// Authenticated Payload Timeout Expired, 7.7.75.
    @inlinable public static var authenticatedPayloadTimeoutExpired: Self { Self(rawValue: 0x57) }
    /// Encryption Change [v2], 7.7.8.
    @inlinable public static var encryptionChangeV2: Self { Self(rawValue: 0x59) }
    /// Vendor Specific, 5.4.4.
    @inlinable public static var vendorSpecific: Self { Self(rawValue: 0xFF) }

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
