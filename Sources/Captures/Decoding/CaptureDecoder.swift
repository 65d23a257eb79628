// From the packets of a capture to the ATT PDUs of each connection.
//
// ACL packets of all connections are mixed in a capture, each connection's frames cut into fragments, in both
// directions at once. The decoder keeps one reassembler for each direction of each connection, names connections by the
// events that open and close them, and hands on what travels on the fixed channel of the Attribute Protocol (CID 4).
// A connection whose beginning was not captured decodes as well; only its peer's address stays unknown.

public import GAP
public import HCI
import L2CAP
import Wire

/// Why part of a capture was left out.
public struct CaptureOmissions: Hashable, Sendable {
    /// Frames whose end never came, longer than declared, or continued without a beginning.
    public var brokenFrames = 0
    /// ACL packets without L2CAP in them: a controller's debug log (Qualcomm's on handle 0x0EDC, for one).
    public var vendorPackets = 0
    /// HCI packets shorter than their own length.
    public var malformedPackets = 0
    /// Packets of which the file keeps only the beginning, as Android's filtered log does.
    public var cutPackets = 0
}

/// Takes the packets of one capture, in order, and gives connections and ATT PDUs out.
public struct CaptureDecoder: Sendable {
    /// One connection of the capture.
    public struct Connection: Hashable, Sendable {
        /// Its number in the capture, from 1, in the order of appearance.
        public var number: Int
        /// The adapter's index.
        public var adapter: Int
        /// Its handle.
        public var handle: ConnectionHandle
        /// The peer; `nil` when the beginning was not captured.
        public var peer: DeviceAddress?
        /// Whether the host of the capture is the central; `nil` when the beginning was not captured.
        public var isCentral: Bool?
        /// The first time it was seen.
        public var start: CaptureTime?

        public init(
            number: Int, adapter: Int, handle: ConnectionHandle, peer: DeviceAddress? = nil, isCentral: Bool? = nil,
            start: CaptureTime? = nil
        ) {
            self.number = number
            self.adapter = adapter
            self.handle = handle
            self.peer = peer
            self.isCentral = isCentral
            self.start = start
        }
    }

    /// One ATT PDU, borrowed.
    public struct PDU: ~Escapable {
        /// When its last fragment was seen.
        public let time: CaptureTime?
        /// Which way it went.
        public let direction: CaptureDirection
        /// Its connection.
        public let connection: Connection
        /// The PDU, its opcode first.
        public let octets: RawSpan

        @_lifetime(copy octets)
        init(time: CaptureTime?, direction: CaptureDirection, connection: Connection, octets: RawSpan) {
            self.time = time
            self.direction = direction
            self.connection = connection
            self.octets = octets
        }
    }

    /// What a packet turned out to be.
    public enum Event: ~Escapable {
        /// A connection was made, or one that was known by its data already got its peer.
        case connected(Connection)
        /// A connection ended, for that reason.
        case disconnected(Connection, StatusCode, at: CaptureTime?)
        /// A PDU of the Attribute Protocol.
        case pdu(PDU)
        /// What advertisers said.
        case advertising(AdvertisingReports, at: CaptureTime?)
    }

    /// The most connections that are kept open at once. A controller has far fewer; a capture made to exhaust memory
    /// loses those it used longest ago.
    public static let mostOpenConnections = 256

    /// What was left out so far.
    public private(set) var omissions = CaptureOmissions()

    /// How many connections were seen.
    public private(set) var connectionCount = 0

    private struct Key: Equatable {
        var adapter: Int
        var handle: ConnectionHandle
    }

    private struct Link {
        let key: Key
        var connection: Connection
        var sent = FrameReassembler()
        var received = FrameReassembler()
        /// The count of packets when it was used last.
        var lastUse: Int
        /// Which way the last frame began to go, for files that do not say.
        var lastDirection = CaptureDirection.received
    }

    /// Data may come before the event that tells of its connection: controllers use two queues. Within this time it is
    /// the same connection.
    private static let earlyData: Int64 = 1_000_000_000

    /// The open connections, in no order: a handful most of the time, of which the next packet is likely of the same.
    private var links: [Link] = []
    private var lastIndex = 0
    private var packetCount = 0

    public init() {}

    /// The connections that are open, in the order of their numbers.
    public var openConnections: [Connection] { links.map(\.connection).sorted { $0.number < $1.number } }

    /// Takes the next packet.
    /// - Parameter body: called for each event of it, at most once a packet.
    public mutating func receive(_ record: borrowing CaptureRecord, _ body: (borrowing Event) -> Void) {
        packetCount &+= 1
        if record.isCut, record.kind == .acl || record.kind == .event {
            omissions.cutPackets &+= 1
            if record.kind == .acl { forget(record) }
            return
        }
        switch record.kind {
        case .event: receiveEvent(record, body)
        case .acl: receiveACL(record, body)
        case .command, .synchronous, .iso, .other: break
        }
    }

    private mutating func receiveEvent(_ record: borrowing CaptureRecord, _ body: (borrowing Event) -> Void) {
        // Only two kinds of events matter here; the others are most of a capture and are not decoded.
        guard let packet = try? EventPacket(parsing: record.packet) else {
            omissions.malformedPackets &+= 1
            return
        }
        guard packet.code == .leMeta || packet.code == .disconnectionComplete else { return }
        guard let event = try? HCIEvent(packet) else {
            omissions.malformedPackets &+= 1
            return
        }
        switch event {
        case .le(.connectionComplete(let complete)) where complete.status == .success:
            let key = Key(adapter: record.adapter, handle: complete.handle)
            if let index = index(of: key), links[index].connection.peer == nil,
                Self.isEarly(links[index].connection.start, record.time)
            {
                links[index].connection.peer = complete.peerAddress
                links[index].connection.isCentral = complete.isCentral
                body(.connected(links[index].connection))
            } else {
                if let index = index(of: key) { close(index) }
                let index = open(key, peer: complete.peerAddress, isCentral: complete.isCentral, at: record.time)
                body(.connected(links[index].connection))
            }
        case .le(.advertisingReport(let reports)), .le(.extendedAdvertisingReport(let reports)),
            .le(.directedAdvertisingReport(let reports)):
            body(.advertising(reports, at: record.time))
        case .disconnectionComplete(let complete) where complete.status == .success:
            let key = Key(adapter: record.adapter, handle: complete.handle)
            guard let index = index(of: key) else { return }
            let link = close(index)
            if link.sent.isCollecting { omissions.brokenFrames &+= 1 }
            if link.received.isCollecting { omissions.brokenFrames &+= 1 }
            body(.disconnected(link.connection, complete.reason, at: record.time))
        default: break
        }
    }

    private static func isEarly(_ start: CaptureTime?, _ time: CaptureTime?) -> Bool {
        guard let start, let time else { return true }
        let (age, overflow) = time.nanoseconds.subtractingReportingOverflow(start.nanoseconds)
        return !overflow && age < earlyData
    }

    /// Part of a packet is missing, so what it belonged to is lost.
    private mutating func forget(_ record: borrowing CaptureRecord) {
        var reader = OctetReader(record.packet)
        guard let word = try? reader.uint16() else { return }
        let key = Key(adapter: record.adapter, handle: ConnectionHandle(rawValue: word))
        guard let index = index(of: key) else { return }
        if record.direction != .received { links[index].sent.reset() }
        if record.direction != .sent { links[index].received.reset() }
    }

    private mutating func receiveACL(_ record: borrowing CaptureRecord, _ body: (borrowing Event) -> Void) {
        guard let packet = try? ACLPacket(parsing: record.packet) else {
            omissions.malformedPackets &+= 1
            forget(record)
            return
        }
        let key = Key(adapter: record.adapter, handle: packet.handle)
        let index: Int
        if let known = self.index(of: key) {
            index = known
        } else {
            if Self.isVendorPacket(packet) {
                omissions.vendorPackets &+= 1
                return
            }
            index = open(key, peer: nil, isCentral: nil, at: record.time)
        }
        links[index].lastUse = packetCount
        let connection = links[index].connection
        let time = record.time
        let direction = Self.direction(record.direction, packet.boundary, &links[index])
        let position: FrameReassembler.Position = packet.boundary.isFirst ? .first : .continuing
        let deliver: (borrowing BasicFrame) -> Void = { frame in
            guard frame.channel == .attributeProtocol else { return }
            body(.pdu(PDU(time: time, direction: direction, connection: connection, octets: frame.payload)))
        }
        let discarded =
            direction == .sent
            ? links[index].sent.receive(packet.data, position, deliver: deliver)
            : links[index].received.receive(packet.data, position, deliver: deliver)
        if discarded.contains(.nullChannel) {
            omissions.vendorPackets &+= 1
        } else if !discarded.isEmpty {
            omissions.brokenFrames &+= 1
        }
    }

    /// Where the file does not say, the boundary flag does: on LE a host begins with 00, a controller with 10 (Vol 4,
    /// Part E, 5.4.2). What continues goes the way of the frame that is not whole yet.
    private static func direction(
        _ direction: CaptureDirection, _ boundary: ACLPacket.Boundary, _ link: inout Link
    ) -> CaptureDirection {
        guard direction == .unknown else { return direction }
        if boundary.isFirst {
            link.lastDirection = boundary == .firstNonFlushable ? .sent : .received
        } else if link.sent.isCollecting != link.received.isCollecting {
            return link.sent.isCollecting ? .sent : .received
        }
        return link.lastDirection
    }

    /// Whether a packet without a known connection is a controller's own: its L2CAP header would name the null
    /// channel, which is never on the air.
    private static func isVendorPacket(_ packet: borrowing ACLPacket) -> Bool {
        guard packet.boundary.isFirst else { return false }
        var reader = OctetReader(packet.data)
        guard (try? reader.uint16()) != nil, let channel = try? reader.uint16() else { return false }
        return channel == ChannelIdentifier.null.rawValue
    }

    private mutating func index(of key: Key) -> Int? {
        if lastIndex < links.count, links[lastIndex].key == key { return lastIndex }
        guard let index = links.firstIndex(where: { $0.key == key }) else { return nil }
        lastIndex = index
        return index
    }

    /// Opens a connection; its place, until the next is opened or closed.
    private mutating func open(_ key: Key, peer: DeviceAddress?, isCentral: Bool?, at time: CaptureTime?) -> Int {
        if links.count >= Self.mostOpenConnections,
            let oldest = links.indices.min(by: { links[$0].lastUse < links[$1].lastUse })
        {
            close(oldest)
        }
        connectionCount &+= 1
        let connection = Connection(
            number: connectionCount, adapter: key.adapter, handle: key.handle, peer: peer, isCentral: isCentral,
            start: time)
        links.append(Link(key: key, connection: connection, lastUse: packetCount))
        lastIndex = links.count - 1
        return lastIndex
    }

    @discardableResult
    private mutating func close(_ index: Int) -> Link {
        links.swapAt(index, links.count - 1)
        return links.removeLast()
    }
}
