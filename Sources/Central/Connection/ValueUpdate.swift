public import GATT

/// A value that the peer sent unasked.
public struct ValueUpdate: Hashable, Sendable {
    /// The octets.
    public let value: [UInt8]
    /// The attribute: the value handle of the characteristic.
    public let handle: AttributeHandle
    /// Whether it came as a notification, an indication (which was confirmed) or in a multiple notification.
    public let kind: ValueKind
    /// When it was received. Values received by one system call share their time.
    public let time: Timestamp

    /// A value of its parts.
    public init(value: [UInt8], handle: AttributeHandle, kind: ValueKind, time: Timestamp) {
        self.value = value
        self.handle = handle
        self.kind = kind
        self.time = time
    }
}
