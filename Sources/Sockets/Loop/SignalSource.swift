internal import CLinux

/// Signals as events of a loop, through a signalfd.
///
/// Make it on the main thread before other threads exist: threads inherit the blocked signals from the one that starts
/// them, and a thread that does not block a signal would take it in the usual way. The signals stay blocked when the
/// source is cancelled, so that one more Ctrl-C does not cut the clean-up short.
public final class SignalSource: Sendable {
    private let loop: EventLoop
    private let state = Locked(State())

    private struct State {
        var descriptor: Int32 = -1
        var source: DescriptorSource?
    }

    /// Blocks `signals` for the calling thread; `handler` runs on the loop's thread with the number of each that arrives.
    /// - Throws: the error number of `signalfd` or `epoll_ctl`.
    public init(
        _ signals: [Int32], on loop: EventLoop = .shared, handler: @escaping @Sendable (Int32) -> Void
    ) throws(Errno) {
        self.loop = loop
        let system = loop.system
        let descriptor = try system.signalDescriptor(signals)
        do throws(Errno) {
            let source = try DescriptorSource(descriptor, on: loop, interest: .readable) { _ in
                while let signal = Self.next(descriptor, system) { handler(signal) }
            }
            state.withLock { $0 = State(descriptor: descriptor, source: source) }
        } catch {
            try? system.close(descriptor)
            throw error
        }
    }

    deinit { cancel() }

    /// Stops handling. Idempotent.
    public func cancel() {
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            state.source?.cancel()
            state.source = nil
            try? loop.system.close(state.descriptor)
            state.descriptor = -1
        }
    }

    private static func next(_ descriptor: Int32, _ system: any SystemCalls) -> Int32? {
        var information = signalfd_siginfo()
        // The kernel writes whole structures only, and there is room for one.
        let count = unsafe withUnsafeMutableBytes(of: &information) { buffer in
            try? unsafe system.read(descriptor, into: buffer)
        }
        guard count == MemoryLayout<signalfd_siginfo>.size else { return nil }
        return Int32(truncatingIfNeeded: information.ssi_signo)
    }
}
