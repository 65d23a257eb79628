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
    public static let flags = ADType(0x01)
    /// Incomplete list of 16-bit service UUIDs (CSS, Part A, 1.1).
    public static let incompleteServiceUUIDs16 = ADType(0x02)
    /// Complete list of 16-bit service UUIDs (CSS, Part A, 1.1).
    public static let completeServiceUUIDs16 = ADType(0x03)
    /// Incomplete list of 32-bit service UUIDs (CSS, Part A, 1.1).
    public static let incompleteServiceUUIDs32 = ADType(0x04)
    /// Complete list of 32-bit service UUIDs (CSS, Part A, 1.1).
    public static let completeServiceUUIDs32 = ADType(0x05)
    /// Incomplete list of 128-bit service UUIDs (CSS, Part A, 1.1).
    public static let incompleteServiceUUIDs128 = ADType(0x06)
    /// Complete list of 128-bit service UUIDs (CSS, Part A, 1.1).
    public static let completeServiceUUIDs128 = ADType(0x07)
    /// Shortened local name (CSS, Part A, 1.2).
    public static let shortenedLocalName = ADType(0x08)
    /// Complete local name (CSS, Part A, 1.2).
    public static let completeLocalName = ADType(0x09)
    /// Tx power level (CSS, Part A, 1.5).
    public static let txPowerLevel = ADType(0x0A)
    /// Class of device (CSS, Part A, 1.6).
    public static let classOfDevice = ADType(0x0D)
    /// Simple pairing hash C-192 (CSS, Part A, 1.6).
    public static let simplePairingHashC192 = ADType(0x0E)
    /// Simple pairing randomizer R-192 (CSS, Part A, 1.6).
    public static let simplePairingRandomizerR192 = ADType(0x0F)
    /// Security Manager TK value, and Device ID in inquiry responses (CSS, Part A, 1.8).
    public static let securityManagerTK = ADType(0x10)
    /// Security Manager out of band flags (CSS, Part A, 1.7).
    public static let securityManagerOutOfBandFlags = ADType(0x11)
    /// Peripheral connection interval range (CSS, Part A, 1.9).
    public static let peripheralConnectionIntervalRange = ADType(0x12)
    /// List of 16-bit service solicitation UUIDs (CSS, Part A, 1.10).
    public static let solicitedServiceUUIDs16 = ADType(0x14)
    /// List of 128-bit service solicitation UUIDs (CSS, Part A, 1.10).
    public static let solicitedServiceUUIDs128 = ADType(0x15)
    /// Service data with a 16-bit UUID (CSS, Part A, 1.11).
    public static let serviceData16 = ADType(0x16)
    /// Public target addresses (CSS, Part A, 1.13).
    public static let publicTargetAddress = ADType(0x17)
    /// Random target addresses (CSS, Part A, 1.14).
    public static let randomTargetAddress = ADType(0x18)
    /// Appearance (CSS, Part A, 1.12).
    public static let appearance = ADType(0x19)
    /// Advertising interval (CSS, Part A, 1.15).
    public static let advertisingInterval = ADType(0x1A)
    /// LE Bluetooth device address (CSS, Part A, 1.16).
    public static let leBluetoothDeviceAddress = ADType(0x1B)
    /// LE role (CSS, Part A, 1.17).
    public static let leRole = ADType(0x1C)
    /// Simple pairing hash C-256 (CSS, Part A, 1.6).
    public static let simplePairingHashC256 = ADType(0x1D)
    /// Simple pairing randomizer R-256 (CSS, Part A, 1.6).
    public static let simplePairingRandomizerR256 = ADType(0x1E)
    /// List of 32-bit service solicitation UUIDs (CSS, Part A, 1.10).
    public static let solicitedServiceUUIDs32 = ADType(0x1F)
    /// Service data with a 32-bit UUID (CSS, Part A, 1.11).
    public static let serviceData32 = ADType(0x20)
    /// Service data with a 128-bit UUID (CSS, Part A, 1.11).
    public static let serviceData128 = ADType(0x21)
    /// LE Secure Connections confirmation value (CSS, Part A, 1.6).
    public static let secureConnectionsConfirmation = ADType(0x22)
    /// LE Secure Connections random value (CSS, Part A, 1.6).
    public static let secureConnectionsRandom = ADType(0x23)
    /// URI (CSS, Part A, 1.18).
    public static let uri = ADType(0x24)
    /// Indoor positioning (Indoor Positioning Service).
    public static let indoorPositioning = ADType(0x25)
    /// Transport discovery data (Transport Discovery Service).
    public static let transportDiscoveryData = ADType(0x26)
    /// LE supported features (CSS, Part A, 1.19).
    public static let leSupportedFeatures = ADType(0x27)
    /// Channel map update indication (CSS, Part A, 1.20).
    public static let channelMapUpdateIndication = ADType(0x28)
    /// PB-ADV, provisioning (Mesh Profile).
    public static let pbADV = ADType(0x29)
    /// Mesh message (Mesh Profile).
    public static let meshMessage = ADType(0x2A)
    /// Mesh beacon (Mesh Profile).
    public static let meshBeacon = ADType(0x2B)
    /// BIGInfo (CSS, Part A, 1.21).
    public static let bigInfo = ADType(0x2C)
    /// Broadcast code (CSS, Part A, 1.22).
    public static let broadcastCode = ADType(0x2D)
    /// Resolvable set identifier (Coordinated Set Identification Profile).
    public static let resolvableSetIdentifier = ADType(0x2E)
    /// Advertising interval, long (CSS, Part A, 1.15).
    public static let advertisingIntervalLong = ADType(0x2F)
    /// Broadcast name (Public Broadcast Profile).
    public static let broadcastName = ADType(0x30)
    /// Encrypted advertising data (CSS, Part A, 1.23).
    public static let encryptedAdvertisingData = ADType(0x31)
    /// Periodic advertising response timing information (CSS, Part A, 1.24).
    public static let periodicAdvertisingResponseTiming = ADType(0x32)
    /// Electronic shelf label (ESL Profile).
    public static let electronicShelfLabel = ADType(0x34)
    /// 3D information data (3D Synchronization Profile).
    public static let threeDInformation = ADType(0x3D)
    /// Manufacturer specific data (CSS, Part A, 1.4).
    public static let manufacturerSpecificData = ADType(0xFF)
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
