import GAP
import HCI
import TestSupport
import Testing
import Wire

/// Return parameters of Command Complete as literal octets.
@Suite struct AnswerTests {
    private func answer<Command: HCICommand>(_ octets: String, to: Command.Type) throws -> Command.Answer {
        let octets = hex(octets)
        return try Command.Answer(parsing: octets.octets)
    }

    @Test func version() throws {
        let answer = try answer("00 0c 34 12 0b 0f 00 78 56", to: ReadLocalVersionInformationCommand.self)
        #expect(answer.status.isSuccess)
        #expect(answer.hciVersion == 0x0C)
        #expect(answer.hciSubversion == 0x1234)
        #expect(answer.lmpVersion == 0x0B)
        #expect(answer.company == 15)
        #expect(answer.lmpSubversion == 0x5678)
    }

    @Test func address() throws {
        let answer = try answer("00 01 00 10 5e 00 02", to: ReadBDADDRCommand.self)
        #expect(answer.address.description == "02:00:5E:10:00:01/public")
    }

    @Test func bufferSizes() throws {
        let shared = try answer("00 fd 03 40 08 00 02 00", to: ReadBufferSizeCommand.self)
        #expect(shared.aclLength == 1021)
        #expect(shared.synchronousLength == 64)
        #expect(shared.aclCount == 8)
        #expect(shared.synchronousCount == 2)
        let le = try answer("00 fb 00 03", to: LEReadBufferSizeCommand.self)
        #expect(le.aclLength == 251)
        #expect(le.aclCount == 3)
    }

    @Test func features() throws {
        let le = try answer("00 01 10 00 00 00 00 00 00", to: LEReadLocalSupportedFeaturesCommand.self)
        #expect(le.features == [.encryption, .extendedAdvertising])
        #expect(le.features.names == ["LE Encryption", "LE Extended Advertising"])
        let lmp = try answer("00 00 00 00 00 60 00 00 00", to: ReadLocalSupportedFeaturesCommand.self)
        #expect(lmp.isLEOnly)
        #expect(lmp.supportsLE)
        let states = try answer("00 ff ff 03 00 00 00 00 00", to: LEReadSupportedStatesCommand.self)
        #expect(states.states == 0x3FFFF)
    }

    @Test func commands() throws {
        var octets = [UInt8](repeating: 0, count: 65)
        octets[1 + 37] = 1 << 5
        let answer = try ReadLocalSupportedCommandsCommand.Answer(parsing: octets.octets)
        #expect(answer.supports(octet: 37, bit: 5))
        #expect(!answer.supports(octet: 37, bit: 4))
        #expect(!answer.supports(octet: 64, bit: 0))
        #expect(!answer.supports(octet: 0, bit: 8))
    }

    @Test func rssi() throws {
        #expect(try answer("00 40 00 c6", to: ReadRSSICommand.self).rssi == -58)
        #expect(try answer("00 40 00 7f", to: ReadRSSICommand.self).rssi == nil)
        // Some controllers send only the status when a command failed.
        let failed = try answer("02", to: ReadRSSICommand.self)
        #expect(failed.status == .unknownConnection)
        #expect(failed.rssi == nil)
    }

    @Test func phy() throws {
        let answer = try answer("00 40 00 02 01", to: LEReadPHYCommand.self)
        #expect(answer.txPHY == .le2M)
        #expect(answer.rxPHY == .le1M)
    }

    @Test func anAnswerThatEndsTooEarly() {
        #expect(throws: MalformedError(.truncated, at: 3)) {
            try answer("00 fb 00", to: LEReadBufferSizeCommand.self)
        }
        #expect(throws: MalformedError(.truncated, at: 0)) { try answer("", to: ResetCommand.self) }
        #expect(throws: MalformedError(.truncated, at: 1)) { try answer("00 40", to: LESetDataLengthCommand.self) }
        #expect(throws: Never.self) { try answer("0c", to: LESetDataLengthCommand.self) }
    }
}
