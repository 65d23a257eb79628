/// Which LE event: the first parameter of an LE Meta event (Core Specification, Vol 4, Part E, 7.7.65), open to codes
/// this module has no type for.
@frozen
public struct LESubeventCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The specification's name; `nil` where this module has none.
    public var name: String? { Self.names[rawValue] }
}

extension LESubeventCode: CustomStringConvertible {
    /// The name, or the number where there is none.
    public var description: String { name ?? "LE subevent 0x\([rawValue].hexadecimal)" }
}

// Sections are of the Core Specification, Vol 4, Part E.
extension LESubeventCode {
    /// LE Connection Complete, 7.7.65.1.
    @inlinable public static var connectionComplete: Self { Self(rawValue: 0x01) }
    /// LE Advertising Report, 7.7.65.2.
    @inlinable public static var advertisingReport: Self { Self(rawValue: 0x02) }
    /// LE Connection Update Complete, 7.7.65.3.
    @inlinable public static var connectionUpdateComplete: Self { Self(rawValue: 0x03) }
    /// LE Read Remote Features Complete, 7.7.65.4.
    @inlinable public static var readRemoteFeaturesComplete: Self { Self(rawValue: 0x04) }
    /// LE Long Term Key Request, 7.7.65.5.
    @inlinable public static var longTermKeyRequest: Self { Self(rawValue: 0x05) }
    /// LE Remote Connection Parameter Request, 7.7.65.6.
    @inlinable public static var remoteConnectionParameterRequest: Self { Self(rawValue: 0x06) }
    /// LE Data Length Change, 7.7.65.7.
    @inlinable public static var dataLengthChange: Self { Self(rawValue: 0x07) }
    /// LE Enhanced Connection Complete [v1], 7.7.65.10.
    @inlinable public static var enhancedConnectionComplete: Self { Self(rawValue: 0x0A) }
    /// LE Directed Advertising Report, 7.7.65.11.
    @inlinable public static var directedAdvertisingReport: Self { Self(rawValue: 0x0B) }
    /// LE PHY Update Complete, 7.7.65.12.
    @inlinable public static var phyUpdateComplete: Self { Self(rawValue: 0x0C) }
    /// LE Extended Advertising Report, 7.7.65.13.
    @inlinable public static var extendedAdvertisingReport: Self { Self(rawValue: 0x0D) }
    /// LE Scan Timeout, 7.7.65.17.
    @inlinable public static var scanTimeout: Self { Self(rawValue: 0x11) }
    /// LE Advertising Set Terminated, 7.7.65.18.
    @inlinable public static var advertisingSetTerminated: Self { Self(rawValue: 0x12) }
    /// LE Scan Request Received, 7.7.65.19.
    @inlinable public static var scanRequestReceived: Self { Self(rawValue: 0x13) }
    /// LE Channel Selection Algorithm, 7.7.65.20.
    @inlinable public static var channelSelectionAlgorithm: Self { Self(rawValue: 0x14) }
    /// LE Enhanced Connection Complete [v2], 7.7.65.10.
    @inlinable public static var enhancedConnectionCompleteV2: Self { Self(rawValue: 0x29) }

    private static let names: [UInt8: String] = [
        0x01: "LE Connection Complete",
        0x02: "LE Advertising Report",
        0x03: "LE Connection Update Complete",
        0x04: "LE Read Remote Features Complete",
        0x05: "LE Long Term Key Request",
        0x06: "LE Remote Connection Parameter Request",
        0x07: "LE Data Length Change",
        0x0A: "LE Enhanced Connection Complete [v1]",
        0x0B: "LE Directed Advertising Report",
        0x0C: "LE PHY Update Complete",
        0x0D: "LE Extended Advertising Report",
        0x11: "LE Scan Timeout",
        0x12: "LE Advertising Set Terminated",
        0x13: "LE Scan Request Received",
        0x14: "LE Channel Selection Algorithm",
        0x29: "LE Enhanced Connection Complete [v2]",
    ]
}
