import GATT
import TestSupport
import Testing

/// What transcripts cannot show of the engine.
@Suite struct ClientEngineTests {
    @Test func valuesAreDeliveredWithoutACopyBeforeTheConfirmation() {
        let engine = TestEngine()
        var seen: [String] = []
        for pdu in [hex("1b 0300 0102"), hex("1d 0400 03"), hex("23 0500 0100 04 0600 0000")] {
            engine.receive(pdu) { handle, value, kind in
                seen.append("\(handle) \(value.hexadecimal) \(kind)")
            }
        }
        #expect(
            seen == [
                "0x0003 0102 notification", "0x0004 03 indication", "0x0005 04 multiple", "0x0006  multiple",
            ])
        // Nothing but the confirmation is left to do.
        #expect(engine.drained() == [.send([0x1E])])
    }

    @Test func theValueComesBeforeTheConfirmation() {
        let engine = TestEngine()
        engine.receive(hex("1d 0400 03"))
        #expect(engine.drained() == [.valueChanged(0x0004, value: [3], kind: .indication), .send([0x1E])])
    }

    @Test func deadlines() {
        let engine = TestEngine(configuration: ClientConfiguration(preferredMTU: 23))
        let start = MonotonicTime(nanoseconds: 5_000_000_000)
        #expect(engine.deadline == nil)
        _ = engine.start(.read(0x0003), at: start)
        #expect(engine.deadline == MonotonicTime(nanoseconds: 35_000_000_000))
        _ = engine.drained()
        engine.receive(hex("0b 01"), at: start + .seconds(1))
        #expect(engine.deadline == nil)
        // Time alone does nothing.
        engine.advance(to: start + .seconds(100))
        #expect(!engine.isClosed)
    }

    /// An answer that arrives in time but is taken after a pause of this program still counts.
    @Test func aLateLookAtTheClock() {
        let engine = TestEngine()
        let id = engine.start(.read(0x0003), at: .zero)
        _ = engine.drained()
        let late = MonotonicTime.zero + .seconds(31)
        engine.receive(hex("0b 01"), at: late)
        engine.advance(to: late)
        #expect(engine.drained() == [.completed(id, .success(.value([1])))])
        #expect(!engine.isClosed)
    }

    @Test func progressOfALongWrite() {
        let engine = TestEngine()
        let id = engine.start(.write(0x0003, [UInt8](repeating: 7, count: 40)), at: .zero)
        var progress: [Int] = []
        for _ in 0..<4 {
            for action in engine.drained() {
                switch action {
                case .progress(id, let done, total: 40): progress.append(done)
                case .send(let pdu) where pdu[0] == 0x16:
                    engine.receive([0x17] + pdu.dropFirst())
                default: break
                }
            }
        }
        #expect(progress == [18, 36, 40])
    }

    @Test func operationsEndInTheOrderTheyWereStarted() {
        let engine = TestEngine()
        let first = engine.start(.read(0x0003), at: .zero)
        let second = engine.start(.discoverAll(), at: .zero)
        let third = engine.start(.unsubscribe(valueHandle: 3), at: .zero)
        engine.bearerClosed(.closedLocally)
        let failure = Result<Outcome, GATTError>.failure(.bearerClosed(.closedLocally))
        #expect(
            engine.drained() == [.completed(first, failure), .completed(second, failure), .completed(third, failure)])
    }

    @Test func subscriptionsEndWithTheBearer() {
        let engine = TestEngine()
        _ = engine.start(.subscribe(SubscriptionTarget(valueHandle: 3, configurationHandle: 4)), at: .zero)
        _ = engine.drained()
        engine.receive(hex("13"))
        #expect(engine.subscribers(3) == 1)
        engine.bearerClosed(.disconnected(reason: 0x08))
        #expect(engine.subscribers(3) == 0)
    }

    @Test func aTargetFromADiscovery() {
        let characteristic = Characteristic(
            uuid: 0x2A37, declarationHandle: 0x10, valueHandle: 0x11, properties: .notify, endHandle: 0x14)
        var node = DiscoveredDatabase.CharacteristicNode(characteristic: characteristic)
        #expect(SubscriptionTarget(node).endHandle == 0x11)
        #expect(SubscriptionTarget(node, descriptorsAreKnown: false).endHandle == 0x14)
        node.descriptors = [Descriptor(uuid: 0x2901, handle: 0x12), Descriptor(uuid: 0x2902, handle: 0x13)]
        #expect(SubscriptionTarget(node).configurationHandle == 0x13)
    }

    @Test func configurationsAreBroughtIntoRange() {
        #expect(ClientConfiguration(preferredMTU: 0).preferredMTU == 23)
        #expect(ClientConfiguration(preferredMTU: 100_000).preferredMTU == 65535)
        #expect(ClientConfiguration(initialMTU: 5).initialMTU == 23)
    }

    @Test func times() {
        let time = MonotonicTime(nanoseconds: 10)
        #expect(time + .nanoseconds(5) == MonotonicTime(nanoseconds: 15))
        #expect(time + .nanoseconds(-11) == .zero)
        #expect(time + .seconds(Int64.max) == MonotonicTime(nanoseconds: .max))
        #expect(time + .seconds(Int64.min) == .zero)
        #expect(MonotonicTime(nanoseconds: .max) + .seconds(1) == MonotonicTime(nanoseconds: .max))
        #expect(time - MonotonicTime(nanoseconds: 4) == .nanoseconds(6))
        #expect(MonotonicTime(nanoseconds: 4) - time == .nanoseconds(-6))
        #expect(time > .zero)
    }
}

/// What a person reads.
@Suite struct GATTErrorTests {
    @Test(arguments: [
        (
            GATTError.attributeError(ErrorCode(0x02), request: .readRequest, handle: 0x0025),
            "Read Not Permitted (0x02) in answer to Read Request (0x0a), handle 0x0025"
        ),
        (
            .attributeError(ErrorCode(0x81), request: .writeRequest, handle: 0x0005),
            "Application Error (0x81) in answer to Write Request (0x12), handle 0x0005"
        ),
        (
            .attributeError(ErrorCode(0xFE), request: .writeRequest, handle: 0x0005),
            "Procedure Already in Progress (0xfe) in answer to Write Request (0x12), handle 0x0005"
        ),
        (
            .malformedResponse(.readByTypeResponse, MalformedError(.invalidLength, at: 1)),
            "malformed Read By Type Response (0x09): a length does not fit (at offset 1)"
        ),
        (
            .timedOut(.readRequest, handle: 0x0003),
            "no answer to Read Request (0x0a), handle 0x0003, within 30 seconds; the connection is closed"
        ),
        (.bearerClosed(.disconnected(reason: 0x13)), "the connection is closed: the peer disconnected (0x13)"),
        (.bearerClosed(.disconnected(reason: 0x77)), "the connection is closed: the link went down (0x77)"),
        (
            .bearerClosed(.requestTimedOut(.readRequest)),
            "the connection is closed: no answer to Read Request within 30 seconds"
        ),
        (
            .bearerClosed(.oversizedPDU(length: 42, maximum: 23)),
            "the connection is closed: the peer sent a PDU of 42 octets where the MTU allows 23"
        ),
        (
            .bearerClosed(.requestBeforeResponse(.readRequest)),
            "the connection is closed: the peer sent Read Request before its last request was answered"
        ),
        (.bearerClosed(.closedLocally), "the connection is closed: the connection was closed here"),
        (.bearerClosed(.transportFailed("ECONNRESET")), "the connection is closed: ECONNRESET"),
        (.cancelled, "cancelled"),
        (.valueTooLong(length: 513, maximum: 512), "a value of 513 octets is too long: at most 512 can be sent"),
        (
            .prepareWriteMismatch(handle: 0x0003, offset: 18),
            "the peer repeated other data than was sent to handle 0x0003 at offset 18; nothing was written"
        ),
        (
            .serverDoesNotAdvance(.readByTypeResponse, handle: 0x0001),
            "the peer gives handle 0x0001, which was not asked for, in Read By Type Response (0x09); given up"
        ),
        (.tooManyRounds(maximum: 5), "given up after 5 requests: the peer never ends its answers"),
        (.tooManyAttributes(maximum: 5), "given up: the peer has more than 5 attributes"),
        (
            .cannotSubscribe(valueHandle: 0x0003),
            "the characteristic at 0x0003 has neither notifications nor indications"
        ),
        (.notSubscribed(valueHandle: 0x0003), "there is no subscription to handle 0x0003"),
        (.invalidArgument("no value has an offset 65536"), "no value has an offset 65536"),
    ])
    func everyErrorIsASentence(_ error: GATTError, _ text: String) {
        #expect(error.description == text)
    }
}

/// A client engine whose state `#expect` can ask for, which it cannot do with a value that is not copyable.
final class TestEngine {
    private var engine: ClientEngine

    init(configuration: ClientConfiguration = ClientConfiguration()) {
        engine = ClientEngine(configuration: configuration)
    }

    var deadline: MonotonicTime? { engine.nextDeadline }
    var isClosed: Bool { engine.isClosed }

    func subscribers(_ handle: AttributeHandle) -> Int { engine.subscriberCount(valueHandle: handle) }

    func start(_ procedure: Procedure, at now: MonotonicTime) -> OperationID { engine.start(procedure, at: now) }

    func receive(_ pdu: [UInt8], at now: MonotonicTime = .zero) { engine.receive(pdu.octets, at: now) }

    func receive(_ pdu: [UInt8], deliver: (AttributeHandle, RawSpan, ValueKind) -> Void) {
        engine.receive(pdu.octets, at: .zero, deliver: deliver)
    }

    func advance(to now: MonotonicTime) { engine.advance(to: now) }

    func bearerClosed(_ reason: BearerCloseReason) { engine.bearerClosed(reason, at: .zero) }

    /// Everything there is to do.
    func drained() -> [ClientAction] { engine.drained() }
}

extension ClientEngine {
    /// Everything there is to do.
    mutating func drained() -> [ClientAction] {
        var actions: [ClientAction] = []
        while let action = nextAction() { actions.append(action) }
        return actions
    }
}
