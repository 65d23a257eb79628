internal import Wire

/// A listening Unix socket of type `SOCK_SEQPACKET`, which owns its descriptor and its file.
public final class UnixSocketListener: Sendable {
    /// Where it listens.
    public let address: UnixAddress

    private let loop: EventLoop
    private let datagramCapacity: Int
    private let accepted: @Sendable (SeqPacketSocket) -> Void
    private let failed: @Sendable (Errno) -> Void
    private let state = Locked(State())

    private struct State {
        var descriptor: Int32 = -1
        var source: DescriptorSource?
        var pause: LoopTimer?
    }

    /// How long accepting rests when the process has no descriptor left, in nanoseconds.
    private static let pauseNanoseconds: UInt64 = 100_000_000

    /// Listens at `address`; a socket file that nobody listens on any more is replaced.
    /// - Parameters:
    ///   - accepted: runs on the loop's thread for each connection.
    ///   - failed: runs on the loop's thread when a connection could not be accepted; listening goes on.
    /// - Throws: the error number, for example `addressInUse` when another process listens there.
    public init(
        at address: UnixAddress, backlog: Int32 = 128, on loop: EventLoop = .shared, datagramCapacity: Int = 2048,
        accepted: @escaping @Sendable (SeqPacketSocket) -> Void,
        failed: @escaping @Sendable (Errno) -> Void = { _ in }
    ) throws(Errno) {
        self.address = address
        self.loop = loop
        self.datagramCapacity = datagramCapacity
        self.accepted = accepted
        self.failed = failed
        let descriptor = try Self.bound(to: address, loop.system)
        do throws(Errno) {
            try loop.system.listen(descriptor, backlog: backlog)
            state.withLock { $0.descriptor = descriptor }
            let source = try DescriptorSource(descriptor, on: loop, interest: .readable) { [weak self] _ in
                self?.acceptAll()
            }
            state.withLock { $0.source = source }
        } catch {
            state.withLock { $0.descriptor = -1 }
            try? loop.system.close(descriptor)
            try? loop.system.unlink(address.path)
            throw error
        }
    }

    deinit { close() }

    /// Stops listening and removes the socket file. Connections that were accepted stay. Idempotent.
    public func close() {
        let wasOpen = state.withLock { state in
            guard state.descriptor >= 0 else { return false }
            state.source?.cancel()
            state.source = nil
            try? loop.system.close(state.descriptor)
            state.descriptor = -1
            return true
        }
        if wasOpen { try? loop.system.unlink(address.path) }
    }

    private static func bound(to address: UnixAddress, _ system: any SystemCalls) throws(Errno) -> Int32 {
        let type = LinuxNumbers.seqPacket | LinuxNumbers.nonBlocking
        let descriptor = try system.socket(domain: LinuxNumbers.unixDomain, type: type, protocol: 0)
        do throws(Errno) {
            do throws(Errno) {
                try system.bind(descriptor, to: address.octets.octets)
            } catch .addressInUse {
                guard isAbandoned(address, system) else { throw .addressInUse }
                try system.unlink(address.path)
                try system.bind(descriptor, to: address.octets.octets)
            }
            return descriptor
        } catch {
            try? system.close(descriptor)
            throw error
        }
    }

    /// Whether the file is a socket that nobody listens on: connecting is refused.
    private static func isAbandoned(_ address: UnixAddress, _ system: any SystemCalls) -> Bool {
        let type = LinuxNumbers.seqPacket | LinuxNumbers.nonBlocking
        guard let probe = try? system.socket(domain: LinuxNumbers.unixDomain, type: type, protocol: 0) else {
            return false
        }
        defer { try? system.close(probe) }
        do throws(Errno) {
            try system.connect(probe, to: address.octets.octets)
            return false
        } catch {
            return error == .connectionRefused
        }
    }

    private func acceptAll() {
        // Bounded, so that a flood of connections cannot keep the loop.
        for _ in 0..<64 {
            guard let descriptor = state.withLock({ $0.descriptor >= 0 ? $0.descriptor : nil }) else { return }
            do throws(Errno) {
                let connection = try loop.system.accept(descriptor, flags: LinuxNumbers.nonBlocking)
                accepted(SeqPacketSocket(adopting: connection, on: loop, datagramCapacity: datagramCapacity))
            } catch .wouldBlock {
                return
            } catch .interrupted {
                continue
            } catch .connectionAborted {
                continue
            } catch {
                failed(error)
                pause()
                return
            }
        }
    }

    /// Rests from accepting: a connection that waits would wake the loop again at once, and descriptors become free only
    /// when others are closed, which no event tells.
    private func pause() {
        let timer = LoopTimer(on: loop) { [weak self] in
            self?.state.withLock { state in
                try? state.source?.setInterest(.readable)
                state.pause = nil
            }
        }
        state.withLock { state in
            try? state.source?.setInterest([])
            state.pause = timer
        }
        timer.arm(at: loop.now() &+ Self.pauseNanoseconds)
    }
}
