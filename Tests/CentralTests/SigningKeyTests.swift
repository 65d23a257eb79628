import Central
import Foundation
import Sockets
import TestSupport
import Testing

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
    }
}
