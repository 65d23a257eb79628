/// What a client found out about a server: its services, their includes, characteristics and descriptors.
///
/// Everything is in the order of handles. A UUID may occur any number of times; the handle is what identifies an
/// attribute (Core Specification, Vol 3, Part G, 2.5.1).
public struct DiscoveredDatabase: Hashable, Sendable {
    /// A service and what stands inside its handles.
    public struct ServiceNode: Hashable, Sendable {
        /// The service itself.
        public var service: Service
        /// The services it includes.
        public var includes: [IncludedService]
        /// Its characteristics.
        public var characteristics: [CharacteristicNode]

        public init(
            service: Service, includes: [IncludedService] = [], characteristics: [CharacteristicNode] = []
        ) {
            self.service = service
            self.includes = includes
            self.characteristics = characteristics
        }
    }

    /// A characteristic and its descriptors.
    public struct CharacteristicNode: Hashable, Sendable {
        /// The characteristic itself.
        public var characteristic: Characteristic
        /// Its descriptors.
        public var descriptors: [Descriptor]

        public init(characteristic: Characteristic, descriptors: [Descriptor] = []) {
            self.characteristic = characteristic
            self.descriptors = descriptors
        }

        /// The handle of the Client Characteristic Configuration descriptor; `nil` when the server declares none.
        ///
        /// It is found by its UUID: nothing makes it the handle after the value.
        public var clientConfigurationHandle: AttributeHandle? {
            descriptors.first { $0.uuid == .clientCharacteristicConfiguration }?.handle
        }
    }

    /// The services, primary and secondary, in the order of their handles.
    public var services: [ServiceNode]

    public init(services: [ServiceNode] = []) {
        self.services = services
    }

    /// How many attributes are known: each service, include and descriptor is one, each characteristic two.
    public var attributeCount: Int {
        services.reduce(0) { count, node in
            count + 1 + node.includes.count + node.characteristics.reduce(0) { $0 + 2 + $1.descriptors.count }
        }
    }

    /// Every characteristic of every service, in the order of handles.
    public var characteristics: [CharacteristicNode] { services.flatMap(\.characteristics) }

    /// The services with this UUID.
    public func services(_ uuid: BluetoothUUID) -> [ServiceNode] {
        services.filter { $0.service.uuid == uuid }
    }

    /// The characteristics with this UUID, in whatever service they stand.
    public func characteristics(_ uuid: BluetoothUUID) -> [CharacteristicNode] {
        services.flatMap { $0.characteristics.filter { $0.characteristic.uuid == uuid } }
    }

    /// The characteristic whose value has this handle.
    public func characteristic(valueHandle: AttributeHandle) -> CharacteristicNode? {
        for node in services where node.service.range.contains(valueHandle) {
            if let found = node.characteristics.first(where: { $0.characteristic.valueHandle == valueHandle }) {
                return found
            }
        }
        return nil
    }

    /// The service that holds this handle.
    public func service(containing handle: AttributeHandle) -> ServiceNode? {
        services.first { $0.service.range.contains(handle) }
    }
}
