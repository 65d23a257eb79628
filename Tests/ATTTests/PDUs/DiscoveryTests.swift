import ATT
import TestSupport
import Testing

/// The PDUs that find attributes and groups, octet by octet.
@Suite struct DiscoveryTests {
    private let vendor = "33c3695141abaab2484cd69001004a42"
    private let vendorUUID = BluetoothUUID(high: 0x424a_0001_90d6_4c48, low: 0xb2aa_ab41_5169_c333)

    @Test func findInformationRequest() throws {
        let octets = hex("04 0a 00 0f 01")
        let pdu = try FindInformationRequest(parsing: octets.octets)
        #expect(pdu == FindInformationRequest(first: 0x000A, last: 0x010F))
        #expect(try encoded(pdu) == octets)
    }

    @Test func findInformationResponseOf16Bits() throws {
        let octets = hex("05 01 0a00 0229 0b00 0129")
        let pdu = try FindInformationResponse(parsing: octets.octets)
        #expect(pdu.format == .uuid16)
        #expect(pdu.entries.count == 2)
        var iterator = pdu.entries.makeIterator()
        #expect(iterator.next() == .init(handle: 0x000A, uuid: 0x2902))
        #expect(iterator.next() == .init(handle: 0x000B, uuid: 0x2901))
        #expect(iterator.next() == nil)
        #expect(iterator.next() == nil)
        #expect(try encoded(pdu) == octets)
    }

    @Test func findInformationResponseOf128Bits() throws {
        let octets = hex("05 02 0a00" + vendor)
        let pdu = try FindInformationResponse(parsing: octets.octets)
        #expect(pdu.format == .uuid128)
        #expect(pdu.entries.count == 1)
        var iterator = pdu.entries.makeIterator()
        let next = iterator.next()
        let entry = try #require(next)
        #expect(entry.handle == 0x000A)
        #expect(entry.uuid == vendorUUID)
        #expect(entry.uuid.width == .bits128)
        #expect(iterator.next() == nil)
    }

    @Test func findInformationResponseIsComposed() throws {
        let short = try [UInt8](capacity: 23) { output in
            try FindInformationResponse.begin(format: .uuid16, into: &output)
            try FindInformationResponse.append(handle: 0x000A, uuid: 0x2902, format: .uuid16, into: &output)
            try FindInformationResponse.append(
                handle: 0x000B, uuid: BluetoothUUID(0x2901 as UInt16).expanded, format: .uuid16, into: &output)
        }
        #expect(short == hex("05 01 0a00 0229 0b00 0129"))
        let long = try [UInt8](capacity: 23) { output in
            try FindInformationResponse.begin(format: .uuid128, into: &output)
            try FindInformationResponse.append(handle: 0x000A, uuid: vendorUUID, format: .uuid128, into: &output)
        }
        #expect(long == hex("05 02 0a00" + vendor))
        let expanded = try [UInt8](capacity: 23) { output in
            try FindInformationResponse.begin(format: .uuid128, into: &output)
            try FindInformationResponse.append(handle: 0x000A, uuid: 0x2902, format: .uuid128, into: &output)
        }
        #expect(expanded == hex("05 02 0a00 fb349b5f80000080 0010000002290000"))
    }

    @Test func findInformationResponseHasOneWidth() {
        #expect(throws: EncodeError.invalidValue) {
            _ = try [UInt8](capacity: 23) { output in
                try FindInformationResponse.append(handle: 0x000A, uuid: vendorUUID, format: .uuid16, into: &output)
            }
        }
    }

    @Test func findByTypeValueRequest() throws {
        let octets = hex("06 01 00 ff ff 00 28 0d 18")
        let pdu = try FindByTypeValueRequest(parsing: octets.octets)
        #expect(pdu.first == 0x0001)
        #expect(pdu.last == 0xFFFF)
        #expect(pdu.attributeType == 0x2800)
        #expect([UInt8](octets: pdu.value) == hex("0d 18"))
        let value = hex("0d 18")
        let same = FindByTypeValueRequest(first: 0x0001, last: 0xFFFF, attributeType: 0x2800, value: value.octets)
        #expect(try encoded(same) == octets)
    }

    @Test func findByTypeValueResponse() throws {
        let octets = hex("07 1000 1a00 2000 ffff")
        let pdu = try FindByTypeValueResponse(parsing: octets.octets)
        #expect(pdu.entries.count == 2)
        var iterator = pdu.entries.makeIterator()
        #expect(iterator.next() == .init(found: 0x0010, groupEnd: 0x001A))
        #expect(iterator.next() == .init(found: 0x0020, groupEnd: 0xFFFF))
        #expect(iterator.next() == nil)
        let composed = try [UInt8](capacity: 9) { output in
            try FindByTypeValueResponse.begin(into: &output)
            try FindByTypeValueResponse.append(found: 0x0010, groupEnd: 0x001A, into: &output)
            try FindByTypeValueResponse.append(found: 0x0020, groupEnd: 0xFFFF, into: &output)
        }
        #expect(composed == octets)
    }

    @Test func readByTypeRequestOf16Bits() throws {
        let octets = hex("08 01 00 ff ff 03 28")
        let pdu = try ReadByTypeRequest(parsing: octets.octets)
        #expect(pdu == ReadByTypeRequest(first: 0x0001, last: 0xFFFF, attributeType: 0x2803))
        #expect(pdu.attributeType.width == .bits16)
        #expect(try encoded(pdu) == octets)
    }

    @Test func readByTypeRequestOf128Bits() throws {
        let octets = hex("08 01 00 ff ff" + vendor)
        let pdu = try ReadByTypeRequest(parsing: octets.octets)
        #expect(pdu == ReadByTypeRequest(first: 0x0001, last: 0xFFFF, attributeType: vendorUUID))
        #expect(try encoded(pdu) == octets)
    }

    /// The Attribute Protocol has no 32-bit UUIDs.
    @Test func readByTypeRequestExpands32Bits() throws {
        let type = BluetoothUUID(0x1234_5678 as UInt32)
        let octets = try encoded(ReadByTypeRequest(first: 0x0001, last: 0xFFFF, attributeType: type))
        #expect(octets == hex("08 01 00 ff ff fb349b5f80000080 0010000078563412"))
        #expect(try ReadByTypeRequest(parsing: octets.octets).attributeType == type)
    }

    @Test func readByTypeResponse() throws {
        let octets = hex("09 07 0200 02 0300 002a 0400 02 0500 012a")
        let pdu = try ReadByTypeResponse(parsing: octets.octets)
        #expect(pdu.entryLength == 7)
        #expect(pdu.entries.count == 2)
        var iterator = pdu.entries.makeIterator()
        var lines: [String] = []
        while let entry = iterator.next() { lines.append("\(entry.handle) \(entry.value.hexadecimal)") }
        #expect(lines == ["0x0002 020300002a", "0x0004 020500012a"])
        let isAtEnd = iterator.next() == nil
        #expect(isAtEnd)
        #expect(try encoded(pdu) == octets)
        let one = hex("02 0300 002a")
        let other = hex("02 0500 012a")
        let composed = try [UInt8](capacity: 23) { output in
            try ReadByTypeResponse.begin(entryLength: 7, into: &output)
            try ReadByTypeResponse.append(handle: 0x0002, value: one.octets, into: &output)
            try ReadByTypeResponse.append(handle: 0x0004, value: other.octets, into: &output)
        }
        #expect(composed == octets)
    }

    @Test func readByGroupTypeRequest() throws {
        let octets = hex("10 01 00 ff ff 00 28")
        let pdu = try ReadByGroupTypeRequest(parsing: octets.octets)
        #expect(pdu == ReadByGroupTypeRequest(first: 0x0001, last: 0xFFFF, groupType: 0x2800))
        #expect(try encoded(pdu) == octets)
        let long = hex("10 01 00 ff ff" + vendor)
        #expect(try ReadByGroupTypeRequest(parsing: long.octets).groupType == vendorUUID)
    }

    @Test func readByGroupTypeResponse() throws {
        let octets = hex("11 06 0100 0700 0d18 0800 ffff 0f18")
        let pdu = try ReadByGroupTypeResponse(parsing: octets.octets)
        #expect(pdu.entryLength == 6)
        #expect(pdu.entries.count == 2)
        var iterator = pdu.entries.makeIterator()
        var lines: [String] = []
        while let entry = iterator.next() {
            lines.append("\(entry.handle) \(entry.endGroup) \(entry.value.hexadecimal)")
        }
        #expect(lines == ["0x0001 0x0007 0d18", "0x0008 0xffff 0f18"])
        #expect(try encoded(pdu) == octets)
        let one = hex("0d18")
        let other = hex("0f18")
        let composed = try [UInt8](capacity: 14) { output in
            try ReadByGroupTypeResponse.begin(entryLength: 6, into: &output)
            try ReadByGroupTypeResponse.append(
                handle: 0x0001, endGroup: 0x0007, value: one.octets, into: &output)
            try ReadByGroupTypeResponse.append(
                handle: 0x0008, endGroup: 0xFFFF, value: other.octets, into: &output)
        }
        #expect(composed == octets)
    }

    /// A list is given from outside by the same rule as it is parsed.
    @Test func listsOfOthersAreChecked() throws {
        let entries = hex("0200 aa 0300 bb")
        #expect(
            try encoded(ReadByTypeResponse(entries: .init(entryLength: 3, octets: entries.octets)))
                == hex("09 03 0200 aa 0300 bb"))
        #expect(throws: MalformedError(.invalidLength, at: 1)) {
            _ = try ReadByTypeResponse.Entries(entryLength: 256, octets: entries.octets)
        }
        #expect(throws: MalformedError(.invalidLength, at: 1)) {
            _ = try ReadByGroupTypeResponse.Entries(entryLength: 3, octets: entries.octets)
        }
        #expect(throws: MalformedError(.invalidLength, at: 5)) {
            _ = try FindByTypeValueResponse.Entries(octets: entries.octets)
        }
    }
}
