import GAP
import HCI
import L2CAP
import Sockets
import SocketsTestSupport
import TestSupport
import Testing

@testable import BlueZSockets

/// What pairing needs a person for, and pairing that the device begins.
@Suite(.timeLimit(.minutes(1))) struct PairingQuestionTests {
    typealias P = PairingStage

    /// Until Pair Device was sent.
    private func asking(_ world: PairingStage, _ capability: String) -> [Row] {
        P.begun + [P.security("0100")] + P.information() + [P.pairDevice(capability)]
    }

    // MARK: Numeric comparison

    @Test func aComparisonThatIsConfirmed() throws {
        let world = try P(.displayYesNo)
        let raising = world.raise(to: .high)
        world.play(asking(world, "01") + Script.heard(8, P.confirmation("40e20100", justWorks: false)) + [Script.quiet])
        #expect(world.person.asked() == .comparison(number: 123_456))
        world.answer(.yes)
        world.play(
            [P.confirmed] + Script.heard(8, P.key("03"), P.paired()) + [P.security("0310")] + P.attemptEnds)
        #expect(try raising.result?.get() == .fips)
        #expect(world.kept.withLock { $0 } == [.longTerm(P.longTermKey(.authenticatedP256))])
        world.close()
    }

    @Test(arguments: [PairingAnswer.no, .passkey(123_456)])
    func aComparisonThatIsNot(answer: PairingAnswer) throws {
        let world = try P(.displayYesNo)
        let raising = world.raise(to: .medium)
        world.play(asking(world, "01") + Script.heard(8, P.confirmation("40e20100", justWorks: false)) + [Script.quiet])
        #expect(world.person.asked() == .comparison(number: 123_456))
        world.answer(answer)
        world.play(
            [P.notConfirmed] + Script.heard(7, "02 4000 0600 0200 0600 05 0c") + Script.heard(8, P.paired("05"))
                + P.nothingNew + P.attemptEnds)
        #expect(
            raising.result?.failure?.situation == .pairing(.notConfirmed), "whatever this side then says on the air")
        world.close()
    }

    /// The link ends while somebody looks at the numbers: the late answer reaches nobody.
    @Test func theLinkEndsWhileSomebodyIsAsked() throws {
        let world = try P(.displayYesNo)
        let raising = world.raise(to: .medium)
        world.play(asking(world, "01") + Script.heard(8, P.confirmation("40e20100", justWorks: false)) + [Script.quiet])
        #expect(world.person.asked() == .comparison(number: 123_456))
        world.play(Script.heard(8, P.paired("0e")) + P.nothingNew + P.attemptEnds)
        #expect(raising.result?.failure?.category == .linkLost)
        world.person.answer(.yes)
        world.play([Script.quiet])
        world.close()
    }

    // MARK: Passkeys

    /// The passkey of the settings is entered without a question.
    @Test func aPasskeyThatIsKnown() throws {
        let world = try P(.keyboardOnly, passkey: 123_456)
        let raising = world.raise(to: .medium)
        world.play(
            asking(world, "02") + Script.heard(8, "1000 0000 0700 \(P.device)")
                + [(.send(8, hex("1e00 0000 0b00 \(P.device) 40e20100")), .done)]
                + Script.heard(8, P.key("03"), P.paired()) + [P.security("0310")] + P.attemptEnds)
        #expect(try raising.result?.get() == .fips)
        #expect(!world.person.isAsked)
        world.close()
    }

    @Test(
        arguments: [
            (.passkey(999_999), "1e00 0000 0b00 \(PairingStage.device) 3f420f00"),
            (.passkey(0), "1e00 0000 0b00 \(PairingStage.device) 00000000"),
        ] as [(PairingAnswer, String)])
    func aPasskeyThatIsAskedFor(answer: PairingAnswer, sent: String) throws {
        let world = try P(.keyboardOnly)
        let raising = world.raise(to: .high)
        world.play(asking(world, "02") + Script.heard(8, "1000 0000 0700 \(P.device)") + [Script.quiet])
        #expect(world.person.asked() == .passkeyEntry)
        world.answer(answer)
        world.play(
            [(.send(8, hex(sent)), .done)] + Script.heard(8, P.key("03"), P.paired()) + [P.security("0310")]
                + P.attemptEnds)
        #expect(try raising.result?.get() == .fips)
        world.close()
    }

    /// None, or one that has too many digits.
    @Test(arguments: [PairingAnswer.no, .yes, .passkey(1_000_000)])
    func aPasskeyThatIsNone(answer: PairingAnswer) throws {
        let world = try P(.keyboardOnly)
        let raising = world.raise(to: .medium)
        world.play(asking(world, "02") + Script.heard(8, "1000 0000 0700 \(P.device)") + [Script.quiet])
        #expect(world.person.asked() == .passkeyEntry)
        world.answer(answer)
        world.play(
            [(.send(8, hex("1f00 0000 0700 \(P.device)")), .done)] + Script.heard(8, P.paired("05")) + P.nothingNew
                + P.attemptEnds)
        #expect(raising.result?.failure?.situation == .pairing(.notConfirmed))
        world.close()
    }

    /// With a passkey, a confirm value that fails is a wrong one.
    @Test func aWrongPasskey() throws {
        let world = try P(.keyboardOnly, passkey: 1)
        let raising = world.raise(to: .medium)
        world.play(
            asking(world, "02") + Script.heard(8, "1000 0000 0700 \(P.device)")
                + [(.send(8, hex("1e00 0000 0b00 \(P.device) 01000000")), .done)]
                + Script.heard(7, "02 4020 0600 0200 0600 05 04") + Script.heard(8, P.paired("05")) + P.nothingNew
                + P.attemptEnds)
        #expect(raising.result?.failure?.situation == .pairing(.wrongPasskey))
        world.close()
    }

    /// A passkey that is shown is shown once, whatever is told of digits that were entered.
    @Test func aPasskeyThatIsShown() throws {
        let world = try P(.displayOnly)
        let raising = world.raise(to: .high)
        let shown = "1700 0000 0c00 \(P.device) 3f420f00"
        world.play(asking(world, "00") + Script.heard(8, "\(shown) 00") + [Script.quiet])
        #expect(world.person.asked() == .passkeyDisplay(passkey: 999_999))
        world.play(Script.heard(8, "\(shown) 01", "\(shown) 02", "\(shown) 00", "\(shown) 06") + [Script.quiet])
        world.answer(.yes)
        world.play(Script.heard(8, P.key("03"), P.paired()) + [P.security("0310")] + P.attemptEnds)
        #expect(try raising.result?.get() == .fips)
        #expect(!world.person.isAsked)
        world.close()
    }

    // MARK: Pairing that the device begins

    /// The device asks for security by itself; the kernel pairs and asks whoever listens, though nothing was raised here.
    @Test func theDeviceBeginsToPair() throws {
        let world = try P()
        let pairing = world.pairing
        let listening = world.stage.begin { await pairing.listen() }
        world.play(P.agentOpened + [Script.quiet])
        #expect(listening.result != nil)
        world.stage.system.expect([P.security("0100")])
        #expect(!pairing.assumeIsolated { $0.isEncrypted })
        world.play(
            Script.heard(8, P.confirmation()) + [P.confirmed] + Script.heard(8, P.key()) + P.watchOpened + [
                Script.quiet
            ])
        #expect(world.kept.withLock { $0 } == [.longTerm(P.longTermKey())])
        world.stage.system.expect([P.security("0210"), (.socketOption(9, level: 274, name: 4), .error(.notConnected))])
        #expect(pairing.assumeIsolated { $0.isEncrypted }, "the kernel says so")
        #expect(!pairing.assumeIsolated { $0.isEncrypted }, "a link that is gone is not")
        // The key that came of it is used when security is asked for.
        let raising = world.raise(to: .medium)
        world.play(P.attempt + [P.security("0210")] + P.attemptEnds)
        #expect(try raising.result?.get() == .medium)
        world.close()
    }

    /// Who wants no pairing by itself refuses it, and questions for a person are asked here, too.
    @Test func theDeviceBeginsToPairUnasked() throws {
        let world = try P(.displayYesNo, acceptsJustWorks: false)
        let pairing = world.pairing
        let listening = world.stage.begin { await pairing.listen() }
        world.play(P.agentOpened + [Script.quiet])
        #expect(listening.result != nil)
        world.play(Script.heard(8, P.confirmation()) + [P.notConfirmed, Script.quiet])
        world.play(Script.heard(8, "1000 0000 0700 060606060606 01", "1100 0000 0800 \(P.device) 05") + [Script.quiet])
        world.close(watch: false)
    }

    /// A device behind a private address tells its identity, under which the kernel knows it from then on.
    @Test func theIdentityOfADevice() throws {
        let world = try P()
        let raising = world.raise(to: .medium)
        let identity = "01000101aa00 01"
        let key = "9b7d390aa6101034 05adc857a33402ec"
        world.play(
            P.begun + [P.security("0100")] + P.information() + [P.pairDevice()]
                // That of another device first.
                + Script.heard(
                    8, "1800 0000 1e00 01 060606060606 020202020202 01 \(key)",
                    "1800 0000 1e00 01 f5f4f3f2f1f0 \(identity) \(key)", P.key(of: identity), P.key(), P.paired())
                + [P.security("0210")] + P.attemptEnds)
        #expect(try raising.result?.get() == .medium)
        #expect(world.kept.withLock { $0 }.count == 2, "an identity, and a key of it")
        world.pairing.assumeIsolated { pairing in
            #expect(pairing.identity == ManagementCodecTests.peripheral)
            #expect(pairing.keys.map(\.address) == [ManagementCodecTests.peripheral])
        }
        world.close()
    }
}
