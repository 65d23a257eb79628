/// What a client engine may do on its own, and how far it goes.
public struct ClientConfiguration: Hashable, Sendable {
    /// ATT_MTU when the bearer opens: 23 on the LE fixed channel (Core Specification, Vol 3, Part F, 3.2.8).
    public var initialMTU: Int
    /// The longest PDU this client can receive: what it offers in the MTU exchange, 23 to 65535. 23 means that it
    /// never asks.
    public var preferredMTU: Int
    /// How long a request may stay unanswered; the specification says 30 s (Vol 3, Part F, 3.3.3).
    public var requestTimeout: Duration
    /// How many requests one procedure may send before it is given up. An honest server needs a few for each
    /// characteristic; a hostile one would take any number.
    public var maximumRounds: Int
    /// How many attributes one procedure may collect before it is given up.
    public var maximumAttributes: Int
    /// Whether Insufficient Authentication (0x05) and Insufficient Encryption (0x0F) lead to `.raiseSecurity` and one
    /// repetition of the request, rather than to an error at once.
    public var elevatesSecurity: Bool
    /// Whether the bearer is the fixed LE channel, the only one on which an MTU is exchanged (Vol 3, Part G, 4.3.1). On
    /// an enhanced bearer it is what L2CAP agreed on, and an Exchange MTU Request is answered by Request Not Supported.
    public var isFixedChannel: Bool

    public init(
        preferredMTU: Int = 517, initialMTU: Int = 23, requestTimeout: Duration = .seconds(30),
        maximumRounds: Int = 4096, maximumAttributes: Int = 16384, elevatesSecurity: Bool = true,
        isFixedChannel: Bool = true
    ) {
        self.preferredMTU = min(max(preferredMTU, 23), 0xFFFF)
        self.initialMTU = min(max(initialMTU, 23), 0xFFFF)
        self.requestTimeout = requestTimeout
        self.maximumRounds = maximumRounds
        self.maximumAttributes = maximumAttributes
        self.elevatesSecurity = elevatesSecurity
        self.isFixedChannel = isFixedChannel
    }
}
