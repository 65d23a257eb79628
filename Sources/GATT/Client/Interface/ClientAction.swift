/// Names one procedure of one engine, from `start` to its `completed` action.
@frozen
public struct OperationID: RawRepresentable, Hashable, Sendable {
    /// Counts up from 1 in each engine.
    public var rawValue: UInt64

    @inlinable
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// How a server sent a value unasked (Core Specification, Vol 3, Part F, 3.4.7).
@frozen
public enum ValueKind: Hashable, Sendable {
    /// Handle Value Notification: nothing says that it arrived.
    case notification
    /// Handle Value Indication: the engine confirms it.
    case indication
    /// One tuple of a Multiple Handle Value Notification.
    case multiple
}

/// How an attempt to raise the link's security ended.
@frozen
public enum SecurityResult: Hashable, Sendable {
    /// The link has more security than before: the request that failed is worth repeating.
    case raised
    /// Nothing changed: pairing was refused, failed or is not possible.
    case refused
}

/// What the program around a client engine has to do next.
///
/// Actions come in the order in which they have to happen. In particular an indication's value comes before the
/// confirmation that is sent for it.
public enum ClientAction: Hashable, Sendable {
    /// Send this PDU, one whole L2CAP SDU or datagram, after the ones before it.
    ///
    /// When the transport cannot take it now, keep it, call `transportIsFull()`, and once it is sent call
    /// `transportIsReady(at:)`. At most this one PDU has to be kept.
    case send([UInt8])
    /// The procedure has ended, with this result. Every operation gets this exactly once.
    case completed(OperationID, Result<Outcome, GATTError>)
    /// The procedure goes on: `done` of `total` octets or handles; `total` is nil while nobody knows it.
    case progress(OperationID, done: Int, total: Int?)
    /// The server sent a value unasked. It comes for every handle, known or not, subscribed to or not.
    case valueChanged(AttributeHandle, value: [UInt8], kind: ValueKind)
    /// The server said that the attributes of these handles are no longer what they were (Service Changed, Vol 3,
    /// Part G, 7.1): whatever is known about them has to be discovered again before it is used.
    case servicesChanged(HandleRange)
    /// After `.servicesChanged`, when the attributes were known: what they are now. Nobody has to ask for that.
    case databaseChanged(KnownDatabase)
    /// After `.servicesChanged`, when the attributes were known: they could not be discovered again, and are not known any
    /// more.
    case databaseLost(GATTError)
    /// A request failed for want of security; `code` is Insufficient Authentication or Insufficient Encryption. Raise
    /// the link's security by one step and call `securityChanged(_:at:)`. Until then no other request is sent, and no
    /// request times out.
    case raiseSecurity(ErrorCode)
    /// Close the bearer; the engine is closed already and every operation has failed.
    case close(BearerCloseReason)
    /// Something the peer did that was ignored, for a trace.
    case log(String)
}
