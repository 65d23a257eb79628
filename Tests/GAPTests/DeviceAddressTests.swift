import GAP
import TestSupport
import Testing
import Wire

@Suite struct DeviceAddressTests {
    @Test(arguments: [
        ("C0:FF:EE:00:00:01/random", DeviceAddress.Kind.staticRandom),
        ("5A:11:22:33:44:55/random", .resolvablePrivate),
        ("3A:11:22:33:44:55/random", .nonResolvablePrivate),
        ("9A:11:22:33:44:55/random", .reserved),
        ("C0:FF:EE:00:00:01/public", .public),
    ])
    func kinds(text: String, kind: DeviceAddress.Kind) throws {
        let address = try #require(DeviceAddress(text))
        #expect(address.kind == kind)
        #expect(address.description == text)
        #expect(address.isStable == (kind == .staticRandom || kind == .public))
    }

    @Test func theTypeIsPartOfTheAddress() throws {
        let asPublic = try #require(DeviceAddress("02:00:5E:10:00:01/public"))
        let asRandom = try #require(DeviceAddress("02:00:5E:10:00:01/random"))
        #expect(asPublic != asRandom)
        #expect(asPublic.octets == asRandom.octets)
        #expect(Set([asPublic, asRandom]).count == 2)
    }

    @Test func lowerCaseIsReadAndUpperCaseWritten() {
        #expect(DeviceAddress("c0:ff:ee:00:00:01/Random")?.description == "C0:FF:EE:00:00:01/random")
        #expect(AddressOctets("c0:ff:ee:00:00:01")?.description == "C0:FF:EE:00:00:01")
    }

    @Test(arguments: [
        "", "C0:FF:EE:00:00:01", "C0:FF:EE:00:00:01/", "C0:FF:EE:00:00:01/static", "C0:FF:EE:00:00/random",
        "C0:FF:EE:00:00:01:02/random", "C0-FF-EE-00-00-01/random", "C0:FF:EE:00:00:0g/random", "C0FFEE000001/random",
        " C0:FF:EE:00:00:01/random", "C0:FF:EE:00:00:01/random/random",
    ])
    func otherTextIsRefused(_ text: String) {
        #expect(DeviceAddress(text) == nil)
    }

    @Test(arguments: [
        "", "C0:FF:EE:00:00:01/random", "C0:FF:EE:00:00:0", "C0:FF:EE:00:00:011", ":::::", "é0:FF:EE:00:00:01",
    ])
    func otherOctetsAreRefused(_ text: String) {
        #expect(AddressOctets(text) == nil)
    }

    @Test func theFirstOctetSentIsTheLastWritten() throws {
        let octets = hex("01 00 00 ee ff c0")
        var reader = OctetReader(octets.octets)
        let address = try reader.addressOctets()
        #expect(address.description == "C0:FF:EE:00:00:01")
        #expect(address.inTransmissionOrder == (0x01, 0x00, 0x00, 0xEE, 0xFF, 0xC0))
        #expect(AddressOctets(inTransmissionOrder: address.inTransmissionOrder) == address)
        #expect([UInt8](capacity: 6) { $0.append(address) } == octets)
    }

    @Test func typeCodesOfHCI() {
        let octets = AddressOctets(value: 1)
        #expect(DeviceAddress(octets, typeCode: 0x00)?.type == .public)
        #expect(DeviceAddress(octets, typeCode: 0x01)?.type == .random)
        #expect(DeviceAddress(octets, typeCode: 0x02)?.type == .public)
        #expect(DeviceAddress(octets, typeCode: 0x03)?.type == .random)
        #expect(DeviceAddress(octets, typeCode: 0xFE) == nil)
        #expect(DeviceAddress(octets, typeCode: 0xFF) == nil)
    }
}
