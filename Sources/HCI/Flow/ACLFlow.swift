/// Data flow control (Core Specification, Vol 4, Part E, 4.1.1): cuts L2CAP frames into ACL packets and sends no more of
/// them than the controller has buffers.
///
/// No I/O: frames and events go in, packets to send come out. The buffers are shared by all connections, which take
/// turns. Number Of Completed Packets gives buffers back, and so does the end of a connection.
public struct ACLFlow: ~Copyable, Sendable {
    /// Why a frame was not taken.
    public enum RefusedError: Error, Hashable, Sendable {
        /// There is no such connection.
        case notConnected(ConnectionHandle)
        /// So much is waiting on this connection that the frame would pass the limit: wait until some was sent.
        case queueFull(ConnectionHandle)
    }

    fileprivate struct Connection {
        let handle: ConnectionHandle
        /// Packets the controller holds.
        var outstanding = 0
        /// Frames that wait; the first one from `offset` on.
        var frames: [[UInt8]] = []
        var offset = 0
        var waitingOctets = 0
    }

    /// The most octets in the data of one packet.
    public let dataLength: Int
    /// How many packets the controller holds.
    public let packetCount: Int
    /// How many octets may wait on one connection.
    public let maximumWaitingOctets: Int
    /// How many more packets the controller takes now; never above `packetCount`.
    public private(set) var freeCount: Int

    private var connections: [Connection] = []
    /// Whose turn it is.
    private var turn = 0

    /// A flow to a controller that holds `packetCount` packets of `dataLength` octets of data: what LE Read Buffer Size
    /// says, or Read Buffer Size where that says 0.
    public init(dataLength: Int, packetCount: Int, maximumWaitingOctets: Int = 131_072) {
        self.dataLength = min(max(dataLength, 1), Int(UInt16.max))
        self.packetCount = max(packetCount, 0)
        self.maximumWaitingOctets = max(maximumWaitingOctets, 0)
        freeCount = self.packetCount
    }

    /// The connections, in the order in which they were made.
    public var handles: [ConnectionHandle] { connections.map(\.handle) }

    /// Whether there is such a connection. ACL packets of others are not ours: some controllers send their debug log
    /// under a handle of their own.
    public func isConnected(_ handle: ConnectionHandle) -> Bool {
        connections.contains { $0.handle == handle }
    }

    /// How many packets of a connection the controller holds; 0 when there is no such connection.
    public func outstandingCount(_ handle: ConnectionHandle) -> Int {
        connections.first { $0.handle == handle }?.outstanding ?? 0
    }

    /// How many octets wait on a connection; 0 when there is no such connection.
    public func waitingOctetCount(_ handle: ConnectionHandle) -> Int {
        connections.first { $0.handle == handle }?.waitingOctets ?? 0
    }

    /// A connection was made. Does nothing when it is known.
    public mutating func connected(_ handle: ConnectionHandle) {
        if !isConnected(handle) { connections.append(Connection(handle: handle)) }
    }

    /// Takes a whole L2CAP frame, header included, to be sent on a connection.
    public mutating func enqueue(_ frame: [UInt8], on handle: ConnectionHandle) throws(RefusedError) {
        guard let index = connections.firstIndex(where: { $0.handle == handle }) else { throw .notConnected(handle) }
        guard connections[index].waitingOctets + frame.count <= maximumWaitingOctets else { throw .queueFull(handle) }
        guard !frame.isEmpty else { return }
        connections[index].frames.append(frame)
        connections[index].waitingOctets += frame.count
    }

    /// The next packet to send, type octet first; `nil` when nothing waits or the controller has no buffer. Send each.
    public mutating func nextPacket() -> [UInt8]? {
        guard freeCount > 0 else { return nil }
        for step in 0..<connections.count {
            let index = (turn &+ step) % connections.count
            if connections[index].frames.isEmpty { continue }
            turn = (index &+ 1) % connections.count
            freeCount &-= 1
            return connections[index].nextPacket(dataLength: dataLength)
        }
        return nil
    }

    /// Buffers became free. Entries of unknown connections and counts above what is outstanding give nothing.
    /// - Returns: how many did.
    @discardableResult
    public mutating func completed(_ packets: NumberOfCompletedPackets) -> Int {
        var packets = packets
        var total = 0
        while let entry = packets.next() {
            guard let index = connections.firstIndex(where: { $0.handle == entry.handle }) else { continue }
            let count = min(entry.count, connections[index].outstanding)
            connections[index].outstanding &-= count
            total &+= count
        }
        freeCount = min(freeCount &+ total, packetCount)
        return total
    }

    /// A connection ended, or did not. Its outstanding packets are flushed: their buffers are free again.
    /// - Returns: whether one of our connections ended. `false` when the status is no success, or the handle unknown.
    @discardableResult
    public mutating func disconnected(_ event: DisconnectionComplete) -> Bool {
        guard event.status.isSuccess, let index = connections.firstIndex(where: { $0.handle == event.handle }) else {
            return false
        }
        let ended = connections.remove(at: index)
        freeCount = min(freeCount &+ ended.outstanding, packetCount)
        if turn > index { turn &-= 1 }
        return true
    }

    /// All connections are gone and all buffers free, as after a Hardware Error or Reset.
    /// - Returns: the connections that were lost.
    public mutating func reset() -> [ConnectionHandle] {
        let lost = handles
        connections.removeAll()
        turn = 0
        freeCount = packetCount
        return lost
    }
}

extension ACLFlow.Connection {
    /// Cuts the next fragment off. Something must wait.
    fileprivate mutating func nextPacket(dataLength: Int) -> [UInt8] {
        let frame = frames[0]
        let count = min(dataLength, frame.count &- offset)
        let isLast = offset &+ count == frame.count
        // PB 00 from the host, not 10: some controllers swallow the latter.
        let boundary: ACLPacket.Boundary = offset == 0 ? .firstNonFlushable : .continuing
        let packet = [UInt8](capacity: 1 + ACLPacket.headerByteCount + count) { output in
            output.append(PacketType.acl.rawValue)
            output.append(littleEndian: handle.rawValue | UInt16(boundary.rawValue) << 12)
            output.append(littleEndian: UInt16(truncatingIfNeeded: count))
            output.append(octets: frame.octets.extracting(offset..<(offset &+ count)))
        }
        offset = isLast ? 0 : offset &+ count
        if isLast { frames.removeFirst() }
        waitingOctets &-= count
        outstanding &+= 1
        return packet
    }
}
