import Central
import Glibc
import Testing
import Wire

/// Against bumble's GATT server over a Unix socket, when one is there: `scripts/peers/unix-bearer` starts it and gives
/// the path in BTATT_BUMBLE_BEARER.
private let bumblePath = unsafe getenv("BTATT_BUMBLE_BEARER").map { unsafe String(cString: $0) }

@Suite(.enabled(if: bumblePath != nil), .timeLimit(.minutes(1)), .serialized)
struct BumbleBearerTests {
    private func connected(_ options: ConnectOptions = ConnectOptions()) async throws -> Connection {
        let central = try await Central(adapter: .none)
        return try await central.connect(to: .unix(bumblePath ?? ""), options: options)
    }

    /// A UUID of bumble's database.
    private func uuid(_ number: UInt16) throws -> BluetoothUUID {
        let digits = [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)].hexadecimal
        return try #require(BluetoothUUID("b7a7\(digits)-1d00-4c1e-9f00-00a77a77a77a"))
    }

    @Test(arguments: [23, 517]) func everythingIsDiscovered(mtu: Int) async throws {
        let connection = try await connected(ConnectOptions(preferredMTU: mtu))
        #expect(await connection.mtu == mtu)
        let database = try await connection.discoverAll()
        #expect(database.characteristics.count == 64)
        #expect(database.attributeCount == 200)
        #expect(database == (try await connection.discoverAll(DiscoveryOptions(plan: .plain))))
        await connection.disconnect()
    }

    @Test func readsAndWrites() async throws {
        let connection = try await connected()
        let database = try await connection.discoverAll()
        let maker = try #require(database.characteristics(0x2A29).first).characteristic
        #expect(String(decoding: try await connection.read(maker), as: UTF8.self) == "Bumble Labs")
        let long = try #require(database.characteristics(try uuid(0x12)).first).characteristic
        let value = (0..<512).map { UInt8(truncatingIfNeeded: $0 * 7) }
        try await connection.write(value, to: long)
        #expect(try await connection.read(long) == value)
        let refused = try #require(database.characteristics(try uuid(0x17)).first).characteristic
        let failed = await attempt { () throws(CentralError) in try await connection.read(refused) }.value
        #expect(
            failed?.gattError
                == .attributeError(
                    ErrorCode(rawValue: 0x81), request: .readRequest, handle: refused.valueHandle))
        await connection.disconnect()
    }

    @Test func notificationsAndIndications() async throws {
        let connection = try await connected()
        let database = try await connection.discoverAll()
        let rate = try #require(database.characteristics(0x2A37).first)
        var counters: [UInt8] = []
        for try await update in try await connection.subscribe(to: rate) {
            counters.append(update.value[4])
            if counters.count == 5 { break }
        }
        #expect(counters == (0..<5).map { counters[0] &+ $0 })
        let indicated = try #require(database.characteristics(try uuid(0x14)).first)
        var count = 0
        for try await update in try await connection.subscribe(to: indicated) {
            #expect(update.kind == .indication)
            count += 1
            if count == 3 { break }
        }
        await connection.disconnect(writingBack: true)
    }

    @Test func aFloodArrivesWhole() async throws {
        let connection = try await connected()
        let database = try await connection.discoverAll()
        let flood = try #require(database.characteristics(try uuid(0x102)).first)
        let control = try #require(database.characteristics(try uuid(0x101)).first).characteristic
        let subscription = try await connection.subscribe(
            to: flood, buffer: BufferOptions(capacity: 10_000, overflow: .fail))
        try await connection.write([0x88, 0x13, 0, 0, 20, 0], to: control)
        var next: UInt32 = 0
        for try await update in subscription {
            #expect(update.value.count == 20)
            #expect(update.value.prefix(2) == [UInt8(truncatingIfNeeded: next), UInt8(truncatingIfNeeded: next >> 8)])
            next += 1
            if next == 5000 { break }
        }
        await connection.disconnect()
    }

    @Test func commandsAreNotLost() async throws {
        let connection = try await connected()
        let database = try await connection.discoverAll()
        let sink = try #require(database.characteristics(try uuid(0x103)).first).characteristic
        let counters = try #require(database.characteristics(try uuid(0x104)).first).characteristic
        try await connection.write([0], to: counters)
        for _ in 0..<1000 {
            try await connection.writeWithoutResponse([UInt8](repeating: 1, count: 20), to: sink.valueHandle)
        }
        #expect(try await connection.read(counters) == [0xE8, 3, 0, 0, 0x20, 0x4E, 0, 0, 0, 0, 0, 0])
        await connection.disconnect()
    }

    @Test func twentyConnectionsAtOnce() async throws {
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let connection = try await connected()
                    let services = try await connection.discoverServices()
                    await connection.disconnect()
                    return services.count
                }
            }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(counts.count == 1)
    }
}
