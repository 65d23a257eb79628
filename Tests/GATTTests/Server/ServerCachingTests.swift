import GATT
import TestSupport
import Testing

/// Robust caching from the server's side, and both sides together.
@Suite struct ServerCachingTests {
    /// 1801 with Service Changed (0x0003, configuration 0x0004), Client Supported Features (0x0006), Database Hash (0x0008);
    /// 180F with 2A19 (0x000b, configuration 0x000c); 1809 with 2A1C (0x000f) and, in the second version, 2A1D (0x0012).
    static func database(_ version: Int) throws -> AttributeDatabase {
        try AttributeDatabase(services: [
            ServiceDefinition(
                uuid: 0x1801,
                characteristics: [
                    CharacteristicDefinition(uuid: 0x2A05, properties: .indicate, value: [0, 0, 0, 0]),
                    CharacteristicDefinition(uuid: 0x2B29, properties: [.read, .write], value: [0]),
                    CharacteristicDefinition(uuid: 0x2B2A, properties: .read),
                ]),
            ServiceDefinition(
                uuid: 0x180F,
                characteristics: [CharacteristicDefinition(uuid: 0x2A19, properties: [.read, .notify], value: [100])]),
            ServiceDefinition(
                uuid: 0x1809,
                characteristics: [CharacteristicDefinition(uuid: 0x2A1C, properties: .indicate, value: [1])]
                    + (version == 1
                        ? [] : [CharacteristicDefinition(uuid: 0x2A1D, properties: .read, value: [2])])),
        ])
    }

    /// By "openssl mac" over the octets that Vol 3, Part G, 7.3.1 names.
    static let hashes = ["ac1865a778dcfda3eea06137225d2f3b", "dc0ccc4796cfba0cbb07b9a48b6f40fd"]

    private func server(features: String = "01") throws -> ServerHarness {
        let server = ServerHarness(try Self.database(1), mtu: 64)
        #expect(server.send("12 0600 \(features)") == ["13"])
        #expect(server.send("12 0400 0200") == ["13"])
        #expect(server.send("12 0c00 0100") == ["13"])
        return server
    }

    private func change(_ server: ServerHarness) throws {
        let range = try #require(HandleRange(first: 0x000D, last: 0x0012))
        #expect(server.replace(try Self.database(2), changed: range))
        #expect(server.sent() == ["1d03000d001200"])
    }

    @Test func theHashIsThatOfTheAttributes() throws {
        let server = try server()
        #expect(server.send("08 0100 ffff 2a2b") == ["09120800" + Self.hashes[0]])
        try change(server)
        #expect(server.send("1e") == [])
        #expect(server.send("0a 0800") == ["0b" + Self.hashes[1]])
    }

    @Test func anUnawareClientIsToldOnce() throws {
        let server = try server()
        try change(server)
        #expect(server.isChangeAware == false)
        // Commands are ignored, and nothing is notified.
        #expect(server.send("52 0600 05") == [])
        #expect(server.notify(0x000B, value: [99]) == false)
        // An Exchange MTU concerns no attribute.
        #expect(server.send("02 4000") == ["030502"])
        #expect(server.send("0a 0b00") == ["010a0b0012"])
        // The next request shows that it has noticed.
        #expect(server.send("0a 0b00") == ["0b64"])
        #expect(server.isChangeAware)
        #expect(server.notify(0x000B, value: [99]))
    }

    @Test func readingTheHashMakesAware() throws {
        // Only by its type and over all handles.
        let other = try server()
        try change(other)
        #expect(other.send("08 0200 ffff 2a2b") == ["0108020012"])
        let server = try server()
        try change(server)
        #expect(server.send("08 0100 ffff 2a2b") == ["09120800" + Self.hashes[1]])
        #expect(server.isChangeAware == false)
        #expect(server.send("0a 1200") == ["0b02"])
        #expect(server.isChangeAware)
    }

    @Test func confirmingServiceChangedMakesAware() throws {
        let server = try server()
        try change(server)
        #expect(server.send("1e") == [])
        #expect(server.isChangeAware)
        #expect(server.send("0a 0b00") == ["0b64"])
    }

    /// One of two changes is confirmed: the other is still not known.
    @Test func aChangeAfterTheIndication() throws {
        let server = try server()
        try change(server)
        #expect(server.replace(try Self.database(1), changed: .all))
        #expect(server.send("1e") == ["1d03000100ffff"])
        #expect(server.isChangeAware == false)
        #expect(server.send("1e") == [])
        #expect(server.isChangeAware)
    }

    @Test(arguments: ["00", "04"])
    func whoDidNotAskForItIsNotToldByErrors(_ features: String) throws {
        let server = try server(features: features)
        try change(server)
        #expect(server.isChangeAware)
        #expect(server.send("0a 0b00") == ["0b64"])
    }

    /// A queue of the old attributes is not written to the new ones.
    @Test func preparedWritesAreDropped() throws {
        let server = try server(features: "00")
        #expect(server.send("16 0600 0000 05") == ["170600000005"])
        try change(server)
        #expect(server.send("18 01") == ["19"])
        #expect(server.send("0a 0600") == ["0b00"])
    }

    /// The client engine with the server engine: what the client knows is right after every change, and a request that
    /// was made with old handles fails.
    @Test func bothSides() throws {
        let server = try ServerPeer(Self.database(1))
        let link = Link(ClientConfiguration(preferredMTU: 64)) { server.answer($0) }
        _ = try link.run(.announceFeatures([.robustCaching, .multipleNotifications]))
        #expect(try link.run(.discoverAll()) == .database(DiscoveredDatabase(truthOf: Self.database(1))))
        #expect(link.database?.hash?.description == Self.hashes[0])
        // Nobody subscribed to Service Changed: the error is what tells.
        server.replace(try Self.database(2), changed: .all)
        let before = link.requestCount
        #expect(
            try link.failure(of: .read(0x000F))
                == .attributeError(.databaseOutOfSync, request: .readRequest, handle: 0x000F))
        #expect(link.database?.database == DiscoveredDatabase(truthOf: try Self.database(2)))
        #expect(link.database?.hash?.description == Self.hashes[1])
        // The read, the hash, services, characteristics; the hash then proves the rest.
        #expect(link.requestCount - before == 4)
        // A change that concerns nothing the client can see: the request is repeated.
        server.replace(try Self.database(2), changed: .all)
        #expect(try link.run(.read(0x0012)) == .value([2]))
        // With a subscription the change is told before anything fails.
        _ = try link.run(
            .subscribe(SubscriptionTarget(valueHandle: 0x0003, configurationHandle: 0x0004), mode: .indicate))
        link.deliver(server.replace(try Self.database(1), changed: .all))
        #expect(link.database?.database == DiscoveredDatabase(truthOf: try Self.database(1)))
        #expect(try link.run(.read(0x000B)) == .value([100]))
    }
}
