public import GAP
public import GATT

/// A peripheral: how it advertises, what its server has, and how it behaves. Usually read from a device file
/// (`init(parsing:)`), which `Fixtures/devices/README.md` describes.
public struct DeviceDescription: Hashable, Sendable {
    /// How a device makes itself heard.
    public struct Advertising: Hashable, Sendable {
        /// The time between two advertisements.
        public var interval: Duration
        /// What a scanner is told about the PDU: connectable, scannable, legacy.
        public var properties: AdvertisingEventProperties
        /// The advertising data: AD structures one after another, or whatever octets a test wants.
        public var data: [UInt8]
        /// What an active scanner gets as scan response; `nil`: nothing.
        public var scanResponse: [UInt8]?
        /// The signal strength a scanner sees, in dBm; 127 for one that the controller does not know.
        public var rssi: Int8

        public init(
            interval: Duration = .milliseconds(100), properties: AdvertisingEventProperties = .advInd,
            data: [UInt8] = [], scanResponse: [UInt8]? = nil, rssi: Int8 = -50
        ) {
            self.interval = interval
            self.properties = properties
            self.data = data
            self.scanResponse = scanResponse
            self.rssi = rssi
        }

        /// The signal strength, where it is known.
        var knownRSSI: Int8? { rssi == 127 ? nil : rssi }
    }

    /// Which characteristic of `services` a behaviour belongs to, counted from 0.
    public struct Place: Hashable, Sendable {
        /// The service.
        public var service: Int
        /// The characteristic in it.
        public var characteristic: Int

        public init(service: Int, characteristic: Int) {
            self.service = service
            self.characteristic = characteristic
        }
    }

    /// The name people select it by; not necessarily in its advertising data.
    public var name: String
    /// The address it advertises and is connected by.
    public var address: DeviceAddress
    /// How it makes itself heard; `nil`: it does not, and can be connected only by who knows it.
    public var advertising: Advertising?
    /// The limits of its server.
    public var configuration: ServerConfiguration
    /// What its server knows about the security of a new link.
    public var security: LinkSecurity
    /// What its server has.
    public var services: [ServiceDefinition]
    /// What characteristics do by themselves.
    public var behaviours: [Place: CharacteristicBehaviour]
    /// How long after it was made the device breaks a connection; `nil`: it does not.
    public var disconnectsAfter: Duration?
    /// Whether it pairs with a client that asks for it, as with Just Works: its links are encrypted then.
    public var acceptsPairing = false
    /// What it checks Signed Write Commands with; `nil`: it ignores them.
    public var signingKey: SigningKey?

    /// The key that it shares with its clients for signed writes.
    public struct SigningKey: Hashable, Sendable {
        /// The Connection Signature Resolving Key: sixteen octets, least significant first, as pairing transmits it.
        public var octets: [UInt8]
        /// The counter of the last message that was accepted, above which the next one's must be; `nil`: any will do.
        public var lastCounter: UInt32?

        /// A key of its parts.
        public init(octets: [UInt8], lastCounter: UInt32? = nil) {
            self.octets = octets
            self.lastCounter = lastCounter
        }
    }

    public init(
        name: String, address: DeviceAddress, advertising: Advertising? = Advertising(),
        configuration: ServerConfiguration = ServerConfiguration(), security: LinkSecurity = .none,
        services: [ServiceDefinition] = [], behaviours: [Place: CharacteristicBehaviour] = [:],
        disconnectsAfter: Duration? = nil
    ) {
        self.disconnectsAfter = disconnectsAfter
        self.name = name
        self.address = address
        self.advertising = advertising
        self.configuration = configuration
        self.security = security
        self.services = services
        self.behaviours = behaviours
    }
}
