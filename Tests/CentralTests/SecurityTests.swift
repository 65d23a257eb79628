import Sockets
import TestSupport
import Testing
import Wire

@testable import Central

/// Raising a link's security on behalf of a request, with a link that a test plays.
@Suite(.timeLimit(.minutes(1))) struct SecurityTests {
    private func connected(_ security: LinkSecurityControl) async throws -> (Connection, ScriptedPeer) {
        let (near, far) = try SeqPacketSocket.pair()
        let peer = try ScriptedPeer(far)
        let connection = Connection(
            bearer: Bearer(socket: near, peer: "a test", security: security),
            options: ConnectOptions(preferredMTU: 23), loop: .shared)
        try await connection.open()
        return (connection, peer)
    }

    @Test func theRequestIsRepeatedOnceTheSecurityWasRaised() async throws {
        let raises = Locked(0)
        // Pending for the first two times that the socket is writable.
        let questions = Locked(0)
        let (connection, peer) = try await connected(
            LinkSecurityControl(
                raise: {
                    raises.withLock { $0 += 1 }
                    return true
                },
                isPending: {
                    questions.withLock { questions in
                        questions += 1
                        return questions <= 2
                    }
                }))
        async let value = connection.read(0x0038)
        await peer.expect("0a 38 00")
        try peer.send("01 0a 38 00 05")
        await peer.expect("0a 38 00")
        try peer.send("0b 2a")
        #expect(try await value == hex("2a"))
        #expect(raises.withLock { $0 } == 1)
        #expect(questions.withLock { $0 } == 3)
    }

    @Test func aSecondRefusalIsTheAnswer() async throws {
        let (connection, peer) = try await connected(LinkSecurityControl(raise: { true }, isPending: { false }))
        let reading = attempt { () throws(CentralError) in try await connection.read(0x0038) }
        await peer.expect("0a 38 00")
        try peer.send("01 0a 38 00 0f")
        await peer.expect("0a 38 00")
        try peer.send("01 0a 38 00 0f")
        let failed = await reading.value
        #expect(
            failed?.gattError
                == .attributeError(.insufficientEncryption, request: .readRequest, handle: 0x0038))
        #expect(failed?.remedy == "pair with the device first, or ask for more security")
    }

    @Test func aLinkThatHasNoMoreToGive() async throws {
        let (connection, peer) = try await connected(LinkSecurityControl(raise: { false }, isPending: { false }))
        let reading = attempt { () throws(CentralError) in try await connection.read(0x0038) }
        await peer.expect("0a 38 00")
        try peer.send("01 0a 38 00 05")
        #expect(
            await reading.value?.gattError
                == .attributeError(.insufficientAuthentication, request: .readRequest, handle: 0x0038))
        #expect(await connection.isConnected)
    }

    @Test func pairingThatNeverEndsEndsTheConnection() async throws {
        let (near, far) = try SeqPacketSocket.pair()
        let peer = try ScriptedPeer(far)
        // A socket that the kernel takes nothing for is not writable.
        let security = LinkSecurityControl(
            raise: {
                while (try? near.send(hex("00").octets)) == .sent {}
                return true
            },
            isPending: { true }, timeout: .milliseconds(100))
        let connection = Connection(
            bearer: Bearer(socket: near, peer: "a test", security: security),
            options: ConnectOptions(preferredMTU: 23), loop: .shared)
        try await connection.open()
        let reading = attempt { () throws(CentralError) in try await connection.read(0x0038) }
        await peer.expect("0a 38 00")
        try peer.send("01 0a 38 00 05")
        #expect(
            await reading.value?.gattError
                == .attributeError(.insufficientAuthentication, request: .readRequest, handle: 0x0038))
        let end = try await connection.waitUntilDisconnected()
        #expect(end.reason == .transportFailed("pairing did not end within 0.1 seconds"))
    }
}
