import GAP
import HCI
import TestSupport
import Testing
import Wire

/// Commands as literal packets, type octet first.
@Suite struct CommandTests {
    private let peer = DeviceAddress(value: 0xC0FF_EE00_0001, type: .random)

    @Test func controllerCommands() {
        #expect(ResetCommand().packet == hex("01 03 0c 00"))
        #expect(ReadLocalVersionInformationCommand().packet == hex("01 01 10 00"))
        #expect(ReadLocalSupportedCommandsCommand().packet == hex("01 02 10 00"))
        #expect(ReadLocalSupportedFeaturesCommand().packet == hex("01 03 10 00"))
        #expect(ReadBufferSizeCommand().packet == hex("01 05 10 00"))
        #expect(ReadBDADDRCommand().packet == hex("01 09 10 00"))
        #expect(LEReadBufferSizeCommand().packet == hex("01 02 20 00"))
        #expect(LEReadLocalSupportedFeaturesCommand().packet == hex("01 03 20 00"))
        #expect(LEReadSupportedStatesCommand().packet == hex("01 1c 20 00"))
        #expect(SetEventMaskCommand(mask: 0x2000_8000_0200_8890).packet == hex("01 01 0c 08 90 88 00 02 00 80 00 20"))
        #expect(SetEventMaskCommand().mask == 0x2000_8000_0200_8890)
        #expect(SetEventMaskPage2Command().packet == hex("01 63 0c 08 00 00 80 02 00 00 00 00"))
        #expect(LESetEventMaskCommand().packet == hex("01 01 20 08 7f 1e 01 00 00 00 00 00"))
        #expect(
            LESetRandomAddressCommand(address: peer.octets).packet == hex("01 05 20 06 01 00 00 ee ff c0"))
    }

    @Test func legacyScan() {
        #expect(
            LESetScanParametersCommand(isActive: true, interval: 0x10, window: 0x08, ownAddressType: .random).packet
                == hex("01 0b 20 07 01 10 00 08 00 01 00"))
        #expect(LESetScanEnableCommand(isEnabled: true).packet == hex("01 0c 20 02 01 00"))
        #expect(LESetScanEnableCommand(isEnabled: false).packet == hex("01 0c 20 02 00 00"))
        #expect(LESetScanEnableCommand(isEnabled: true, filtersDuplicates: true).packet == hex("01 0c 20 02 01 01"))
    }

    @Test func extendedScan() {
        #expect(
            LESetExtendedScanParametersCommand(le1M: .init(isActive: true, interval: 0x60, window: 0x30)).packet
                == hex("01 41 20 08 00 00 01 01 60 00 30 00"))
        #expect(
            LESetExtendedScanParametersCommand(
                ownAddressType: .resolvableOrPublic, filterPolicy: .acceptList,
                le1M: .init(isActive: false, interval: 1, window: 2),
                leCoded: .init(isActive: true, interval: 3, window: 4)
            ).packet == hex("01 41 20 0d 02 01 05 00 01 00 02 00 01 03 00 04 00"))
        #expect(
            LESetExtendedScanParametersCommand(le1M: nil, leCoded: .init(isActive: true, interval: 3, window: 4)).packet
                == hex("01 41 20 08 00 00 04 01 03 00 04 00"))
        #expect(LESetExtendedScanEnableCommand(isEnabled: true).packet == hex("01 42 20 06 01 00 00 00 00 00"))
        #expect(
            LESetExtendedScanEnableCommand(isEnabled: true, duplicateFilter: .resetEachPeriod, duration: 100, period: 2)
                .packet == hex("01 42 20 06 01 02 64 00 02 00"))
    }

    @Test func legacyConnection() {
        let parameters = ConnectionParameterRange(
            intervalMinimum: 0x18, intervalMaximum: 0x28, latency: 1, supervisionTimeout: 0x1F4, eventLengthMinimum: 2,
            eventLengthMaximum: 3)
        #expect(
            LECreateConnectionCommand(peer: peer, scanInterval: 0x60, scanWindow: 0x30, parameters: parameters).packet
                == hex("01 0d 20 19 60 00 30 00 00 01 01 00 00 ee ff c0 00 18 00 28 00 01 00 f4 01 02 00 03 00"))
        #expect(
            LECreateConnectionCommand(peer: nil).packet
                == hex("01 0d 20 19 60 00 60 00 01 00 00 00 00 00 00 00 00 18 00 28 00 00 00 f4 01 00 00 00 00"))
        #expect(LECreateConnectionCancelCommand().packet == hex("01 0e 20 00"))
        #expect(DisconnectCommand(handle: 0x002C).packet == hex("01 06 04 03 2c 00 13"))
        #expect(LEClearFilterAcceptListCommand().packet == hex("01 10 20 00"))
        #expect(LEAddDeviceToFilterAcceptListCommand(address: peer).packet == hex("01 11 20 07 01 01 00 00 ee ff c0"))
    }

    @Test func extendedConnection() {
        #expect(
            LEExtendedCreateConnectionCommand(peer: peer).packet
                == hex("01 43 20 1a 00 00 01 01 00 00 ee ff c0 01 60 00 60 00 18 00 28 00 00 00 f4 01 00 00 00 00"))
        let all = LEExtendedCreateConnectionCommand(peer: peer, le1M: .init(), le2M: .init(), leCoded: .init()).packet
        #expect(all.count == 4 + 10 + 3 * 16)
        #expect(all[3] == 58)
        #expect(all[13] == 0b111)
    }

    @Test func linkCommands() {
        #expect(ReadRSSICommand(handle: 0x40).packet == hex("01 05 14 02 40 00"))
        #expect(ReadRemoteVersionInformationCommand(handle: 0x40).packet == hex("01 1d 04 02 40 00"))
        #expect(LEReadRemoteFeaturesCommand(handle: 0x40).packet == hex("01 16 20 02 40 00"))
        #expect(
            LEConnectionUpdateCommand(
                handle: 0x40,
                parameters: .init(intervalMinimum: 6, intervalMaximum: 6, latency: 0, supervisionTimeout: 500)
            ).packet == hex("01 13 20 0e 40 00 06 00 06 00 00 00 f4 01 00 00 00 00"))
        #expect(LESetDataLengthCommand(handle: 0x40).packet == hex("01 22 20 06 40 00 fb 00 48 08"))
        #expect(LEReadPHYCommand(handle: 0x40).packet == hex("01 30 20 02 40 00"))
        #expect(
            LESetPHYCommand(handle: 0x40, tx: .le2M, rx: [.le1M, .le2M]).packet
                == hex("01 32 20 07 40 00 00 02 03 00 00"))
        #expect(LESetPHYCommand(handle: 0x40, tx: [], rx: []).packet == hex("01 32 20 07 40 00 03 00 00 00 00"))
        #expect(
            LEEnableEncryptionCommand(
                handle: 0x40, randomNumber: 1, encryptedDiversifier: 2, longTermKeyHigh: 0x0011_2233_4455_6677,
                longTermKeyLow: 0x8899_AABB_CCDD_EEFF
            ).packet
                == hex(
                    "01 19 20 1c 40 00 01 00 00 00 00 00 00 00 02 00 ff ee dd cc bb aa 99 88 77 66 55 44 33 22 11 00"))
        #expect(LELongTermKeyRequestNegativeReplyCommand(handle: 0x40).packet == hex("01 1b 20 02 40 00"))
        #expect(
            LERemoteConnectionParameterRequestNegativeReplyCommand(handle: 0x40).packet
                == hex("01 21 20 03 40 00 3b"))
        #expect(
            LERemoteConnectionParameterRequestReplyCommand(handle: 0x40, parameters: .init()).packet
                == hex("01 20 20 0e 40 00 18 00 28 00 00 00 f4 01 00 00 00 00"))
    }

    @Test func encodingAsksForRoom() {
        #expect(throws: EncodeError.noRoom(needed: 6, available: 5)) {
            _ = try [UInt8](capacity: 5) { output throws(EncodeError) in
                try DisconnectCommand(handle: 1).encode(into: &output)
            }
        }
    }

    @Test func opcodesHaveNames() {
        #expect(CommandOpcode.leSetScanEnable.description == "LE Set Scan Enable (0x200c)")
        #expect(CommandOpcode(rawValue: 0xFC01).description == "command 0xfc01")
        #expect(CommandOpcode(rawValue: 0xFC01).isVendorSpecific)
        #expect(CommandOpcode.leSetScanEnable.ogf == 8)
        #expect(CommandOpcode.leSetScanEnable.ocf == 12)
    }
}
