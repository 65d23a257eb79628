import GATT

/// Databases like those of real peripherals.
enum PeripheralDatabases {
    /// `b7a7nnnn-1d00-4c1e-9f00-00a77a77a77a`
    static func uuid(_ number: UInt16) -> BluetoothUUID {
        BluetoothUUID(high: 0xB7A7_0000_1D00_4C1E | UInt64(number) << 32, low: 0x9F00_00A7_7A77_A77A)
    }

    /// A peripheral with everything: 64 characteristics, short and long UUIDs, a secondary service, an include,
    /// descriptions, formats; about two hundred attributes.
    /// - Parameter hash: the value of its Database Hash; empty for the right one, nil for a server without any.
    static func large(hash: [UInt8]? = []) throws -> AttributeDatabase {
        func char(
            _ uuid: BluetoothUUID, _ properties: CharacteristicProperties, _ value: [UInt8] = [0],
            _ descriptors: [DescriptorDefinition] = []
        ) -> CharacteristicDefinition {
            CharacteristicDefinition(uuid: uuid, properties: properties, value: value, descriptors: descriptors)
        }
        func description(_ text: String) -> DescriptorDefinition {
            DescriptorDefinition(uuid: .characteristicUserDescription, permissions: .readOnly, value: Array(text.utf8))
        }
        let format = DescriptorDefinition(
            uuid: .characteristicPresentationFormat, permissions: .readOnly, value: [0x19, 0, 0, 0x27, 1, 0, 0])
        var services = [
            ServiceDefinition(
                uuid: .genericAccess, characteristics: [char(.deviceName, .read), char(.appearance, .read, [0, 0])]),
            ServiceDefinition(
                uuid: .genericAttribute,
                characteristics: [
                    char(.serviceChanged, .indicate, [0, 0, 0, 0]), char(.clientSupportedFeatures, [.read, .write]),
                    char(hash == nil ? 0x2B3A : .databaseHash, .read, hash ?? [0]),
                ]),
            ServiceDefinition(
                uuid: 0x180D,
                characteristics: [char(0x2A37, .notify, [0, 60]), char(0x2A38, .read), char(0x2A39, .write)]),
            ServiceDefinition(uuid: 0x180F, characteristics: [char(0x2A19, [.read, .notify])]),
            ServiceDefinition(
                uuid: 0x180A,
                characteristics: [0x2A29, 0x2A24, 0x2A25, 0x2A26, 0x2A23].map {
                    char(BluetoothUUID($0 as UInt16), .read)
                }),
            ServiceDefinition(
                uuid: uuid(2), isPrimary: false, characteristics: [char(uuid(0x20), .read)]),
            ServiceDefinition(
                uuid: uuid(1), includes: [.init(service: 3)],
                characteristics: [
                    char(uuid(0x10), [.read, .write], [1], [description("Echo value"), format]),
                    char(uuid(0x11), .writeWithoutResponse), char(uuid(0x12), [.read, .write]),
                    char(uuid(0x13), [.read, .write]), char(uuid(0x14), .indicate), char(uuid(0x15), .read),
                    char(uuid(0x16), .write), char(uuid(0x17), .read), char(uuid(0x18), .read),
                ]),
            ServiceDefinition(
                uuid: uuid(0x100),
                characteristics: [
                    char(uuid(0x101), .write), char(uuid(0x102), .notify),
                    char(uuid(0x103), [.write, .writeWithoutResponse]), char(uuid(0x104), [.read, .write]),
                ]),
        ]
        for service: UInt16 in 0..<4 {
            services.append(
                ServiceDefinition(
                    uuid: uuid(0x1000 + 0x100 * service),
                    characteristics: (0..<9).map { (index: UInt16) in
                        char(
                            uuid(0x1001 + 0x100 * service + index), index % 2 == 1 ? [.read, .notify] : .read, [0, 0],
                            [description("Filler \(service).\(index)")])
                    }))
        }
        return try AttributeDatabase(services: services)
    }
}
