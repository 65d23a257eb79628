import GATT
import TestSupport
import Testing

/// Requests that read values (Vol 3, Part F, 3.4.4), written by hand.
@Suite struct ServerReadingTests {
    @Test(arguments: [
        ("0a 1700", "0b 01"),
        // The first 22 octets of 50, then by offset: the rest of the MTU, the last six, the empty end, beyond it.
        ("0a 2200", "0b 000102030405060708090a0b0c0d0e0f101112131415"),
        ("0c 2200 1600", "0d 161718191a1b1c1d1e1f202122232425262728292a2b"),
        ("0c 2200 2c00", "0d 2c2d2e2f3031"),
        ("0c 2200 3200", "0d"),
        ("0c 2200 3300", "01 0c 2200 07"),
        ("0c 1700 0000", "0d 01"),
        // No such handle, nobody may read, not encrypted, an application error.
        ("0a 0000", "01 0a 0000 01"),
        ("0a 0700", "01 0a 0700 01"),
        ("0c 0700 0000", "01 0c 0700 01"),
        ("0a 1900", "01 0a 1900 02"),
        ("0a 1400", "01 0a 1400 02"),
        ("0c 1900 0000", "01 0c 1900 02"),
        ("0a 2600", "01 0a 2600 05"),
        ("0c 2600 0000", "01 0c 2600 05"),
        ("0a 2d00", "01 0a 2d00 81"),
        // Declarations are attributes like others.
        ("0a 1000", "0b 0d18"),
        ("0a f0ff", "0b 7aa7777aa700009f1e4c001d0200a7b7"),
        // Read Multiple: joined; the first one that fails is the error.
        ("0e 1700 2f00", "0f 01 010203"),
        ("0e 1700 2200", "0f 01 000102030405060708090a0b0c0d0e0f1011121314"),
        ("0e 1700 2600", "01 0e 2600 05"),
        ("0e 1700 0700 2600", "01 0e 0700 01"),
        // Read Multiple Variable: each with its length; the last is cut, its length is not.
        ("20 1700 2f00", "21 0100 01 0300 010203"),
        ("20 1700 2200", "21 0100 01 3200 000102030405060708090a0b0c0d0e0f10"),
        ("20 1700 1900", "01 20 1900 02"),
    ])
    func answers(_ request: String, _ response: String) {
        #expect(ServerHarness().send(request) == [hex(response).hexadecimal])
    }

    @Test func attributeNotLongIsAChoice() {
        let server = ServerHarness(configuration: ServerConfiguration(answersAttributeNotLong: true))
        #expect(server.send("0c 1700 0000") == ["010c17000b"])
        #expect(server.send("0c 2200 3200") == ["0d"])
    }

    @Test func aDelayedReadIsAnsweredWhenItIsDue() {
        let server = ServerHarness()
        #expect(server.send("0a 2b00") == [])
        #expect(server.nextDeadline == .zero + .seconds(2))
        // Commands are still obeyed while the client waits.
        #expect(server.send("52 2200 aa") == [])
        #expect(server.happened() == [.written(0x0022, value: [0xAA])])
        #expect(server.wait(.milliseconds(1999)) == [])
        #expect(server.wait(.milliseconds(1)) == ["0b07"])
        #expect(server.nextDeadline == nil)
        #expect(server.send("0a 1700") == ["0b01"])
    }

    @Test func aSecondRequestBeforeTheResponseClosesTheBearer() {
        let server = ServerHarness()
        #expect(server.send("0a 2b00") == [])
        #expect(server.send("0a 1700") == [])
        #expect(server.happened() == [.close(.requestBeforeResponse(.readRequest))])
        #expect(server.wait(.seconds(3)) == [])
        #expect(server.send("0a 1700") == [])
    }

    /// Link, the error of reading each of: encrypted, authenticated, authorised, a 16-octet key.
    @Test(arguments: [
        (LinkSecurity(), ["05", "05", "08", "05"]),
        (LinkSecurity(hasKey: true), ["0f", "0f", "08", "0f"]),
        (LinkSecurity(isEncrypted: true, keySize: 7), ["", "05", "08", "0c"]),
        (LinkSecurity(isEncrypted: true, isAuthenticated: true, keySize: 16), ["", "", "08", ""]),
        (LinkSecurity(isAuthorized: true), ["05", "05", "", "05"]),
    ])
    func securityIsChecked(_ link: LinkSecurity, _ errors: [String]) throws {
        let rules = [
            AccessRule.encrypted, .authenticated, .authorized, AccessRule(security: .encryption, minimumKeySize: 16),
        ]
        let service = ServiceDefinition(
            uuid: 0x1815,
            characteristics: rules.map { rule in
                CharacteristicDefinition(
                    uuid: 0x2A56, properties: [.read, .write],
                    permissions: AttributePermissions(read: rule, write: rule), value: [9])
            })
        let server = ServerHarness(try AttributeDatabase(services: [service]), security: link)
        for (index, error) in errors.enumerated() {
            let handle = [UInt8(3 + index * 2), 0].hexadecimal
            #expect(server.send("0a" + handle) == [error.isEmpty ? "0b09" : "010a" + handle + error])
            #expect(server.send("12" + handle + "09") == [error.isEmpty ? "13" : "0112" + handle + error])
        }
    }

    @Test func securityMayChange() {
        let server = ServerHarness()
        #expect(server.send("0a 2600") == ["010a260005"])
        server.engine.security.isEncrypted = true
        #expect(server.send("0a 2600") == ["0b736563726574"])
    }
}
