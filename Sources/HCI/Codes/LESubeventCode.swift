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
    public static let connectionComplete = LESubeventCode(rawValue: 0x01)
    /// LE Advertising Report, 7.7.65.2.
    public static let advertisingReport = LESubeventCode(rawValue: 0x02)
    /// LE Connection Update Complete, 7.7.65.3.
    public static let connectionUpdateComplete = LESubeventCode(rawValue: 0x03)
    /// LE Read Remote Features Complete, 7.7.65.4.
    public static let readRemoteFeaturesComplete = LESubeventCode(rawValue: 0x04)
    /// LE Long Term Key Request, 7.7.65.5.
    public static let longTermKeyRequest = LESubeventCode(rawValue: 0x05)
    /// LE Remote Connection Parameter Request, 7.7.65.6.
    public static let remoteConnectionParameterRequest = LESubeventCode(rawValue: 0x06)
    /// LE Data Length Change, 7.7.65.7.
    public static let dataLengthChange = LESubeventCode(rawValue: 0x07)
    /// LE Enhanced Connection Complete [v1], 7.7.65.10.
    public static let enhancedConnectionComplete = LESubeventCode(rawValue: 0x0A)
    /// LE Directed Advertising Report, 7.7.65.11.
    public static let directedAdvertisingReport = LESubeventCode(rawValue: 0x0B)
    /// LE PHY Update Complete, 7.7.65.12.
    public static let phyUpdateComplete = LESubeventCode(rawValue: 0x0C)
    /// LE Extended Advertising Report, 7.7.65.13.
    public static let extendedAdvertisingReport = LESubeventCode(rawValue: 0x0D)
    /// LE Scan Timeout, 7.7.65.17.
    public static let scanTimeout = LESubeventCode(rawValue: 0x11)
    /// LE Advertising Set Terminated, 7.7.65.18.
    public static let advertisingSetTerminated = LESubeventCode(rawValue: 0x12)
    /// LE Scan Request Received, 7.7.65.19.
    public static let scanRequestReceived = LESubeventCode(rawValue: 0x13)
    /// LE Channel Selection Algorithm, 7.7.65.20.
    public static let channelSelectionAlgorithm = LESubeventCode(rawValue: 0x14)
    /// LE Enhanced Connection Complete [v2], 7.7.65.10.
    public static let enhancedConnectionCompleteV2 = LESubeventCode(rawValue: 0x29)

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
