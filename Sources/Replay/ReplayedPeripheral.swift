public import Captures
public import Sockets

/// A peripheral that answers as the one in a transcript did: a bearer for a central under test.
///
/// Each connection begins the transcript anew. What is different is told by `difference` of the peripheral, the first of
/// all connections, and by `verify()`.
public final class ReplayedPeripheral: Sendable {
    /// What it plays.
    public let transcript: Transcript
    /// How closely the client has to keep to it.
    public let order: ReplayOrder

    private let timing: ReplayTiming
    private let loop: EventLoop
    private let sessions = Locked<[ReplaySession]>([])

    /// A peripheral out of a transcript.
    /// - Parameters:
    ///   - transcript: whose `<` it sends; `Transcript(capture:)` makes one of a capture.
    ///   - order: how closely the client has to keep to its `>`.
    ///   - timing: whether answers take as long as in the transcript.
    ///   - loop: on which its sockets run.
    public init(
        _ transcript: Transcript, order: ReplayOrder = .exact, timing: ReplayTiming = .immediate,
        on loop: EventLoop = .shared
    ) {
        self.transcript = transcript
        self.order = order
        self.timing = timing
        self.loop = loop
    }

    /// A new connection to it: the end for the central, of which each datagram is one PDU.
    /// - Throws: the error number when there are no descriptors left.
    public func connect(datagramCapacity: Int = 2048) throws(Errno) -> SeqPacketSocket {
        let (near, far) = try SeqPacketSocket.pair(on: loop, datagramCapacity: datagramCapacity)
        try serve(far)
        return near
    }

    /// Serves a client at the other end of a socket, one that a listener accepted for example.
    /// - Parameter observer: sees every PDU, on the loop's thread.
    /// - Throws: the error number when the socket cannot be watched.
    @discardableResult
    public func serve(
        _ socket: SeqPacketSocket, observer: (@Sendable (Transcript.Direction, RawSpan) -> Void)? = nil
    ) throws(Errno) -> ReplaySession {
        let session = try ReplaySession(
            transcript, as: .server, order: order, timing: timing, on: socket, observer: observer)
        sessions.withLock { $0.append(session) }
        return session
    }

    /// The first difference of any connection.
    public var difference: ReplayDifference? { sessions.withLock { $0.lazy.compactMap(\.difference).first } }

    /// PDUs of the transcript that did not occur on the last connection; all of them before the first.
    public var remaining: [Transcript.PDU] { sessions.withLock { $0.last?.remaining } ?? transcript.pdus }

    /// Checks that nothing was different; in the exact order also that the whole transcript was played.
    /// - Throws: the first difference.
    public func verify() throws(ReplayDifference) {
        if let difference { throw difference }
        guard order == .exact else { return }
        let last = sessions.withLock { $0.last }
        var player = ReplayPlayer(transcript, as: .server)
        guard let last else {
            player.peerClosed()
            if let difference = player.difference { throw difference }
            return
        }
        if let difference = last.differenceIfClosed { throw difference }
    }
}
