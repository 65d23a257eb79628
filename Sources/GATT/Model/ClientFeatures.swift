/// What a client says it can do, by writing the server's Client Supported Features characteristic (Core Specification,
/// Vol 3, Part G, 7.2). The bits hold for the connection, and for later ones with a bonded device.
@frozen
public struct ClientFeatures: OptionSet, Hashable, Sendable {
    /// The first octet of the characteristic. Bits 3 to 7 are reserved and never written as 1.
    public var rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Robust caching (0x01): the server answers Database Out Of Sync (0x12) rather than let the client use handles that
    /// are no longer what they were.
    @inlinable public static var robustCaching: Self { Self(rawValue: 0x01) }
    /// Enhanced ATT bearers (0x02).
    @inlinable public static var enhancedBearer: Self { Self(rawValue: 0x02) }
    /// Multiple Handle Value Notifications (0x04).
    @inlinable public static var multipleNotifications: Self { Self(rawValue: 0x04) }
    /// Every bit that has a meaning.
    @inlinable public static var all: Self { [.robustCaching, .enhancedBearer, .multipleNotifications] }
}
