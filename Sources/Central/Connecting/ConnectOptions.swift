public import GATT

/// How much security a link is to have (Core Specification, Vol 3, Part C, 10.2.1).
@frozen
public enum SecurityLevel: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// None: level 1.
    case low = 1
    /// Encrypted, without protection against a man in the middle: level 2.
    case medium = 2
    /// Encrypted, with protection against a man in the middle: level 3.
    case high = 3
    /// LE Secure Connections with a 128-bit key: level 4.
    case fips = 4

    /// Whether `a` is the weaker level.
    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// How to connect, and how the connection behaves.
public struct ConnectOptions: Sendable {
    /// The longest PDU to offer in the MTU exchange, 23 to 65535; 23 asks nothing.
    public var preferredMTU: Int
    /// How long finding the device, connecting and the MTU exchange may take together; `nil` for no limit: an address is
    /// then connected to whenever it comes into reach.
    public var timeout: Duration?
    /// How long each operation on the connection may take; `nil` leaves it to the 30 seconds of each request.
    public var operationTimeout: Duration?
    /// The security the link is to have from the start. A Unix socket and a virtual peripheral have none to raise.
    public var security: SecurityLevel
    /// Whether a request that fails for want of security raises it and is repeated once.
    public var elevatesSecurity: Bool
    /// How pairing goes when security needs it.
    public var pairing: PairingOptions
    /// Sees every PDU from the first on.
    public var observer: PDUObserver?
    /// Told, in words, what the peer did that was ignored; on the loop's thread.
    public var log: (@Sendable (String) -> Void)?
    /// Where attributes are kept between connections; `nil` keeps none.
    public var attributeStore: AttributeStore?
    /// What names the device in the store; `nil` for its address, when that is stable, or the path of its socket. A virtual
    /// peripheral of this process has no name of its own, and a private address names nobody for long.
    public var identity: String?
    /// Whether the device is bonded: it tells of changes of its attributes then, also of those between connections, and
    /// kept attributes are believed without a Database Hash.
    public var isBonded: Bool
    /// Told, on the loop's thread, of each procedure that has ended, for a trace.
    public var procedureObserver: ProcedureObserver?
    /// Limits of the client engine; its MTU and `elevatesSecurity` are taken from the fields above.
    public var engine: ClientConfiguration

    /// Options; by default an MTU of 517 and thirty seconds for the whole.
    public init(
        preferredMTU: Int = 517, timeout: Duration? = .seconds(30), operationTimeout: Duration? = nil,
        security: SecurityLevel = .low, elevatesSecurity: Bool = true, pairing: PairingOptions = PairingOptions(),
        observer: PDUObserver? = nil, log: (@Sendable (String) -> Void)? = nil,
        attributeStore: AttributeStore? = nil, identity: String? = nil, isBonded: Bool = false,
        procedureObserver: ProcedureObserver? = nil, engine: ClientConfiguration = ClientConfiguration()
    ) {
        self.preferredMTU = preferredMTU
        self.timeout = timeout
        self.operationTimeout = operationTimeout
        self.security = security
        self.elevatesSecurity = elevatesSecurity
        self.pairing = pairing
        self.observer = observer
        self.log = log
        self.attributeStore = attributeStore
        self.identity = identity
        self.isBonded = isBonded
        self.procedureObserver = procedureObserver
        self.engine = engine
    }

    /// The engine's configuration with the fields above.
    var configuration: ClientConfiguration {
        ClientConfiguration(
            preferredMTU: preferredMTU, initialMTU: engine.initialMTU, requestTimeout: engine.requestTimeout,
            maximumRounds: engine.maximumRounds, maximumAttributes: engine.maximumAttributes,
            elevatesSecurity: elevatesSecurity)
    }

    /// How long a datagram is received whole: longer than any PDU the peer may send, so that a longer one is seen to be.
    var datagramCapacity: Int { max(2048, preferredMTU + 1) }
}

/// Which way a PDU went.
@frozen
public enum PDUDirection: Hashable, Sendable {
    /// From this side to the peer.
    case sent
    /// From the peer to this side.
    case received
}

/// Sees every PDU of a connection, for a trace or a capture, on the loop's thread: it must be quick. The octets are
/// borrowed for the call.
public typealias PDUObserver = @Sendable (_ direction: PDUDirection, _ time: Timestamp, _ octets: RawSpan) -> Void

/// A procedure that has ended.
public struct ProcedureReport: Sendable {
    /// When it ended.
    public var time: Timestamp
    /// What was done, as in `read 0x0025`.
    public var action: String
    /// How many requests it took; commands and confirmations are none.
    public var requests: Int
    /// Why it failed; `nil` when it did not.
    public var failure: GATTError?
}

/// Told of procedures that have ended.
public typealias ProcedureObserver = @Sendable (ProcedureReport) -> Void
