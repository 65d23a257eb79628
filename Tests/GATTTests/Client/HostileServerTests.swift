import GATT
import TestSupport
import Testing

/// Servers that mean harm. Whatever they send: every procedure ends, once, after a bounded number of requests; no request
/// is sent while one is outstanding; nothing is longer than the MTU; every indication is confirmed.
@Suite struct HostileServerTests {
    static let procedures: [Procedure] = [
        .exchangeMTU, .discoverPrimaryServices(), .discoverPrimaryServicesByUUID(0x180D), .discoverSecondaryServices(),
        .findIncludedServices(in: .all), .discoverCharacteristics(in: .all), .discoverDescriptors(in: .all),
        .discoverAll(), .discoverAll(DiscoveryOptions(plan: .plain)), .read(0x0003), .read(0x0003, offset: 30),
        .readByUUID(0x2A19), .readMultiple([1, 2]), .readMultipleVariable([1, 2, 3]),
        .write(0x0003, [1]), .write(0x0003, [UInt8](repeating: 1, count: 100)),
        .reliableWrite([ReliableWritePart(handle: 1, value: [1]), ReliableWritePart(handle: 2, value: [2])]),
        .subscribe(SubscriptionTarget(valueHandle: 3)),
        .subscribe(SubscriptionTarget(valueHandle: 3, configurationHandle: 4)),
        .announceFeatures([.robustCaching, .multipleNotifications]),
    ]

    /// One new attribute in each answer, for ever.
    @Test(arguments: procedures.indices)
    func endless(_ index: Int) throws {
        let configuration = ClientConfiguration(preferredMTU: 517, maximumRounds: 200)
        let link = Link(configuration) { pdu in
            func number(_ offset: Int) -> UInt16 { UInt16(pdu[offset]) | UInt16(pdu[offset + 1]) << 8 }
            func two(_ number: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)] }
            switch pdu[0] {
            case 0x02: return [[0x03, 0x05, 0x02]]
            case 0x04: return [[0x05, 0x01] + two(number(1)) + [0x01, 0x29]]
            case 0x06: return [[0x07] + two(number(1)) + two(number(1))]
            case 0x08 where pdu[5] == 0x02 && pdu[6] == 0x28: return [[0x09, 0x06] + two(number(1)) + [1, 0, 2, 0]]
            case 0x08 where pdu[5] == 0x03 && pdu[6] == 0x28:
                return [[0x09, 0x07] + two(number(1)) + [0x12] + two(min(number(1), 0xFFFE) + 1) + [0x37, 0x2A]]
            case 0x08: return [[0x09, 0x04] + two(number(1)) + [1, 2]]
            case 0x0A: return [[0x0B] + [UInt8](repeating: 7, count: 16)]
            case 0x0C: return [[0x0D] + [UInt8](repeating: 7, count: 516)]
            case 0x0E: return [[0x0F, 1, 2]]
            case 0x10: return [[0x11, 0x06] + two(number(1)) + two(number(1)) + [0x00, 0x18]]
            case 0x12: return [[0x13]]
            case 0x16: return [[0x17] + pdu.dropFirst()]
            case 0x18: return [[0x19]]
            case 0x20: return [[0x21, 1, 0, 1, 1, 0, 1, 1, 0, 1]]
            default: return []
            }
        }
        let id = link.client.start(Self.procedures[index], at: .zero)
        link.exchange()
        #expect(link.results[id] != nil)
        #expect(link.requestCount <= 200)
    }

    /// A server that says before every answer that everything has changed: what somebody asked for is done all the same.
    @Test(arguments: [true, false])
    func changesWithoutEnd(_ hasHash: Bool) throws {
        var hash: UInt8 = 0
        let link = Link(ClientConfiguration(preferredMTU: 23)) { pdu in
            hash &+= 1
            let change: [UInt8] = [0x1D, 3, 0, 1, 0, 0xFF, 0xFF]
            switch pdu[0] {
            case 0x08 where pdu[5] == 0x2A && hasHash:
                return [change, [0x09, 18, 8, 0] + [UInt8](repeating: hash, count: 16)]
            case 0x0A: return [change, [0x0B, 1]]
            case 0x1E: return []
            default: return [change, [0x01, pdu[0], 1, 0, 0x0A]]
            }
        }
        link.client.database = KnownDatabase(
            DiscoveredDatabase(services: [.init(service: Service(uuid: 0x1801, range: .all))]),
            hash: hasHash ? DatabaseHash(octets: [UInt8](repeating: 0, count: 16)) : nil)
        link.client.serviceChangedHandle = 3
        link.limit = 1000
        link.client.receive([0x1D, 3, 0, 1, 0, 0xFF, 0xFF].octets, at: .zero)
        let reads = (0..<4).map { _ in link.client.start(.read(0x0005), at: .zero) }
        link.exchange()
        #expect(reads.allSatisfy { link.results[$0] == .success(.value([1])) })
    }

    /// Random octets behind the right opcode, strays in between, errors, silence, disconnections, cancelled callers.
    @Test(arguments: 0..<400)
    func random(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var engine = ClientEngine(
            configuration: ClientConfiguration(
                preferredMTU: Bool.random(using: &random) ? 23 : 100, maximumRounds: 50, maximumAttributes: 200))
        if seed % 2 == 0 {
            engine.database = KnownDatabase(
                DiscoveredDatabase(services: [
                    .init(service: Service(uuid: 0x1801, range: HandleRange(first: 1, last: 8) ?? .all)),
                    .init(service: Service(uuid: 0x180F, range: HandleRange(first: 20, last: 21) ?? .all)),
                ]), hash: seed % 4 == 0 ? DatabaseHash(octets: [UInt8](repeating: 7, count: 16)) : nil)
            engine.serviceChangedHandle = 3
        }
        var started: [OperationID] = []
        var ended: [OperationID: Int] = [:]
        var outstanding: [UInt8]?
        var owed = 0
        var now = MonotonicTime.zero
        var closed = false
        for _ in 0..<300 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0...4 where started.count < 60:
                if let procedure = Self.procedures.randomElement(using: &random) {
                    started.append(engine.start(procedure, at: now))
                }
            case 5: if let id = started.randomElement(using: &random) { engine.cancel(id, at: now) }
            case 6: engine.transportIsFull()
            case 7: engine.securityChanged(Bool.random(using: &random) ? .raised : .refused, at: now)
            case 8:
                now = now + .seconds(Int.random(in: 0...3, using: &random))
                engine.advance(to: now)
            case 9 where Int.random(in: 0..<40, using: &random) == 0:
                engine.bearerClosed(.disconnected(reason: 0x13), at: now)
                closed = true
            default:
                engine.transportIsReady(at: now)
                let pdu = Self.pdu(answering: outstanding, mtu: engine.mtu, &random)
                let wasClosed = engine.isClosed
                if let request = outstanding, !wasClosed, Self.isAnswer(pdu, to: request) { outstanding = nil }
                if pdu.first == 0x1D, pdu.count >= 3, !wasClosed { owed += 1 }
                engine.receive(pdu.octets, at: now)
            }
            while let action = engine.nextAction() {
                switch action {
                case .send(let pdu):
                    #expect(!closed, "sent on a closed bearer, seed \(seed)")
                    #expect(pdu.count <= max(engine.mtu, 23), "seed \(seed)")
                    if pdu[0] == 0x1E { owed -= 1 }
                    if Opcode(pdu[0]).kind == .request {
                        #expect(outstanding == nil, "a second request, seed \(seed)")
                        outstanding = pdu
                    }
                case .completed(let id, _): ended[id, default: 0] += 1
                case .close: closed = true
                default: break
                }
            }
            closed = closed || engine.isClosed
        }
        if !closed {
            engine.transportIsReady(at: now)
            for action in engine.drained() where action == .send([0x1E]) { owed -= 1 }
            #expect(owed == 0, "confirmations, seed \(seed)")
        }
        engine.bearerClosed(.closedLocally, at: now)
        for case .completed(let id, _) in engine.drained() { ended[id, default: 0] += 1 }
        #expect(started.allSatisfy { ended[$0] == 1 }, "an outcome for everybody, seed \(seed)")
    }

    private static func isAnswer(_ pdu: [UInt8], to request: [UInt8]) -> Bool {
        if pdu.count >= 2, pdu[0] == 0x01 { return pdu[1] == request[0] }
        return pdu.first == request[0] + 1
    }

    private static func pdu(answering request: [UInt8]?, mtu: Int, _ random: inout SeededGenerator) -> [UInt8] {
        if Int.random(in: 0..<12, using: &random) == 0 {
            return [
                0x1D, 3, 0, UInt8.random(in: 0...30, using: &random), 0, UInt8.random(in: 0...30, using: &random), 0,
            ]
        }
        let small: [UInt8] = [0, 1, 2, 3, 4, 6, 7, 8, 20, 21, 0x28, 0xFF]
        var octets = (0..<Int.random(in: 0..<mtu, using: &random)).map { _ in small.randomElement(using: &random) ?? 0 }
        guard let request, Int.random(in: 0..<6, using: &random) > 0 else {
            octets.insert(
                [0x1B, 0x1D, 0x1D, 0x23, 0x01, 0x0B, 0x13, 0x0A, 0x02, 0x52, 0x1E, 0x99].randomElement(using: &random)
                    ?? 0,
                at: 0)
            return octets
        }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return [0x01, request[0], 0, 0, small.randomElement(using: &random) ?? 1]
        case 1: return [0x01, request[0], 1, 0, [0x05, 0x0A, 0x0F, 0x07, 0x12].randomElement(using: &random) ?? 0]
        case 2: return [request[0] + 1] + octets
        case 3: return [0x01, request[0]]
        default:
            // As an honest server might.
            let first = request.count > 2 ? [request[1], request[2]] : [1, 0]
            switch request[0] {
            case 0x02: return [0x03, UInt8.random(in: 0...200, using: &random), 0]
            case 0x04: return [0x05, 1] + first + [UInt8.random(in: 0...4, using: &random), 0x29]
            case 0x06: return [0x07] + first + first
            case 0x08 where request.count == 7 && request[5] == 0x03:
                let value = UInt16(first[0]) + UInt16(first[1]) << 8
                let next = [UInt8(truncatingIfNeeded: value &+ 1), UInt8((value &+ 1) >> 8)]
                return [0x09, 7] + first + [UInt8.random(in: 0...255, using: &random)] + next + [0x37, 0x2A]
            case 0x08: return [0x09, 6] + first + [1, 0, 2, 0]
            case 0x10: return [0x11, 6] + first + first + [0, 0x18]
            case 0x12: return [0x13]
            case 0x16: return [0x17] + request.dropFirst()
            case 0x18: return [0x19]
            default: return [request[0] + 1] + octets
            }
        }
    }
}
