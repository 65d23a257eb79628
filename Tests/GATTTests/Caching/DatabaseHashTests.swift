import TestSupport
import Testing

@testable import GATT

@Suite struct DatabaseHashTests {
    static let key: UInt128 = 0x2B7E_1516_28AE_D2A6_ABF7_1588_09CF_4F3C

    /// FIPS 197, appendices B and C.1.
    @Test(
        arguments: [
            (key, 0x3243_F6A8_885A_308D_3131_98A2_E037_0734, 0x3925_841D_02DC_09FB_DC11_8597_196A_0B32),
            (
                0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F, 0x0011_2233_4455_6677_8899_AABB_CCDD_EEFF,
                0x69C4_E0D8_6A7B_0430_D8CD_B780_70B4_C55A
            ),
        ] as [(UInt128, UInt128, UInt128)])
    func aes(_ key: UInt128, _ block: UInt128, _ expected: UInt128) {
        #expect(AES128(key: key).encrypt(block) == expected)
    }

    /// RFC 4493, section 4: messages of 0, 16, 40 and 64 octets.
    @Test(
        arguments: [
            (0, 0xBB1D_6929_E959_3728_7FA3_7D12_9B75_6746), (16, 0x070A_16B4_6B4D_4144_F79B_DD9D_D04A_287C),
            (40, 0xDFA6_6747_DE9A_E630_30CA_3261_1497_C827), (64, 0x51F0_BEBF_7E3B_9D92_FC49_7417_7936_3CFE),
        ] as [(Int, UInt128)])
    func cmac(_ count: Int, _ expected: UInt128) {
        let message = hex(
            "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")
        #expect(CMAC(key: Self.key).code(of: Array(message.prefix(count))) == expected)
    }

    /// The example of the Core Specification (Vol 3, Part G, Appendix B): attributes, message and hash.
    @Test func theExampleOfTheSpecification() throws {
        func char(_ uuid: BluetoothUUID, _ properties: UInt8, _ descriptors: [BluetoothUUID] = [])
            -> CharacteristicDefinition
        {
            CharacteristicDefinition(
                uuid: uuid, properties: CharacteristicProperties(rawValue: properties),
                descriptors: descriptors.map { DescriptorDefinition(uuid: $0, value: [0, 0]) })
        }
        let database = try AttributeDatabase(services: [
            ServiceDefinition(uuid: 0x1800, characteristics: [char(0x2A00, 0x0A), char(0x2A01, 0x02)]),
            ServiceDefinition(
                uuid: 0x1801, characteristics: [char(0x2A05, 0x20), char(0x2B29, 0x0A), char(0x2B2A, 0x02)]),
            ServiceDefinition(
                uuid: 0x1808, includes: [.init(service: 3)],
                characteristics: [char(0x2A18, 0xA2, [0x2902, 0x2900])]),
            ServiceDefinition(uuid: 0x180F, isPrimary: false, characteristics: [char(0x2A19, 0x02)]),
        ])
        var message = HashMessage()
        for attribute in database.attributes { message.append(attribute.handle, attribute.type, attribute.value) }
        #expect(
            message.octets
                == hex(
                    "010000280018020003280a0300002a04000328020500012a06000028011807000328200800052a090002290a0003"
                        + "280a0b00292b0c000328020d002a2b0e00002808180f000228140016000f1810000328a21100182a1200022913"
                        + "0000290000140001280f1815000328021600192a"))
        #expect(message.code == 0xF1CA_2D48_ECF5_8BAC_8A88_30BB_B9FB_A990)
        // On the wire a number begins with its least significant octet.
        let hash = DatabaseHash(database)
        #expect(hash.octets == hex("90a9fbb9bb30888aac8bf5ec482dcaf1"))
        #expect(database.attributes.first { $0.type == .databaseHash }?.value == hash.octets)
        #expect(hash == DatabaseHash(DiscoveredDatabase(truthOf: database)))
        #expect(hash.matches(message.code))
        #expect(DatabaseHash(octets: hex("f1ca2d48ecf58bac8a8830bbb9fba990"))?.matches(message.code) == true)
        #expect(DatabaseHash(octets: hex("f1ca2d48ecf58bac8a8830bbb9fba9")) == nil)
        #expect(!hash.matches(message.code ^ 1))
    }

    /// Whatever is different about the attributes, the hash is; what is not part of it is not.
    @Test func whatCounts() throws {
        let database = DiscoveredDatabase(truthOf: try PeripheralDatabases.large())
        let hash = try #require(DatabaseHash(database))
        var other = database
        other.services[2].characteristics[0].descriptors[0].handle = 0x7777
        #expect(DatabaseHash(other) != hash)
        other = database
        other.services[2].characteristics[0].characteristic.properties = .read
        #expect(DatabaseHash(other) != hash)
        other = database
        other.services.removeLast()
        #expect(DatabaseHash(other) != hash)
        other = database
        other.services[2].characteristics[0].descriptors.append(Descriptor(uuid: 0x2908, handle: 0x7777))
        #expect(DatabaseHash(other) == hash)
        other = database
        other.services[2].characteristics[0].descriptors.append(Descriptor(uuid: 0x2900, handle: 0x7777))
        #expect(DatabaseHash(other) == nil, "its value is not known")
    }
}
