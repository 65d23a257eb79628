public import GATT

/// What happens on a device that is served, for those who watch.
public enum ServingEvent: Sendable {
    /// A client connected; connections are counted from 1.
    case connected(Int)
    /// A connection ended, and why in words.
    case disconnected(Int, String)
    /// A PDU came from the client.
    case received(Int, [UInt8])
    /// A PDU went to the client.
    case sent(Int, [UInt8])
    /// A client wrote an attribute, which has this value now.
    case written(Int, AttributeHandle, [UInt8])
    /// A client configured the characteristic whose value is at this handle.
    case subscriptionChanged(Int, AttributeHandle, ClientCharacteristicConfiguration)
    /// Something odd, in words.
    case remark(Int, String)
}
