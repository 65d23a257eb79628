// Giving out handles (Core Specification, Vol 3, Part G, 3.1 to 3.3). A service is its declaration, its include
// declarations, then for each characteristic its declaration, its value and its descriptors. Include declarations hold the
// handles of other services, so they are filled in when all handles are known.

extension AttributeDatabase {
    /// The database of these services, handles given out in order from 0x0001 where the definitions do not fix them. A
    /// Database Hash whose value is empty gets the hash of the database.
    /// - Throws: What is wrong with the definitions and where.
    public init(services: [ServiceDefinition]) throws(DatabaseError) {
        self = try Self.laidOut(services).database
    }

    /// The database of these services, and where the values of their characteristics are: for each service in the order
    /// of the definitions, the value handle of each of its characteristics.
    /// - Throws: What is wrong with the definitions and where.
    public static func laidOut(
        _ services: [ServiceDefinition]
    ) throws(DatabaseError) -> (database: AttributeDatabase, valueHandles: [[AttributeHandle]]) {
        var builder = Builder()
        for (index, service) in services.enumerated() {
            try builder.add(service, at: index)
        }
        try builder.fillIncludes(services)
        try builder.checkOverlaps()
        var database = AttributeDatabase(attributes: builder.attributes)
        // A Database Hash without a value is to be the right one; tests of clients may want a wrong one.
        for attribute in database.attributes where attribute.type == .databaseHash && attribute.value.isEmpty {
            database.setValue(DatabaseHash(database).octets, at: attribute.handle)
        }
        return (database, builder.valueHandles)
    }
}

/// Attributes in the making.
private struct Builder {
    var attributes: [Attribute] = []
    /// The handles of each service.
    var ranges: [(first: AttributeHandle, last: AttributeHandle)] = []
    /// The value handles of each service's characteristics.
    var valueHandles: [[AttributeHandle]] = []
    /// Where the include declarations are: place in `attributes`, service and include.
    var includes: [(attribute: Int, service: Int, include: Int)] = []
    /// The last handle given out, 0 before the first.
    var last: UInt16 = 0

    /// The next handle: `wanted`, or the one after the last.
    mutating func take(
        _ wanted: AttributeHandle?, after floor: UInt16, at place: DatabaseError.Place
    ) throws(DatabaseError) -> AttributeHandle {
        if let wanted {
            guard wanted.rawValue > floor else {
                throw DatabaseError(
                    .handleNotAscending(wanted, previous: AttributeHandle(rawValue: floor)), at: place)
            }
            last = wanted.rawValue
        } else {
            guard last < UInt16.max else { throw DatabaseError(.noHandleLeft, at: place) }
            last += 1
        }
        return AttributeHandle(rawValue: last)
    }

    mutating func add(_ service: ServiceDefinition, at index: Int) throws(DatabaseError) {
        let place = DatabaseError.Place(service: index)
        // A service with a fixed handle may lie anywhere, also below the one before.
        let first = try take(service.handle, after: 0, at: place)
        let declaration = attributes.count
        append(
            first, service.isPrimary ? .primaryService : .secondaryService, .readOnly, octets(of: service.uuid.onWire))
        for (number, include) in service.includes.enumerated() {
            let place = DatabaseError.Place(service: index, include: number)
            includes.append((attributes.count, index, number))
            append(try take(include.handle, after: last, at: place), .include, .readOnly, [])
        }
        var values: [AttributeHandle] = []
        for (number, characteristic) in service.characteristics.enumerated() {
            values.append(try add(characteristic, at: DatabaseError.Place(service: index, characteristic: number)))
        }
        valueHandles.append(values)
        if let end = service.end {
            guard end.rawValue >= last else {
                throw DatabaseError(
                    .endBelowLastAttribute(end: end, last: AttributeHandle(rawValue: last)), at: place)
            }
            last = end.rawValue
        }
        attributes[declaration].role = .service(end: AttributeHandle(rawValue: last))
        ranges.append((first, AttributeHandle(rawValue: last)))
    }

    mutating func add(
        _ characteristic: CharacteristicDefinition, at place: DatabaseError.Place
    ) throws(DatabaseError) -> AttributeHandle {
        var properties = characteristic.properties
        if characteristic.extendedProperties != nil { properties.insert(.extendedProperties) }
        let declaration = try take(characteristic.handle, after: last, at: place)
        let handle = try take(nil, after: last, at: place)
        append(
            declaration, .characteristic, .readOnly,
            [properties.rawValue] + octets(of: handle.rawValue) + octets(of: characteristic.uuid.onWire))

        let permissions = characteristic.effectivePermissions
        let length =
            characteristic.length
            ?? (permissions.write == nil
                ? .fixed : .variable(maximum: AttributeDatabase.maximumValueLength))
        try check(characteristic.value, length, at: place)
        attributes.append(
            Attribute(
                handle: handle, type: characteristic.uuid, permissions: permissions, value: characteristic.value,
                length: length,
                role: characteristic.uuid == .clientSupportedFeatures ? .clientFeatures : .value(properties),
                behaviour: characteristic.behaviour))

        if let extended = characteristic.extendedProperties {
            append(
                try take(nil, after: last, at: place), .characteristicExtendedProperties, .readOnly,
                octets(of: extended.rawValue))
        }
        let configuration = Attribute.Role.clientConfiguration(valueHandle: handle, properties)
        if !properties.isDisjoint(with: [.notify, .indicate]),
            !characteristic.descriptors.contains(where: { $0.uuid == .clientCharacteristicConfiguration })
        {
            append(
                try take(nil, after: last, at: place), .clientCharacteristicConfiguration, .readWrite, [0, 0],
                role: configuration)
        }
        for (number, descriptor) in characteristic.descriptors.enumerated() {
            var place = place
            place.descriptor = number
            let isConfiguration = descriptor.uuid == .clientCharacteristicConfiguration
            let value = isConfiguration && descriptor.value.isEmpty ? [0, 0] : descriptor.value
            try check(value, descriptor.length, at: place)
            attributes.append(
                Attribute(
                    handle: try take(descriptor.handle, after: last, at: place), type: descriptor.uuid,
                    permissions: descriptor.permissions ?? (isConfiguration ? .readWrite : .readOnly), value: value,
                    length: descriptor.length, role: isConfiguration ? configuration : .plain,
                    behaviour: descriptor.behaviour))
        }
        return handle
    }

    func check(
        _ value: [UInt8], _ length: Attribute.Length, at place: DatabaseError.Place
    ) throws(DatabaseError) {
        var maximum = AttributeDatabase.maximumValueLength
        if case .variable(let limit) = length { maximum = min(limit, maximum) }
        guard value.count <= maximum else {
            throw DatabaseError(.valueTooLong(length: value.count, maximum: maximum), at: place)
        }
    }

    mutating func append(
        _ handle: AttributeHandle, _ type: BluetoothUUID, _ permissions: AttributePermissions, _ value: [UInt8],
        role: Attribute.Role = .plain
    ) {
        attributes.append(
            Attribute(handle: handle, type: type, permissions: permissions, value: value, role: role))
    }

    /// Include declarations: first and last handle of the included service, and its UUID when that has 16 bits
    /// (Vol 3, Part G, 3.2).
    mutating func fillIncludes(_ services: [ServiceDefinition]) throws(DatabaseError) {
        for (attribute, service, include) in includes {
            let included = services[service].includes[include].service
            guard ranges.indices.contains(included) else {
                throw DatabaseError(.noSuchService(included), at: .init(service: service, include: include))
            }
            var value = octets(of: ranges[included].first.rawValue) + octets(of: ranges[included].last.rawValue)
            let uuid = services[included].uuid.onWire
            if uuid.width == .bits16 { value += octets(of: uuid) }
            attributes[attribute].value = value
        }
    }

    func checkOverlaps() throws(DatabaseError) {
        let order = ranges.indices.sorted { ranges[$0].first < ranges[$1].first }
        for (lower, upper) in zip(order, order.dropFirst()) where ranges[upper].first <= ranges[lower].last {
            throw DatabaseError(
                .overlap(ranges[lower].first, ranges[upper].first), at: .init(service: max(lower, upper)))
        }
    }
}

private func octets(of uuid: BluetoothUUID) -> [UInt8] {
    [UInt8](capacity: uuid.width.octetCount) { output in output.append(uuid) }
}

private func octets(of number: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
}

extension BluetoothUUID {
    /// The form it has in attributes, which know 16 and 128 bits only (Vol 3, Part F, 3.2.1).
    var onWire: BluetoothUUID { width == .bits32 ? expanded : self }
}
