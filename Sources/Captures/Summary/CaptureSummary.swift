// A capture in a page: who talked to whom, how long, what about, what failed, and how fast answers came. It is made in
// one pass and in memory that depends on the number of connections and attributes, not on the length of the capture.

public import ATT
public import GAP
public import HCI

/// What happened on one connection of a capture.
public struct ConnectionSummary: Hashable, Sendable {
    /// The connection.
    public var connection: CaptureDecoder.Connection
    /// When it ended; `nil` when its end was not captured.
    public var end: CaptureTime?
    /// Why it ended.
    public var reason: StatusCode?
    /// The time of its last PDU.
    public var lastTime: CaptureTime?
    /// `ATT_MTU` at the end.
    public var mtu = 23
    /// How many PDUs there were of each opcode, indexed by the opcode.
    public var opcodeCounts = [Int](repeating: 0, count: 256)
    /// The octets of all PDUs.
    public var octetCount = 0
    /// Error Responses by the request's opcode, the handle and the code.
    public var errors: [ErrorKey: Int] = [:]
    /// How long answers took, by the request's opcode.
    public var latencies: [Opcode: LatencyHistogram] = [:]
    /// Notifications and indications by handle.
    public var values: [AttributeHandle: ValueFlow] = [:]
    /// The peer's attributes, as far as discovery was captured.
    public var attributes = AttributeTable()
    /// The capturing host's own attributes, as far as the peer's discovery was captured.
    public var localAttributes = AttributeTable()
    /// PDUs that could not be parsed, and answers to nothing.
    public var malformedCount = 0
    public var unaskedCount = 0

    /// How many PDUs there were.
    public var pduCount: Int { opcodeCounts.reduce(0, +) }

    /// An Error Response of one kind.
    public struct ErrorKey: Hashable, Sendable {
        public var request: Opcode
        public var handle: AttributeHandle
        public var code: ErrorCode

        public init(request: Opcode, handle: AttributeHandle, code: ErrorCode) {
            self.request = request
            self.handle = handle
            self.code = code
        }
    }

    /// The values a server sent of one attribute.
    public struct ValueFlow: Hashable, Sendable {
        public var count = 0
        public var octetCount = 0
        public var first: CaptureTime?
        public var last: CaptureTime?

        /// Values a second between the first and the last; `nil` for fewer than two, or without times.
        public var rate: Double? {
            guard count > 1, let first, let last, last > first else { return nil }
            return Double(count - 1) / (Double(last.nanoseconds - first.nanoseconds) / 1e9)
        }
    }
}

/// The whole capture.
public struct CaptureSummary: ~Copyable, Sendable {
    /// The most connections kept apart; of a capture with more, the first ones are.
    public static let mostConnections = 2_048

    /// How many records the file holds.
    public private(set) var recordCount = 0
    /// The times of the first and the last record.
    public private(set) var first: CaptureTime?
    public private(set) var last: CaptureTime?
    /// The connections, in the order of their numbers. What is told of their attributes is as of now.
    public var connections: [ConnectionSummary] { counts.summaries }
    /// Connections beyond `mostConnections`, of which nothing is told.
    public var uncountedConnections: Int { counts.uncounted }
    /// What was left out.
    public var omissions: CaptureOmissions { decoder.omissions }
    /// The advertisers, those with the most reports first. Their times are nanoseconds since 1970.
    public var devices: [DeviceTable.Entry] { counts.devices.all }

    /// Whether PDUs are counted; those that are not still tell of attributes. For a part of a capture.
    public var isCounting: Bool {
        get { counts.isCounting }
        set { counts.isCounting = newValue }
    }

    private var decoder = CaptureDecoder()
    private var counts = Counts()

    public init() {}

    /// Takes the next record.
    public mutating func add(_ record: borrowing CaptureRecord) {
        if isCounting { recordCount &+= 1 }
        if isCounting, let time = record.time {
            if first == nil { first = time }
            last = time
        }
        guard record.kind == .acl || record.kind == .event else { return }
        Self.pass(record, through: &decoder, to: &counts)
    }

    private static func pass(
        _ record: borrowing CaptureRecord, through decoder: inout CaptureDecoder, to counts: inout Counts
    ) {
        decoder.receive(record) { counts.receive($0) }
    }
}

/// What a pass over a capture gathers.
private struct Counts: ~Copyable, Sendable {
    var devices = SightedDevices()
    var uncounted = 0
    var isCounting = true
    private var known = KnownAttributes()
    /// The last connection to each peer, by its index.
    private var latest: [DeviceAddress: Int] = [:]
    /// By the number of the connection, from 1.
    private var states: [State] = []

    private struct State {
        var summary: ConnectionSummary
        var tracker: ConversationTracker
    }

    var summaries: [ConnectionSummary] {
        states.map { state in
            var summary = state.summary
            summary.attributes = state.tracker.peerAttributes
            summary.localAttributes = state.tracker.localAttributes
            return summary
        }
    }

    mutating func receive(_ event: borrowing CaptureDecoder.Event) {
        switch event {
        case .pdu(let pdu):
            guard let index = index(of: pdu.connection) else { return }
            if isCounting {
                Self.count(pdu, &states[index])
            } else {
                _ = states[index].tracker.observe(pdu.octets, pdu.direction, at: pdu.time)
            }
        case .connected(let connection):
            guard let index = index(of: connection) else {
                uncounted &+= 1
                return
            }
            keepLatest(of: connection, index)
            states[index].summary.connection = connection
            states[index].tracker = known.tracker(for: connection)
        case .disconnected(let connection, let reason, let time):
            guard let index = index(of: connection) else { return }
            states[index].summary.end = time
            states[index].summary.reason = reason
            known.keep(states[index].tracker, of: connection)
        case .advertising(let reports, let time):
            if isCounting { devices.receive(reports, at: time) }
        }
    }

    /// What an earlier connection to the same peer told is kept, also when its end was not captured.
    private mutating func keepLatest(of connection: CaptureDecoder.Connection, _ index: Int) {
        guard let peer = connection.peer else { return }
        if let before = latest.updateValue(index, forKey: peer), before != index {
            known.keep(states[before].tracker, of: states[before].summary.connection)
        }
    }

    private mutating func index(of connection: CaptureDecoder.Connection) -> Int? {
        let index = connection.number - 1
        guard index < CaptureSummary.mostConnections else { return nil }
        while states.count <= index {
            states.append(
                State(
                    summary: ConnectionSummary(connection: connection), tracker: known.tracker(for: connection)))
        }
        return index
    }

    private static func count(_ pdu: borrowing CaptureDecoder.PDU, _ state: inout State) {
        var reader = OctetReader(pdu.octets)
        guard let octet = try? reader.uint8() else {
            state.summary.malformedCount &+= 1
            return
        }
        let opcode = Opcode(rawValue: octet)
        state.summary.opcodeCounts[Int(octet)] &+= 1
        state.summary.octetCount &+= pdu.octets.byteCount
        state.summary.lastTime = pdu.time
        switch opcode {
        case .handleValueNotification, .handleValueIndication:
            guard let handle = try? reader.uint16() else {
                state.summary.malformedCount &+= 1
                return
            }
            countValue(AttributeHandle(rawValue: handle), octets: reader.remaining, pdu.time, &state)
            if opcode == .handleValueNotification { return }
        case .multipleHandleValueNotification:
            guard let notification = try? MultipleHandleValueNotification(parsing: pdu.octets) else {
                state.summary.malformedCount &+= 1
                return
            }
            var tuples = notification.tuples.makeIterator()
            while let tuple = tuples.next() {
                countValue(tuple.handle, octets: tuple.value.byteCount, pdu.time, &state)
            }
            if tuples.malformation != nil { state.summary.malformedCount &+= 1 }
            return
        default: break
        }
        let insight = state.tracker.observe(pdu.octets, pdu.direction, at: pdu.time)
        if insight.isUnasked { state.summary.unaskedCount &+= 1 }
        if let answered = insight.answers {
            if let latency = insight.latency {
                let (seconds, attoseconds) = latency.components
                state.summary.latencies[answered.opcode, default: LatencyHistogram()]
                    .add(seconds &* 1_000_000_000 &+ attoseconds / 1_000_000_000)
            }
            state.summary.mtu = state.tracker.mtu
        }
        if opcode == .errorResponse {
            guard let error = try? ErrorResponse(parsing: pdu.octets) else {
                state.summary.malformedCount &+= 1
                return
            }
            let key = ConnectionSummary.ErrorKey(request: error.requestOpcode, handle: error.handle, code: error.code)
            // A peer that errs on every handle cannot make the table endless.
            if state.summary.errors.count < 4_096 || state.summary.errors[key] != nil {
                state.summary.errors[key, default: 0] &+= 1
            }
        }
    }

    private static func countValue(
        _ handle: AttributeHandle, octets: Int, _ time: CaptureTime?, _ state: inout State
    ) {
        func count(_ flow: inout ConnectionSummary.ValueFlow) {
            flow.count &+= 1
            flow.octetCount &+= octets
            flow.last = time
        }
        count(&state.summary.values[handle, default: ConnectionSummary.ValueFlow(first: time)])
    }
}
