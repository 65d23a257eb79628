public import GATT
internal import Sockets

extension Connection {
    /// Switches notifications or indications of a characteristic on, and hands out its values.
    /// - Parameters:
    ///   - target: the characteristic; what is not known about it is looked for.
    ///   - mode: which of the two; by default notifications when there are both.
    ///   - buffer: how values wait.
    /// - Throws: see `perform`; `invalid` when the characteristic has neither.
    public func subscribe(
        to target: SubscriptionTarget, mode: SubscriptionMode = .automatic, buffer: BufferOptions = BufferOptions()
    ) async throws(CentralError) -> Subscription {
        let subscriber = makeSubscriber(target.valueHandle, buffer)
        // In place before the peer is asked: a value may come before the answer.
        subscribers.add(subscriber)
        do throws(CentralError) {
            guard case .subscribed(let agreement) = try await perform(.subscribe(target, mode: mode)) else {
                throw linkError("receive values")
            }
            subscriber.isSubscribed = true
            if disconnection != nil { subscriber.queue.finish(throwing: linkError("receive values")) }
            return Subscription(
                token: SubscriptionToken(connection: self, subscriber: subscriber), agreement: agreement)
        } catch {
            subscribers.remove(subscriber)
            throw error
        }
    }

    /// Switches notifications or indications of a characteristic on that was discovered with its descriptors.
    /// - Throws: see `subscribe(to:mode:buffer:)`.
    public func subscribe(
        to node: DiscoveredDatabase.CharacteristicNode, mode: SubscriptionMode = .automatic,
        buffer: BufferOptions = BufferOptions()
    ) async throws(CentralError) -> Subscription {
        try await subscribe(to: SubscriptionTarget(node), mode: mode, buffer: buffer)
    }

    /// Switches notifications or indications of a characteristic on; its configuration is looked for.
    /// - Throws: see `subscribe(to:mode:buffer:)`.
    public func subscribe(
        to characteristic: Characteristic, mode: SubscriptionMode = .automatic,
        buffer: BufferOptions = BufferOptions()
    ) async throws(CentralError) -> Subscription {
        try await subscribe(
            to: SubscriptionTarget(
                valueHandle: characteristic.valueHandle, properties: characteristic.properties,
                endHandle: characteristic.endHandle),
            mode: mode, buffer: buffer)
    }

    /// Hands out the values the peer sends by itself, of one handle or of all, without asking the peer for anything: for
    /// peers that remember a subscription, and for watching.
    public func values(
        of handle: AttributeHandle? = nil, buffer: BufferOptions = BufferOptions()
    ) -> Subscription {
        let subscriber = makeSubscriber(handle, buffer)
        if disconnection != nil {
            subscriber.queue.finish(throwing: linkError("receive values"))
        } else {
            subscribers.add(subscriber)
        }
        return Subscription(
            token: SubscriptionToken(connection: self, subscriber: subscriber), agreement: nil)
    }

    private func makeSubscriber(_ handle: AttributeHandle?, _ buffer: BufferOptions) -> Subscriber {
        let peer = peer
        let queue = BoundedQueue<ValueUpdate>(capacity: buffer.capacity, rule: buffer.overflow) {
            .overflow("cannot receive values from \(peer)", capacity: $0)
        }
        return Subscriber(handle: handle, queue: queue)
    }

    /// Ends a subscription and waits for the peer's answer.
    func end(_ subscriber: Subscriber) async throws(CentralError) {
        guard let handle = detach(subscriber) else { return }
        _ = try await perform(.unsubscribe(valueHandle: handle))
    }

    /// Ends a subscription that nobody holds any more; what the peer answers interests nobody.
    func abandon(_ subscriber: Subscriber) {
        guard let handle = detach(subscriber) else { return }
        startUnattended(.unsubscribe(valueHandle: handle))
    }

    /// Takes a subscriber off; the handle to unsubscribe from when the engine counts it.
    private func detach(_ subscriber: Subscriber) -> AttributeHandle? {
        subscribers.remove(subscriber)
        subscriber.queue.finish()
        defer { subscriber.isSubscribed = false }
        guard subscriber.isSubscribed, disconnection == nil else { return nil }
        return subscriber.handle
    }
}
