// The server engine against a hostile client. The input says what the client sends, what the application sends unasked, how
// time passes and when the link goes. Every request has exactly one answer, commands have none, nothing is longer than the
// MTU, and no two indications are outstanding.

import ATT
import Captures
import GATT
import Wire

extension FuzzTarget {
    static let server = FuzzTarget(
        "server", maximumLength: 4096,
        seeds: { fixtures in
            fixtures.transcripts.map { transcript in
                [0x03]
                    + transcript.pdus.filter { $0.direction == .fromClient && $0.octets.count < 256 }
                    .flatMap { [0, UInt8($0.octets.count)] + $0.octets }
            }
        },
        run: { (input) throws(Finding) in
            guard var run = ServerRun(input) else { throw Finding("there is no database") }
            try run.play()
        })
}

/// One bearer from its opening to its end.
private struct ServerRun: ~Copyable, ~Escapable {
    private var decisions: Decisions
    private var engine: ServerEngine
    private var now = MonotonicTime.zero
    /// The request that was not answered yet.
    private var request: [UInt8]?
    /// The indication that was not confirmed yet.
    private var indicated: AttributeHandle?
    private var isClosed = false
    private let readDelay: Duration = .seconds(2)

    @_lifetime(copy input)
    init?(_ input: RawSpan) {
        var decisions = Decisions(input)
        let flags = decisions.octet()
        guard let database = try? AttributeDatabase(services: Self.services) else { return nil }
        engine = ServerEngine(
            database: database,
            configuration: ServerConfiguration(
                mtu: [23, 64, 185, 517][Int(flags & 3)], maximumPreparedWrites: 8, maximumQueuedIndications: 3,
                answersAttributeNotLong: flags & 4 != 0),
            security: flags & 8 == 0 ? .none : LinkSecurity(isEncrypted: true, isAuthenticated: true, hasKey: true))
        self.decisions = decisions
    }

    /// Attributes of every sort: short and long, fixed and growing, protected, slow, refusing, with all descriptors.
    private static let services = [
        ServiceDefinition(
            uuid: .genericAttribute,
            characteristics: [
                CharacteristicDefinition(uuid: .serviceChanged, properties: .indicate, value: [1, 0, 0xFF, 0xFF]),
                CharacteristicDefinition(uuid: .clientSupportedFeatures, properties: [.read, .write], value: [0]),
                CharacteristicDefinition(uuid: .databaseHash, properties: .read, value: [UInt8](0..<16)),
            ]),
        ServiceDefinition(
            uuid: 0x180D,
            includes: [ServiceDefinition.Include(service: 2)],
            characteristics: [
                CharacteristicDefinition(
                    uuid: 0x2A37, properties: [.read, .notify, .indicate], value: [UInt8](repeating: 7, count: 100),
                    descriptors: [
                        DescriptorDefinition(uuid: .characteristicUserDescription, value: Array("Rate".utf8))
                    ]),
                CharacteristicDefinition(
                    uuid: 0x2A39, properties: [.read, .write, .writeWithoutResponse], value: [1, 2, 3],
                    length: .variable(maximum: 512), extendedProperties: .reliableWrite),
                CharacteristicDefinition(
                    uuid: 0x2A3A, properties: [.read, .write],
                    permissions: AttributePermissions(read: .encrypted, write: .authenticated), value: [9]),
            ]),
        ServiceDefinition(
            uuid: BluetoothUUID(high: 0x1234, low: 0x5678), isPrimary: false, handle: 0x0100,
            characteristics: [
                CharacteristicDefinition(
                    uuid: BluetoothUUID(high: 0x1234, low: 0x5679), properties: .read,
                    value: [UInt8](repeating: 3, count: 512), behaviour: AttributeBehaviour(readDelay: .seconds(2))),
                CharacteristicDefinition(
                    uuid: 0x2A00, properties: [.read, .write], value: [1],
                    behaviour: AttributeBehaviour(
                        readError: ErrorCode(0x80), acceptedValues: [[1]], sendsValueBeforeWriteResponse: true)),
            ]),
        ServiceDefinition(
            uuid: 0x180F, handle: 0xFFFC,
            characteristics: [CharacteristicDefinition(uuid: 0x2A19, properties: [.read, .notify], value: [50])]),
    ]

    mutating func play() throws(Finding) {
        var steps = 0
        while !decisions.isAtEnd, steps < 2000 {
            steps += 1
            try step()
            try drain()
            try isQuiet()
        }
        engine.bearerClosed()
        isClosed = true
        request = nil
        try drain()
        let late: [UInt8] = [0x0A, 0x01, 0x00]
        engine.receive(late.octets, at: now)
        try check(engine.nextAction() == nil && engine.nextDeadline == nil, "a closed engine does something")
    }

    // MARK: What happens

    private mutating func step() throws(Finding) {
        switch decisions.number(below: 10) {
        case 0, 1: try receive(decisions.octets(upTo: 80))
        case 2, 3, 4: try receive(sensible())
        case 5:
            now = now + [.milliseconds(1), .seconds(1), .seconds(10), .seconds(31)][decisions.number(below: 4)]
            engine.advance(to: now)
        case 6: engine.notify(handle(), value: [UInt8](repeating: 1, count: Int(decisions.octet())))
        case 7:
            let values = (0..<decisions.number(below: 5)).map { _ in
                (handle: handle(), value: [UInt8](repeating: 2, count: decisions.number(below: 40)))
            }
            engine.notify(values)
        case 8: engine.indicate(handle(), value: [UInt8](repeating: 4, count: Int(decisions.octet())), at: now)
        default: try receive([Opcode.handleValueConfirmation.rawValue])
        }
    }

    private mutating func receive(_ pdu: [UInt8]) throws(Finding) {
        // Time that has passed already comes first.
        engine.advance(to: now)
        try drain()
        if let first = pdu.first, !isClosed {
            let opcode = Opcode(first)
            if opcode.kind == .request || opcode.kind == .unknown {
                // A second one before the answer closes the bearer.
                if request == nil { request = pdu }
            }
            if opcode == .handleValueConfirmation, pdu.count == 1 { indicated = nil }
        }
        engine.receive(pdu.octets, at: now)
    }

    private mutating func drain() throws(Finding) {
        var count = 0
        while let action = engine.nextAction() {
            count += 1
            try check(count < 1000, "there is always something to do")
            switch action {
            case .send(let pdu): try sent(pdu)
            case .written(let handle, let value):
                try check(value.count <= 512, "\(handle) has \(value.count) octets")
            case .close:
                try check(!isClosed, "the bearer is closed twice")
                isClosed = true
                request = nil
            case .subscriptionChanged, .confirmed, .mtuChanged, .log: break
            }
        }
    }

    private mutating func sent(_ pdu: [UInt8]) throws(Finding) {
        guard let first = pdu.first else { throw Finding("an empty PDU is sent") }
        let opcode = Opcode(first)
        try check(!isClosed, "\(opcode) is sent on a closed bearer")
        // The answer to an MTU exchange still keeps to the MTU before it, of which 3 octets are never too many.
        try check(pdu.count <= engine.mtu, "\(opcode) of \(pdu.count) octets is sent at an MTU of \(engine.mtu)")
        try check((try? ServerPDU(parsing: pdu.octets)) != nil, "a malformed \(opcode) is sent: \(pdu.hexadecimal)")
        switch opcode.kind {
        case .response:
            guard let asked = request, let wanted = asked.first else { throw Finding("\(opcode) answers nothing") }
            request = nil
            if opcode == .errorResponse {
                try check(pdu[1] == wanted, "the error is about another request")
                try check(pdu[4] != 0, "an error without a code")
            } else {
                try check(opcode.rawValue == wanted &+ 1, "\(opcode) answers \(Opcode(wanted))")
                try isInRange(pdu, asked)
            }
        case .notification: break
        case .indication:
            try check(indicated == nil, "two indications are outstanding")
            indicated = AttributeHandle(UInt16(pdu[1]) | UInt16(pdu[2]) << 8)
        case .confirmation: break
        default: throw Finding("a server sends \(opcode)")
        }
    }

    /// The handles of an answer ascend and lie in the range that was asked for.
    private func isInRange(_ pdu: [UInt8], _ asked: [UInt8]) throws(Finding) {
        guard asked.count >= 5, [0x04, 0x06, 0x08, 0x10].contains(asked[0]) else { return }
        let first = UInt16(asked[1]) | UInt16(asked[2]) << 8
        let last = UInt16(asked[3]) | UInt16(asked[4]) << 8
        var handles: [UInt16] = []
        switch try? ServerPDU(parsing: pdu.octets) {
        case .findInformationResponse(let response):
            var entries = response.entries.makeIterator()
            while let entry = entries.next() { handles.append(entry.handle.rawValue) }
        case .findByTypeValueResponse(let response):
            var entries = response.entries.makeIterator()
            while let entry = entries.next() { handles.append(entry.found.rawValue) }
        case .readByTypeResponse(let response):
            var entries = response.entries.makeIterator()
            while let entry = entries.next() { handles.append(entry.handle.rawValue) }
        case .readByGroupTypeResponse(let response):
            var entries = response.entries.makeIterator()
            while let entry = entries.next() {
                handles.append(entry.handle.rawValue)
                try check(entry.endGroup >= entry.handle, "a group ends before it begins")
            }
        default: return
        }
        var before: UInt16 = 0
        for handle in handles {
            try check(
                handle > before && (first...max(first, last)).contains(handle), "handle \(handle) is out of place")
            before = handle
        }
    }

    private mutating func isQuiet() throws(Finding) {
        try check(engine.isClosed == isClosed, "the engine is closed: \(engine.isClosed)")
        try check((23...max(23, engine.configuration.mtu)).contains(engine.mtu), "an MTU of \(engine.mtu)")
        if request != nil { try check(engine.nextDeadline != nil, "a request is never answered") }
        if indicated != nil, !isClosed { try check(engine.nextDeadline != nil, "an indication is never given up") }
    }

    // MARK: What a client sends

    private mutating func handle() -> AttributeHandle {
        let number = UInt16(decisions.octet())
        // Also the second service, which begins at 0x0100, and the last one at the end of all handles.
        return AttributeHandle(number < 64 ? number : number < 128 ? 0x0100 + number - 64 : 0xFF00 | number)
    }

    /// A request or command that is well formed.
    private mutating func sensible() -> [UInt8] {
        let handle = handle().rawValue
        let number = [UInt8(truncatingIfNeeded: handle), UInt8(truncatingIfNeeded: handle >> 8)]
        let range = number + [0xFF, 0xFF]
        switch decisions.number(below: 14) {
        case 0: return [0x02] + decisions.take(2)
        case 1: return [0x04] + range
        case 2: return [0x06] + range + [0x00, 0x28] + decisions.octets(upTo: 16)
        case 3: return [0x08] + range + [decisions.octet(), decisions.flag() ? 0x28 : 0x2A]
        case 4: return [0x0A] + number
        case 5: return [0x0C] + number + [decisions.octet(), decisions.octet() & 3]
        case 6: return [0x0E] + number + decisions.take(2 + 2 * decisions.number(below: 8))
        case 7: return [0x10] + range + [decisions.octet() & 1, 0x28]
        case 8: return [0x12] + number + decisions.octets(upTo: 40)
        case 9: return [0x52] + number + decisions.octets(upTo: 40)
        case 10: return [0x16] + number + [decisions.octet(), decisions.octet() & 3] + decisions.octets(upTo: 40)
        case 11: return [0x18, decisions.octet() & 3]
        case 12: return [0x20] + number + decisions.take(2 + 2 * decisions.number(below: 8))
        default: return [0x12] + number + [decisions.octet() & 3, 0]
        }
    }
}
