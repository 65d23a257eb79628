internal import Sockets
internal import Wire

/// A datagram socket of the kernel's Bluetooth stack: the one place of this module where such sockets are read, whoever
/// listens, and where they are closed.
///
/// It owns the descriptor, and closes it with `close` or when nobody holds it any more.
final class PacketSocket: @unchecked Sendable {
    // Sendable: descriptor and source are behind the lock; everything else is used on the loop's thread only, once it is
    // read.

    /// What is done with what comes, on the loop's thread.
    struct Handlers: Sendable {
        /// Packets came, borrowed until the closure returns.
        var received: @Sendable (DatagramBatch) -> Void
        /// Everything that was there has been handed out.
        var isExhausted: @Sendable () -> Void = {}
        /// Reading failed, and the socket was closed.
        var failed: @Sendable (Errno) -> Void = { _ in }
    }

    private let system: any SystemCalls
    private let state: Locked<State>
    private let batch: DatagramBatch
    private var handlers: Handlers?
    private var isReading = false

    private struct State {
        /// −1 once closed.
        var descriptor: Int32
        var source: DescriptorSource?
    }

    /// A socket that is open and bound, and is not read yet.
    /// - Parameters:
    ///   - capacity: how many packets are read by one call.
    ///   - packetCapacity: how many octets of a packet are read; the rest of it is lost.
    init(adopting descriptor: Int32, capacity: Int, packetCapacity: Int, system: any SystemCalls) {
        self.system = system
        state = Locked(State(descriptor: descriptor))
        batch = DatagramBatch(capacity: capacity, datagramCapacity: packetCapacity)
    }

    deinit { close() }

    /// Begins to read.
    /// - Throws: What epoll says; the socket is closed then.
    func start(on loop: EventLoop, _ handlers: Handlers) throws(Errno) {
        self.handlers = handlers
        do throws(Errno) {
            let descriptor = state.withLock { $0.descriptor }
            let source = try DescriptorSource(descriptor, on: loop, interest: .readable) { [weak self] _ in
                self?.read()
            }
            state.withLock { $0.source = source }
        } catch {
            close()
            throw error
        }
    }

    /// Ends the reading and closes the socket, from any thread; a handler may be running then, but none is called again.
    /// Idempotent.
    func close() {
        state.withLock { state in
            state.source?.cancel()
            state.source = nil
            // Linux has closed the descriptor even when it reports an error.
            if state.descriptor >= 0 { try? system.close(state.descriptor) }
            state.descriptor = -1
        }
    }

    /// Sends one packet, at once.
    /// - Throws: What the kernel says; `badFileDescriptor` when the socket is closed.
    func send(_ packet: [UInt8]) throws(Errno) {
        while true {
            do throws(Errno) {
                let flags = LinuxNumbers.noSignal | LinuxNumbers.doNotWait
                try withDescriptor { descriptor throws(Errno) in
                    _ = try system.send(descriptor, packet.octets, flags: flags)
                }
                return
            } catch .interrupted {
                continue
            }
        }
    }

    /// Changes something of the socket.
    /// - Throws: what `body` throws; `badFileDescriptor` when the socket is closed.
    func withDescriptor(_ body: (Int32) throws(Errno) -> Void) throws(Errno) {
        try state.withLock { state throws(Errno) in
            guard state.descriptor >= 0 else { throw .badFileDescriptor }
            try body(state.descriptor)
        }
    }

    /// Hands out what the kernel has for this socket, on the loop's thread.
    /// - Parameter rounds: how often the kernel is asked at most, so that a flood leaves the loop to others now and then.
    func read(rounds: Int = 8) {
        // What a handler asks for comes when it has returned.
        guard !isReading, let handlers else { return }
        isReading = true
        defer { isReading = false }
        var hasHeard = false
        for _ in 0..<rounds {
            do throws(Errno) {
                try withDescriptor { descriptor throws(Errno) in
                    _ = try system.receiveMany(descriptor, into: batch, flags: LinuxNumbers.doNotWait)
                }
            } catch .interrupted {
                continue
            } catch .wouldBlock {
                break
            } catch .badFileDescriptor {
                // Closed meanwhile.
                return
            } catch {
                close()
                handlers.failed(error)
                return
            }
            if batch.count > 0 {
                hasHeard = true
                handlers.received(batch)
            }
            if batch.count < batch.capacity { break }
        }
        if hasHeard { handlers.isExhausted() }
    }
}
