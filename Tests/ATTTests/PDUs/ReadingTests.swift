import ATT
import TestSupport
import Testing

/// The PDUs that read values, octet by octet.
@Suite struct ReadingTests {
    @Test func readRequest() throws {
        let octets = hex("0a 25 01")
        #expect(try ReadRequest(parsing: octets.octets) == ReadRequest(handle: 0x0125))
        #expect(try encoded(ReadRequest(handle: 0x0125)) == octets)
    }

    @Test(arguments: ["", "01", "48 65 61 72 74"])
    func readResponse(_ text: String) throws {
        let value = hex(text)
        let octets = hex("0b" + text)
        #expect([UInt8](octets: try ReadResponse(parsing: octets.octets).value) == value)
        #expect(try encoded(ReadResponse(value: value.octets)) == octets)
    }

    @Test func readBlobRequest() throws {
        let octets = hex("0c 25 00 16 01")
        let pdu = try ReadBlobRequest(parsing: octets.octets)
        #expect(pdu == ReadBlobRequest(handle: 0x0025, valueOffset: 278))
        #expect(try encoded(pdu) == octets)
    }

    @Test(arguments: ["", "01", "48 65 61 72 74"])
    func readBlobResponse(_ text: String) throws {
        let value = hex(text)
        let octets = hex("0d" + text)
        #expect([UInt8](octets: try ReadBlobResponse(parsing: octets.octets).value) == value)
        #expect(try encoded(ReadBlobResponse(value: value.octets)) == octets)
    }

    @Test func readMultipleRequest() throws {
        let octets = hex("0e 03 00 05 00 07 01")
        let pdu = try ReadMultipleRequest(parsing: octets.octets)
        #expect(pdu.handles.count == 3)
        var iterator = pdu.handles.makeIterator()
        #expect(iterator.next() == 0x0003)
        #expect(iterator.next() == 0x0005)
        #expect(iterator.next() == 0x0107)
        #expect(iterator.next() == nil)
        let handles: [AttributeHandle] = [0x0003, 0x0005, 0x0107]
        #expect(try encoded(ReadMultipleRequest(handles: handles.span)) == octets)
    }

    @Test func readMultipleResponse() throws {
        let octets = hex("0f 01 02 03")
        #expect([UInt8](octets: try ReadMultipleResponse(parsing: octets.octets).value) == hex("01 02 03"))
        let value = hex("01 02 03")
        #expect(try encoded(ReadMultipleResponse(value: value.octets)) == octets)
    }

    @Test func readMultipleVariableRequest() throws {
        let octets = hex("20 03 00 05 01")
        let pdu = try ReadMultipleVariableRequest(parsing: octets.octets)
        #expect(pdu.handles.count == 2)
        var iterator = pdu.handles.makeIterator()
        #expect(iterator.next() == 0x0003)
        #expect(iterator.next() == 0x0105)
        #expect(iterator.next() == nil)
        let handles: [AttributeHandle] = [0x0003, 0x0105]
        #expect(try encoded(ReadMultipleVariableRequest(handles: handles.span)) == octets)
    }

    @Test(arguments: [[], [0x0003]] as [[AttributeHandle]])
    func fewerThanTwoHandlesAreRefused(_ handles: [AttributeHandle]) {
        #expect(throws: EncodeError.invalidValue) {
            _ = try encoded(ReadMultipleRequest(handles: handles.span))
        }
        #expect(throws: EncodeError.invalidValue) {
            _ = try encoded(ReadMultipleVariableRequest(handles: handles.span))
        }
    }

    /// Lists of values: each value, "of" the length it should have had, when it was cut short.
    @Test(arguments: [
        ("21 0200 ffff 0200 002a", ["ffff", "002a"]),
        ("21 0000 0000", ["", ""]),
        ("21 0000", [""]),
        ("21 0200 aabb 0000 0100 cc", ["aabb", "", "cc"]),
        ("21 0200 aabb 0300 cc", ["aabb", "cc of 3"]),
        ("21 0200 aabb 0300", ["aabb", " of 3"]),
        ("21 0200 aabb 03", ["aabb"]),
        ("21 ffff aabb", ["aabb of 65535"]),
    ])
    func readMultipleVariableResponse(_ text: String, _ expected: [String]) throws {
        let octets = hex(text)
        let pdu = try ReadMultipleVariableResponse(parsing: octets.octets)
        var iterator = pdu.values.makeIterator()
        var values: [String] = []
        while let value = iterator.next() {
            values.append(value.value.hexadecimal + (value.isCutShort ? " of \(value.length)" : ""))
            if !value.isCutShort { #expect(value.length == value.value.byteCount) }
        }
        #expect(values == expected)
        #expect(pdu.values.count == expected.count)
        let isAtEnd = iterator.next() == nil
        #expect(isAtEnd)
        #expect(try encoded(pdu) == octets)
    }

    /// A value is the caller's octets, not a copy of them.
    @Test func valuesAreNotCopied() throws {
        let octets = hex("0b 01 02 03")
        let pdu = try ReadResponse(parsing: octets.octets)
        let isSame = unsafe octets.octets.withUnsafeBytes { whole in
            unsafe pdu.value.withUnsafeBytes { value in
                unsafe whole.baseAddress.map { unsafe $0 + 1 } == value.baseAddress
            }
        }
        #expect(isSame)
    }
}
