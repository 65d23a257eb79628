/// Signals as events of a loop.
///
/// A signal handler writes the number to a socket that the loop reads. A signalfd would not do: it needs the signals
/// blocked in every thread, and the main thread of a Swift program with an asynchronous `main` waits in libdispatch with
/// none blocked, so the signal would end the program there.
///
/// The handler stays when the source is cancelled, so that one more Ctrl-C does not cut the clean-up short. A signal that
/// the program was started to ignore stays ignored. Each signal goes to the source that was made last for it.
public final class SignalSource: Sendable {
    private let loop: EventLoop
    private let state = Locked(State())

    private struct State {
        var descriptor: Int32 = -1
        var source: DescriptorSource?
    }

    /// Catches `signals`; `handler` runs on the loop's thread with the number of each that arrives.
    /// - Throws: the error number of `socketpair`, `sigaction` or `epoll_ctl`.
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
        var number: Int32 = 0
        // The handler writes whole numbers only, and there is room for one.
        let count = unsafe withUnsafeMutableBytes(of: &number) { buffer in
            try? unsafe system.read(descriptor, into: buffer)
        }
        return count == MemoryLayout<Int32>.size ? number : nil
    }
}
