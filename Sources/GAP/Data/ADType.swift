/// What an AD structure carries: an assigned number, open to values nobody has assigned yet
/// (Assigned Numbers, 2.3; Supplement to the Core Specification, Part A).
@frozen
public struct ADType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable
    init(_ rawValue: UInt8) { self.rawValue = rawValue }
}

extension ADType {
    /// Flags (CSS, Part A, 1.3).
    @inlinable public static var flags: Self { Self(0x01) }
    /// Incomplete list of 16-bit service UUIDs (CSS, Part A, 1.1).
    @inlinable public static var incompleteServiceUUIDs16: Self { Self(0x02) }
    /// Complete list of 16-bit service UUIDs (CSS, Part A, 1.1).
    @inlinable public static var completeServiceUUIDs16: Self { Self(0x03) }
    /// Incomplete list of 32-bit service UUIDs (CSS, Part A, 1.1).
    @inlinable public static var incompleteServiceUUIDs32: Self { Self(0x04) }
    /// Complete list of 32-bit service UUIDs (CSS, Part A, 1.1).
    @inlinable public static var completeServiceUUIDs32: Self { Self(0x05) }
    /// Incomplete list of 128-bit service UUIDs (CSS, Part A, 1.1).
    @inlinable public static var incompleteServiceUUIDs128: Self { Self(0x06) }
    /// Complete list of 128-bit service UUIDs (CSS, Part A, 1.1).
    @inlinable public static var completeServiceUUIDs128: Self { Self(0x07) }
    /// Shortened local name (CSS, Part A, 1.2).
    @inlinable public static var shortenedLocalName: Self { Self(0x08) }
    /// Complete local name (CSS, Part A, 1.2).
    @inlinable public static var completeLocalName: Self { Self(0x09) }
    /// Tx power level (CSS, Part A, 1.5).
    @inlinable public static var txPowerLevel: Self { Self(0x0A) }
    /// Class of device (CSS, Part A, 1.6).
    @inlinable public static var classOfDevice: Self { Self(0x0D) }
    /// Simple pairing hash C-192 (CSS, Part A, 1.6).
    @inlinable public static var simplePairingHashC192: Self { Self(0x0E) }
    /// Simple pairing randomizer R-192 (CSS, Part A, 1.6).
    @inlinable public static var simplePairingRandomizerR192: Self { Self(0x0F) }
    /// Security Manager TK value, and Device ID in inquiry responses (CSS, Part A, 1.8).
    @inlinable public static var securityManagerTK: Self { Self(0x10) }
    /// Security Manager out of band flags (CSS, Part A, 1.7).
    @inlinable public static var securityManagerOutOfBandFlags: Self { Self(0x11) }
    /// Peripheral connection interval range (CSS, Part A, 1.9).
    @inlinable public static var peripheralConnectionIntervalRange: Self { Self(0x12) }
    /// List of 16-bit service solicitation UUIDs (CSS, Part A, 1.10).
    @inlinable public static var solicitedServiceUUIDs16: Self { Self(0x14) }
    /// List of 128-bit service solicitation UUIDs (CSS, Part A, 1.10).
    @inlinable public static var solicitedServiceUUIDs128: Self { Self(0x15) }
    /// Service data with a 16-bit UUID (CSS, Part A, 1.11).
    @inlinable public static var serviceData16: Self { Self(0x16) }
    /// Public target addresses (CSS, Part A, 1.13).
    @inlinable public static var publicTargetAddress: Self { Self(0x17) }
    /// Random target addresses (CSS, Part A, 1.14).
    @inlinable public static var randomTargetAddress: Self { Self(0x18) }
    /// Appearance (CSS, Part A, 1.12).
    @inlinable public static var appearance: Self { Self(0x19) }
    /// Advertising interval (CSS, Part A, 1.15).
    @inlinable public static var advertisingInterval: Self { Self(0x1A) }
    /// LE Bluetooth device address (CSS, Part A, 1.16).
    @inlinable public static var leBluetoothDeviceAddress: Self { Self(0x1B) }
    /// LE role (CSS, Part A, 1.17).
    @inlinable public static var leRole: Self { Self(0x1C) }
    /// Simple pairing hash C-256 (CSS, Part A, 1.6).
    @inlinable public static var simplePairingHashC256: Self { Self(0x1D) }
    /// Simple pairing randomizer R-256 (CSS, Part A, 1.6).
    @inlinable public static var simplePairingRandomizerR256: Self { Self(0x1E) }
    /// List of 32-bit service solicitation UUIDs (CSS, Part A, 1.10).
    @inlinable public static var solicitedServiceUUIDs32: Self { Self(0x1F) }
    /// Service data with a 32-bit UUID (CSS, Part A, 1.11).
    @inlinable public static var serviceData32: Self { Self(0x20) }
    /// Service data with a 128-bit UUID (CSS, Part A, 1.11).
    @inlinable public static var serviceData128: Self { Self(0x21) }
    /// LE Secure Connections confirmation value (CSS, Part A, 1.6).
    @inlinable public static var secureConnectionsConfirmation: Self { Self(0x22) }
    /// LE Secure Connections random value (CSS, Part A, 1.6).
    @inlinable public static var secureConnectionsRandom: Self { Self(0x23) }
    /// URI (CSS, Part A, 1.18).
    @inlinable public static var uri: Self { Self(0x24) }
    /// Indoor positioning (Indoor Positioning Service).
    @inlinable public static var indoorPositioning: Self { Self(0x25) }
    /// Transport discovery data (Transport Discovery Service).
    @inlinable public static var transportDiscoveryData: Self { Self(0x26) }
    /// LE supported features (CSS, Part A, 1.19).
    @inlinable public static var leSupportedFeatures: Self { Self(0x27) }
    /// Channel map update indication (CSS, Part A, 1.20).
    @inlinable public static var channelMapUpdateIndication: Self { Self(0x28) }
    /// PB-ADV, provisioning (Mesh Profile).
    @inlinable public static var pbADV: Self { Self(0x29) }
    /// Mesh message (Mesh Profile).
    @inlinable public static var meshMessage: Self { Self(0x2A) }
    /// Mesh beacon (Mesh Profile).
    @inlinable public static var meshBeacon: Self { Self(0x2B) }
    /// BIGInfo (CSS, Part A, 1.21).
    @inlinable public static var bigInfo: Self { Self(0x2C) }
    /// Broadcast code (CSS, Part A, 1.22).
    @inlinable public static var broadcastCode: Self { Self(0x2D) }
    /// Resolvable set identifier (Coordinated Set Identification Profile).
    @inlinable public static var resolvableSetIdentifier: Self { Self(0x2E) }
    /// Advertising interval, long (CSS, Part A, 1.15).
    @inlinable public static var advertisingIntervalLong: Self { Self(0x2F) }
    /// Broadcast name (Public Broadcast Profile).
    @inlinable public static var broadcastName: Self { Self(0x30) }
    /// Encrypted advertising data (CSS, Part A, 1.23).
    @inlinable public static var encryptedAdvertisingData: Self { Self(0x31) }
    /// Periodic advertising response timing information (CSS, Part A, 1.24).
    @inlinable public static var periodicAdvertisingResponseTiming: Self { Self(0x32) }
    /// Electronic shelf label (ESL Profile).
    @inlinable public static var electronicShelfLabel: Self { Self(0x34) }
    /// 3D information data (3D Synchronization Profile).
    @inlinable public static var threeDInformation: Self { Self(0x3D) }
    /// Manufacturer specific data (CSS, Part A, 1.4).
    @inlinable public static var manufacturerSpecificData: Self { Self(0xFF) }
}

extension ADType: CustomStringConvertible {
    /// The name in the assigned numbers, or `nil` for a value without one.
    public var name: String? { Self.names[rawValue] }

    /// The name, or the number where there is none: `AD type 0x4a`.
    public var description: String {
        name ?? "AD type 0x\([rawValue].hexadecimal)"
    }

    private static let names: [UInt8: String] = [
        0x01: "Flags",
        0x02: "Incomplete List of 16-bit Service Class UUIDs",
        0x03: "Complete List of 16-bit Service Class UUIDs",
        0x04: "Incomplete List of 32-bit Service Class UUIDs",
        0x05: "Complete List of 32-bit Service Class UUIDs",
        0x06: "Incomplete List of 128-bit Service Class UUIDs",
        0x07: "Complete List of 128-bit Service Class UUIDs",
        0x08: "Shortened Local Name",
        0x09: "Complete Local Name",
        0x0A: "Tx Power Level",
        0x0D: "Class of Device",
        0x0E: "Simple Pairing Hash C-192",
        0x0F: "Simple Pairing Randomizer R-192",
        0x10: "Security Manager TK Value",
        0x11: "Security Manager Out of Band Flags",
        0x12: "Peripheral Connection Interval Range",
        0x14: "List of 16-bit Service Solicitation UUIDs",
        0x15: "List of 128-bit Service Solicitation UUIDs",
        0x16: "Service Data - 16-bit UUID",
        0x17: "Public Target Address",
        0x18: "Random Target Address",
        0x19: "Appearance",
        0x1A: "Advertising Interval",
        0x1B: "LE Bluetooth Device Address",
        0x1C: "LE Role",
        0x1D: "Simple Pairing Hash C-256",
        0x1E: "Simple Pairing Randomizer R-256",
        0x1F: "List of 32-bit Service Solicitation UUIDs",
        0x20: "Service Data - 32-bit UUID",
        0x21: "Service Data - 128-bit UUID",
        0x22: "LE Secure Connections Confirmation Value",
        0x23: "LE Secure Connections Random Value",
        0x24: "URI",
        0x25: "Indoor Positioning",
        0x26: "Transport Discovery Data",
        0x27: "LE Supported Features",
        0x28: "Channel Map Update Indication",
        0x29: "PB-ADV",
        0x2A: "Mesh Message",
        0x2B: "Mesh Beacon",
        0x2C: "BIGInfo",
        0x2D: "Broadcast_Code",
        0x2E: "Resolvable Set Identifier",
        0x2F: "Advertising Interval - long",
        0x30: "Broadcast_Name",
        0x31: "Encrypted Advertising Data",
        0x32: "Periodic Advertising Response Timing Information",
        0x34: "Electronic Shelf Label",
        0x3D: "3D Information Data",
        0xFF: "Manufacturer Specific Data",
    ]
}
