// Fields that occur several times, as lazy walks: UUID lists, service data, manufacturer data, target addresses.

extension AdvertisingData {
    /// The service UUIDs of all lists, 16, 32 and 128 bits wide, complete and incomplete, in order of transmission
    /// (CSS, Part A, 1.1). Octets at the end of a list that make no whole UUID are left out.
    @inlinable
    public var serviceUUIDs: UUIDs {
        @_lifetime(copy self)
        get { UUIDs(makeIterator(), solicitation: false) }
    }

    /// The UUIDs of services the device looks for (CSS, Part A, 1.10).
    @inlinable
    public var solicitedServiceUUIDs: UUIDs {
        @_lifetime(copy self)
        get { UUIDs(makeIterator(), solicitation: true) }
    }

    /// The service data of all services, in order of transmission (CSS, Part A, 1.11). Structures shorter than their
    /// UUID are left out.
    @inlinable
    public var serviceData: ServiceDataList {
        @_lifetime(copy self)
        get { ServiceDataList(makeIterator()) }
    }

    /// The manufacturer data of all structures, in order of transmission (CSS, Part A, 1.4). Structures shorter than
    /// the company identifier are left out.
    @inlinable
    public var manufacturerData: ManufacturerDataList {
        @_lifetime(copy self)
        get { ManufacturerDataList(makeIterator()) }
    }

    /// The devices this advertisement is meant for (CSS, Part A, 1.13 and 1.14).
    @inlinable
    public var targetAddresses: TargetAddresses {
        @_lifetime(copy self)
        get { TargetAddresses(makeIterator()) }
    }

    /// Whether some list holds `uuid`, whatever width it was sent in.
    @inlinable
    public func advertises(_ uuid: BluetoothUUID) -> Bool {
        var uuids = serviceUUIDs
        while let candidate = uuids.next() {
            if candidate == uuid { return true }
        }
        return false
    }
}

extension AdvertisingData {
    /// A walk over UUIDs: `var uuids = data.serviceUUIDs; while let uuid = uuids.next() { … }`.
    @frozen
    public struct UUIDs: ~Escapable {
        @usableFromInline var structures: Iterator
        @usableFromInline var list: OctetReader
        @usableFromInline var width = 2
        @usableFromInline let solicitation: Bool

        /// Whether the list the last UUID came from says that it is complete; solicitation lists do not say.
        public private(set) var isFromCompleteList = false

        @inlinable
        @_lifetime(copy structures)
        init(_ structures: consuming Iterator, solicitation: Bool) {
            list = OctetReader(structures.octets, at: structures.octets.byteCount)
            self.structures = structures
            self.solicitation = solicitation
        }

        /// The next UUID, in the width it was sent in.
        public mutating func next() -> BluetoothUUID? {
            while true {
                if list.remaining >= width, let uuid = try? list.uuid(octetCount: width) { return uuid }
                guard let structure = structures.next() else { return nil }
                guard let list = Self.list(structure.type, solicitation: solicitation) else { continue }
                width = list.width
                isFromCompleteList = list.isComplete
                self.list = OctetReader(structure.data)
            }
        }

        /// All UUIDs from here on, for callers that keep them.
        public mutating func collect() -> [BluetoothUUID] {
            var uuids: [BluetoothUUID] = []
            while let uuid = next() { uuids.append(uuid) }
            return uuids
        }

        private static func list(_ type: ADType, solicitation: Bool) -> (width: Int, isComplete: Bool)? {
            switch (type, solicitation) {
            case (.incompleteServiceUUIDs16, false): (2, false)
            case (.completeServiceUUIDs16, false): (2, true)
            case (.incompleteServiceUUIDs32, false): (4, false)
            case (.completeServiceUUIDs32, false): (4, true)
            case (.incompleteServiceUUIDs128, false): (16, false)
            case (.completeServiceUUIDs128, false): (16, true)
            case (.solicitedServiceUUIDs16, true): (2, false)
            case (.solicitedServiceUUIDs32, true): (4, false)
            case (.solicitedServiceUUIDs128, true): (16, false)
            default: nil
            }
        }
    }

    /// A walk over service data.
    @frozen
    public struct ServiceDataList: ~Escapable {
        @usableFromInline var structures: Iterator

        @inlinable
        @_lifetime(copy structures)
        init(_ structures: consuming Iterator) {
            self.structures = structures
        }

        /// The next service and its data.
        @_lifetime(copy self)
        public mutating func next() -> ServiceData? {
            while let structure = structures.next() {
                let width: Int
                switch structure.type {
                case .serviceData16: width = 2
                case .serviceData32: width = 4
                case .serviceData128: width = 16
                default: continue
                }
                var reader = OctetReader(structure.data)
                guard let uuid = try? reader.uuid(octetCount: width) else { continue }
                return ServiceData(uuid: uuid, data: reader.rest())
            }
            return nil
        }
    }

    /// A walk over manufacturer data.
    @frozen
    public struct ManufacturerDataList: ~Escapable {
        @usableFromInline var structures: Iterator

        @inlinable
        @_lifetime(copy structures)
        init(_ structures: consuming Iterator) {
            self.structures = structures
        }

        /// The next company and its data.
        @_lifetime(copy self)
        public mutating func next() -> ManufacturerData? {
            while let structure = structures.next() {
                guard structure.type == .manufacturerSpecificData else { continue }
                var reader = OctetReader(structure.data)
                guard let company = try? reader.uint16() else { continue }
                return ManufacturerData(company: company, data: reader.rest())
            }
            return nil
        }
    }

    /// A walk over target addresses.
    @frozen
    public struct TargetAddresses: ~Escapable {
        @usableFromInline var structures: Iterator
        @usableFromInline var list: OctetReader
        @usableFromInline var type = DeviceAddress.AddressType.public

        @inlinable
        @_lifetime(copy structures)
        init(_ structures: consuming Iterator) {
            list = OctetReader(structures.octets, at: structures.octets.byteCount)
            self.structures = structures
        }

        /// The next address.
        public mutating func next() -> DeviceAddress? {
            while true {
                if let octets = try? list.addressOctets() { return DeviceAddress(octets, type: type) }
                guard let structure = structures.next() else { return nil }
                switch structure.type {
                case .publicTargetAddress: type = .public
                case .randomTargetAddress: type = .random
                default: continue
                }
                list = OctetReader(structure.data)
            }
        }
    }
}
