internal import Sockets

/// A scan as an asynchronous sequence of what was heard.
///
/// The radio begins when the sequence is iterated and is left alone when the iteration ends: by `break`, by cancelling
/// the task, by an error, or after `ScanOptions.duration`. Each iteration is a scan of its own, and any number of scans
/// share the radio. While a connection is being made the radio may pause them.
public struct Scan: AsyncSequence, Sendable {
    /// An advertiser as it was heard.
    public typealias Element = ScanResult
    /// What ends a scan that cannot go on.
    public typealias Failure = CentralError

    let hub: ScanHub?
    let options: ScanOptions

    /// A scan of its own, which begins when its first result is asked for.
    public func makeAsyncIterator() -> Iterator {
        Iterator(hub: hub, options: options)
    }

    /// One iteration, which is one scan.
    public struct Iterator: AsyncIteratorProtocol {
        private let hub: ScanHub?
        private let options: ScanOptions
        private var session: ScanSession?

        init(hub: ScanHub?, options: ScanOptions) {
            self.hub = hub
            self.options = options
        }

        /// How many results were lost because the consumer was too slow.
        public var lostCount: Int { session?.queue.lostCount ?? 0 }

        /// The next result; `nil` after the duration and when the task is cancelled.
        /// - Throws: `noAdapter`, `missingRights`, `refused` when the radio cannot scan or stops doing so; what the
        ///   overflow rule says.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(CentralError) -> ScanResult? {
            let session: ScanSession
            if let running = self.session {
                session = running
            } else {
                guard let hub else {
                    throw CentralError(
                        .noAdapter, failure: "cannot scan", reason: "this central has no radio",
                        remedy: "choose an adapter")
                }
                session = ScanSession(hub: hub, options: options)
                self.session = session
            }
            return try await session.queue.next(isolation: actor)
        }

        /// The next result, for callers without an isolation.
        public mutating func next() async throws(CentralError) -> ScanResult? {
            try await next(isolation: nil)
        }
    }
}

/// One scan under way; letting go of it ends it.
final class ScanSession: Sendable {
    let queue: BoundedQueue<ScanResult>
    private let hub: ScanHub
    private let listener: ScanListener

    init(hub: ScanHub, options: ScanOptions) {
        self.hub = hub
        let subject = hub.radio.name
        queue = BoundedQueue(capacity: options.bufferCapacity, rule: options.overflow) {
            .overflow("cannot scan on \(subject)", capacity: $0)
        }
        listener = ScanListener(options: options, queue: queue)
        let listener = listener
        hub.loop.execute { hub.assumeIsolated { $0.add(listener) } }
    }

    deinit {
        let (hub, listener) = (hub, listener)
        hub.loop.execute { hub.assumeIsolated { $0.remove(listener) } }
    }
}
