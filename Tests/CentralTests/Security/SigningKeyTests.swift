import Foundation
import Sockets
import TestSupport
import Testing

@testable import Central

@Suite(.enabled(if: SigningKey.isAvailable, "OpenSSL's libcrypto is there")) struct SigningKeyTests {
    static let key = SigningKey(octets: hex("3c4fcf098815f7aba6d2ae2816157e2b"))

    /// Messages of 0 and 16 octets as in BlueZ's tests (unit/test-crypto.c), of 40 and 64 by "openssl mac"; counter 0.
    @Test(arguments: [
        (0, "b3a8594127ebc2c0"), (16, "273974f4392a232a"), (40, "b7ca94ab87c78218"), (64, "44e1e6ce1df51368"),
    ])
    func vectors(_ count: Int, _ code: String) throws {
        let message = hex(
            "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")
        var signer = try #require(Self.key).signer(counter: 0)
        #expect(signer.sign(Array(message.prefix(count))) == hex("00000000" + code))
    }

    @Test func overAConnection() async throws {
        let (connection, peer) = try await connected()
        let signer = try #require(Self.key).signer(counter: 7)
        try await connection.writeSigned([1, 2], to: 0x0003, signer: signer)
        await peer.expect("d2 0300 0102 07000000c8c1dd49e4577731")
        let error = await #expect(throws: CentralError.self) {
            try await connection.writeSigned([UInt8](repeating: 0, count: 9), to: 0x0003, signer: signer)
        }
        #expect(error?.category == .invalid)
    }

    /// What raises the security may be anybody: this side, the device, another program.
    @Test func onAnEncryptedLink() async throws {
        let isEncrypted = Locked(false)
        let (near, far) = try SeqPacketSocket.pair()
        let peer = try ScriptedPeer(far)
        let connection = Connection(
            bearer: Bearer(
                socket: near, peer: "a test",
                security: LinkSecurityControl(
                    isEncrypted: { isEncrypted.withLock { $0 } }, raise: { _ in .success(.medium) })),
            options: ConnectOptions(preferredMTU: 23), loop: .shared)
        try await connection.open()
        let signer = try #require(Self.key).signer(counter: 7)
        #expect(try await connection.writeSigned([1, 2], to: 0x0003, signer: signer))
        await peer.expect("d2 0300 0102 07000000c8c1dd49e4577731")
        #expect(await !connection.isEncrypted)
        isEncrypted.withLock { $0 = true }
        #expect(await connection.isEncrypted)
        #expect(try await !connection.writeSigned([1, 2], to: 0x0003, signer: signer))
        await peer.expect("52 0300 0102")
        // By whatever way the procedure is started.
        _ = try await connection.perform(.signedWriteCommand(0x0003, [UInt8](repeating: 7, count: 20)))
        await peer.expect("52 0300 0707070707070707070707070707070707070707")
        isEncrypted.withLock { $0 = false }
        #expect(try await connection.writeSigned([1, 2], to: 0x0003, signer: signer))
        await peer.expect("d2 0300 0102 07000000c8c1dd49e4577731")
        try await connection.raiseSecurity(to: .medium)
        #expect(await connection.isEncrypted, "it was raised here")
        #expect(try await !connection.writeSigned([1, 2], to: 0x0003, signer: signer))
        await peer.expect("52 0300 0102")
        await connection.disconnect()
        #expect(await !connection.isEncrypted)
    }

    /// What is to be signed while the security is being raised waits for that, and is not signed after it.
    @Test func whileTheSecurityIsRaised() async throws {
        let (begun, raised) = (Promise<Void>(), Promise<Void>())
        let (near, far) = try SeqPacketSocket.pair()
        let peer = try ScriptedPeer(far)
        let connection = Connection(
            bearer: Bearer(
                socket: near, peer: "a test",
                security: LinkSecurityControl(raise: { _ in
                    begun.fulfil(())
                    await raised.value(whenCancelled: ())
                    return .success(.medium)
                })), options: ConnectOptions(preferredMTU: 23), loop: .shared)
        try await connection.open()
        let signer = try #require(Self.key).signer(counter: 7)
        async let raising = connection.raiseSecurity(to: .medium)
        await begun.value(whenCancelled: ())
        let cancelled = Task { try await connection.writeSigned([9], to: 0x0003, signer: signer) }
        cancelled.cancel()
        await #expect(throws: CentralError.self) { try await cancelled.value }
        async let isSigned = connection.writeSigned([1], to: 0x0003, signer: signer)
        raised.fulfil(())
        #expect(try await !isSigned)
        await peer.expect("52 0300 01")
        _ = try await raising
    }

    @Test func keysHaveSixteenOctets() throws {
        #expect(SigningKey(octets: [1, 2, 3]) == nil)
        let fingerprint = try #require(Self.key).fingerprint
        #expect(fingerprint.count == 16)
        #expect(fingerprint != SigningKey(octets: [UInt8](repeating: 0, count: 16))?.fingerprint)
    }

    /// No counter is given out twice, whoever asks.
    @Test func countersAreUsedOnce() async throws {
        let root = "/tmp/btatt-counters-\(ProcessInfo.processInfo.processIdentifier)-\(UInt64.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: root) }
        let path = root + "/state/counters"
        let taken = try await withThrowingTaskGroup(of: UInt32?.self) { group in
            for _ in 0..<20 { group.addTask { try await SigningCounters(path: path).take("abcd") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(taken) == Set(0..<20))
        let counters = SigningCounters(path: path)
        #expect(try await counters.take("ef01") == 0)
        #expect(try await counters.take("abcd", atLeast: 100) == 100)
        #expect(try await counters.take("abcd", atLeast: 5) == 101)
        #expect(try await counters.take("ef01", atLeast: .max) == .max)
        #expect(try await counters.take("ef01") == nil, "that was the last one there is")
        #expect(try await counters.take("ef01", atLeast: 3) == nil)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text == "abcd 102\nef01 4294967296\n")
    }

    /// A number that was guessed could be one that was used.
    @Test(arguments: ["abcd", "abcd 1 2\n", "abcd x\n", " 1\n", "abcd 12", "abcd 4294967297\n", "\u{0}"])
    func damagedCounters(_ text: String) async throws {
        let root = "/tmp/btatt-counters-\(ProcessInfo.processInfo.processIdentifier)-\(UInt64.random(in: 0 ... .max))"
        defer { try? FileManager.default.removeItem(atPath: root) }
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        let path = root + "/counters"
        _ = FileManager.default.createFile(
            atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        await #expect(throws: StateFileError(.damaged, path)) { try await SigningCounters(path: path).take("ef01") }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
}
