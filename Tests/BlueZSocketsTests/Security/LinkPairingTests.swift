import GAP
import HCI
import L2CAP
import Sockets
import SocketsTestSupport
import TestSupport
import Testing

@testable import BlueZSockets

/// Pairing over a table of system calls: what goes to the kernel, what it says, and what comes of it.
@Suite(.timeLimit(.minutes(1))) struct LinkPairingTests {
    typealias P = PairingStage

    /// Just Works: confirmed without a question, and the key is to be kept.
    @Test func justWorks() throws {
        let world = try P()
        let raising = world.raise(to: nil)
        world.play(
            P.begun + [P.security("0100")] + P.information() + [P.pairDevice()] + Script.heard(8, P.confirmation())
                + [P.confirmed] + Script.heard(8, P.key(), P.paired()) + [P.security("0210")] + P.attemptEnds)
        #expect(try raising.result?.get() == .medium)
        #expect(world.kept.withLock { $0 } == [.longTerm(P.longTermKey())])
        world.close()
    }

    /// What the adapter was not set to is set for the time of the pairing, and its keys are given to the kernel first.
    @Test func theAdapterIsSetAndSetBack() throws {
        let world = try P(isLoaded: false)
        let raising = world.raise(to: .medium)
        world.play(
            P.begun + [(.send(8, hex("3000 0000 0200 0000")), .done), P.timer]
                + Script.heard(8, "0100 0000 0300 3000 00") + P.command("1300 0000 0200 0000", "1300")
                + [P.security("0100"), (.send(8, hex("0400 0000 0000")), .done)]
                + Script.heard(8, "0100 0000 1400 0400 00 000000aa0100 09 f105 110a0000 01020000")
                + P.command("0900 0000 0100 01", "0900") + P.command("2d00 0000 0100 01", "2d00", "0b")
                + [P.pairDevice()] + Script.heard(8, P.key(isToBeKept: false), P.paired())
                + P.command("0900 0000 0100 00", "0900") + P.command("2d00 0000 0100 00", "2d00")
                + [P.security("0210")] + P.attemptEnds)
        #expect(try raising.result?.get() == .medium)
        #expect(world.kept.withLock { $0 } == [], "the device does not want to be bonded")
        world.close()
    }

    @Test func withoutTheRightToLoadKeysNothingIsBegun() throws {
        let world = try P(isLoaded: false)
        let raising = world.raise(to: .medium)
        world.play(
            P.begun + [(.send(8, hex("3000 0000 0200 0000")), .done), P.timer]
                + Script.heard(8, "0200 0000 0300 3000 14") + P.attemptEnds)
        #expect(raising.result?.failure?.situation == .pairing(.missingRights))
        #expect(raising.result?.failure?.exitStatus == 4)
        world.close()
    }

    /// What Pair Device is answered with, when nothing else tells why.
    @Test(
        arguments: [
            ("01", nil, 1), ("02", nil, 6), ("03", .unexplained, 1), ("04", nil, 6), ("05", .unexplained, 1),
            ("08", .notAnswered, 7), ("0a", nil, 1), ("0b", nil, 1), ("0e", nil, 6), ("0f", nil, 3), ("11", nil, 3),
            ("14", nil, 4), ("99", nil, 1), ("10", nil, 130),
        ] as [(String, PairingFailure?, Int32)])
    func aStatusIsAnError(status: String, cause: PairingFailure?, exitStatus: Int32) throws {
        let world = try P()
        let raising = world.raise(to: .medium)
        world.play(
            P.begun + [P.security("0100")] + P.information() + [P.pairDevice()] + Script.heard(8, P.paired(status))
                + P.nothingNew + P.attemptEnds)
        let error = try #require(raising.result?.failure)
        #expect(error.exitStatus == exitStatus)
        #expect(error.failure == "cannot pair with F0:F1:F2:F3:F4:F5/random")
        if let cause { #expect(error.situation == .pairing(cause)) }
        // The next one begins anew.
        let again = world.raise(to: .medium)
        world.play(
            P.attempt + [P.security("0100")] + P.informationAgain + [P.pairDevice()]
                + Script.heard(8, P.key(), P.paired()) + [P.security("0210")] + P.attemptEnds)
        #expect(try again.result?.get() == .medium)
        world.close()
    }

    /// The reason is heard on another socket, before or after the status.
    @Test(
        arguments: [true, false],
        [
            ("02 4020 0600 0200 0600 05 05", .refused(.pairingNotSupported, byPeer: true)),
            ("02 4000 0600 0200 0600 05 03", .refused(.authenticationRequirements, byPeer: false)),
            ("02 4020 0600 0200 0600 05 04", .refused(.confirmValueFailed, byPeer: true)),
        ] as [(String, PairingFailure)])
    func theReasonOfAFailure(isHeardBefore: Bool, reason: (packet: String, cause: PairingFailure)) throws {
        let world = try P()
        let raising = world.raise(to: .medium)
        let before = isHeardBefore ? Script.heard(7, reason.packet) : []
        let after = isHeardBefore ? P.nothingNew : P.caughtUp(reason.packet)
        let failed = Script.heard(8, "1100 0000 0800 \(P.device) 05", P.paired("05"))
        world.play(
            P.begun + [P.security("0100")] + P.information() + [P.pairDevice()] + before + failed + after
                + P.nothingNew + P.attemptEnds)
        #expect(raising.result?.failure?.situation == .pairing(reason.cause))
        world.close()
    }

    /// What the kernel, or whoever speaks for it, says in mid-pairing without making sense, or about others.
    @Test func whatIsHostileOrAboutOthersChangesNothing() throws {
        let world = try P(.displayYesNo)
        let raising = world.raise(to: .medium)
        let other = "060606060606 01"
        world.play(
            P.begun + [P.security("0100")] + P.information() + [P.pairDevice("01")]
                + Script.heard(
                    8, P.confirmation(of: other), P.confirmation("40e20100", justWorks: false, of: other),
                    "1000 0000 0700 \(other)", P.key("03", of: other), "0f00 0100 0c00 \(P.device) 01 00000000",
                    "0f00 0000 0c00 \(P.device) 01 0000", "0a00 0000 2500 01 \(P.device) 02 00",
                    "1100 0000 0800 \(other) 05")
                + [(.receiveMany(8), .error(.wouldBlock))]
                // Fragments, other links, other channels, and events of nonsense lengths.
                + Script.heard(
                    7, "", "02", "02 4020 0600 0200 0600", "02 4120 0600 0200 0600 05 05", "04 05 01 00",
                    "04 08 ff 06 4000 00", "04 3e 02 0a 00")
                + Script.heard(
                    8, "1100 0000 0700 \(P.device)", "0200 0000 0100 19", P.confirmation(), P.key(), P.paired())
                + [P.confirmed, P.security("0210")] + P.attemptEnds)
        #expect(try raising.result?.get() == .medium)
        #expect(world.kept.withLock { $0 } == [.longTerm(P.longTermKey())])
        #expect(!world.person.isAsked)
        world.close()
    }

    /// Nobody answers Pair Device: that is said, and the adapter is set back.
    @Test func pairingWithoutAnEnd() throws {
        let world = try P()
        let raising = world.raise(to: .medium)
        world.play(P.begun + [P.security("0100")] + P.information() + [P.pairDevice(), Script.quiet])
        world.stage.system.setNow(33_000_000_000)
        world.play([(.epollWait(waits: true), .events([(5, .readable)]))] + P.attemptEnds)
        #expect(raising.result?.failure?.category == .timedOut)
        #expect(raising.result?.failure?.exitStatus == 7)
        world.close()
    }

    @Test func cancellationCancelsThePairing() throws {
        let world = try P()
        let raising = world.raise(to: .medium)
        world.play(P.begun + [P.security("0100")] + P.information() + [P.pairDevice(), Script.quiet])
        raising.task.cancel()
        world.play([(.send(8, hex("1a00 0000 0700 \(P.device)")), .done), Script.quiet])
        #expect(raising.result == nil, "the kernel has still to end it")
        world.play(
            Script.heard(8, "0100 0000 0a00 1a00 00 \(P.device)", P.paired("10")) + P.nothingNew + P.attemptEnds)
        #expect(raising.result?.failure?.category == .cancelled)
        world.close()
    }

    /// Closing in mid-pairing cancels it, and waits for its end.
    @Test func closingInMidPairing() throws {
        let world = try P()
        let raising = world.raise(to: .medium)
        world.play(P.begun + [P.security("0100")] + P.information() + [P.pairDevice(), Script.quiet])
        let pairing = world.pairing
        let closing = world.stage.begin { await pairing.close() }
        // It is waited for, though for no longer than a second.
        world.play([
            (.send(8, hex("1a00 0000 0700 \(P.device)")), .done), (.setTimer(2_000_000_000), .done), Script.quiet,
        ])
        #expect(closing.result == nil)
        world.play(
            Script.heard(8, P.paired("10")) + P.nothingNew + P.attemptEnds.dropLast() + P.watchClosed + P.agentClosed
                + [Script.quiet])
        #expect(closing.result != nil)
        #expect(raising.result?.failure?.category == .cancelled)
        let late = world.raise(to: .medium)
        world.play([Script.quiet])
        #expect(late.result?.failure?.category == .cancelled)
        world.close(watch: false, agent: false)
    }

    /// The link ends in mid-pairing: the controller's reason is told, and the raise ends when the kernel says so.
    @Test func theLinkEndsInMidPairing() throws {
        let world = try P()
        let raising = world.raise(to: .medium)
        world.play(P.begun + [P.security("0100")] + P.information() + [P.pairDevice(), Script.quiet])
        let pairing = world.pairing
        world.stage.system.expect(P.caughtUp("04 05 04 00 4000 13"))
        let end = pairing.assumeIsolated { $0.linkEnded() }
        #expect(end.reason == .remoteUserTerminated)
        #expect(end.error == nil)
        world.play(Script.heard(8, P.paired("0e")) + P.nothingNew + P.attemptEnds)
        #expect(raising.result?.failure?.exitStatus == 6)
        world.close()
    }

    /// Pairing that the device ends after half a minute, by ending the link, has not been answered.
    @Test func theLinkEndsWhenNobodyAnswers() throws {
        let world = try P()
        let raising = world.raise(to: .medium)
        world.play(P.begun + [P.security("0100")] + P.information() + [P.pairDevice(), Script.quiet])
        world.stage.system.setNow(31_000_000_000)
        world.stage.system.expect(P.nothingNew)
        let end = world.pairing.assumeIsolated { $0.linkEnded() }
        #expect(end.error?.situation == .pairing(.notAnswered))
        world.play(Script.heard(8, P.paired("05")) + P.nothingNew + P.attemptEnds)
        #expect(raising.result?.failure?.situation == .pairing(.notAnswered))
        world.close()
    }

    /// Two at once: the second is told to wait for the first, which goes on.
    @Test func oneAtATime() throws {
        let world = try P()
        let first = world.raise(to: .medium)
        world.play(P.begun + [P.security("0100")] + P.information() + [P.pairDevice(), Script.quiet])
        let second = world.raise(to: .medium)
        world.play([Script.quiet])
        #expect(second.result?.failure?.category == .cancelled)
        world.play(Script.heard(8, P.key(), P.paired()) + [P.security("0210")] + P.attemptEnds)
        #expect(try first.result?.get() == .medium)
        let enough = world.raise(to: .medium)
        world.play([Script.quiet])
        #expect(try enough.result?.get() == .medium)
        world.close()
    }

    /// Protection that this side cannot give is refused before anything is begun; what Just Works reaches is not enough.
    @Test func protectionThatIsNotToBeHad() throws {
        let world = try P()
        let raising = world.raise(to: .high)
        world.play(P.begun + P.attemptEnds)
        #expect(raising.result?.failure?.situation == .pairing(.notProtected))
        world.close()

        let refusing = try P(.displayYesNo)
        let second = refusing.raise(to: .high)
        refusing.play(
            P.begun + [P.security("0100")] + P.information() + [P.pairDevice("01")]
                + Script.heard(8, P.confirmation()) + [P.notConfirmed]
                + Script.heard(8, "1100 0000 0800 \(P.device) 05", P.paired("05")) + P.nothingNew + P.nothingNew
                + P.attemptEnds)
        #expect(second.result?.failure?.situation == .pairing(.notProtected))
        refusing.close()
    }
}

extension PairingStage {
    /// Read Controller Information, when the timer is armed already.
    static let informationAgain: [Row] = information().enumerated().filter { $0.offset != 1 }.map(\.element)
}
