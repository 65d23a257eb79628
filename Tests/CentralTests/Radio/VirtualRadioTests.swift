import Central
import Sockets
import TestSupport
import Testing
import Wire

/// The whole way, on the virtual radio.
@Suite(.timeLimit(.minutes(1))) struct VirtualRadioTests {
    private func options(_ options: ScanOptions = ScanOptions()) -> ScanOptions { options }

    @Test func scanningTellsOfEachDevice() async throws {
        let central = try await Central(adapter: .virtual())
        #expect(central.radioName == "virtual")
        var names: Set<String> = []
        for try await result in central.scan() {
            #expect(result.time.unixNanoseconds > 1_600_000_000_000_000_000)
            if let name = result.name { names.insert(name) }
            if names.count == 3 { break }
        }
        #expect(names.count == 3)
    }

    @Test func filtersByServiceAndName() async throws {
        let central = try await Central(adapter: .virtual(["heart-rate", "thermometer"]))
        var iterator = central.scan(ScanOptions(services: [0x180D])).makeAsyncIterator()
        let heartRate = try #require(try await iterator.next())
        #expect(heartRate.serviceUUIDs.contains(0x180D))
        #expect(heartRate.isNew)
        let name = try #require(heartRate.name)
        var byName = central.scan(ScanOptions(name: .exactly(name), duplicates: .all)).makeAsyncIterator()
        for _ in 0..<3 { #expect(try await byName.next()?.name == name) }
        var nobody = central.scan(
            ScanOptions(name: .exactly("nobody has this name"), duration: .milliseconds(200))
        ).makeAsyncIterator()
        #expect(try await nobody.next() == nil)
        var loud = central.scan(ScanOptions(minimumRSSI: 20, duration: .milliseconds(200))).makeAsyncIterator()
        #expect(try await loud.next() == nil)
    }

    @Test func tellsOnceOrAgainAsAsked() async throws {
        let central = try await Central(adapter: .virtual(["heart-rate"]))
        var count = 0
        for try await _ in central.scan(ScanOptions(duplicates: .once, duration: .milliseconds(500))) { count += 1 }
        #expect(count == 1)
        var again = 0
        for try await result in central.scan(ScanOptions(duplicates: .all)) {
            #expect(result.isNew == (again == 0))
            again += 1
            if again == 4 { break }
        }
    }

    @Test func severalScansShareTheRadio() async throws {
        let central = try await Central(adapter: .virtual())
        try await withThrowingTaskGroup(of: String?.self) { group in
            for service: BluetoothUUID in [0x180D, 0x1809] {
                group.addTask {
                    for try await result in central.scan(ScanOptions(services: [service])) { return result.name }
                    return nil
                }
            }
            var names: Set<String?> = []
            for try await name in group { names.insert(name) }
            #expect(names.count == 2)
        }
    }

    @Test func cancellingEndsAScanAtOnce() async throws {
        let central = try await Central(adapter: .virtual(["heart-rate"]))
        let task = Task {
            var count = 0
            for try await _ in central.scan(ScanOptions(name: .exactly("nobody"))) { count += 1 }
            return count
        }
        await Task.yield()
        task.cancel()
        #expect(try await task.value == 0)
    }

    @Test func discoversReadsAndSubscribes() async throws {
        let central = try await Central(adapter: .virtual(["heart-rate"]))
        for try await found in central.scan(ScanOptions(services: [0x180D])) {
            let address = try #require(found.address)
            let connection = try await central.connect(to: .address(address))
            #expect(await connection.mtu > 23)
            let database = try await connection.discoverAll()
            let rate = try #require(database.characteristics(0x2A37).first)
            var count = 0
            for try await update in try await connection.subscribe(to: rate) {
                #expect(update.value.count >= 2)
                count += 1
                if count == 2 { break }
            }
            let battery = try #require(database.characteristics(0x2A19).first ?? database.characteristics(0x2A29).first)
            #expect(try await !connection.read(battery.characteristic).isEmpty)
            await connection.disconnect()
            break
        }
    }

    @Test func connectsByNameAndByAddressOfUnknownType() async throws {
        let central = try await Central(adapter: .virtual())
        var iterator = central.scan(ScanOptions(services: [0x1809])).makeAsyncIterator()
        let found = try #require(try await iterator.next())
        let name = try #require(found.name)
        let address = try #require(found.address)
        let byName = try await central.connect(to: .name(name))
        #expect(byName.peer == address.description)
        let byOctets = try await central.connect(to: .addressOfUnknownType(address.octets))
        #expect(byOctets.peer == address.description)
        await byName.disconnect()
        await byOctets.disconnect()
    }

    @Test func indicationsOfTheThermometerArrive() async throws {
        let central = try await Central(adapter: .none)
        let connection = try await central.connect(to: .virtual("thermometer"))
        let database = try await connection.discoverAll()
        let temperature = try #require(database.characteristics(0x2A1C).first)
        for try await update in try await connection.subscribe(to: temperature) {
            #expect(update.kind == .indication)
            break
        }
    }

    @Test(arguments: [23, 517]) func theTortureDeviceIsDiscoveredAtAnyMTU(mtu: Int) async throws {
        let central = try await Central(adapter: .none)
        let connection = try await central.connect(
            to: .virtual("torture"), options: ConnectOptions(preferredMTU: mtu))
        let database = try await connection.discoverAll()
        let plain = try await connection.discoverAll(DiscoveryOptions(plan: .plain))
        #expect(database == plain)
        #expect(database.attributeCount > 20)
        var lengths: Set<Int> = []
        for node in database.characteristics where node.characteristic.properties.contains(.read) {
            do throws(CentralError) {
                lengths.insert(try await connection.read(node.characteristic).count)
            } catch {
                #expect(error.category == .refused)
            }
        }
        #expect(lengths.contains(512))
        #expect(await connection.isConnected)
    }

    @Test func whatIsNotThereIsSaid() async throws {
        let central = try await Central(adapter: .virtual(["heart-rate"]))
        let address = try #require(DeviceAddress("00:00:00:00:00:01/public"))
        let absent = await attempt { () throws(CentralError) in
            try await central.connect(to: .address(address))
        }.value
        #expect(absent?.category == .noConnection)
        let unheard = await attempt { () throws(CentralError) in
            try await central.connect(
                to: .name("nobody"), options: ConnectOptions(timeout: .milliseconds(100)))
        }.value
        #expect(unheard?.category == .noConnection)
        #expect(unheard?.exitStatus == 5)
        #expect(unheard?.description.contains("was not heard within 0.1 seconds") == true)
        let unknown = await attempt { () throws(CentralError) in
            try await central.connect(to: .virtual("no-such-device"))
        }.value
        #expect(unknown?.category == .invalid)
        #expect(unknown?.errno == .noSuchFile)
        let nowhere = await attempt { () throws(CentralError) in
            try await central.connect(to: .unix("/tmp/btatt-no-such-socket"))
        }.value
        #expect(nowhere?.category == .noConnection)
        #expect(nowhere?.errno == .noSuchFile)
        let radioless = try await Central(adapter: .none)
        let noRadio = await attempt { () throws(CentralError) in
            try await radioless.connect(to: .address(address))
        }.value
        #expect(noRadio?.category == .noAdapter)
        var scan = radioless.scan().makeAsyncIterator()
        await #expect(throws: CentralError.self) { try await scan.next() }
    }

    @Test func aHundredConnectionsToOneDevice() async throws {
        let central = try await Central(adapter: .virtual(["heart-rate"]))
        var iterator = central.scan().makeAsyncIterator()
        let address = try #require(try await iterator.next()?.address)
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    let connection = try await central.connect(to: .address(address))
                    let database = try await connection.discoverAll()
                    await connection.disconnect()
                    return database.attributeCount
                }
            }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(counts.count == 1)
    }
}
