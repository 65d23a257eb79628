import GATT
import TestSupport
import Testing
import Wire

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

    /// Below how many requests no client comes at the MTU of 23 without a Database Hash, by what one response of 23 octets can
    /// tell at most: docs/discovery.md has the argument. The client needs a single request more.
    @Test func theFloor() throws {
        let database = try PeripheralDatabases.large(hash: nil)
        let truth = DiscoveredDatabase(truthOf: database)
        let services = truth.services.map(\.service.uuid)
        let characteristics = truth.characteristics.map(\.characteristic.uuid)
        func responses(_ count: Int, holding each: Int) -> Int { (count + each - 1) / each }
        func isShort(_ uuid: BluetoothUUID) -> Bool { uuid.width == .bits16 }
        // An entry with a UUID of 128 bits fills a response of any kind.
        let long = (services + characteristics).count { !isShort($0) }
        #expect(long == 57)
        // Runs of 16-bit types between values with long UUIDs hold one description each, and so does a Read By Type: its
        // values have ten octets.
        let described = truth.characteristics.filter {
            $0.descriptors.contains { $0.uuid == .characteristicUserDescription }
        }
        #expect(described.count == 37)
        #expect(described.allSatisfy { !isShort($0.characteristic.uuid) })
        for node in described {
            let text = node.descriptors.first { $0.uuid == .characteristicUserDescription }
            #expect(text.flatMap { database[$0.handle]?.value.count } == 10)
        }
        // Entries of 6 and 7 octets, of 8, and of 4.
        let short =
            responses(services.count(where: isShort), holding: 3)
            + responses(characteristics.count(where: isShort), holding: 3)
        #expect(short == 2 + 5)
        let includes = responses(truth.services.flatMap(\.includes).count, holding: 2)
        #expect(includes == 1)
        let others = truth.characteristics.filter { node in
            !node.descriptors.isEmpty && !described.contains(node)
        }
        #expect(others.allSatisfy { $0.descriptors.map(\.uuid) == [.clientCharacteristicConfiguration] })
        let configurations = responses(others.count, holding: 5)
        #expect(configurations == 1)
        // One that shows that nothing follows.
        let floor = long + described.count + short + includes + configurations + 1
        #expect(floor == 104)

        let link = Link(database, mtu: 23)
        #expect(try link.run(.discoverAll()) == .database(truth))
        #expect(link.requestCount == floor + 1)
        // Find Information; Read By Group Type and Read By Type with their types.
        let kinds = Dictionary(link.sent.map { ([$0[0]] + $0.dropFirst(5), 1) }, uniquingKeysWith: +)
        #expect(
            kinds == [
                hex("10 0028"): 9, hex("10 0128"): 2, hex("08 0328"): 55, hex("08 0228"): 1, hex("08 0129"): 1,
                hex("08 0229"): 1, hex("04"): 36,
            ])
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
