// Which request a response answers. A response carries neither the handle nor the type that was asked for, so to read a
// conversation one has to remember the request. Both sides of a connection may be clients at once: there is one open
// request, and one open indication, in each direction (Core Specification, Vol 3, Part F, 3.3.2).

public import ATT

/// Follows the ATT traffic of one connection.
public struct ConversationTracker: Sendable {
    /// A request or indication that waits for its answer.
    public struct Pending: Hashable, Sendable {
        public var opcode: Opcode
        public var time: CaptureTime?
        /// The attribute it is about, or the first of its range; `nil` when it names none.
        public var handle: AttributeHandle?
        /// The attribute type it asks for.
        public var attributeType: BluetoothUUID?
        /// The UUID a Find By Type Value Request looks for.
        public var soughtUUID: BluetoothUUID?
        /// The client's MTU of an Exchange MTU Request.
        public var mtu: Int?
    }

    /// What a PDU is within its conversation.
    public struct Insight: Hashable, Sendable {
        /// The request or indication that this PDU answers.
        public var answers: Pending?
        /// How long the answer took.
        public var latency: Duration?
        /// The attribute the PDU is about: its own handle, or that of what it answers.
        public var handle: AttributeHandle?
        /// Whether a response answers nothing that was captured.
        public var isUnasked = false
    }

    /// The two directions, as far as a capture tells them.
    private enum Side: Int {
        case sent = 0
        case received = 1

        var other: Side { self == .sent ? .received : .sent }
    }

    /// `ATT_MTU` of the connection, as far as the exchange was captured; 23 before (Vol 3, Part G, 5.2.1).
    public private(set) var mtu = 23

    /// The peer's attributes: what the capturing host learned as a client.
    public var peerAttributes: AttributeTable { tables[Side.received.rawValue] }
    /// The capturing host's own attributes: what the peer learned as a client.
    public var localAttributes: AttributeTable { tables[Side.sent.rawValue] }

    private var requests: [Pending?] = [nil, nil]
    private var indications: [Pending?] = [nil, nil]
    /// Indexed by the side whose server holds the attributes.
    private var tables = [AttributeTable(), AttributeTable()]

    public init() {}

    /// A conversation about which something is known from earlier ones.
    init(peer: AttributeTable, local: AttributeTable) { tables = [local, peer] }

    /// The attributes that a PDU's handles belong to: those of the server of its exchange.
    public func attributes(for opcode: Opcode, _ direction: CaptureDirection) -> AttributeTable {
        let side = self.side(direction, opcode)
        switch opcode.kind {
        case .request, .command, .confirmation: return tables[side.other.rawValue]
        default: return tables[side.rawValue]
        }
    }

    /// Takes the next PDU of the connection.
    public mutating func observe(_ pdu: RawSpan, _ direction: CaptureDirection, at time: CaptureTime?) -> Insight {
        var reader = OctetReader(pdu)
        guard let octet = try? reader.uint8() else { return Insight() }
        let opcode = Opcode(rawValue: octet)
        let side = self.side(direction, opcode)
        var insight = Insight()
        switch opcode.kind {
        case .request:
            let pending = Self.pending(opcode, pdu, at: time)
            insight.handle = pending.handle
            requests[side.rawValue] = pending
        case .response:
            guard let request = requests[side.other.rawValue], Self.answers(pdu, opcode, request) else {
                insight.isUnasked = true
                return insight
            }
            requests[side.other.rawValue] = nil
            insight.answers = request
            insight.handle = request.handle
            insight.latency = Self.latency(from: request.time, to: time)
            learn(from: pdu, opcode, to: request, server: side)
        case .indication:
            insight.handle = (try? reader.uint16()).map(AttributeHandle.init(rawValue:))
            indications[side.rawValue] = Pending(opcode: opcode, time: time, handle: insight.handle)
            forgetWhatChanged(insight.handle, value: reader, server: side)
        case .confirmation:
            guard let indication = indications[side.other.rawValue] else {
                insight.isUnasked = true
                return insight
            }
            indications[side.other.rawValue] = nil
            insight.answers = indication
            insight.handle = indication.handle
            insight.latency = Self.latency(from: indication.time, to: time)
        case .command, .notification:
            insight.handle = (try? reader.uint16()).map(AttributeHandle.init(rawValue:))
        case .unknown: break
        }
        return insight
    }

    /// Service Changed (Vol 3, Part G, 7.1): what was known of the handles it names no longer holds.
    private mutating func forgetWhatChanged(_ handle: AttributeHandle?, value: OctetReader, server side: Side) {
        guard let handle, tables[side.rawValue][handle]?.uuid == 0x2A05 else { return }
        var value = value
        guard let first = try? value.uint16(), let last = try? value.uint16(), first <= last else { return }
        tables[side.rawValue].forget(
            AttributeHandle(rawValue: first)...AttributeHandle(rawValue: last), keeping: handle)
    }

    private mutating func learn(from pdu: RawSpan, _ opcode: Opcode, to request: Pending, server side: Side) {
        if opcode == .exchangeMTUResponse, let response = try? ExchangeMTUResponse(parsing: pdu),
            let asked = request.mtu
        {
            mtu = max(23, min(asked, Int(response.serverReceiveMTU)))
        } else {
            tables[side.rawValue].learn(from: pdu, to: request)
        }
    }

    /// The side a PDU comes from. Where the capture does not say, the host is taken for the only client.
    private func side(_ direction: CaptureDirection, _ opcode: Opcode) -> Side {
        switch direction {
        case .sent: return .sent
        case .received: return .received
        case .unknown:
            switch opcode.kind {
            case .request, .command, .confirmation: return .sent
            default: return .received
            }
        }
    }

    /// Whether a response answers a request: by its opcode, which is one more, or by the opcode an error names.
    private static func answers(_ pdu: RawSpan, _ opcode: Opcode, _ request: Pending) -> Bool {
        guard opcode == .errorResponse else { return opcode.rawValue == request.opcode.rawValue &+ 1 }
        guard let error = try? ErrorResponse(parsing: pdu) else { return true }
        return error.requestOpcode == request.opcode
    }

    private static func latency(from start: CaptureTime?, to end: CaptureTime?) -> Duration? {
        guard let start, let end, end >= start else { return nil }
        let (difference, overflow) = end.nanoseconds.subtractingReportingOverflow(start.nanoseconds)
        return overflow ? nil : .nanoseconds(difference)
    }

    private static func pending(_ opcode: Opcode, _ pdu: RawSpan, at time: CaptureTime?) -> Pending {
        var pending = Pending(opcode: opcode, time: time)
        guard let request = try? ClientPDU(parsing: pdu) else { return pending }
        switch request {
        case .exchangeMTURequest(let request): pending.mtu = Int(request.clientReceiveMTU)
        case .findInformationRequest(let request): pending.handle = request.first
        case .findByTypeValueRequest(let request):
            pending.handle = request.first
            pending.attributeType = BluetoothUUID(request.attributeType)
            var reader = OctetReader(request.value)
            pending.soughtUUID = try? reader.uuid(octetCount: request.value.byteCount)
        case .readByTypeRequest(let request):
            pending.handle = request.first
            pending.attributeType = request.attributeType
        case .readByGroupTypeRequest(let request):
            pending.handle = request.first
            pending.attributeType = request.groupType
        case .readRequest(let request): pending.handle = request.handle
        case .readBlobRequest(let request): pending.handle = request.handle
        case .writeRequest(let request): pending.handle = request.handle
        case .prepareWriteRequest(let request): pending.handle = request.handle
        default: break
        }
        return pending
    }
}
