import Sockets
import TestSupport
import Testing
import Wire

@testable import Central

/// Raising a link's security on behalf of a request and when asked for, with a link that a test plays.
@Suite(.timeLimit(.minutes(1))) struct SecurityTests {
    private static let refusal = CentralError(
        .refused, failure: "cannot pair", reason: "the device refused to pair", remedy: "try again",
        security: .pairingRefused)

    private func connected(
        _ security: LinkSecurityControl?, options: ConnectOptions = ConnectOptions(preferredMTU: 23)
    ) async throws -> (Connection, ScriptedPeer) {
        let (near, far) = try SeqPacketSocket.pair()
        let peer = try ScriptedPeer(far)
        let connection = Connection(
            bearer: Bearer(socket: near, peer: "a test", security: security), options: options, loop: .shared)
        try await connection.open()
        return (connection, peer)
    }

    @Test func theRequestIsRepeatedOnceTheSecurityWasRaised() async throws {
        let raises = Locked<[SecurityLevel?]>([])
        let (connection, peer) = try await connected(
            LinkSecurityControl(raise: { level in
                raises.withLock { $0.append(level) }
                return .success(.medium)
            }))
        async let value = connection.read(0x0038)
        await peer.expect("0a 38 00")
        try peer.send("01 0a 38 00 05")
        await peer.expect("0a 38 00")
        try peer.send("0b 2a")
        #expect(try await value == hex("2a"))
        #expect(raises.withLock { $0 } == [nil])
        #expect(await connection.security == .medium)
    }

    @Test func aSecondRefusalIsTheAnswer() async throws {
        let (connection, peer) = try await connected(LinkSecurityControl(raise: { _ in .success(.medium) }))
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
        #expect(failed?.security == nil)
    }

    @Test func theErrorSaysWhyTheSecurityWasNotRaised() async throws {
        let (connection, peer) = try await connected(LinkSecurityControl(raise: { _ in .failure(Self.refusal) }))
        let reading = attempt { () throws(CentralError) in try await connection.read(0x0038) }
        await peer.expect("0a 38 00")
        try peer.send("01 0a 38 00 05")
        let failed = await reading.value
        #expect(
            failed?.gattError
                == .attributeError(.insufficientAuthentication, request: .readRequest, handle: 0x0038))
        #expect(failed?.security == .pairingRefused)
        #expect(failed?.description.hasSuffix("; the device refused to pair; try again") == true)
        // The connection stands, and the next error is its own.
        let next = attempt { () throws(CentralError) in try await connection.read(0x0003) }
        await peer.expect("0a 03 00")
        try peer.send("01 0a 03 00 0a")
        #expect(await next.value?.security == nil)
        #expect(await connection.isConnected)
    }

    @Test(arguments: [
        (CentralError.Category.timedOut, Int32(7)), (.missingRights, 4), (.refused, 1),
    ])
    func theSortOfFailureIsThatOfPairing(category: CentralError.Category, status: Int32) async throws {
        var error = Self.refusal
        error.category = category
        let refusal = error
        let (connection, peer) = try await connected(LinkSecurityControl(raise: { _ in .failure(refusal) }))
        let reading = attempt { () throws(CentralError) in try await connection.read(0x0038) }
        await peer.expect("0a 38 00")
        try peer.send("01 0a 38 00 05")
        #expect(await reading.value?.exitStatus == status)
    }

    @Test func withoutARadioLinkThereIsNothingToRaise() async throws {
        let (connection, peer) = try await connected(nil)
        let reading = attempt { () throws(CentralError) in try await connection.read(0x0038) }
        await peer.expect("0a 38 00")
        try peer.send("01 0a 38 00 05")
        #expect(await reading.value?.category == .refused)
        let raising = attempt { () throws(CentralError) in try await connection.raiseSecurity(to: .medium) }
        #expect(await raising.value?.reason == "there is no radio link that could be encrypted")
        #expect(try await connection.raiseSecurity(to: .low) == .low)
    }

    @Test func theSecurityThatIsAskedForComesBeforeTheFirstRequest() async throws {
        let raises = Locked<[SecurityLevel?]>([])
        let (connection, peer) = try await connected(
            LinkSecurityControl(raise: { level in
                raises.withLock { $0.append(level) }
                return .success(.fips)
            }), options: ConnectOptions(preferredMTU: 23, security: .high))
        #expect(raises.withLock { $0 } == [.high])
        // It has more than is asked for now.
        #expect(try await connection.raiseSecurity(to: .medium) == .fips)
        #expect(raises.withLock { $0 }.count == 1)
        peer.close()
    }

    /// A raise that a test ends.
    private final class Gate: Sendable {
        private let promise = Promise<Result<SecurityLevel, CentralError>>()
        let began = Promise<Void>()
        let raises = Locked(0)

        func raise() async -> Result<SecurityLevel, CentralError> {
            raises.withLock { $0 += 1 }
            began.fulfil(())
            return await promise.value(whenCancelled: .failure(SecurityTests.refusal))
        }

        func open(_ result: Result<SecurityLevel, CentralError>) { promise.fulfil(result) }
    }

    @Test func oneRaiseIsEnoughForAllWhoWait() async throws {
        let gate = Gate()
        let (connection, peer) = try await connected(LinkSecurityControl(raise: { _ in await gate.raise() }))
        async let asked = connection.raiseSecurity(to: .medium)
        await gate.began.value(whenCancelled: ())
        async let value = connection.read(0x0038)
        await peer.expect("0a 38 00")
        try peer.send("01 0a 38 00 05")
        // An indication is answered meanwhile, and shows that the refusal has been received.
        try peer.send("1d 35 00 01")
        await peer.expect("1e")
        gate.open(.success(.medium))
        #expect(try await asked == .medium)
        await peer.expect("0a 38 00")
        try peer.send("0b 2a")
        #expect(try await value == hex("2a"))
        #expect(gate.raises.withLock { $0 } == 1)
    }

    @Test func cancellingEndsTheRaise() async throws {
        let gate = Gate()
        let (connection, peer) = try await connected(LinkSecurityControl(raise: { _ in await gate.raise() }))
        let raising = Task { () -> CentralError? in
            do throws(CentralError) {
                try await connection.raiseSecurity(to: .medium)
                return nil
            } catch {
                return error
            }
        }
        await gate.began.value(whenCancelled: ())
        raising.cancel()
        #expect(await raising.value?.category == .cancelled)
        #expect(await connection.isConnected)
        peer.close()
    }

    @Test func aSocketThatIsOfNoMoreUseEndsTheConnection() async throws {
        let (connection, peer) = try await connected(
            LinkSecurityControl(raise: { _ in .failure(Self.refusal) }, isBlocking: { true }))
        let reading = attempt { () throws(CentralError) in try await connection.read(0x0038) }
        await peer.expect("0a 38 00")
        try peer.send("01 0a 38 00 05")
        #expect(await reading.value?.security == .pairingRefused)
        let end = try await connection.waitUntilDisconnected()
        #expect(end.reason == .transportFailed("the device refused to pair"))
    }

    /// The kernel ends a link whose key the device has lost, and the socket's error does not say so.
    @Test func theEndOfTheLinkIsExplained() async throws {
        let gate = Gate()
        let (connection, peer) = try await connected(
            LinkSecurityControl(
                raise: { _ in await gate.raise() },
                linkEnded: {
                    var error = Self.refusal
                    error.security = .keyMissing
                    return LinkEnd(reason: .disconnected(reason: 0x16), error: error)
                }))
        let reading = attempt { () throws(CentralError) in try await connection.read(0x0038) }
        await peer.expect("0a 38 00")
        try peer.send("01 0a 38 00 05")
        await gate.began.value(whenCancelled: ())
        peer.close()
        #expect(await reading.value?.security == .keyMissing)
        #expect(try await connection.waitUntilDisconnected().reason == .disconnected(reason: 0x16))
    }

    @Test func aLinkThatEndsWhilePairingIsALostLink() async throws {
        let gate = Gate()
        let (connection, peer) = try await connected(LinkSecurityControl(raise: { _ in await gate.raise() }))
        let raising = attempt { () throws(CentralError) in try await connection.raiseSecurity(to: .medium) }
        let reading = attempt { () throws(CentralError) in try await connection.read(0x0038) }
        await peer.expect("0a 38 00")
        peer.close()
        #expect(await raising.value?.category == .linkLost)
        #expect(await reading.value?.category == .linkLost)
    }

    @Test(arguments: [(UInt8(0x3D), SecurityFailure.encryptionLost), (0x06, .keyMissing), (0x05, .encryptionFailed)])
    func encryptionThatEndsTheLinkIsTold(reason: UInt8, failure: SecurityFailure) async throws {
        let (connection, peer) = try await connected(
            LinkSecurityControl(
                raise: { _ in .success(.medium) }, linkEnded: { LinkEnd(reason: .disconnected(reason: reason)) }))
        let reading = attempt { () throws(CentralError) in try await connection.read(0x0038) }
        await peer.expect("0a 38 00")
        peer.close()
        let failed = await reading.value
        #expect(failed?.category == .linkLost)
        #expect(failed?.security == failure)
    }

    @Test func disconnectingWaitsForTheEndOfPairing() async throws {
        let gate = Gate()
        let closed = Locked(0)
        let (connection, peer) = try await connected(
            LinkSecurityControl(raise: { _ in await gate.raise() }, close: { closed.withLock { $0 += 1 } }))
        let raising = attempt { () throws(CentralError) in try await connection.raiseSecurity(to: .medium) }
        await gate.began.value(whenCancelled: ())
        await connection.disconnect()
        #expect(closed.withLock { $0 } >= 1)
        #expect(await raising.value?.category == .cancelled)
        await peer.expectEnd()
    }
}
