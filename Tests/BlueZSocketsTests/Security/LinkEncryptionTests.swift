import GAP
import HCI
import L2CAP
import Sockets
import SocketsTestSupport
import TestSupport
import Testing

@testable import BlueZSockets

/// Encryption with a key that there is, or that a daemon has: by BT_SECURITY on the socket of the link.
@Suite(.timeLimit(.minutes(1))) struct LinkEncryptionTests {
    typealias P = PairingStage

    private func encrypted(_ keys: [LongTermKey] = [P.longTermKey()]) throws -> (PairingStage, Performance<P.Outcome>) {
        let world = try P(keys: keys)
        return (world, world.raise(to: .medium))
    }

    /// Until the kernel was asked to encrypt.
    private static let asked = P.begun + [P.security("0100"), P.set("0200"), (.setTimer(33_000_000_000), .done)]

    private func writable(_ world: PairingStage) {
        let pairing = world.pairing
        _ = world.stage.begin { await pairing.socketIsWritable() }
    }

    @Test func withAKey() throws {
        let (world, raising) = try encrypted()
        world.play(Self.asked + Script.heard(7, "04 08 04 00 4000 01") + [Script.quiet])
        #expect(raising.result == nil, "the socket says when")
        writable(world)
        world.play([(.pollNow(9), .value(0)), Script.quiet])
        #expect(raising.result == nil)
        writable(world)
        world.play([(.pollNow(9), .value(4))] + P.attemptEnds)
        #expect(try raising.result?.get() == .medium)
        #expect(world.kept.withLock { $0 } == [])
        world.close()
    }

    /// A better key than was asked for gives what it is worth.
    @Test func withABetterKey() throws {
        let (world, raising) = try encrypted([P.longTermKey(.authenticatedP256)])
        world.play(Self.asked + [Script.quiet])
        writable(world)
        world.play([(.pollNow(9), .value(4))] + P.attemptEnds)
        #expect(try raising.result?.get() == .fips)
        world.close()
    }

    @Test(
        arguments: [
            ("04 08 04 06 4000 00", .keyMissing), ("04 08 04 05 4000 00", .encryptionFailed(.authenticationFailure)),
            ("04 30 03 1f 4000", .encryptionFailed(.unspecifiedError)),
            ("02 4020 0600 0200 0600 05 08", .refused(.unspecifiedReason, byPeer: true)),
        ] as [(String, PairingFailure)])
    func encryptionFails(packet: String, cause: PairingFailure) throws {
        let (world, raising) = try encrypted()
        world.play(Self.asked + Script.heard(7, packet) + P.attemptEnds)
        let error = try #require(raising.result?.failure)
        #expect(error.situation == .pairing(cause))
        #expect(error.failure == "cannot encrypt the link to F0:F1:F2:F3:F4:F5/random")
        world.stage.system.expect([(.pollNow(9), .value(0))])
        #expect(world.pairing.assumeIsolated { $0.isBlocking }, "the kernel leaves the socket as it is")
        world.close()
    }

    /// The kernel ends the link because the device has lost its key, and the socket tells of that first.
    @Test func theLinkEndsForWantOfAKey() throws {
        let (world, raising) = try encrypted()
        world.play(Self.asked + [Script.quiet])
        world.stage.system.expect(P.caughtUp("04 08 04 06 4000 00", "04 05 04 00 4000 16"))
        let end = world.pairing.assumeIsolated { $0.linkEnded() }
        #expect(end.reason == .terminatedByLocalHost)
        #expect(end.error?.situation == .pairing(.keyMissing))
        world.play(P.attemptEnds)
        #expect(raising.result?.failure?.situation == .pairing(.keyMissing))
        world.close()
    }

    @Test func theLinkEndsWithoutAWord() throws {
        let (world, raising) = try encrypted()
        world.play(Self.asked + [Script.quiet])
        world.stage.system.expect(P.caughtUp("04 05 04 00 4000 08"))
        let end = world.pairing.assumeIsolated { $0.linkEnded() }
        #expect(end.reason == .connectionTimeout)
        #expect(end.error == nil)
        world.play(P.attemptEnds)
        #expect(raising.result?.failure?.situation == .pairing(.encryptionFailed(.connectionTimeout)))
        world.close()
    }

    /// The link had ended before anybody asked for more security.
    @Test func afterTheLink() throws {
        let world = try P(keys: [P.longTermKey()])
        let pairing = world.pairing
        let listening = world.stage.begin { await pairing.listen() }
        world.play(P.agentOpened + P.watchOpened + Script.heard(7, "04 05 04 00 4000 3d") + [Script.quiet])
        #expect(listening.result != nil)
        world.stage.system.expect(P.nothingNew)
        #expect(pairing.assumeIsolated { $0.linkEnded() }.reason == .micFailure)
        world.close()
    }

    @Test func encryptionWithoutAnEnd() throws {
        let (world, raising) = try encrypted()
        world.play(Self.asked + [Script.quiet])
        world.stage.system.setNow(33_000_000_000)
        world.play([(.epollWait(waits: true), .events([(5, .readable)]))] + P.attemptEnds)
        #expect(raising.result?.failure?.situation == .pairing(.notAnswered))
        world.close()
    }

    @Test func cancellation() throws {
        let (world, raising) = try encrypted()
        world.play(Self.asked + [Script.quiet])
        raising.task.cancel()
        world.play(P.attemptEnds)
        #expect(raising.result?.failure?.category == .cancelled)
        world.close()
    }

    /// The kernel refuses what the link has already, and what it cannot do.
    @Test func whatTheKernelRefuses() throws {
        let (world, raising) = try encrypted()
        let refused: Row = (.setSocketOption(9, level: 274, name: 4, hex("0200")), .error(.invalidArgument))
        world.play(P.begun + [P.security("0100"), refused, P.security("0210")] + P.attemptEnds)
        #expect(try raising.result?.get() == .medium)
        world.close()
        let (other, second) = try encrypted()
        other.play(P.begun + [P.security("0100"), refused, P.security("0100")] + P.attemptEnds)
        #expect(second.result?.failure?.situation == .security)
        other.close()
    }

    // MARK: Keys of somebody else

    /// Beside a daemon no management socket is opened: its keys encrypt, and its agent answers.
    @Test func besideADaemon() throws {
        let world = try P(owner: KeyOwner(name: "bluetoothd (412)"))
        let begun = P.watchOpened + P.attempt + [P.security("0100"), P.set("0200"), (.setTimer(33_000_000_000), .done)]
        let raising = world.raise(to: .medium)
        world.play(begun + [Script.quiet])
        writable(world)
        world.play([(.pollNow(9), .value(4))] + P.attemptEnds)
        #expect(try raising.result?.get() == .medium)
        world.close(agent: false)

        let refused = try P(owner: KeyOwner(name: "bluetoothd (412)"))
        let second = refused.raise(to: .medium)
        refused.play(begun + Script.heard(7, "02 4020 0600 0200 0600 05 05") + P.attemptEnds)
        let error = try #require(second.result?.failure)
        #expect(error.reason.contains("bluetoothd (412) pairs and keeps the keys on this machine"))
        #expect(error.remedy.contains("bluetoothctl pair F0:F1:F2:F3:F4:F5"))
        refused.close(agent: false)
    }

    /// Without CAP_NET_RAW nothing is heard, and the socket alone tells.
    @Test func withoutListening() throws {
        let (world, raising) = try encrypted()
        let deaf =
            SecurityWatchTests.opening(7, reads: hex("10000000 20010000 00000000 0000 0000")) + [(.close(7), .done)]
        // It is tried when the raise begins, and by the agent.
        world.play(
            deaf + P.agentOpened + deaf + [
                P.security("0100"), P.set("0200"), (.setTimer(33_000_000_000), .done), Script.quiet,
            ])
        writable(world)
        world.play([(.pollNow(9), .value(4)), Script.quiet])
        #expect(try raising.result?.get() == .medium)
        world.close(watch: false)
    }
}
