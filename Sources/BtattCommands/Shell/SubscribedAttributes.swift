import Central
import Sockets

/// What one `subscribe` has switched on, and the stream of its values.
final class SubscribedAttributes: Sendable {
    /// An attribute, and how it was named.
    struct Attribute: Sendable {
        var found: FoundAttribute
        var syntax: AttributeSyntax
        var subscription: Subscription?
    }

    /// Everything that the device sends by itself.
    let values: Subscription
    private let attributes: Locked<[AttributeHandle: Attribute]>
    private let isMuted = Locked(false)

    init(values: Subscription, _ attributes: [AttributeHandle: Attribute]) {
        self.values = values
        self.attributes = Locked(attributes)
    }

    /// All of them, by handle.
    var all: [Attribute] {
        attributes.withLock { attributes in attributes.values.sorted { $0.found.handle < $1.found.handle } }
    }

    /// The attribute of a value; `nil` when it was not subscribed to, or not any more.
    func attribute(_ handle: AttributeHandle) -> FoundAttribute? { attributes.withLock { $0[handle]?.found } }

    /// Shows a value, unless its attribute is no longer of interest; whether it was shown.
    func show(
        _ handle: AttributeHandle, _ work: (FoundAttribute) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        try isMuted.withLock { isMuted throws(Failure) in
            guard !isMuted, let attribute = attribute(handle) else { return false }
            try work(attribute)
            return true
        }
    }

    /// Nothing is shown when this has returned, although the device has not been told yet.
    func mute() { isMuted.withLock { $0 = true } }

    func add(_ subscription: Subscription, to handle: AttributeHandle) {
        attributes.withLock { $0[handle]?.subscription = subscription }
    }

    /// Switches one off. When it is the last one, the stream of values ends.
    func end(_ handle: AttributeHandle) async throws(Failure) {
        let (attribute, isLast) = attributes.withLock { ($0.removeValue(forKey: handle), $0.isEmpty) }
        let values = values
        if isLast { try? await values.end() }
        guard let subscription = attribute?.subscription else { return }
        try await attempt { () async throws(CentralError) in try await subscription.end() }
    }

    /// Switches off what was switched on, whatever ended the command. A device that does not answer any more has no say.
    func end() async {
        let subscriptions = attributes.withLock { attributes in
            defer { attributes.removeAll() }
            return attributes.values.compactMap(\.subscription)
        }
        await cleanUp {
            for subscription in subscriptions { try? await subscription.end() }
        }
    }
}

/// Subscriptions of a shell whose values are shown while other commands run.
final class BackgroundSubscriptions: Sendable {
    private struct Entry {
        let subscribed: SubscribedAttributes
        let task: Task<Void, Never>
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var next = 0
    }

    private let state = Locked(State())
    private let console: Console

    /// - Parameter console: where it is said that values can no longer be shown.
    init(_ console: Console) { self.console = console }

    /// What is subscribed to, by handle.
    var attributes: [SubscribedAttributes.Attribute] {
        state.withLock { $0.entries.values.map(\.subscribed) }.flatMap(\.all).sorted {
            $0.found.handle < $1.found.handle
        }
    }

    func contains(_ handle: AttributeHandle) -> Bool { attributes.contains { $0.found.handle == handle } }

    /// Goes on with what was subscribed to, until `show` returns.
    func keep(_ subscribed: SubscribedAttributes, _ show: @escaping @Sendable () async throws(Failure) -> Void) {
        state.withLock { state in
            let id = state.next
            state.next += 1
            // Removes itself; it waits for the lock if it is that quick.
            let task = Task {
                do throws(Failure) {
                    try await show()
                } catch {
                    // The shell itself says that the link was lost.
                    if error.status != .linkLost, error.status != .interrupted, !error.message.isEmpty {
                        self.console.warn(error.message)
                    }
                }
                await subscribed.end()
                self.state.withLock { $0.entries[id] = nil }
            }
            state.entries[id] = Entry(subscribed: subscribed, task: task)
        }
    }

    /// Ends the subscription of one attribute; whether there is one.
    func end(_ handle: AttributeHandle) async throws(Failure) -> Bool {
        let entry = state.withLock { state in
            state.entries.values.first { $0.subscribed.attribute(handle) != nil }
        }
        guard let entry else { return false }
        try await entry.subscribed.end(handle)
        return true
    }

    /// No more values are shown.
    func mute() {
        for entry in state.withLock({ Array($0.entries.values) }) { entry.subscribed.mute() }
    }

    /// Ends all subscriptions, and returns when the device was told, as far as it answers.
    func endAll() async {
        mute()
        let tasks = state.withLock { $0.entries.values.map(\.task) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
