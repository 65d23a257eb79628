/// What a client has to know about a characteristic to subscribe to it.
public struct SubscriptionTarget: Hashable, Sendable {
    /// The handle of the characteristic's value.
    public var valueHandle: AttributeHandle
    /// The properties of the characteristic; nil when nobody discovered them.
    public var properties: CharacteristicProperties?
    /// The handle of its Client Characteristic Configuration descriptor; nil to look for it, by its UUID, among the
    /// attributes after the value.
    public var configurationHandle: AttributeHandle?
    /// The last handle of the characteristic; nil to look as far as the next declaration.
    public var endHandle: AttributeHandle?

    public init(
        valueHandle: AttributeHandle, properties: CharacteristicProperties? = nil,
        configurationHandle: AttributeHandle? = nil, endHandle: AttributeHandle? = nil
    ) {
        self.valueHandle = valueHandle
        self.properties = properties
        self.configurationHandle = configurationHandle
        self.endHandle = endHandle
    }

    /// The target that a discovery found. When its descriptors are known and none is a Client Characteristic
    /// Configuration, nothing is looked for again.
    public init(_ node: DiscoveredDatabase.CharacteristicNode, descriptorsAreKnown: Bool = true) {
        let characteristic = node.characteristic
        let configuration = node.clientConfigurationHandle
        self.init(
            valueHandle: characteristic.valueHandle, properties: characteristic.properties,
            configurationHandle: configuration,
            endHandle: configuration == nil && descriptorsAreKnown
                ? characteristic.valueHandle : characteristic.endHandle)
    }
}

/// What to ask a server for.
@frozen
public enum SubscriptionMode: Hashable, Sendable {
    /// Notifications when the characteristic has them, or when nobody knows; otherwise indications.
    case automatic
    /// Notifications.
    case notify
    /// Indications, which the engine confirms.
    case indicate
}

/// A subscription that holds.
public struct ActiveSubscription: Hashable, Sendable {
    /// The handle of the characteristic's value.
    public var valueHandle: AttributeHandle
    /// Whether indications were asked for rather than notifications.
    public var indicates: Bool
    /// The descriptor that was written; nil when the server declares none. Nothing could be switched on then, but
    /// whatever the server sends by itself is delivered.
    public var configurationHandle: AttributeHandle?

    public init(valueHandle: AttributeHandle, indicates: Bool, configurationHandle: AttributeHandle?) {
        self.valueHandle = valueHandle
        self.indicates = indicates
        self.configurationHandle = configurationHandle
    }
}
