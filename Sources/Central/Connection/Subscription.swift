public import GATT
internal import Sockets

/// How values wait for their consumer.
public struct BufferOptions: Hashable, Sendable {
    /// How many values wait at most, at least one.
    public var capacity: Int
    /// What is lost when more come.
    public var overflow: OverflowRule

    /// By default a thousand values, of which the oldest go first.
    public init(capacity: Int = 1024, overflow: OverflowRule = .dropOldest) {
        self.capacity = capacity
        self.overflow = overflow
    }
}

/// The values of one characteristic, as an asynchronous sequence.
///
/// The first value is there even when it came before the answer to the subscribing. Several subscriptions to one
/// characteristic each get every value. Letting go of a subscription and its iterators ends it: the last one of a
/// characteristic switches the peer's notifications off.
///
/// The sequence ends with `nil` after `end()`, after a disconnection asked for here, and when the task is cancelled; it
/// throws when the link is lost and what the overflow rule says.
public struct Subscription: AsyncSequence, Sendable {
    /// A value and what belongs to it.
    public typealias Element = ValueUpdate
    /// What a lost connection, or the overflow rule, ends the sequence with.
    public typealias Failure = CentralError

    let token: SubscriptionToken

    /// What was agreed with the peer; `nil` when values are only listened for.
    public let agreement: ActiveSubscription?

    /// How many values were lost because the consumer was too slow.
    public var lostCount: Int { token.subscriber.queue.lostCount }

    /// Ends the subscription; when it is the last one of its characteristic, the peer is told and its answer awaited.
    /// Values that wait are still handed out. Ending twice is harmless.
    /// - Throws: what the peer answered, or that the link is gone.
    public func end() async throws(CentralError) {
        try await token.connection.end(token.subscriber)
    }

    /// An iterator; it keeps the subscription going.
    public func makeAsyncIterator() -> Iterator { Iterator(token: token) }

    /// Takes values from the subscription's buffer; several iterators share it.
    public struct Iterator: AsyncIteratorProtocol {
        let token: SubscriptionToken

        /// The next value.
        /// - Throws: `linkLost` and the like once the waiting values were handed out; what the overflow rule says.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(CentralError) -> ValueUpdate? {
            try await token.subscriber.queue.next(isolation: actor)
        }

        /// The next value, for callers without an isolation.
        public mutating func next() async throws(CentralError) -> ValueUpdate? {
            try await next(isolation: nil)
        }
    }
}

/// Keeps a subscription going as long as somebody holds it.
final class SubscriptionToken: Sendable {
    let connection: Connection
    let subscriber: Subscriber

    init(connection: Connection, subscriber: Subscriber) {
        self.connection = connection
        self.subscriber = subscriber
    }

    deinit {
        let (connection, subscriber) = (connection, subscriber)
        connection.loop.execute { connection.assumeIsolated { $0.abandon(subscriber) } }
    }
}

/// One consumer of values as its connection knows it.
final class Subscriber: @unchecked Sendable {
    // Sendable: `staged` and `isSubscribed` belong to the connection, which runs on one loop; the queue has its lock.
    let queue: BoundedQueue<ValueUpdate>
    /// `nil` for every handle.
    let handle: AttributeHandle?
    /// Values of the batch that is being received.
    var staged: [ValueUpdate] = []
    /// Whether the engine counts it.
    var isSubscribed = false

    init(handle: AttributeHandle?, queue: BoundedQueue<ValueUpdate>) {
        self.handle = handle
        self.queue = queue
    }
}
