/// The limits of a server on one bearer.
public struct ServerConfiguration: Hashable, Sendable {
    /// The longest PDU the server receives, its answer to an Exchange MTU Request: 23 to 65535 octets.
    public var mtu: Int

    /// How many Prepare Write Requests the queue holds; the next is answered by Prepare Queue Full (0x09). A value of
    /// 512 octets takes 29 of them at the MTU of 23.
    public var maximumPreparedWrites: Int

    /// How many indications wait while one is unconfirmed.
    public var maximumQueuedIndications: Int

    /// How long an indication waits for its confirmation before the bearer is given up: 30 s (Vol 3, Part F, 3.3.3).
    public var confirmationTimeout: Duration

    /// Whether a Read Blob Request for a value that fits one Read Response is answered by Attribute Not Long (0x0B),
    /// which a server may do (Vol 3, Part F, 3.4.4.5), instead of the rest of the value.
    public var answersAttributeNotLong: Bool

    /// Requests the server pretends not to know: answered by Request Not Supported (0x06).
    public var unsupportedRequests: Set<Opcode>

    public init(
        mtu: Int = 517, maximumPreparedWrites: Int = 64, maximumQueuedIndications: Int = 16,
        confirmationTimeout: Duration = .seconds(30), answersAttributeNotLong: Bool = false,
        unsupportedRequests: Set<Opcode> = []
    ) {
        self.mtu = min(max(mtu, 23), 65535)
        self.maximumPreparedWrites = max(maximumPreparedWrites, 0)
        self.maximumQueuedIndications = max(maximumQueuedIndications, 0)
        self.confirmationTimeout = confirmationTimeout
        self.answersAttributeNotLong = answersAttributeNotLong
        self.unsupportedRequests = unsupportedRequests
    }
}
