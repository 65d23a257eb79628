import Central
import Foundation
import Sockets
import Testing

/// Attributes that are kept between connections, with peripherals of this process.
@Suite(.timeLimit(.minutes(1))) struct AttributeStoreTests {
    /// A folder that is removed afterwards.
    final class Place: Sendable {
        let root: String
        let store: AttributeStore

        init() {
            root = "/tmp/btatt-attributes-\(ProcessInfo.processInfo.processIdentifier)-\(UInt64.random(in: 0 ... .max))"
            store = AttributeStore(folder: root + "/cache/attributes")
        }

        deinit { try? FileManager.default.removeItem(atPath: root) }

        /// The only file, as text.
        var text: String {
            let folder = root + "/cache/attributes"
            let name = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.first {
                $0.hasSuffix(".attributes")
            }
            return name.flatMap { try? String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) } ?? ""
        }
    }

    private func connect(
        _ name: String, _ place: Place, identity: String? = "device", isBonded: Bool = false
    ) async throws -> Connection {
        try await Central(adapter: .none).connect(
            to: .virtual(name),
            options: ConnectOptions(attributeStore: place.store, identity: identity, isBonded: isBonded))
    }

    /// The MTU exchange and the Database Hash are all that a reconnection takes.
    @Test func anUnchangedHashTakesTwoRequests() async throws {
        let place = Place()
        let first = try await connect("torture", place)
        let discovered = try await first.attributes()
        #expect(await first.requestCount > 5)
        #expect(try await first.attributes(from: .kept) == discovered, "known on this connection")
        await first.disconnect()
        #expect(place.text.hasPrefix("btatt attributes 1\ndevice device\nhash "))

        let second = try await connect("torture", place)
        #expect(try await second.attributes() == discovered)
        #expect(await second.requestCount == 2)
        #expect(await second.knownAttributes?.database == discovered)
        _ = try await second.attributes()
        #expect(await second.requestCount == 2)
        await second.disconnect()

        let third = try await connect("torture", place)
        #expect(try await third.attributes(from: .kept) == discovered)
        let refreshed = try await connect("torture", place)
        #expect(try await refreshed.attributes(from: .discovered) == discovered)
        #expect(await refreshed.requestCount > 5)
    }

    @Test func anotherHashMeansADiscovery() async throws {
        let place = Place()
        let first = try await connect("torture", place)
        let discovered = try await first.attributes()
        let count = await first.requestCount
        var wrong = try #require(place.store.attributes(of: "device"))
        wrong.hash = DatabaseHash(octets: [UInt8](repeating: 1, count: 16))
        wrong.database.services.removeLast()
        try await place.store.keep(wrong, of: "device")

        let refused = try await connect("torture", place)
        let error = await #expect(throws: CentralError.self) { try await refused.attributes(from: .kept) }
        #expect(error?.category == .refused)
        let second = try await connect("torture", place)
        #expect(try await second.attributes() == discovered)
        // The hash that was read to compare it is not read once more for the discovery.
        #expect(await second.requestCount == count)
        #expect(place.store.attributes(of: "device")?.database == discovered)
    }

    /// Without a hash nothing proves what was kept, except that a bonded peer tells of changes.
    @Test func withoutAHash() async throws {
        let place = Place()
        let first = try await connect("heart-rate", place)
        let discovered = try await first.attributes()
        #expect(place.text.hasPrefix("btatt attributes 1\ndevice device\nhash none\n"))
        let second = try await connect("heart-rate", place)
        #expect(try await second.provenAttributes() == nil)
        #expect(await second.requestCount == 1, "nothing but the MTU was asked for")
        #expect(try await second.attributes() == discovered)
        #expect(await second.requestCount > 3)
        let bonded = try await connect("heart-rate", place, isBonded: true)
        #expect(try await bonded.attributes() == discovered)
        #expect(await bonded.requestCount == 1)
    }

    /// A bonded peer without a hash tells of a change: what was kept is forgotten at once, and kept again when it is known.
    @Test func aChange() async throws {
        let place = Place()
        let kept = KnownDatabase(
            DiscoveredDatabase(services: [
                .init(
                    service: Service(uuid: 0x1801, range: try #require(HandleRange(first: 1, last: 4))),
                    characteristics: [
                        .init(
                            characteristic: Characteristic(
                                uuid: .serviceChanged, declarationHandle: 2, valueHandle: 3, properties: .indicate,
                                endHandle: 4),
                            descriptors: [Descriptor(uuid: .clientCharacteristicConfiguration, handle: 4)])
                    ]),
                .init(service: Service(uuid: 0x180F, range: try #require(HandleRange(first: 5, last: 5)))),
            ]), hash: nil)
        try await place.store.keep(kept, of: "device")
        let (connection, peer) = try await connected(
            ConnectOptions(preferredMTU: 23, attributeStore: place.store, identity: "device", isBonded: true))
        #expect(try await connection.attributes() == kept.database)
        try peer.send("1d 0300 0500 ffff")
        await peer.expect("1e")
        await peer.expect("10 0500 ffff 0028")
        #expect(await connection.knownAttributes == nil)
        try await waitUntil { place.store.attributes(of: "device") == nil }
        try peer.send("11 06 0500 0500 0a18")
        await peer.expect("10 0600 ffff 0028")
        try peer.send("01 10 0600 0a")
        await peer.expect("10 0600 ffff 0128")
        try peer.send("01 10 0600 0a")
        try await waitUntil { place.store.attributes(of: "device") != nil }
        #expect(place.store.attributes(of: "device")?.database.services.map(\.service.uuid) == [0x1801, 0x180A])
        #expect(await connection.knownAttributes?.database.services.count == 2)
    }

    @Test func whoHasNoNameIsNotKept() async throws {
        let place = Place()
        let connection = try await connect("torture", place, identity: nil)
        _ = try await connection.attributes()
        #expect(place.text.isEmpty)
    }

    /// Many writers and readers of one file: whoever reads gets a whole version.
    @Test func severalAtOnce() async throws {
        let place = Place()
        let versions = (1...8).map { count in
            KnownDatabase(
                DiscoveredDatabase(
                    services: (1...UInt16(count * 40)).compactMap { number in
                        HandleRange(first: AttributeHandle(number), last: AttributeHandle(number))
                            .map { .init(service: Service(uuid: 0x180F, range: $0)) }
                    }), hash: nil)
        }
        try await place.store.keep(versions[0], of: "device")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for version in versions {
                group.addTask {
                    // A store of its own, as another process has.
                    let store = AttributeStore(folder: place.store.folder)
                    for _ in 0..<5 {
                        try await store.keep(version, of: "device")
                        let read = try #require(store.attributes(of: "device"))
                        #expect(versions.contains(read))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func devicesDoNotMeet() async throws {
        let place = Place()
        let known = KnownDatabase(DiscoveredDatabase(), hash: nil)
        let names = ["unix:/tmp/a", "unix:/tmp/b", "unix:-tmp-a", String(repeating: "x", count: 300), "ä\n"]
        for name in names { try await place.store.keep(known, of: name) }
        let files = try FileManager.default.contentsOfDirectory(atPath: place.store.folder)
        #expect(files.count == names.count)
        try await place.store.forget("unix:/tmp/a")
        #expect(place.store.attributes(of: "unix:/tmp/a") == nil)
        #expect(names.dropFirst().allSatisfy { place.store.attributes(of: $0) == known })
        try await place.store.forget("never seen")
    }

    /// A folder that cannot be used is no reason to fail.
    @Test func aStoreThatDoesNotWork() async throws {
        let store = AttributeStore(folder: "/proc/no/such/folder")
        let connection = try await Central(adapter: .none).connect(
            to: .virtual("torture"), options: ConnectOptions(attributeStore: store, identity: "device"))
        #expect(try await connection.attributes().services.count > 3)
    }
}

/// Waits for something that happens on another thread.
private func waitUntil(_ condition: @Sendable () -> Bool) async throws {
    for _ in 0..<1000 {
        if condition() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("it does not happen")
}
