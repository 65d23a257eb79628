import ATT
import TestSupport
import Testing

/// Every error code's number and name, as the specification's tables have them (Vol 3, Part F, 3.4.1.1; Core
/// Specification Supplement, Part B, 1.2).
@Suite struct ErrorCodeTests {
    private static let table: [(ErrorCode, UInt8, String)] = [
        (.invalidHandle, 0x01, "Invalid Handle"),
        (.readNotPermitted, 0x02, "Read Not Permitted"),
        (.writeNotPermitted, 0x03, "Write Not Permitted"),
        (.invalidPDU, 0x04, "Invalid PDU"),
        (.insufficientAuthentication, 0x05, "Insufficient Authentication"),
        (.requestNotSupported, 0x06, "Request Not Supported"),
        (.invalidOffset, 0x07, "Invalid Offset"),
        (.insufficientAuthorization, 0x08, "Insufficient Authorization"),
        (.prepareQueueFull, 0x09, "Prepare Queue Full"),
        (.attributeNotFound, 0x0A, "Attribute Not Found"),
        (.attributeNotLong, 0x0B, "Attribute Not Long"),
        (.encryptionKeySizeTooShort, 0x0C, "Encryption Key Size Too Short"),
        (.invalidAttributeValueLength, 0x0D, "Invalid Attribute Value Length"),
        (.unlikelyError, 0x0E, "Unlikely Error"),
        (.insufficientEncryption, 0x0F, "Insufficient Encryption"),
        (.unsupportedGroupType, 0x10, "Unsupported Group Type"),
        (.insufficientResources, 0x11, "Insufficient Resources"),
        (.databaseOutOfSync, 0x12, "Database Out Of Sync"),
        (.valueNotAllowed, 0x13, "Value Not Allowed"),
        (.writeRequestRejected, 0xFC, "Write Request Rejected"),
        (.improperlyConfigured, 0xFD, "Client Characteristic Configuration Descriptor Improperly Configured"),
        (.procedureAlreadyInProgress, 0xFE, "Procedure Already in Progress"),
        (.outOfRange, 0xFF, "Out of Range"),
    ]

    @Test(arguments: table)
    func constant(_ code: ErrorCode, _ number: UInt8, _ name: String) {
        #expect(code.rawValue == number)
        #expect(code.name == name)
        #expect(code == ErrorCode(rawValue: number))
        #expect(!code.isApplication)
        #expect(code.isCommonProfile == (number >= 0xE0))
    }

    @Test func everyOtherNumberIsKept() {
        let known = Set(Self.table.map(\.1))
        for number in UInt8.min...UInt8.max where !known.contains(number) {
            let code = ErrorCode(number)
            let isApplication = (0x80...0x9F).contains(number)
            #expect(code.rawValue == number)
            #expect(code.isApplication == isApplication)
            #expect(code.name == (isApplication ? "Application Error" : "Reserved for Future Use"))
        }
    }

    @Test func description() {
        #expect(ErrorCode.attributeNotFound.description == "Attribute Not Found (0x0a)")
        #expect(ErrorCode(0x90).description == "Application Error (0x90)")
        #expect(ErrorCode(0x7F).description == "Reserved for Future Use (0x7f)")
    }
}
