// What a person says about a server, before handles are given out: services, with what they include, their
// characteristics and descriptors (Core Specification, Vol 3, Part G, 2.6 and 3). `AttributeDatabase` turns it into
// attributes.

/// A service that a server shall have.
public struct ServiceDefinition: Hashable, Sendable {
    /// A service that this one includes.
    public struct Include: Hashable, Sendable {
        /// Which: its place in the list of definitions.
        public var service: Int
        /// The handle of the include declaration; `nil`: the next free one.
        public var handle: AttributeHandle?

        public init(service: Int, handle: AttributeHandle? = nil) {
            self.service = service
            self.handle = handle
        }
    }

    /// Its UUID.
    public var uuid: BluetoothUUID
    /// Whether clients find it by themselves; a secondary service is found through those that include it.
    public var isPrimary: Bool
    /// The handle of its declaration; `nil`: the one after the end of the service before.
    public var handle: AttributeHandle?
    /// Its last handle; `nil`: that of its last attribute.
    public var end: AttributeHandle?
    /// What it includes.
    public var includes: [Include]
    /// Its characteristics, in order of their handles.
    public var characteristics: [CharacteristicDefinition]

    public init(
        uuid: BluetoothUUID, isPrimary: Bool = true, handle: AttributeHandle? = nil, end: AttributeHandle? = nil,
        includes: [Include] = [], characteristics: [CharacteristicDefinition] = []
    ) {
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.handle = handle
        self.end = end
        self.includes = includes
        self.characteristics = characteristics
    }
}

/// A characteristic that a service shall have.
public struct CharacteristicDefinition: Hashable, Sendable {
    /// Its UUID.
    public var uuid: BluetoothUUID
    /// What a client may do with it. With `notify` or `indicate` it gets a Client Characteristic Configuration.
    public var properties: CharacteristicProperties
    /// Who may read and write the value; `nil`: everybody, what the properties say.
    public var permissions: AttributePermissions?
    /// The value at the start.
    public var value: [UInt8]
    /// How long the value may be; `nil`: up to 512 octets when it can be written, otherwise fixed.
    public var length: Attribute.Length?
    /// The value of its Characteristic Extended Properties (0x2900); `nil`: it has none.
    public var extendedProperties: ExtendedProperties?
    /// How its value answers apart from what the specification asks for.
    public var behaviour: AttributeBehaviour
    /// The handle of its declaration, the value's being the next one; `nil`: the next free one.
    public var handle: AttributeHandle?
    /// Its descriptors, in order of their handles. A Client Characteristic Configuration (0x2902) that is needed and not
    /// listed comes first.
    public var descriptors: [DescriptorDefinition]

    public init(
        uuid: BluetoothUUID, properties: CharacteristicProperties, permissions: AttributePermissions? = nil,
        value: [UInt8] = [], length: Attribute.Length? = nil, extendedProperties: ExtendedProperties? = nil,
        behaviour: AttributeBehaviour = .plain, handle: AttributeHandle? = nil,
        descriptors: [DescriptorDefinition] = []
    ) {
        self.uuid = uuid
        self.properties = properties
        self.permissions = permissions
        self.value = value
        self.length = length
        self.extendedProperties = extendedProperties
        self.behaviour = behaviour
        self.handle = handle
        self.descriptors = descriptors
    }

    /// Who may read and write the value, by the properties when nothing else was said. What is written only by Signed Write
    /// Commands takes others on an encrypted link, where nothing is signed.
    public var effectivePermissions: AttributePermissions {
        if let permissions { return permissions }
        let write: AccessRule? =
            if !properties.isDisjoint(with: [.write, .writeWithoutResponse]) {
                .open
            } else if properties.contains(.authenticatedSignedWrites) {
                .encrypted
            } else {
                nil
            }
        return AttributePermissions(read: properties.contains(.read) ? .open : nil, write: write)
    }
}

/// A descriptor that a characteristic shall have.
public struct DescriptorDefinition: Hashable, Sendable {
    /// Its UUID.
    public var uuid: BluetoothUUID
    /// Who may read and write it; `nil`: everybody may read, and write a Client Characteristic Configuration (0x2902).
    public var permissions: AttributePermissions?
    /// The value at the start.
    public var value: [UInt8]
    /// How long the value may be.
    public var length: Attribute.Length
    /// How it answers apart from what the specification asks for.
    public var behaviour: AttributeBehaviour
    /// Its handle; `nil`: the next free one.
    public var handle: AttributeHandle?

    public init(
        uuid: BluetoothUUID, permissions: AttributePermissions? = nil, value: [UInt8] = [],
        length: Attribute.Length = .fixed, behaviour: AttributeBehaviour = .plain, handle: AttributeHandle? = nil
    ) {
        self.uuid = uuid
        self.permissions = permissions
        self.value = value
        self.length = length
        self.behaviour = behaviour
        self.handle = handle
    }
}
