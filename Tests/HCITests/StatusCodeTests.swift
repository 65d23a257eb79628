import HCI
import Testing

@Suite struct StatusCodeTests {
    @Test func everyAssignedCodeHasItsName() {
        for code in 0...0x45 as ClosedRange<UInt8> {
            #expect(!StatusCode(rawValue: code).name.isEmpty)
        }
    }

    @Test(arguments: [
        (0x00 as UInt8, "Success"), (0x02, "Unknown Connection Identifier"), (0x06, "PIN or Key Missing"),
        (0x08, "Connection Timeout"), (0x0C, "Command Disallowed"),
        (0x0D, "Connection Rejected due to Limited Resources"),
        (0x12, "Invalid HCI Command Parameters"), (0x13, "Remote User Terminated Connection"),
        (0x16, "Connection Terminated by Local Host"), (0x1A, "Unsupported Remote Feature"),
        (0x1F, "Unspecified Error"),
        (0x28, "Instant Passed"), (0x2A, "Different Transaction Collision"), (0x2F, "Insufficient Security"),
        (0x30, "Parameter Out of Mandatory Range"), (0x3A, "Controller Busy"),
        (0x3B, "Unacceptable Connection Parameters"), (0x3C, "Advertising Timeout"),
        (0x3D, "Connection Terminated due to MIC Failure"),
        (0x3E, "Connection Failed to be Established / Synchronization Timeout"),
        (0x42, "Unknown Advertising Identifier"), (0x43, "Limit Reached"), (0x44, "Operation Cancelled by Host"),
        (0x45, "Packet Too Long"), (0x2B, "Reserved for Future Use"), (0xEE, "Reserved for Future Use"),
    ])
    func name(code: UInt8, name: String) {
        #expect(StatusCode(rawValue: code).name == name)
    }

    @Test func descriptionCarriesTheNumber() {
        #expect(StatusCode.commandDisallowed.description == "Command Disallowed (0x0c)")
        #expect(StatusCode(rawValue: 0xEE).description == "Reserved for Future Use (0xee)")
    }
}
