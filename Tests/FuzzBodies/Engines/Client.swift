// The client engine against a hostile server. The input says what callers want, what the server sends and when, how time
// passes, when the transport is full and when the link goes; `ClientModel` says what has to hold.

import ATT
import Captures
import GATT
import Wire

extension FuzzTarget {
    static let client = FuzzTarget(
        "client", maximumLength: 4096,
        seeds: { fixtures in fixtures.transcripts.map { ClientRun.seed(of: $0) } },
        run: { (input) throws(Finding) in
            var run = ClientRun(input)
            try run.play()
        })
}

/// One bearer from its opening to its end.
private struct ClientRun: ~Copyable, ~Escapable {
    private var decisions: Decisions
    private var engine: ClientEngine
    private var model: ClientModel
    private var now = MonotonicTime.zero
    private var operations: [OperationID] = []
    /// The last request that was sent.
    private var request: [UInt8] = []
    /// How long a PDU the engine takes from the peer: MTUs only ever raise it.
    private var longest = 23
    private var isFull = false

    /// More operations than this show nothing new.
    private static let mostOperations = 64

    @_lifetime(copy input)
    init(_ input: RawSpan) {
        var decisions = Decisions(input)
        let flags = decisions.octet()
        let configuration = ClientConfiguration(
            preferredMTU: [23, 64, 185, 517][Int(flags & 3)], maximumRounds: 40, maximumAttributes: 60,
            elevatesSecurity: flags & 4 != 0, isFixedChannel: flags & 8 == 0)
        engine = ClientEngine(configuration: configuration)
        model = ClientModel(configuration)
        // Some know the server from before, so that its changes and its hash matter.
        if flags & 16 != 0, let first = HandleRange(first: 1, last: 8), let second = HandleRange(first: 20, last: 21) {
            engine.database = KnownDatabase(
                DiscoveredDatabase(services: [
                    .init(service: Service(uuid: 0x1801, range: first)),
                    .init(service: Service(uuid: 0x180F, range: second)),
                ]), hash: flags & 32 == 0 ? nil : DatabaseHash(octets: [UInt8](repeating: 7, count: 16)))
            engine.serviceChangedHandle = 3
        }
        self.decisions = decisions
    }

    mutating func play() throws(Finding) {
        var steps = 0
        while !decisions.isAtEnd, steps < 2000 {
            steps += 1
            try step()
            try drain()
            try model.isQuiet(engine)
        }
        // Whatever waits goes out, then the link goes.
        engine.transportIsReady(at: now)
        model.transportIsFull(false)
        try drain()
        try model.isQuiet(engine)
        engine.bearerClosed(.disconnected(reason: 0x13), at: now)
        model.closed()
        try drain()
        try model.isOver(engine)
        let late: [UInt8] = [0x1B, 0x01, 0x00]
        engine.receive(late.octets, at: now)
        try check(engine.nextAction() == nil, "a closed engine does something")
    }

    // MARK: What happens

    private mutating func step() throws(Finding) {
        switch decisions.number(below: 12) {
        case 0, 1: try start()
        case 2:
            guard !operations.isEmpty else { return }
            engine.cancel(operations[decisions.number(below: operations.count)], at: now)
        case 3, 4: try receive(decisions.octets(upTo: 80))
        case 5, 6, 7: try receive(answer())
        case 8: try pass(decisions.number(below: 4))
        case 9:
            isFull.toggle()
            if isFull { engine.transportIsFull() } else { engine.transportIsReady(at: now) }
            model.transportIsFull(isFull)
        case 10: engine.securityChanged(decisions.flag() ? .raised : .refused, at: now)
        default:
            // Rarely, or nothing else would be reached.
            guard decisions.number(below: 16) == 15 else { return }
            engine.bearerClosed(.transportFailed("gone"), at: now)
            model.closed()
        }
    }

    private mutating func pass(_ step: Int) throws(Finding) {
        now = now + [.milliseconds(1), .seconds(1), .seconds(10), .seconds(31)][step]
        let deadline = engine.nextDeadline
        engine.advance(to: now)
        if let deadline, deadline <= now { try check(engine.isClosed, "a request has no end") }
    }

    private mutating func receive(_ pdu: [UInt8]) throws(Finding) {
        model.received(pdu, longest: longest)
        if decisions.flag() {
            engine.receive(pdu.octets, at: now)
        } else {
            var finding: Finding?
            engine.receive(pdu.octets, at: now) { _, value, _ in
                if value.byteCount > 512 { finding = Finding("a value of \(value.byteCount) octets is delivered") }
                _ = touch(value)
            }
            if let finding { throw finding }
        }
        longest = max(longest, engine.mtu)
    }

    private mutating func drain() throws(Finding) {
        var count = 0
        while let action = engine.nextAction() {
            count += 1
            // Every operation ends, each with a few actions around it: more is a loop.
            try check(count < 1000, "there is always something to do")
            if case .send(let pdu) = action, let first = pdu.first, Opcode(first).kind == .request { request = pdu }
            try model.performed(action, mtu: engine.mtu)
        }
    }

    // MARK: What callers want

    private mutating func start() throws(Finding) {
        guard operations.count < Self.mostOperations else { return }
        let id = engine.start(procedure(), at: now)
        operations.append(id)
        try model.started(id)
    }

    private mutating func procedure() -> Procedure {
        let handle = AttributeHandle(UInt16(decisions.octet()))
        switch decisions.number(below: 18) {
        case 0: return .exchangeMTU
        case 1: return .discoverPrimaryServices(in: range())
        case 2: return .discoverPrimaryServicesByUUID(uuid(), in: range())
        case 3: return .discoverSecondaryServices(in: range())
        case 4: return .findIncludedServices(in: range())
        case 5: return .discoverCharacteristics(in: range(), uuid: decisions.flag() ? uuid() : nil)
        case 6: return .discoverDescriptors(in: range())
        case 7:
            let flags = decisions.octet()
            return .discoverAll(
                DiscoveryOptions(
                    plan: flags & 1 == 0 ? .fewestRequests : .plain, secondaryServices: flags & 2 == 0,
                    includes: flags & 4 == 0, characteristics: flags & 8 == 0, descriptors: flags & 16 == 0))
        case 8: return .read(handle, offset: offset())
        case 9: return .readOnce(handle, offset: offset())
        case 10: return .readByUUID(uuid(), in: range(), first: decisions.flag())
        case 11: return .readMultiple(handles())
        case 12: return .readMultipleVariable(handles())
        case 13: return .write(handle, value(), offset: offset())
        case 14: return .writeCommand(handle, value())
        case 15:
            let parts = (0..<decisions.number(below: 4)).map { _ in
                ReliableWritePart(handle: handle, offset: offset(), value: value())
            }
            return .reliableWrite(parts)
        case 16:
            let flags = decisions.octet()
            let target = SubscriptionTarget(
                valueHandle: handle,
                properties: flags & 1 == 0 ? nil : CharacteristicProperties(rawValue: decisions.octet()),
                configurationHandle: flags & 2 == 0 ? nil : AttributeHandle(UInt16(decisions.octet())),
                endHandle: flags & 4 == 0 ? nil : AttributeHandle(UInt16(decisions.octet())))
            return .subscribe(target, mode: [.automatic, .notify, .indicate][Int(flags >> 3) % 3])
        default:
            guard handle.rawValue & 1 == 1 else { return .unsubscribe(valueHandle: handle) }
            return handle.rawValue & 2 == 0 ? .announceFeatures(.robustCaching) : .signedWriteCommand(handle, value())
        }
    }

    private mutating func range() -> HandleRange {
        guard decisions.flag() else { return .all }
        let first = AttributeHandle(1 + UInt16(decisions.octet()))
        return HandleRange(first: first, last: AttributeHandle(first.rawValue + UInt16(decisions.octet()))) ?? .all
    }

    private mutating func uuid() -> BluetoothUUID {
        let number = decisions.number16()
        return decisions.flag() ? BluetoothUUID(number) : BluetoothUUID(high: UInt64(number), low: 1)
    }

    private mutating func offset() -> Int { decisions.flag() ? Int(decisions.number16() % 600) : 0 }

    private mutating func handles() -> [AttributeHandle] {
        (0..<decisions.number(below: 6)).map { _ in AttributeHandle(UInt16(decisions.octet())) }
    }

    private mutating func value() -> [UInt8] {
        let length = decisions.flag() ? Int(decisions.number16() % 600) : Int(decisions.octet() % 32)
        return [UInt8](repeating: decisions.octet(), count: length)
    }

    // MARK: What a server answers

    /// An answer to the last request, more or less what it asks for.
    private mutating func answer() -> [UInt8] {
        let opcode = Opcode(request.first ?? 0)
        if decisions.number(below: 8) == 0 {
            return [
                0x01, opcode.rawValue, 0, 0,
                [0x0A, 0x05, 0x0F, 0x0B, 0x07, 0x06, 0x01, 0x80][decisions.number(below: 8)],
            ]
        }
        let first = request.count > 2 ? UInt16(request[1]) | UInt16(request[2]) << 8 : 1
        switch opcode {
        case .exchangeMTURequest: return [0x03] + octets(decisions.number16())
        case .findInformationRequest:
            return [0x05, 1] + list(from: first) { octets([0x2902, 0x2803, 0x2900, 0x2A00][$0]) }
        case .findByTypeValueRequest: return [0x07] + list(from: first) { octets(first &+ UInt16($0)) }
        case .readByTypeRequest:
            let type = request.count == 7 ? UInt16(request[5]) | UInt16(request[6]) << 8 : 0
            if type == 0x2803 {
                return [0x09, 7] + list(from: first, step: 3) { [0x32] + octets(first &+ 1) + [UInt8($0), 0x2A] }
            }
            if type == 0x2802 { return [0x09, 8] + list(from: first) { [1, 0, 9, 0, UInt8($0), 0x18] } }
            return [0x09, 4] + list(from: first) { [UInt8($0), 7] }
        case .readByGroupTypeRequest:
            return [0x11, 6] + list(from: first, step: 8) { octets(first &+ 7 &+ UInt16($0)) + [0x0D, 0x18] }
        case .readRequest, .readBlobRequest:
            let length = decisions.flag() ? engine.mtu - 1 : decisions.number(below: 20)
            return [opcode.rawValue &+ 1] + [UInt8](repeating: 0x55, count: length)
        case .prepareWriteRequest: return [0x17] + request.dropFirst()
        case .writeRequest, .executeWriteRequest: return [opcode.rawValue &+ 1]
        default: return [opcode.rawValue &+ 1] + decisions.octets(upTo: 20)
        }
    }

    /// Entries with ascending handles, as many as a decision says; now and then one that does not ascend.
    private mutating func list(from first: UInt16, step: UInt16 = 1, _ rest: (Int) -> [UInt8]) -> [UInt8] {
        var handle = first
        var list: [UInt8] = []
        for _ in 0...decisions.number(below: 3) {
            let choice = decisions.number(below: 64)
            list += octets(choice == 63 ? 1 : handle) + rest(choice & 3)
            handle &+= step
        }
        return list
    }

    // MARK: Seeds

    /// A transcript as an input: each request of the client becomes a wish that leads to it, each PDU of the server comes
    /// as it is.
    static func seed(of transcript: Transcript) -> [UInt8] {
        var seed: [UInt8] = [0x07]
        for pdu in transcript.pdus {
            switch pdu.direction {
            case .fromServer: seed += [3, UInt8(clamping: pdu.octets.count)] + pdu.octets.prefix(255) + [1]
            case .fromClient:
                let wishes: [UInt8: [UInt8]] = [
                    0x02: [0, 0], 0x10: [0, 1, 0], 0x06: [0, 2, 0x0D, 0x18, 1, 0], 0x08: [0, 5, 0, 0], 0x04: [0, 6, 0],
                    0x0A: [3, 8, 0], 0x0C: [3, 9, 1, 22, 0], 0x0E: [0, 11, 2, 3, 5], 0x20: [0, 12, 2, 3, 5],
                    0x12: [3, 13, 0, 4, 1, 0], 0x52: [3, 14, 0, 4, 1], 0x16: [3, 13, 1, 40, 0, 1, 0],
                ]
                guard let first = pdu.octets.first, let wish = wishes[first] else { continue }
                seed += [0] + wish
            }
        }
        return seed
    }
}

/// A number as it is sent.
private func octets(_ number: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
}
