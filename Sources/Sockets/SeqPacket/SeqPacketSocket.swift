/// Why a socket carries nothing more.
public enum SocketCloseReason: Hashable, Sendable {
    /// This side called `close`.
    case closedHere
    /// The peer closed in an orderly way: the end of the connection was received.
    case closedByPeer
    /// The kernel reported an error, for example `connectionReset` or `timedOut`.
    case failed(Errno)
}

/// What became of a datagram that was to be sent.
@frozen
public enum SendResult: Sendable {
    /// The kernel has it.
    case sent
    /// There is no room now. Nothing of it was sent; `writable` of the handlers is called when there is room again.
    case wouldBlock
}

/// What the owner of a socket does with its events; each closure runs on the loop's thread.
public struct SeqPacketHandlers: Sendable {
    /// Datagrams, in order. The batch and its octets are valid until the closure returns.
    public var received: @Sendable (DatagramBatch) -> Void
    /// There is room again after a `send` that returned `wouldBlock`.
    public var writable: @Sendable () -> Void
    /// The socket carries nothing more; the last call of all. Its descriptor is closed already.
    public var closed: @Sendable (SocketCloseReason) -> Void

    /// Handlers; what is left out does nothing.
    public init(
        received: @escaping @Sendable (DatagramBatch) -> Void,
        writable: @escaping @Sendable () -> Void = {},
        closed: @escaping @Sendable (SocketCloseReason) -> Void = { _ in }
    ) {
        self.received = received
        self.writable = writable
        self.closed = closed
    }
}

/// A connected socket of type `SOCK_SEQPACKET` that owns its descriptor: an L2CAP channel or a Unix socket.
///
/// Nothing is read before `start`; the kernel keeps what arrives until then. Datagrams that arrived before the end of
/// the connection are delivered before the end is reported. Letting go of the last reference closes the descriptor
/// without a report.
public final class SeqPacketSocket: Sendable {
    /// The loop on whose thread the handlers run.
    public let loop: EventLoop

    let system: any SystemCalls
    private let datagramCapacity: Int
    private let state: Locked<State>

    private struct State {
        /// −1 once closed.
        var descriptor: Int32
        var source: DescriptorSource?
        var handlers: SeqPacketHandlers?
        /// An error that `recv` reported while datagrams may still be queued behind it.
        var receiveError: Errno?
        var interest: Readiness = [.readable, .peerHangUp]
    }

    /// How many full batches are received before other descriptors of the loop get their turn.
    private static let batchesPerTurn = 8

    /// Takes over a connected descriptor, which must be non-blocking; nobody else may close it from then on.
    /// - Parameters:
    ///   - datagramCapacity: the longest datagram that is received whole, in octets; a longer one is cut off and marked.
    ///   - system: the system calls, the loop's own unless a test gives others.
    public init(
        adopting descriptor: Int32, on loop: EventLoop = .shared, datagramCapacity: Int = 2048,
        system: (any SystemCalls)? = nil
    ) {
        self.loop = loop
        self.system = system ?? loop.system
        self.datagramCapacity = datagramCapacity
        state = Locked(State(descriptor: descriptor))
    }

    deinit { _ = release() }

    /// The descriptor for socket options, as long as the socket is open; `nil` afterwards. Do not close it.
    public var descriptor: Int32? {
        state.withLock { $0.descriptor >= 0 ? $0.descriptor : nil }
    }

    /// Whether `close` was called or the end was reported.
    public var isClosed: Bool { descriptor == nil }

    /// Begins to receive. Call it once.
    /// - Throws: the error number of `epoll_ctl`; `badFileDescriptor` when the socket is closed.
    public func start(_ handlers: SeqPacketHandlers) throws(Errno) {
        let descriptor: Int32 = try state.withLock { state throws(Errno) in
            guard state.descriptor >= 0 else { throw .badFileDescriptor }
            state.handlers = handlers
            return state.descriptor
        }
        let source = try DescriptorSource(descriptor, on: loop, interest: [.readable, .peerHangUp]) { [weak self] in
            self?.handle($0)
        }
        let isOpen = state.withLock { state in
            guard state.descriptor >= 0 else { return false }
            state.source = source
            // A send before this may wait for room already.
            try? source.setInterest(state.interest)
            return true
        }
        if !isOpen { source.cancel() }
    }

    /// Sends one datagram, from any thread, without waiting and without SIGPIPE.
    /// - Throws: `badFileDescriptor` once closed; `messageTooLong`, `brokenPipe`, `connectionReset` and others as the
    ///   kernel says. An error that ends the connection is reported to `closed` as well, after what was received
    ///   before.
    public func send(_ octets: RawSpan) throws(Errno) -> SendResult {
        // Copying the borrowed span's address into the closure is not possible, so lock and unlock around the call: the
        // descriptor cannot be closed, and its number used again, in between.
        try withDescriptor { descriptor throws(Errno) in
            while true {
                do throws(Errno) {
                    _ = try system.send(
                        descriptor, octets, flags: LinuxNumbers.noSignal | LinuxNumbers.doNotWait)
                    return .sent
                } catch .interrupted {
                    continue
                } catch .wouldBlock {
                    return .wouldBlock
                }
            }
        }
    }

    private func withDescriptor(
        _ body: (Int32) throws(Errno) -> SendResult
    ) throws(Errno) -> SendResult {
        try state.withLock { state throws(Errno) in
            guard state.descriptor >= 0 else { throw .badFileDescriptor }
            let result = try body(state.descriptor)
            if result == .wouldBlock, !state.interest.contains(.writable) {
                state.interest.insert(.writable)
                try state.source?.setInterest(state.interest)
            }
            return result
        }
    }

    /// Has `writable` of the handlers called when the socket can be written to, at once if it can; for a socket
    /// that the kernel closes to writing for a while, as L2CAP's while the link is being secured.
    public func waitUntilWritable() {
        state.withLock { state in
            state.interest.insert(.writable)
            // The descriptor is registered, so changing its events cannot fail.
            try? state.source?.setInterest(state.interest)
        }
    }

    /// Closes the descriptor, from any thread, and reports `closedHere` on the loop unless an end was reported before.
    /// Nothing is received from then on. Idempotent.
    public func close() { finish(.closedHere) }

    private func finish(_ reason: SocketCloseReason) {
        guard let handlers = release() else { return }
        if loop.isCurrent, reason != .closedHere {
            handlers.closed(reason)
        } else {
            loop.execute { handlers.closed(reason) }
        }
    }

    /// Ends the watching and closes the descriptor; the handlers when they are still to be told.
    private func release() -> SeqPacketHandlers? {
        state.withLock { state in
            guard state.descriptor >= 0 else { return nil }
            state.source?.cancel()
            state.source = nil
            // Linux has closed the descriptor even when it reports an error.
            try? system.close(state.descriptor)
            state.descriptor = -1
            defer { state.handlers = nil }
            return state.handlers
        }
    }
}

// MARK: - Events

extension SeqPacketSocket {
    private func handle(_ readiness: Readiness) {
        if readiness.contains(.writable) {
            let handlers = state.withLock { state in
                state.interest.remove(.writable)
                // The descriptor is registered, so changing its events cannot fail.
                try? state.source?.setInterest(state.interest)
                return state.handlers
            }
            handlers?.writable()
        }
        guard !readiness.isDisjoint(with: [.readable, .error, .hangUp, .peerHangUp]) else { return }
        receive(readiness)
    }

    private func receive(_ readiness: Readiness) {
        let batch = loop.batch(datagramCapacity: datagramCapacity)
        for _ in 0..<Self.batchesPerTurn {
            switch receiveBatch(into: batch, readiness) {
            case .drained: return
            case .more: continue
            case .ended(let reason):
                finish(reason)
                return
            }
        }
    }

    private enum Received {
        /// The kernel has nothing more for now.
        case drained
        /// The batch was full.
        case more
        case ended(SocketCloseReason)
    }

    private func receiveBatch(into batch: DatagramBatch, _ readiness: Readiness) -> Received {
        // The loop's thread holds the socket, so `deinit` cannot close the descriptor; `close` of another thread takes
        // the lock first.
        let outcome: (handlers: SeqPacketHandlers, result: Received)? = state.withLock { state in
            guard state.descriptor >= 0, let handlers = state.handlers else { return nil }
            return (handlers, receive(into: batch, &state, readiness))
        }
        guard let outcome else { return .drained }
        if batch.count > 0 { outcome.handlers.received(batch) }
        return outcome.result
    }

    /// One `recvmmsg`. A pending error is reported by the kernel before datagrams that are queued, and only once: it is
    /// kept, and reading goes on until nothing is left.
    private func receive(into batch: DatagramBatch, _ state: inout State, _ readiness: Readiness) -> Received {
        batch.reset()
        do throws(Errno) {
            let count = try system.receiveMany(state.descriptor, into: batch, flags: LinuxNumbers.doNotWait)
            if hasEnd(batch, state.descriptor, readiness) {
                return .ended(state.receiveError.map { .failed($0) } ?? .closedByPeer)
            }
            if count == batch.capacity || state.receiveError != nil { return .more }
            return .drained
        } catch .interrupted {
            return .more
        } catch .wouldBlock {
            if let error = state.receiveError { return .ended(.failed(error)) }
            guard readiness.contains(.error) || readiness.contains(.hangUp) else { return .drained }
            return .ended(pendingReason(state.descriptor))
        } catch {
            if state.receiveError != nil { return .ended(.failed(state.receiveError ?? error)) }
            state.receiveError = error
            return .more
        }
    }

    /// Whether the batch ends with the end of the connection, which is taken off it.
    ///
    /// `recvmmsg` shows the end as empty datagrams, up to the whole rest of the batch. A peer may send empty datagrams
    /// too; they are the end only when the kernel says that the peer is gone.
    private func hasEnd(_ batch: DatagramBatch, _ descriptor: Int32, _ readiness: Readiness) -> Bool {
        var empty = 0
        while empty < batch.count, batch.octets(at: batch.count - 1 - empty).isEmpty { empty += 1 }
        guard empty > 0 else { return false }
        if !readiness.contains(.peerHangUp) && !readiness.contains(.hangUp) {
            // The peer may have gone between epoll and recvmmsg.
            let events = try? system.pollNow(descriptor, events: LinuxNumbers.pollGone)
            guard let events, events & LinuxNumbers.pollGone != 0 else { return false }
        }
        batch.dropLast(empty)
        return true
    }

    private func pendingReason(_ descriptor: Int32) -> SocketCloseReason {
        do throws(Errno) {
            return try system.pendingError(descriptor).map { .failed($0) } ?? .closedByPeer
        } catch {
            return .failed(error)
        }
    }
}
