import ATT
import TestSupport
import Testing

/// The PDUs that write values, at once or by way of the server's queue, octet by octet.
@Suite struct WritingTests {
    @Test(arguments: ["", "01 00", "48 65 61 72 74"])
    func writeRequest(_ text: String) throws {
        let value = hex(text)
        let octets = hex("12 25 01" + text)
        let pdu = try WriteRequest(parsing: octets.octets)
        #expect(pdu.handle == 0x0125)
        #expect([UInt8](octets: pdu.value) == value)
        #expect(try encoded(WriteRequest(handle: 0x0125, value: value.octets)) == octets)
    }

    @Test func responsesWithoutFields() throws {
        #expect(try WriteResponse(parsing: hex("13").octets) == WriteResponse())
        #expect(try encoded(WriteResponse()) == hex("13"))
        #expect(try ExecuteWriteResponse(parsing: hex("19").octets) == ExecuteWriteResponse())
        #expect(try encoded(ExecuteWriteResponse()) == hex("19"))
    }

    @Test(arguments: ["", "01 00", "48 65 61 72 74"])
    func writeCommand(_ text: String) throws {
        let value = hex(text)
        let octets = hex("52 25 01" + text)
        let pdu = try WriteCommand(parsing: octets.octets)
        #expect(pdu.handle == 0x0125)
        #expect([UInt8](octets: pdu.value) == value)
        #expect(try encoded(WriteCommand(handle: 0x0125, value: value.octets)) == octets)
    }

    @Test(arguments: ["", "aa", "aa bb cc"])
    func signedWriteCommand(_ text: String) throws {
        let value = hex(text)
        let signature = hex("000102030405060708090a0b")
        let octets = hex("d2 25 01" + text + "000102030405060708090a0b")
        let pdu = try SignedWriteCommand(parsing: octets.octets)
        #expect(pdu.handle == 0x0125)
        #expect([UInt8](octets: pdu.value) == value)
        #expect([UInt8](octets: pdu.signature) == signature)
        let same = SignedWriteCommand(handle: 0x0125, value: value.octets, signature: signature.octets)
        #expect(try encoded(same) == octets)
    }

    @Test(arguments: [0, 11, 13])
    func signatureOfAnotherLengthIsRefused(_ length: Int) {
        let value = hex("aa")
        let signature = [UInt8](repeating: 0, count: length)
        #expect(throws: EncodeError.invalidValue) {
            _ = try encoded(SignedWriteCommand(handle: 1, value: value.octets, signature: signature.octets))
        }
    }

    @Test(arguments: ["", "01 00", "48 65 61 72 74"])
    func prepareWrite(_ text: String) throws {
        let value = hex(text)
        let request = hex("16 25 01 12 02" + text)
        let response = hex("17 25 01 12 02" + text)
        let asked = try PrepareWriteRequest(parsing: request.octets)
        #expect(asked.handle == 0x0125)
        #expect(asked.valueOffset == 0x0212)
        #expect([UInt8](octets: asked.value) == value)
        let answered = try PrepareWriteResponse(parsing: response.octets)
        #expect(answered.handle == 0x0125)
        #expect(answered.valueOffset == 0x0212)
        #expect([UInt8](octets: answered.value) == value)
        let sameRequest = PrepareWriteRequest(handle: 0x0125, valueOffset: 0x0212, value: value.octets)
        #expect(try encoded(sameRequest) == request)
        let sameResponse = PrepareWriteResponse(handle: 0x0125, valueOffset: 0x0212, value: value.octets)
        #expect(try encoded(sameResponse) == response)
    }

    @Test(
        arguments: [("18 00", .cancel), ("18 01", .write), ("18 02", .init(rawValue: 2))]
            as [(String, ExecuteWriteRequest.Flags)])
    func executeWriteRequest(_ text: String, _ flags: ExecuteWriteRequest.Flags) throws {
        let octets = hex(text)
        #expect(try ExecuteWriteRequest(parsing: octets.octets).flags == flags)
        #expect(try encoded(ExecuteWriteRequest(flags: flags)) == octets)
    }
}
