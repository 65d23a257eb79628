/// What the procedures of one connection share.
struct ClientState: Sendable {
    /// A characteristic that somebody subscribes to.
    struct Subscribers: Sendable {
        /// How many subscriptions hold, at least one.
        var count: Int
        /// What the first one arranged with the server.
        var subscription: ActiveSubscription
    }

    let configuration: ClientConfiguration
    /// ATT_MTU.
    private(set) var mtu: Int
    /// The longest PDU that is taken from the peer. When the two devices exchange MTUs in both directions and do not
    /// say the same, one half of the peer may still use the larger value.
    private(set) var longestPDU: Int
    /// Whether this client has asked for an MTU, whatever the answer was: it is asked once per connection
    /// (Core Specification, Vol 3, Part F, 3.4.2.1).
    var hasExchangedMTU = false
    /// The characteristics that are subscribed to, by the handles of their values.
    var subscribers: [AttributeHandle: Subscribers] = [:]
    /// The value handle of the server's Service Changed characteristic, once it is known.
    var serviceChangedHandle: AttributeHandle?
    /// All attributes of the server, once they were discovered or taken from a cache.
    var database: KnownDatabase?
    /// Handles that the server said have changed since, in ranges that do not touch.
    var changedRanges: [HandleRange] = []
    /// The Database Hash when it was read after the last change.
    var freshHash: DatabaseHash?

    init(configuration: ClientConfiguration) {
        self.configuration = configuration
        self.mtu = configuration.initialMTU
        self.longestPDU = configuration.initialMTU
    }

    /// Takes over what the peer can receive. ATT_MTU is the smaller of both sides, and never below 23
    /// (Vol 3, Part F, 3.4.2.2).
    mutating func agree(onMTU peer: Int) {
        mtu = max(23, min(configuration.preferredMTU, peer))
        longestPDU = max(longestPDU, mtu)
    }

    /// Remembers what discovered characteristics say about the server.
    mutating func note(_ characteristics: [Characteristic]) {
        if let found = characteristics.first(where: { $0.uuid == .serviceChanged }) {
            serviceChangedHandle = found.valueHandle
        }
    }
}
