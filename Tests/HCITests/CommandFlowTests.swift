import GAP
import HCI
import TestSupport
import Testing
import Wire

@Suite struct CommandFlowTests {
    private let peer = DeviceAddress(value: 0xC0FF_EE00_0001, type: .random)

    @Test func oneCommandAtATimeUntilTheControllerTakesMore() throws {
        let host = Host()
        let reset = try #require(host.enqueue(ResetCommand()))
        let address = try #require(host.enqueue(ReadBDADDRCommand()))
        let features = try #require(host.enqueue(LEReadLocalSupportedFeaturesCommand()))
        #expect(host.nextCommand() == hex("01 03 0c 00"))
        #expect(host.nextCommand() == nil)
        #expect(host.receive("04 0e 04 02 03 0c 00") == [.answered(reset, .success)])
        #expect(host.nextCommand() == hex("01 09 10 00"))
        #expect(host.nextCommand() == hex("01 03 20 00"))
        #expect(host.nextCommand() == nil)
        // In the other order.
        #expect(host.receive("04 0e 0c 01 03 20 00 00 10 00 00 00 00 00 00") == [.answered(features, .success)])
        #expect(host.receive("04 0e 0a 02 09 10 00 01 00 10 5e 00 02") == [.answered(address, .success)])
        #expect(host.pendingCount == 0)
    }

    /// Opcode 0x0000 answers nothing: it only says how many commands may be sent.
    @Test(arguments: ["04 0e 03 01 00 00", "04 0f 04 00 01 00 00"])
    func nopGivesCreditAndAnswersNothing(event: String) throws {
        let host = Host()
        let reset = try #require(host.enqueue(ResetCommand()))
        #expect(host.enqueue(ReadBDADDRCommand()) != nil)
        #expect(host.nextCommand() != nil)
        #expect(host.credits == 0)
        #expect(host.receive(event) == [])
        #expect(host.credits == 1)
        #expect(host.pendingCount == 1)
        #expect(host.receive("04 0e 04 01 03 0c 00") == [.answered(reset, .success)])
    }

    @Test func noCreditStopsTheQueue() throws {
        let host = Host()
        _ = host.enqueue(ResetCommand())
        _ = host.enqueue(ReadBDADDRCommand())
        _ = host.nextCommand()
        #expect(host.receive("04 0e 04 00 03 0c 00").count == 1)
        #expect(host.nextCommand() == nil)
        #expect(host.receive("04 0e 03 01 00 00") == [])
        #expect(host.nextCommand() == hex("01 09 10 00"))
    }

    /// Command Disallowed for LE Create Connection: the attempt has failed now, and the next one may be made.
    @Test func createConnectionDisallowed() throws {
        let host = Host()
        let id = try #require(host.enqueue(LECreateConnectionCommand(peer: peer)))
        #expect(host.nextCommand()?.prefix(3) == hex("01 0d 20")[...])
        #expect(host.receive("04 0f 04 0c 01 0d 20") == [.answered(id, .commandDisallowed)])
        #expect(host.pendingCount == 0)
        #expect(host.nextCommand() == nil)
        #expect(host.enqueue(LECreateConnectionCommand(peer: peer)) != nil)
        #expect(host.nextCommand() != nil)
    }

    /// A controller with one credit: the second Disconnect takes it, its Disconnection Complete says that there is no
    /// such connection, and the credit comes back by opcode 0x0000. The user hears of one end, and the scan that follows
    /// is sent.
    @Test func disconnectTwice() throws {
        let host = Host()
        host.connect(0x002C)
        let first = try #require(host.enqueue(DisconnectCommand(handle: 0x002C)))
        let second = try #require(host.enqueue(DisconnectCommand(handle: 0x002C)))
        #expect(host.nextCommand() == hex("01 06 04 03 2c 00 13"))
        #expect(host.nextCommand() == nil)
        #expect(host.receive("04 0f 04 00 01 06 04") == [.answered(first, .success)])
        #expect(host.nextCommand() == hex("01 06 04 03 2c 00 13"))
        #expect(host.receive("04 0f 04 00 00 06 04") == [.answered(second, .success)])
        #expect(host.receive("04 05 04 00 2c 00 16") == [.disconnected(0x002C, .terminatedByLocalHost)])
        #expect(host.enqueue(LESetScanParametersCommand(isActive: true)) != nil)
        #expect(host.nextCommand() == nil)
        #expect(host.receive("04 05 04 02 2c 00 02") == [])
        #expect(host.receive("04 0f 04 00 01 00 00") == [])
        #expect(host.credits == 1)
        #expect(host.nextCommand()?.prefix(4) == hex("01 0b 20 07")[...])
    }

    /// PIN or Key Missing: a failure of its own, and no encryption.
    @Test func thePeerHasLostItsKey() throws {
        let host = Host()
        host.connect(0x0040)
        let id = try #require(
            host.enqueue(LEEnableEncryptionCommand(handle: 0x0040, longTermKeyHigh: 1, longTermKeyLow: 2)))
        #expect(host.nextCommand()?.prefix(6) == hex("01 19 20 1c 40 00")[...])
        #expect(host.receive("04 0f 04 00 01 19 20") == [.answered(id, .success)])
        #expect(
            host.receive("04 08 04 06 40 00 00") == [.encryption(0x0040, .pinOrKeyMissing, isEncrypted: false)])
        #expect(host.isConnected(0x0040))
    }

    /// Hardware Error: everything is lost, and Reset comes before anything else.
    @Test func hardwareError() throws {
        let host = Host()
        #expect(
            host.receive("04 3e 13 01 00 40 00 00 01 01 00 00 ee ff c0 18 00 00 00 f4 01 00") == [.connected(0x0040)])
        let rssi = try #require(host.enqueue(ReadRSSICommand(handle: 0x0040)))
        let phy = try #require(host.enqueue(LEReadPHYCommand(handle: 0x0040)))
        try host.enqueue("03 00 04 00 0a 03 00", on: 0x0040)
        #expect(host.nextCommand() != nil)
        #expect(host.nextData() != nil)
        #expect(host.receive("04 10 01 03") == [.failed([rssi, phy], [0x0040])])
        #expect(!host.isConnected(0x0040))
        #expect(host.freeCount == 4)
        #expect(host.nextCommand() == nil)
        let reset = try #require(host.enqueue(ResetCommand()))
        #expect(host.nextCommand() == hex("01 03 0c 00"))
        // A late answer from before.
        #expect(host.receive("04 0e 07 01 05 14 00 40 00 c6") == [])
        #expect(host.receive("04 0e 04 01 03 0c 00") == [.answered(reset, .success)])
    }

    /// Another program used the extended commands: the legacy ones are refused, and the extended ones are tried.
    @Test func scanCommandsOfTheOtherFamily() throws {
        let host = Host()
        let id = try #require(host.enqueue(LESetScanParametersCommand(isActive: true)))
        #expect(host.nextCommand() == ScanCommandFamily.legacy.startPackets(isActive: true)[0])
        #expect(host.receive("04 0e 04 01 0b 20 0c") == [.answered(id, .commandDisallowed)])
        #expect(ScanCommandFamily.legacy.alternative(after: .commandDisallowed) == .extended)
        #expect(
            ScanCommandFamily.extended.startPackets(isActive: true)
                == [hex("01 41 20 08 00 00 01 01 60 00 60 00"), hex("01 42 20 06 01 00 00 00 00 00")])
        #expect(ScanCommandFamily.extended.alternative(after: .commandDisallowed) == .legacy)
        #expect(ScanCommandFamily.extended.alternative(after: .unknownCommand) == .legacy)
        #expect(ScanCommandFamily.legacy.alternative(after: .unknownCommand) == nil)
        #expect(ScanCommandFamily.legacy.alternative(after: .hardwareFailure) == nil)
        #expect(ScanCommandFamily([.extendedAdvertising]) == .extended)
        #expect(ScanCommandFamily([]) == .legacy)
        #expect(ScanCommandFamily.legacy.stopPacket == hex("01 0c 20 02 00 00"))
        #expect(ScanCommandFamily.extended.stopPacket == hex("01 42 20 06 00 00 00 00 00 00"))
    }

    @Test func begunDoesNotAnswerACommandThatIsToBeCompleted() throws {
        let host = Host()
        let id = try #require(host.enqueue(ReadBDADDRCommand()))
        _ = host.nextCommand()
        #expect(host.receive("04 0f 04 00 01 09 10") == [])
        #expect(host.receive("04 0e 0a 01 09 10 00 01 00 10 5e 00 02") == [.answered(id, .success)])
    }

    @Test func answersToNothingAreIgnored() {
        let host = Host()
        #expect(host.receive("04 0e 04 01 03 0c 00") == [])
        #expect(host.receive("04 0e 02 01 03") == [])
        #expect(host.receive("04 0f 04 0c 01 0d 20") == [])
    }

    @Test func aFullQueueRefuses() {
        var flow = CommandFlow(maximumQueueCount: 2)
        let ids = [flow.enqueue(ResetCommand()), flow.enqueue(ResetCommand()), flow.enqueue(ResetCommand())]
        #expect(ids.map { $0 == nil } == [false, false, true])
    }
}
