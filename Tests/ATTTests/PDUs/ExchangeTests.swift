import ATT
import TestSupport
import Testing

/// Error Response and Exchange MTU, octet by octet.
@Suite struct ExchangeTests {
    @Test func errorResponse() throws {
        let octets = hex("01 08 25 01 0a")
        let pdu = try ErrorResponse(parsing: octets.octets)
        #expect(pdu.requestOpcode == .readByTypeRequest)
        #expect(pdu.handle == 0x0125)
        #expect(pdu.code == .attributeNotFound)
        #expect(pdu == ErrorResponse(requestOpcode: .readByTypeRequest, handle: 0x0125, code: .attributeNotFound))
        #expect(try encoded(pdu) == octets)
    }

    /// Codes and opcodes that nobody has defined keep their numbers.
    @Test(arguments: [0x13, 0x14, 0x7F, 0x80, 0x90, 0x9F, 0xA0, 0xFC, 0xFD, 0xFE, 0xFF] as [UInt8])
    func errorResponseKeepsAnyNumber(_ number: UInt8) throws {
        let octets = [0x01, number, 0x05, 0x00, number]
        let pdu = try ErrorResponse(parsing: octets.octets)
        #expect(pdu.requestOpcode.rawValue == number)
        #expect(pdu.code.rawValue == number)
        #expect(try encoded(pdu) == octets)
    }

    @Test func exchangeMTURequest() throws {
        let octets = hex("02 05 02")
        let pdu = try ExchangeMTURequest(parsing: octets.octets)
        #expect(pdu.clientReceiveMTU == 517)
        #expect(try encoded(ExchangeMTURequest(clientReceiveMTU: 517)) == octets)
    }

    @Test func exchangeMTUResponse() throws {
        let octets = hex("03 17 00")
        let pdu = try ExchangeMTUResponse(parsing: octets.octets)
        #expect(pdu.serverReceiveMTU == 23)
        #expect(try encoded(ExchangeMTUResponse(serverReceiveMTU: 23)) == octets)
    }
}
