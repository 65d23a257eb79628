import GATT
import Testing

/// How many requests it takes to find everything, and that everything is found.
@Suite struct DiscoverAllTests {
    /// The Database Hash of the server; MTU, requests of the short plan, requests of the plain one.
    @Test(
        arguments: [
            ([], 517, 10, 78), ([], 247, 12, 78), ([], 185, 14, 83), ([], 64, 35, 100), ([], 23, 67, 127),
            (nil, 517, 13, 78), (nil, 247, 16, 78), (nil, 185, 19, 83), (nil, 64, 46, 100), (nil, 23, 105, 127),
            ([UInt8](repeating: 7, count: 16), 517, 15, 78), ([UInt8](repeating: 7, count: 16), 23, 108, 127),
        ] as [([UInt8]?, Int, Int, Int)])
    func aLargeDatabase(_ hash: [UInt8]?, _ mtu: Int, _ fewest: Int, _ plain: Int) throws {
        let database = try PeripheralDatabases.large(hash: hash)
        let short = Link(database, mtu: mtu)
        let found = try short.run(.discoverAll())
        #expect(short.requestCount == fewest)
        let long = Link(database, mtu: mtu)
        #expect(try long.run(.discoverAll(DiscoveryOptions(plan: .plain))) == found)
        #expect(long.requestCount == plain)
        guard case .database(let tree) = found else { return }
        #expect(tree.attributeCount == database.attributes.count)
        #expect(tree.characteristics.count == 64)
        #expect(
            short.client.serviceChangedHandle == tree.characteristics(.serviceChanged).first?.characteristic.valueHandle
        )
    }

    /// Databases of all shapes are found as they are, by both plans and at any MTU.
    @Test(arguments: 0..<40)
    func anyDatabase(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let database = try RandomDatabase.make(&random)
        let truth = DiscoveredDatabase(truthOf: database)
        for mtu in [23, 29, 64, 185, 517] {
            for plan in [DiscoveryOptions.Plan.fewestRequests, .plain] {
                await Task.yield()
                let link = Link(database, mtu: mtu)
                let found = try link.run(.discoverAll(DiscoveryOptions(plan: plan)))
                #expect(found == .database(truth), "seed \(seed), MTU \(mtu), \(plan)")
            }
        }
    }

    /// The short plan is the shorter one, on average by far.
    @Test func theShortPlanIsShorter() async throws {
        var short = 0
        var long = 0
        for seed: UInt64 in 0..<20 {
            await Task.yield()
            var random = SeededGenerator(seed: seed)
            let database = try RandomDatabase.make(&random)
            for mtu in [23, 185, 517] {
                let shortLink = Link(database, mtu: mtu)
                let longLink = Link(database, mtu: mtu)
                _ = try shortLink.run(.discoverAll())
                _ = try longLink.run(.discoverAll(DiscoveryOptions(plan: .plain)))
                short += shortLink.requestCount
                long += longLink.requestCount
            }
        }
        #expect(short * 10 < long * 8, "\(short) and \(long) requests")
    }

    /// Servers that refuse, hide or confuse what the short plan asks for are found all the same.
    @Test(arguments: Quirk.allCases, [23, 185, 517])
    func oddServers(_ quirk: Quirk, _ mtu: Int) async throws {
        for seed: UInt64 in 0..<8 {
            await Task.yield()
            var random = SeededGenerator(seed: seed)
            let database = try RandomDatabase.make(&random)
            let peer = ServerPeer(database)
            let link = Link(ClientConfiguration(preferredMTU: mtu)) { pdu in
                quirk.answer(to: pdu, database) ?? peer.answer(pdu).map { quirk.change($0, answering: pdu) }
            }
            let found = try link.run(.discoverAll())
            #expect(found == .database(DiscoveredDatabase(truthOf: database)), "seed \(seed)")
        }
    }

    /// Only what was asked for is looked for.
    @Test func options() throws {
        let database = try PeripheralDatabases.large()
        let services = Link(database, mtu: 517)
        let found = try services.run(
            .discoverAll(DiscoveryOptions(secondaryServices: false, includes: false, characteristics: false)))
        guard case .database(let tree) = found else { return }
        #expect(tree.services.count == 11)
        #expect(tree.characteristics.isEmpty)
        #expect(services.requestCount == 4)
        let noDescriptors = Link(database, mtu: 517)
        guard case .database(let rest) = try noDescriptors.run(.discoverAll(DiscoveryOptions(descriptors: false)))
        else { return }
        #expect(rest.characteristics.count == 64)
        #expect(rest.characteristics.allSatisfy { $0.descriptors.isEmpty })
    }

    /// A server without anything.
    @Test func nothing() throws {
        let link = Link(AttributeDatabase(), mtu: 517)
        #expect(try link.run(.discoverAll()) == .database(DiscoveredDatabase()))
        #expect(link.requestCount == 3)
    }

    /// Services that fill all handles leave none to ask for.
    @Test func aServiceUpToTheLastHandle() throws {
        let database = try AttributeDatabase(services: [
            ServiceDefinition(
                uuid: 0x180F, handle: 0x0001, end: 0xFFFF,
                characteristics: [
                    CharacteristicDefinition(uuid: 0x2A19, properties: .notify, value: [1], handle: 0xFFFD)
                ])
        ])
        let link = Link(database, mtu: 517)
        #expect(try link.run(.discoverAll()) == .database(DiscoveredDatabase(truthOf: database)))
        // MTU, services, characteristics, the handles before the first, the configuration.
        #expect(link.requestCount == 5)
    }
}
