import GATT
import TestSupport

/// Databases of all shapes: gaps, duplicates, both widths of UUIDs, secret descriptors.
enum RandomDatabase {
    static func make(_ random: inout SeededGenerator) throws -> AttributeDatabase {
        var next: UInt16 = .random(in: 1...3, using: &random)
        let count = Int.random(in: 0...8, using: &random)
        var services: [ServiceDefinition] = []
        // One server in four has no Database Hash, one has a wrong one.
        let hash = Int.random(in: 0..<4, using: &random)
        if hash > 0 {
            services.append(
                ServiceDefinition(
                    uuid: .genericAttribute, handle: AttributeHandle(next),
                    characteristics: [
                        CharacteristicDefinition(uuid: .serviceChanged, properties: .indicate),
                        CharacteristicDefinition(
                            uuid: .databaseHash, properties: .read,
                            value: hash == 1 ? [UInt8](repeating: 7, count: 16) : []),
                    ]))
            next += 6
        }
        for index in services.count..<(services.count + count) {
            if Int.random(in: 0..<3, using: &random) == 0 { next += .random(in: 1...20, using: &random) }
            let characteristics = (0..<Int.random(in: 0...6, using: &random)).map { _ in characteristic(&random) }
            var service = ServiceDefinition(
                uuid: uuid(&random), isPrimary: Int.random(in: 0..<5, using: &random) > 0,
                handle: AttributeHandle(next),
                characteristics: characteristics)
            if index > 0, Int.random(in: 0..<4, using: &random) == 0 {
                service.includes = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                    .init(service: Int.random(in: 0..<services.count, using: &random))
                }
            }
            let laidOut = try AttributeDatabase(services: services + [service])
            var end = laidOut.attributes.last?.handle.rawValue ?? next
            // Handles at the end of a service that hold nothing.
            if Int.random(in: 0..<4, using: &random) == 0 { end += .random(in: 1...10, using: &random) }
            if index == count, Int.random(in: 0..<3, using: &random) == 0 { end = 0xFFFF }
            service.end = AttributeHandle(end)
            services.append(service)
            next = end == 0xFFFF ? end : end + 1
        }
        return try AttributeDatabase(services: services)
    }

    private static func uuid(_ random: inout SeededGenerator) -> BluetoothUUID {
        Bool.random(using: &random)
            ? BluetoothUUID(UInt16.random(in: 0x1800...0x1808, using: &random))
            : PeripheralDatabases.uuid(.random(in: 1...8, using: &random))
    }

    private static func characteristic(_ random: inout SeededGenerator) -> CharacteristicDefinition {
        let properties: [CharacteristicProperties] = [
            .read, [.read, .notify], .indicate, [.notify, .indicate], .write, [.read, .extendedProperties],
        ]
        let chosen = properties.randomElement(using: &random) ?? .read
        var descriptors: [DescriptorDefinition] = []
        let types: [BluetoothUUID] = [0x2901, 0x2901, 0x2904, 0x2908, 0x2905, PeripheralDatabases.uuid(99), 0x1234]
        for _ in 0..<Int.random(in: 0...3, using: &random) where Bool.random(using: &random) {
            let isSecret = Int.random(in: 0..<6, using: &random) == 0
            descriptors.append(
                DescriptorDefinition(
                    uuid: types.randomElement(using: &random) ?? 0x2901,
                    permissions: isSecret ? AttributePermissions(read: .encrypted) : .readOnly,
                    value: [UInt8](repeating: 0x41, count: .random(in: 0...30, using: &random))))
        }
        return CharacteristicDefinition(
            uuid: uuid(&random), properties: chosen, value: [1, 2],
            extendedProperties: chosen.contains(.extendedProperties)
                ? ExtendedProperties(rawValue: .random(in: 0...3, using: &random)) : nil,
            descriptors: descriptors)
    }
}

extension DiscoveredDatabase {
    /// What a client has to find, read off the server's attributes.
    init(truthOf database: AttributeDatabase) {
        self.init()
        func number(_ value: [UInt8], at offset: Int) -> UInt16 {
            UInt16(value[offset]) | UInt16(value[offset + 1]) << 8
        }
        func uuid(_ value: [UInt8]) -> BluetoothUUID {
            if value.count == 2 { return BluetoothUUID(number(value, at: 0)) }
            func half(_ offset: Int) -> UInt64 {
                (0..<8).reduce(0) { $0 | UInt64(value[offset + $1]) << (8 * UInt64($1)) }
            }
            return BluetoothUUID(high: half(8), low: half(0))
        }
        func range(_ first: UInt16, _ last: UInt16) -> HandleRange {
            HandleRange(first: AttributeHandle(first), last: AttributeHandle(last)) ?? .all
        }
        for attribute in database.attributes {
            let handle = attribute.handle
            let service = services.count - 1
            let characteristic = services.last.map { $0.characteristics.count - 1 } ?? -1
            switch attribute.type {
            case .primaryService, .secondaryService:
                services.append(
                    ServiceNode(
                        service: Service(
                            uuid: uuid(attribute.value),
                            range: range(handle.rawValue, attribute.groupEnd.rawValue),
                            isPrimary: attribute.type == .primaryService)))
            case .include:
                let first = number(attribute.value, at: 0)
                let included = database.index(of: AttributeHandle(first)).map { database.attributes[$0] }
                services[service].includes.append(
                    IncludedService(
                        handle: handle, range: range(first, number(attribute.value, at: 2)),
                        uuid: included.map { uuid($0.value) } ?? 0))
            case .characteristic:
                if characteristic >= 0 {
                    services[service].characteristics[characteristic].characteristic.endHandle = AttributeHandle(
                        handle.rawValue - 1)
                }
                services[service].characteristics.append(
                    CharacteristicNode(
                        characteristic: Characteristic(
                            uuid: uuid(Array(attribute.value[3...])), declarationHandle: handle,
                            valueHandle: AttributeHandle(number(attribute.value, at: 1)),
                            properties: CharacteristicProperties(rawValue: attribute.value[0]),
                            endHandle: services[service].service.range.last)))
            default:
                let present = services[service].characteristics[characteristic].characteristic
                guard handle != present.valueHandle else { continue }
                services[service].characteristics[characteristic].descriptors.append(
                    Descriptor(uuid: attribute.type, handle: handle))
                if attribute.type == .characteristicExtendedProperties,
                    present.properties.contains(.extendedProperties)
                {
                    services[service].characteristics[characteristic].characteristic.extendedProperties =
                        ExtendedProperties(rawValue: number(attribute.value, at: 0))
                }
            }
        }
    }
}
