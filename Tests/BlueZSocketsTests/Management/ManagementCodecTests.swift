import BlueZSockets
import GAP
import TestSupport
import Testing

/// Packets as BlueZ's `doc/mgmt-api.txt` lays them out.
@Suite struct ManagementCodecTests {
    static let random = DeviceAddress(value: 0xF0F1_F2F3_F4F5, type: .random)
    static let peripheral = DeviceAddress(value: 0x00AA_0101_0001, type: .public)
    static let key = LongTermKey(
        address: random, kind: .authenticatedP256, isForCentral: false, size: 16, diversifier: 0, random: 0,
        value: 0x0F0E_0D0C_0B0A_0908_0706_0504_0302_0100)
    static let legacyKey = LongTermKey(
        address: peripheral, kind: .unauthenticated, isForCentral: true, size: 7, diversifier: 0x1234,
        random: 0x8877_6655_4433_2211, value: 0xFF)

    static let commands: [(ManagementCommand, String)] = [
        (.readControllerInformation, "0400 0100 0000"),
        (.setBondable(true), "0900 0100 0100 01"),
        (.setBondable(false), "0900 0100 0100 00"),
        (.setLowEnergy(true), "0d00 0100 0100 01"),
        (.setSecureConnections(true), "2d00 0100 0100 01"),
        (.setIOCapability(.noInputNoOutput), "1800 0100 0100 03"),
        (.pairDevice(random, .keyboardDisplay), "1900 0100 0800 f5f4f3f2f1f0 02 04"),
        (.pairDevice(peripheral, .displayOnly), "1900 0100 0800 01000101aa00 01 00"),
        (.cancelPairDevice(random), "1a00 0100 0700 f5f4f3f2f1f0 02"),
        (.unpairDevice(random, disconnecting: true), "1b00 0100 0800 f5f4f3f2f1f0 02 01"),
        (.unpairDevice(random, disconnecting: false), "1b00 0100 0800 f5f4f3f2f1f0 02 00"),
        (.confirm(random, true), "1c00 0100 0700 f5f4f3f2f1f0 02"),
        (.confirm(random, false), "1d00 0100 0700 f5f4f3f2f1f0 02"),
        (.passkey(random, 123_456), "1e00 0100 0b00 f5f4f3f2f1f0 02 40e20100"),
        (.passkey(random, nil), "1f00 0100 0700 f5f4f3f2f1f0 02"),
        (.loadLongTermKeys([]), "1300 0100 0200 0000"),
        (
            .loadLongTermKeys([key, legacyKey]),
            "1300 0100 4a00 0200"
                + "f5f4f3f2f1f0 02 03 00 10 0000 0000000000000000 000102030405060708090a0b0c0d0e0f"
                + "01000101aa00 01 00 01 07 3412 1122334455667788 ff000000000000000000000000000000"
        ),
        (.loadIdentityResolvingKeys([]), "3000 0100 0200 0000"),
        (
            .loadIdentityResolvingKeys([(peripheral, IdentityResolvingKey(value: 0x0102))]),
            "3000 0100 1900 0100 01000101aa00 01 0201 0000000000000000000000000000"
        ),
    ]

    @Test(arguments: commands)
    func commandsAreLaidOutAsDescribed(command: ManagementCommand, octets: String) {
        #expect(command.packet(adapter: 1).hexadecimal == hex(octets).hexadecimal)
    }

    static let events: [(String, ManagementEvent)] = [
        (
            "0100 0000 0a00 1900 13 f5f4f3f2f1f0 02",
            .answer(.pairDevice, .alreadyPaired, parameters: hex("f5f4f3f2f1f0 02"))
        ),
        ("0200 0000 0300 1900 14", .answer(.pairDevice, .permissionDenied, parameters: [])),
        ("0500 0000 0000", .indexRemoved),
        ("0600 0000 0400 11020000", .newSettings([.powered, .bondable, .lowEnergy])),
        (
            "0a00 0000 2500 01 f5f4f3f2f1f0 02 03 00 10 0000 0000000000000000 000102030405060708090a0b0c0d0e0f",
            .newLongTermKey(key, isToBeKept: true)
        ),
        (
            "0a00 0000 2500 00 01000101aa00 01 00 01 07 3412 1122334455667788 ff000000000000000000000000000000",
            .newLongTermKey(legacyKey, isToBeKept: false)
        ),
        ("0b00 0000 0d00 f5f4f3f2f1f0 02 00000000 0000", .deviceConnected(random)),
        ("0c00 0000 0800 f5f4f3f2f1f0 02 04", .deviceDisconnected(random, .authenticationFailure)),
        (
            "0f00 0000 0c00 f5f4f3f2f1f0 02 01 00000000",
            .userConfirmationRequest(random, number: 0, isJustWorks: true)
        ),
        (
            "0f00 0000 0c00 f5f4f3f2f1f0 02 00 40e20100",
            .userConfirmationRequest(random, number: 123_456, isJustWorks: false)
        ),
        ("1000 0000 0700 f5f4f3f2f1f0 02", .userPasskeyRequest(random)),
        ("1100 0000 0800 f5f4f3f2f1f0 02 05", .authenticationFailed(random, .authenticationFailed)),
        ("1600 0000 0700 f5f4f3f2f1f0 02", .deviceUnpaired(random)),
        ("1700 0000 0c00 f5f4f3f2f1f0 02 3f420f00 03", .passkeyNotify(random, passkey: 999_999, enteredDigits: 3)),
        (
            "1800 0000 1e00 01 aafb0d948170 01000101aa00 01 9b7d390aa6101034 05adc857a33402ec",
            .newIdentityResolvingKey(
                IdentityResolvingKey(value: 0xEC02_34A3_57C8_AD05_3410_10A6_0A39_7D9B), of: peripheral,
                privateAddress: AddressOctets(value: 0x7081_940D_FBAA), isToBeKept: true)
        ),
        (
            "1800 0000 1e00 00 000000000000 f5f4f3f2f1f0 02 0000000000000000 0000000000000000",
            .newIdentityResolvingKey(
                IdentityResolvingKey(value: 0), of: random, privateAddress: nil, isToBeKept: false)
        ),
        // A BR/EDR device, a kind of address that does not exist, an event of a later kernel.
        ("1000 0000 0700 f5f4f3f2f1f0 00", .other(.userPasskeyRequest)),
        ("1000 0000 0700 f5f4f3f2f1f0 03", .other(.userPasskeyRequest)),
        ("ff00 0000 0300 010203", .other(ManagementEventCode(rawValue: 0xFF))),
        // More parameters than are known.
        ("1000 0000 0900 f5f4f3f2f1f0 02 aabb", .userPasskeyRequest(random)),
    ]

    @Test(arguments: events)
    func eventsAreReadAsDescribed(octets: String, event: ManagementEvent) throws {
        let packet = try ManagementPacket(parsing: hex(octets).octets)
        #expect(packet.adapter == 0)
        #expect(packet.event == event)
    }

    /// Every event that is cut short anywhere, in the header too, with its length as it was or fitting the rest.
    @Test(arguments: events.map(\.0).filter { !$0.hasPrefix("0500") && !$0.hasPrefix("ff00") })
    func eventsThatAreCutShortAreMalformed(octets: String) {
        let whole = hex(octets)
        for count in 0..<whole.count {
            var short = [UInt8](whole.prefix(count))
            #expect(throws: MalformedError.self) { try ManagementPacket(parsing: short.octets) }
            guard count >= 6 else { continue }
            short[4] = UInt8(count - 6)
            // An answer may have no parameters, and what is long enough for all that is known is none too short.
            let packet = try? ManagementPacket(parsing: short.octets)
            switch packet?.event {
            case nil, .answer, .userPasskeyRequest, .other: break
            case .deviceConnected: #expect(count - 6 >= 7)
            case .some(let event): Issue.record("\(event) was read from \(count) octets")
            }
        }
    }

    @Test func theInformationOfAController() throws {
        let parameters = hex("000000aa0100 09 f105 fffe0100 91020000 000000") + [UInt8](repeating: 0, count: 260)
        let information = try ControllerInformation(parsing: parameters.octets)
        #expect(information.addressOctets == AddressOctets(value: 0x0001_AA00_0000))
        #expect(information.supportedSettings.isSuperset(of: [.bondable, .lowEnergy, .secureConnections]))
        #expect(information.currentSettings == [.powered, .bondable, .classic, .lowEnergy])
        #expect(throws: MalformedError.self) { try ControllerInformation(parsing: hex("000000aa0100 09").octets) }
    }

    @Test(arguments: [
        (0x00, "Success (0x00)"), (0x05, "Authentication Failed (0x05)"), (0x13, "Already Paired (0x13)"),
        (0x14, "Permission Denied (0x14)"), (0x15, "Status 0x15 (0x15)"),
    ])
    func statusesHaveNames(number: UInt8, text: String) {
        #expect(ManagementStatus(rawValue: number).description == text)
    }

    @Test func aTooLongListOfKeysIsCutToWhatFits() {
        let keys = [LongTermKey](repeating: Self.key, count: 2_000)
        let command = ManagementCommand.loadLongTermKeys(keys)
        #expect(command.parameters.count == 2 + 36 * 1_820)
        #expect(Array(command.parameters.prefix(2)) == hex("1c07"))
    }
}
