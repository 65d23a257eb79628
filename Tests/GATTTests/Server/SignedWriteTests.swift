import GATT
import TestSupport
import Testing

@Suite struct SignedWriteTests {
    static let key = hex("3c4fcf098815f7aba6d2ae2816157e2b")

    /// Vectors of BlueZ's tests (unit/test-crypto.c): messages of 0 and 16 octets, counter 0.
    @Test(arguments: [
        ("", "00000000b3a8594127ebc2c0"), ("6bc1bee22e409f96e93d7e117393172a", "00000000273974f4392a232a"),
    ])
    func vectors(_ message: String, _ signature: String) {
        var signer = MessageSigner(counter: 0, authenticate: authentication(Self.key))
        let signed = signer.sign(hex(message))
        #expect(signed == hex(signature))
        #expect(signer.counter == 1)
        var check = SignatureCheck(authenticate: authentication(Self.key))
        let isAccepted = check.accepts(hex(message), hex(signature))
        #expect(isAccepted)
        let isAcceptedAgain = check.accepts(hex(message), hex(signature))
        #expect(!isAcceptedAgain, "its counter was used")
        #expect(check.lastCounter == 0)
    }

    @Test func countersEnd() {
        var signer = MessageSigner(counter: .max, authenticate: authentication(Self.key))
        let last = signer.sign([1])
        #expect(last?.prefix(4) == [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(signer.counter == nil)
        let none = signer.sign([1])
        #expect(none == nil)
        var broken = MessageSigner(counter: 0) { _ in nil }
        let unsigned = broken.sign([1])
        #expect(unsigned == nil)
        #expect(broken.counter == 0)
    }

    private func server(encrypted: Bool = false) throws -> ServerHarness {
        let database = try AttributeDatabase(services: [
            ServiceDefinition(
                uuid: 0x1815,
                characteristics: [
                    CharacteristicDefinition(
                        uuid: 0x2A56, properties: [.read, .authenticatedSignedWrites], value: [0]),
                    CharacteristicDefinition(uuid: 0x2A58, properties: [.read, .writeWithoutResponse], value: [0]),
                ])
        ])
        let server = ServerHarness(database, security: LinkSecurity(isEncrypted: encrypted))
        server.engine.signatureCheck = SignatureCheck(lastCounter: 6, authenticate: authentication(Self.key))
        return server
    }

    /// By the octets of the client's transcript.
    @Test func theServerChecks() throws {
        let server = try server()
        #expect(server.send("d2 0300 0102 07000000c8c1dd49e4577731") == [])
        #expect(server.happened() == [.written(0x0003, value: [1, 2])])
        // Once more, with another value, for another attribute, and cut short.
        #expect(server.send("d2 0300 0102 07000000c8c1dd49e4577731") == [])
        #expect(server.send("d2 0300 0103 08000000948472387a7381a4") == [])
        #expect(server.send("d2 0500 0102 08000000948472387a7381a4") == [])
        #expect(server.send("d2 0300 0102") == [])
        #expect(server.happened() == [])
        #expect(server.send("d2 0300 0001020304050607 08000000948472387a7381a4") == [])
        #expect(server.happened() == [.written(0x0003, value: hex("0001020304050607"))])
    }

    @Test func notOnAnEncryptedLinkAndNotWithoutAKey() throws {
        let encrypted = try server(encrypted: true)
        #expect(encrypted.send("d2 0300 0102 07000000c8c1dd49e4577731") == [])
        #expect(encrypted.happened() == [])
        let keyless = try server()
        keyless.engine.signatureCheck = nil
        #expect(keyless.send("d2 0300 0102 07000000c8c1dd49e4577731") == [])
        #expect(keyless.happened() == [])
    }

    /// A key that signs commands for attributes that are not written so changes nothing.
    @Test func onlyWhereThePropertiesSayIt() throws {
        let server = try server()
        var signer = MessageSigner(counter: 9, authenticate: authentication(Self.key))
        let message = hex("d2 0500 01")
        let signature = signer.sign(message) ?? []
        #expect(server.send(message + signature) == [])
        #expect(server.happened() == [])
    }

    /// What is written only so takes nothing without a signature on a link that is not encrypted, and everything on one that
    /// is: nothing is signed there.
    @Test func withoutASignature() throws {
        let open = try server()
        #expect(open.send("12 0300 01") == ["0112030005"])
        #expect(open.send("52 0300 01") == [])
        #expect(open.happened() == [])
        open.engine.security.hasKey = true
        #expect(open.send("12 0300 01") == ["011203000f"])
        let encrypted = try server(encrypted: true)
        #expect(encrypted.send("52 0300 01") == [])
        #expect(encrypted.happened() == [.written(0x0003, value: [1])])
    }

    /// It is as good as encryption, for that one command, but protects against no man in the middle.
    @Test(arguments: [(AccessRule.encrypted, true), (.authenticated, false), (.authorized, false)])
    func whatASignatureIsWorth(rule: AccessRule, isWritten: Bool) throws {
        let database = try AttributeDatabase(services: [
            ServiceDefinition(
                uuid: 0x1815,
                characteristics: [
                    CharacteristicDefinition(
                        uuid: 0x2A56, properties: [.write, .authenticatedSignedWrites],
                        permissions: AttributePermissions(write: rule), length: .variable(maximum: 20))
                ])
        ])
        let server = ServerHarness(database)
        server.engine.signatureCheck = SignatureCheck(authenticate: authentication(Self.key))
        #expect(server.send("d2 0300 0102 07000000c8c1dd49e4577731") == [])
        #expect(server.happened() == (isWritten ? [.written(0x0003, value: [1, 2])] : []))
        #expect(server.security == .none)
        #expect(server.send("12 0300 01") == [rule == .authorized ? "0112030008" : "0112030005"])
    }

    /// The check without libcrypto, by vectors of "openssl mac".
    @Test(arguments: [
        ("d2 0300 01", "07000000beca12935c749fb3"), ("d2 0300 00", "08000000cb3db894e24f9361"),
        ("d2 0300 01", "04030201653ef95bbb3e5ff6"), ("d2 0500 ff", "090000009a43b9a9e651971a"),
        ("d2 0300 0001020304050607", "08000000948472387a7381a4"),
    ])
    func openKeys(_ message: String, _ signature: String) throws {
        var check = try #require(SignatureCheck(openKey: Self.key))
        let wrong = check.accepts(hex(message) + [0], hex(signature))
        #expect(!wrong)
        let right = check.accepts(hex(message), hex(signature))
        #expect(right)
        #expect(SignatureCheck(openKey: [1, 2, 3]) == nil)
    }
}
