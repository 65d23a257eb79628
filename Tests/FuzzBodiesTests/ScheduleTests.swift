import GATT
import TestSupport
import Testing
import Wire

/// The results of procedures do not depend on when things happen: on how long PDUs take, on how much comes in before the
/// engine's actions are looked at, on a transport that is full now and then, on values the server sends in between, or on
/// other callers that change their mind. Each run prints the seed that repeats it.
@Suite struct ScheduleTests {
    @Test func anyScheduleGivesTheSameResults() throws {
        var generator = SeededGenerator.printingItsSeed(for: "anyScheduleGivesTheSameResults")
        for round in 0..<20 {
            let server = RandomServer(using: &generator)
            let procedures = server.procedures(using: &generator)
            var plain = Conversation(server, procedures)
            plain.runAtOnce()
            #expect(plain.results.count == procedures.count, "round \(round)")
            for _ in 0..<10 {
                var other = Conversation(server, procedures)
                other.run(using: &generator)
                #expect(other.results == plain.results, "round \(round)")
                #expect(other.cancelledResults.allSatisfy { $0 == 1 }, "round \(round)")
                #expect(other.values == other.sentValues, "round \(round)")
            }
        }
    }
}

/// A server with services, characteristics and values that a generator chose.
private struct RandomServer {
    let database: AttributeDatabase
    /// The value handles of characteristics that can be read, written and subscribed to.
    private(set) var readable: [AttributeHandle] = []
    private(set) var writable: [AttributeHandle] = []
    private(set) var notifying: [AttributeHandle] = []

    init(using generator: inout SeededGenerator) {
        var services: [ServiceDefinition] = []
        for service in 0..<Int.random(in: 1...5, using: &generator) {
            var characteristics: [CharacteristicDefinition] = []
            for number in 0..<Int.random(in: 0...4, using: &generator) {
                var properties: CharacteristicProperties = .read
                if Bool.random(using: &generator) { properties.insert(.write) }
                if Bool.random(using: &generator) { properties.insert(.notify) }
                let length = Bool.random(using: &generator) ? 0...20 : 0...512
                characteristics.append(
                    CharacteristicDefinition(
                        uuid: Self.uuid(0x2A00 + service * 16 + number, using: &generator), properties: properties,
                        value: generator.octets(length), length: .variable(maximum: 512),
                        descriptors: Bool.random(using: &generator)
                            ? [DescriptorDefinition(uuid: .characteristicUserDescription, value: [0x41])] : []))
            }
            services.append(
                ServiceDefinition(
                    uuid: Self.uuid(0x1800 + service, using: &generator),
                    isPrimary: service == 0 || generator.next() % 4 != 0,
                    includes: service > 0 && Bool.random(using: &generator) ? [.init(service: service - 1)] : [],
                    characteristics: characteristics))
        }
        guard let laidOut = try? AttributeDatabase.laidOut(services) else {
            fatalError("a generator's database is wrong")
        }
        database = laidOut.database
        for (service, handles) in zip(services, laidOut.valueHandles) {
            for (characteristic, handle) in zip(service.characteristics, handles) {
                readable.append(handle)
                if characteristic.properties.contains(.write) { writable.append(handle) }
                if characteristic.properties.contains(.notify) { notifying.append(handle) }
            }
        }
    }

    private static func uuid(_ number: Int, using generator: inout SeededGenerator) -> BluetoothUUID {
        Bool.random(using: &generator)
            ? BluetoothUUID(UInt16(number)) : BluetoothUUID(high: UInt64(number), low: 0xABCD)
    }

    /// Procedures, the MTU exchange first, since the results of some depend on the MTU.
    func procedures(using generator: inout SeededGenerator) -> [Procedure] {
        var procedures: [Procedure] = [.exchangeMTU]
        for _ in 0..<Int.random(in: 3...12, using: &generator) {
            procedures.append(procedure(using: &generator))
        }
        return procedures
    }

    private func procedure(using generator: inout SeededGenerator) -> Procedure {
        let handle = readable.randomElement(using: &generator) ?? 0x0001
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: return .discoverPrimaryServices()
        case 1: return .discoverSecondaryServices()
        case 2: return .discoverCharacteristics(in: .all)
        case 3: return .discoverDescriptors(in: .all)
        case 4: return .findIncludedServices(in: .all)
        case 5: return .discoverAll(DiscoveryOptions(plan: Bool.random(using: &generator) ? .plain : .fewestRequests))
        case 6:
            guard let handle = writable.randomElement(using: &generator) else { fallthrough }
            return .write(handle, generator.octets(Bool.random(using: &generator) ? 0...20 : 0...512))
        case 7:
            guard let handle = notifying.randomElement(using: &generator) else { fallthrough }
            return .subscribe(SubscriptionTarget(valueHandle: handle))
        case 8: return .readMultipleVariable([handle, readable.first ?? 0x0001])
        default: return .read(handle)
        }
    }

    /// A procedure that changes nothing, for callers that will not wait for it.
    func harmlessProcedure(using generator: inout SeededGenerator) -> Procedure {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: .discoverAll()
        case 1: .discoverDescriptors(in: .all)
        case 2: .readByUUID(.characteristic)
        default: .read(readable.randomElement(using: &generator) ?? 0x0001)
        }
    }
}

/// A client engine and a server engine, and the PDUs on their way between them.
private struct Conversation: ~Copyable {
    private var client = ClientEngine()
    private var server: ServerEngine
    private let random: RandomServer
    private var waiting: [Procedure]
    private var toServer: [[UInt8]] = []
    private var toClient: [[UInt8]] = []
    private var now = MonotonicTime.zero
    private var isFull = false

    private var wanted: [OperationID] = []
    private var outcomes: [OperationID: Result<Outcome, GATTError>] = [:]
    /// Operations whose callers changed their mind, and how often each was told.
    private var cancelled: [OperationID: Int] = [:]
    /// Values the server sent, and those that were delivered.
    private(set) var sentValues: [[UInt8]] = []
    private(set) var values: [[UInt8]] = []

    init(_ random: RandomServer, _ procedures: [Procedure]) {
        self.random = random
        server = ServerEngine(database: random.database)
        waiting = procedures
    }

    /// The results in the order in which the procedures were started.
    var results: [Result<Outcome, GATTError>] { wanted.compactMap { outcomes[$0] } }
    var cancelledResults: [Int] { Array(cancelled.values) }

    private var isDone: Bool { waiting.isEmpty && wanted.allSatisfy { outcomes[$0] != nil } }

    /// One after the other, everything at once.
    mutating func runAtOnce() {
        while !waiting.isEmpty {
            startNext()
            settle()
        }
    }

    /// Whatever is on its way arrives, and what follows from it.
    private mutating func settle() {
        while true {
            drainClient()
            if toServer.isEmpty, toClient.isEmpty { return }
            deliverToServer()
            deliverToClient()
        }
    }

    /// In an order that the generator chooses. Time passes, but no answer takes thirty seconds.
    mutating func run(using generator: inout SeededGenerator) {
        var steps = 0
        while !isDone, steps < 200_000 {
            steps += 1
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: startNext()
            case 1, 2, 3: drainClient(atMost: Int.random(in: 1...4, using: &generator))
            case 4, 5: if !toServer.isEmpty { deliverToServer() }
            case 6, 7: if !toClient.isEmpty { deliverToClient() }
            case 8:
                // At most a millisecond for each of the steps that an answer may take.
                now = now + .microseconds(Int.random(in: 0...1000, using: &generator))
                client.advance(to: now)
            case 9:
                isFull.toggle()
                if isFull { client.transportIsFull() } else { client.transportIsReady(at: now) }
            case 10:
                guard let handle = random.notifying.randomElement(using: &generator) else { continue }
                let value = generator.octets(1...10)
                if server.notify(handle, value: value) { sentValues.append(value) }
                collectFromServer()
            default: changeSomebodysMind(using: &generator)
            }
        }
        isFull = false
        client.transportIsReady(at: now)
        settle()
    }

    private mutating func startNext() {
        guard !waiting.isEmpty else { return }
        wanted.append(client.start(waiting.removeFirst(), at: now))
    }

    /// Starts something nobody will wait for, or cancels what was started before.
    private mutating func changeSomebodysMind(using generator: inout SeededGenerator) {
        let open = cancelled.filter { $0.value == 0 }.keys.sorted { $0.rawValue < $1.rawValue }
        if open.count < 3, Bool.random(using: &generator) {
            cancelled[client.start(random.harmlessProcedure(using: &generator), at: now)] = 0
        } else if let id = open.randomElement(using: &generator) {
            client.cancel(id, at: now)
        }
    }

    private mutating func drainClient(atMost limit: Int = .max) {
        for _ in 0..<limit {
            guard let action = client.nextAction() else { return }
            switch action {
            case .send(let pdu): toServer.append(pdu)
            case .completed(let id, let result):
                if cancelled[id] != nil { cancelled[id]? += 1 } else { outcomes[id] = result }
            case .valueChanged(_, let value, _): values.append(value)
            case .progress, .servicesChanged, .databaseChanged, .databaseLost, .raiseSecurity, .close, .log: break
            }
        }
    }

    private mutating func deliverToServer() {
        guard !toServer.isEmpty else { return }
        let pdu = toServer.removeFirst()
        server.receive(pdu.octets, at: now)
        collectFromServer()
    }

    private mutating func collectFromServer() {
        while let action = server.nextAction() {
            if case .send(let pdu) = action { toClient.append(pdu) }
        }
    }

    private mutating func deliverToClient() {
        guard !toClient.isEmpty else { return }
        let pdu = toClient.removeFirst()
        client.receive(pdu.octets, at: now)
    }
}
