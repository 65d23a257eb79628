public import Captures
public import Sockets
import Wire

/// When what a transcript sends is sent.
public enum ReplayTiming: Hashable, Sendable {
    /// As soon as it may be.
    case immediate
    /// As long after the PDU before it as in the transcript, where that has times.
    case recorded
}

/// One side of a transcript on one socket, until the transcript is done, something is different, or the socket closes.
public final class ReplaySession: Sendable {
    private let socket: SeqPacketSocket
    private let timing: ReplayTiming
    private let observer: (@Sendable (Transcript.Direction, RawSpan) -> Void)?
    private let state: Locked<State>

    private struct State {
        var player: ReplayPlayer
        /// What the socket did not take yet.
        var waiting: [[UInt8]] = []
        /// What has to wait for its time.
        var delayed: ReplayAction?
        var timer: LoopTimer?
        var hasEnded = false
        var waiters: [CheckedContinuation<Void, Never>] = []
        var closeWaiters: [CheckedContinuation<Void, Never>] = []

        var isOver: Bool {
            if hasEnded || player.difference != nil { return true }
            // A tolerant server is there for whatever comes until its client goes.
            return player.isComplete && waiting.isEmpty && delayed == nil && !player.isServerForEver
        }
    }

    /// Begins to play on a connected socket of which each datagram is one PDU.
    /// - Parameter observer: sees every PDU, on the loop's thread.
    /// - Throws: the error number when the socket cannot be watched.
    public init(
        _ transcript: Transcript, as side: ReplaySide, order: ReplayOrder = .exact,
        timing: ReplayTiming = .immediate, on socket: SeqPacketSocket,
        observer: (@Sendable (Transcript.Direction, RawSpan) -> Void)? = nil
    ) throws(Errno) {
        self.socket = socket
        self.timing = timing
        self.observer = observer
        state = Locked(State(player: ReplayPlayer(transcript, as: side, order: order)))
        let timer = LoopTimer(on: socket.loop) { [weak self] in self?.timeHasCome() }
        state.withLock { $0.timer = timer }
        // The socket's handlers hold the session: it goes on until its socket is closed.
        try socket.start(
            SeqPacketHandlers(
                received: { batch in self.receive(batch) }, writable: { self.flush() },
                closed: { self.socketClosed($0) }))
        socket.loop.execute { self.act() }
    }

    /// Which side is played.
    public var side: ReplaySide { state.withLock { $0.player.script.side } }

    /// The first difference.
    public var difference: ReplayDifference? { state.withLock { $0.player.difference } }

    /// The difference that there would be if the other side closed now.
    var differenceIfClosed: ReplayDifference? {
        var player = state.withLock { $0.player }
        player.peerClosed()
        return player.difference
    }

    /// Whether everything that has to happen has happened.
    public var isComplete: Bool { state.withLock { $0.player.isComplete && $0.waiting.isEmpty && $0.delayed == nil } }

    /// PDUs of the transcript that did not occur.
    public var remaining: [Transcript.PDU] { state.withLock { $0.player.remaining } }

    /// Waits until the other side has closed, something is different, or the whole transcript was played.
    public func finished() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard !state.isOver else { return true }
                state.waiters.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// Waits until the connection has ended.
    public func closed() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.closeWaiters.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    /// Ends the connection.
    public func close() { socket.close() }

    private func receive(_ batch: DatagramBatch) {
        for index in 0..<batch.count {
            let octets = batch.octets(at: index)
            observer?(state.withLock { $0.player.script.side == .server ? .fromClient : .fromServer }, octets)
            receive(octets)
            act()
        }
    }

    private func receive(_ octets: RawSpan) {
        let pdu = [UInt8](octets: octets)
        state.withLock { $0.player.receive(pdu.octets) }
    }

    /// Does what the player wants, as far as it may now.
    private func act() {
        while true {
            let next: ReplayAction? = state.withLock { state in
                guard !state.hasEnded, state.delayed == nil, let action = state.player.nextAction() else { return nil }
                if timing == .recorded, case .send(_, let microseconds) = action, microseconds > 0 {
                    state.delayed = action
                    state.timer?.arm(at: socket.loop.now() &+ UInt64(microseconds) &* 1_000)
                    return nil
                }
                return action
            }
            guard let next else { break }
            perform(next)
        }
        tellWhenOver()
    }

    private func timeHasCome() {
        let action = state.withLock { state in
            defer { state.delayed = nil }
            return state.delayed
        }
        if let action { perform(action) }
        act()
    }

    private func perform(_ action: ReplayAction) {
        switch action {
        case .send(let pdu, _):
            observer?(state.withLock { $0.player.script.side == .server ? .fromServer : .fromClient }, pdu.octets)
            state.withLock { $0.waiting.append(pdu) }
            flush()
        case .close: socket.close()
        }
    }

    private func flush() {
        state.withLock { state in
            while let pdu = state.waiting.first {
                // The socket reports its end itself.
                guard let result = try? socket.send(pdu.octets) else {
                    state.waiting = []
                    return
                }
                guard result == .sent else { return }
                state.waiting.removeFirst()
            }
        }
    }

    private func socketClosed(_ reason: SocketCloseReason) {
        let waiters = state.withLock { state in
            if reason != .closedHere { state.player.peerClosed() }
            state.hasEnded = true
            state.timer?.invalidate()
            state.timer = nil
            defer { state.closeWaiters = [] }
            return state.closeWaiters
        }
        tellWhenOver()
        for waiter in waiters { waiter.resume() }
    }

    private func tellWhenOver() {
        let (waiters, isDifferent) = state.withLock { state in
            guard state.isOver else { return ([CheckedContinuation<Void, Never>](), false) }
            defer { state.waiters = [] }
            return (state.waiters, state.player.difference != nil && !state.hasEnded)
        }
        // Nothing that comes after a difference would mean anything.
        if isDifferent { socket.close() }
        for waiter in waiters { waiter.resume() }
    }
}
