/// What can be done with a characteristic (Core Specification, Vol 3, Part G, 3.3.1.1).
public struct CBCharacteristicProperties: OptionSet, Hashable, Sendable {
    /// The octet of the declaration; the two bits above it are for services that this device publishes.
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The value can be broadcast.
    public static var broadcast: Self { Self(rawValue: 0x01) }
    /// The value can be read.
    public static var read: Self { Self(rawValue: 0x02) }
    /// The value can be written without a response.
    public static var writeWithoutResponse: Self { Self(rawValue: 0x04) }
    /// The value can be written with a response.
    public static var write: Self { Self(rawValue: 0x08) }
    /// The peripheral can notify the value.
    public static var notify: Self { Self(rawValue: 0x10) }
    /// The peripheral can indicate the value.
    public static var indicate: Self { Self(rawValue: 0x20) }
    /// The value can be written with a signature.
    public static var authenticatedSignedWrites: Self { Self(rawValue: 0x40) }
    /// More properties stand in a descriptor, 0x2900.
    public static var extendedProperties: Self { Self(rawValue: 0x80) }
    /// Only a trusted device can be notified; never set on a remote characteristic.
    public static var notifyEncryptionRequired: Self { Self(rawValue: 0x100) }
    /// Only a trusted device can get indications; never set on a remote characteristic.
    public static var indicateEncryptionRequired: Self { Self(rawValue: 0x200) }
}
