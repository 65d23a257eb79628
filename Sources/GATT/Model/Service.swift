/// A service that a server declares (Core Specification, Vol 3, Part G, 3.1).
public struct Service: Hashable, Sendable {
    /// What the service is.
    public var uuid: BluetoothUUID
    /// Its handles: the declaration first, up to the last handle of the service.
    public var range: HandleRange
    /// Whether the declaration is a primary one (0x2800) rather than a secondary one (0x2801).
    public var isPrimary: Bool

    public init(uuid: BluetoothUUID, range: HandleRange, isPrimary: Bool = true) {
        self.uuid = uuid
        self.range = range
        self.isPrimary = isPrimary
    }

    /// The handle of the declaration.
    public var handle: AttributeHandle { range.first }
}

/// A reference from one service to another that the same server declares (Vol 3, Part G, 3.2).
public struct IncludedService: Hashable, Sendable {
    /// The handle of the include declaration, inside the service that includes.
    public var handle: AttributeHandle
    /// The handles of the service that is included.
    public var range: HandleRange
    /// What the included service is.
    public var uuid: BluetoothUUID

    public init(handle: AttributeHandle, range: HandleRange, uuid: BluetoothUUID) {
        self.handle = handle
        self.range = range
        self.uuid = uuid
    }
}
