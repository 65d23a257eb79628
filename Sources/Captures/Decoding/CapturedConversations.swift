// From the packets of a capture to conversations: every ATT PDU with what it answers, how long that took, and what the
// attribute it speaks of is.
//
// A phone discovers a device once and remembers it, so a later connection to the same device often begins with handles
// that nothing in it explains. What one connection told of a peer's attributes is therefore kept for the next.

import ATT
import GAP
public import HCI

/// What is known of servers beyond one connection.
struct KnownAttributes: Sendable {
    /// The most peers that are remembered; a capture made to exhaust memory makes it forget them all.
    static let mostPeers = 1_024

    private var peers: [DeviceAddress: AttributeTable] = [:]
    /// The capturing host's own attributes, by adapter.
    private var local: [Int: AttributeTable] = [:]

    /// A tracker for a connection that begins, or of which one learns who the peer is.
    func tracker(for connection: CaptureDecoder.Connection) -> ConversationTracker {
        ConversationTracker(
            peer: connection.peer.flatMap { peers[$0] } ?? AttributeTable(),
            local: local[connection.adapter] ?? AttributeTable())
    }

    /// Keeps what a conversation told.
    mutating func keep(_ tracker: borrowing ConversationTracker, of connection: CaptureDecoder.Connection) {
        if let peer = connection.peer, tracker.peerAttributes.count > 0 {
            if peers.count >= Self.mostPeers, peers[peer] == nil { peers.removeAll() }
            peers[peer] = tracker.peerAttributes
        }
        if tracker.localAttributes.count > 0, local.count < Self.mostPeers {
            local[connection.adapter] = tracker.localAttributes
        }
    }
}

/// Takes the packets of one capture, in order, and gives conversations out.
public struct CapturedConversations: ~Copyable, Sendable {
    /// One ATT PDU within its conversation, borrowed.
    public struct PDU: ~Escapable {
        /// When its last fragment was seen.
        public let time: CaptureTime?
        /// Which way it went.
        public let direction: CaptureDirection
        /// Its connection.
        public let connection: CaptureDecoder.Connection
        /// The PDU, its opcode first.
        public let octets: RawSpan
        /// What it answers, and what it is about.
        public let insight: ConversationTracker.Insight
        /// The attributes that its handles belong to.
        public let attributes: AttributeTable
        /// `ATT_MTU` after this PDU.
        public let mtu: Int

        /// A PDU of its parts; one that is decoded by itself has no connection to speak of.
        @_lifetime(copy octets)
        public init(
            time: CaptureTime?, direction: CaptureDirection, connection: CaptureDecoder.Connection, octets: RawSpan,
            insight: ConversationTracker.Insight, attributes: AttributeTable, mtu: Int
        ) {
            self.time = time
            self.direction = direction
            self.connection = connection
            self.octets = octets
            self.insight = insight
            self.attributes = attributes
            self.mtu = mtu
        }
    }

    /// What a packet turned out to be.
    public enum Event: ~Escapable {
        /// A connection was made, or one that was known by its data already got its peer.
        case connected(CaptureDecoder.Connection, at: CaptureTime?)
        /// A connection ended, for that reason.
        case disconnected(CaptureDecoder.Connection, StatusCode, at: CaptureTime?)
        /// A PDU of the Attribute Protocol.
        case pdu(PDU)
    }

    private var decoder = CaptureDecoder()
    private var conversations = Conversations()

    public init() {}

    /// What was left out so far.
    public var omissions: CaptureOmissions { decoder.omissions }

    /// How many connections were seen.
    public var connectionCount: Int { decoder.connectionCount }

    /// Takes the next packet.
    /// - Parameter body: called for each event of it, at most once a packet.
    public mutating func receive(_ record: borrowing CaptureRecord, _ body: (borrowing Event) -> Void) {
        guard record.kind == .acl || record.kind == .event else { return }
        Self.pass(record, through: &decoder, to: &conversations, body)
        // The decoder lets connections go without an event when there are too many.
        if conversations.count > 2 * CaptureDecoder.mostOpenConnections {
            conversations.keepOnly(decoder.openConnections)
        }
    }

    private static func pass(
        _ record: borrowing CaptureRecord, through decoder: inout CaptureDecoder,
        to conversations: inout Conversations, _ body: (borrowing Event) -> Void
    ) {
        let time = record.time
        decoder.receive(record) { conversations.receive($0, at: time, body) }
    }
}

/// The conversations that go on.
private struct Conversations: Sendable {
    private var trackers: [Int: ConversationTracker] = [:]
    private var known = KnownAttributes()
    /// The last connection to each peer.
    private var latest: [DeviceAddress: CaptureDecoder.Connection] = [:]

    var count: Int { trackers.count }

    mutating func keepOnly(_ connections: [CaptureDecoder.Connection]) {
        let numbers = Set(connections.map(\.number))
        trackers = trackers.filter { numbers.contains($0.key) }
        latest = latest.filter { numbers.contains($0.value.number) }
    }

    mutating func receive(
        _ event: borrowing CaptureDecoder.Event, at time: CaptureTime?,
        _ body: (borrowing CapturedConversations.Event) -> Void
    ) {
        switch event {
        case .connected(let connection):
            // What an earlier connection to the same peer told is kept, also when its end was not captured.
            if let peer = connection.peer, let before = latest.updateValue(connection, forKey: peer),
                let tracker = trackers[before.number], before.number != connection.number
            {
                known.keep(tracker, of: before)
            }
            // The tracker of data that came before this event has seen hardly anything: it is replaced.
            trackers[connection.number] = known.tracker(for: connection)
            body(.connected(connection, at: time))
        case .disconnected(let connection, let reason, let time):
            if let tracker = trackers.removeValue(forKey: connection.number) { known.keep(tracker, of: connection) }
            body(.disconnected(connection, reason, at: time))
        case .pdu(let pdu):
            var tracker = trackers.removeValue(forKey: pdu.connection.number) ?? known.tracker(for: pdu.connection)
            let insight = tracker.observe(pdu.octets, pdu.direction, at: pdu.time)
            var reader = OctetReader(pdu.octets)
            let opcode = Opcode(rawValue: (try? reader.uint8()) ?? 0)
            body(
                .pdu(
                    CapturedConversations.PDU(
                        time: pdu.time, direction: pdu.direction, connection: pdu.connection, octets: pdu.octets,
                        insight: insight, attributes: tracker.attributes(for: opcode, pdu.direction),
                        mtu: tracker.mtu)))
            trackers[pdu.connection.number] = tracker
        case .advertising: break
        }
    }
}
