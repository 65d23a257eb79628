import ATT
import TestSupport
import Testing

/// Every opcode's number, name and kind, as the specification's table has them (Vol 3, Part F, 3.4.8).
@Suite struct OpcodeTests {
    private static let table: [(Opcode, UInt8, String, Opcode.Kind)] = [
        (.errorResponse, 0x01, "Error Response", .response),
        (.exchangeMTURequest, 0x02, "Exchange MTU Request", .request),
        (.exchangeMTUResponse, 0x03, "Exchange MTU Response", .response),
        (.findInformationRequest, 0x04, "Find Information Request", .request),
        (.findInformationResponse, 0x05, "Find Information Response", .response),
        (.findByTypeValueRequest, 0x06, "Find By Type Value Request", .request),
        (.findByTypeValueResponse, 0x07, "Find By Type Value Response", .response),
        (.readByTypeRequest, 0x08, "Read By Type Request", .request),
        (.readByTypeResponse, 0x09, "Read By Type Response", .response),
        (.readRequest, 0x0A, "Read Request", .request),
        (.readResponse, 0x0B, "Read Response", .response),
        (.readBlobRequest, 0x0C, "Read Blob Request", .request),
        (.readBlobResponse, 0x0D, "Read Blob Response", .response),
        (.readMultipleRequest, 0x0E, "Read Multiple Request", .request),
        (.readMultipleResponse, 0x0F, "Read Multiple Response", .response),
        (.readByGroupTypeRequest, 0x10, "Read By Group Type Request", .request),
        (.readByGroupTypeResponse, 0x11, "Read By Group Type Response", .response),
        (.writeRequest, 0x12, "Write Request", .request),
        (.writeResponse, 0x13, "Write Response", .response),
        (.prepareWriteRequest, 0x16, "Prepare Write Request", .request),
        (.prepareWriteResponse, 0x17, "Prepare Write Response", .response),
        (.executeWriteRequest, 0x18, "Execute Write Request", .request),
        (.executeWriteResponse, 0x19, "Execute Write Response", .response),
        (.handleValueNotification, 0x1B, "Handle Value Notification", .notification),
        (.handleValueIndication, 0x1D, "Handle Value Indication", .indication),
        (.handleValueConfirmation, 0x1E, "Handle Value Confirmation", .confirmation),
        (.readMultipleVariableRequest, 0x20, "Read Multiple Variable Request", .request),
        (.readMultipleVariableResponse, 0x21, "Read Multiple Variable Response", .response),
        (.multipleHandleValueNotification, 0x23, "Multiple Handle Value Notification", .notification),
        (.writeCommand, 0x52, "Write Command", .command),
        (.signedWriteCommand, 0xD2, "Signed Write Command", .command),
    ]

    @Test(arguments: table)
    func constant(_ opcode: Opcode, _ number: UInt8, _ name: String, _ kind: Opcode.Kind) {
        #expect(opcode.rawValue == number)
        #expect(opcode.name == name)
        #expect(opcode.kind == kind)
        #expect(opcode == Opcode(rawValue: number))
        #expect(opcode.isCommand == (kind == .command))
        #expect(opcode.hasSignature == (number == 0xD2))
    }

    @Test func everyOtherNumberHasNoNameButItsCommandFlag() {
        let known = Set(Self.table.map(\.1))
        for number in UInt8.min...UInt8.max where !known.contains(number) {
            let opcode = Opcode(number)
            let isCommand = number & 0x40 != 0
            #expect(opcode.rawValue == number)
            #expect(opcode.kind == (isCommand ? .command : .unknown))
            #expect(opcode.name == (isCommand ? "Unknown Command" : "Unknown PDU"))
            #expect(opcode.hasSignature == (number >= 0x80))
        }
    }

    @Test func description() {
        #expect(Opcode.readByTypeRequest.description == "Read By Type Request (0x08)")
        #expect(Opcode(0x7E).description == "Unknown Command (0x7e)")
    }

    @Test func requestsNameTheirResponses() {
        #expect(ExchangeMTURequest.responseOpcode == .exchangeMTUResponse)
        #expect(FindInformationRequest.responseOpcode == .findInformationResponse)
        #expect(FindByTypeValueRequest.responseOpcode == .findByTypeValueResponse)
        #expect(ReadByTypeRequest.responseOpcode == .readByTypeResponse)
        #expect(ReadRequest.responseOpcode == .readResponse)
        #expect(ReadBlobRequest.responseOpcode == .readBlobResponse)
        #expect(ReadMultipleRequest.responseOpcode == .readMultipleResponse)
        #expect(ReadByGroupTypeRequest.responseOpcode == .readByGroupTypeResponse)
        #expect(ReadMultipleVariableRequest.responseOpcode == .readMultipleVariableResponse)
        #expect(WriteRequest.responseOpcode == .writeResponse)
        #expect(PrepareWriteRequest.responseOpcode == .prepareWriteResponse)
        #expect(ExecuteWriteRequest.responseOpcode == .executeWriteResponse)
    }
}
