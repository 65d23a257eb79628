internal import GATT

/// Which consumers get the values of which handle, and which of them have something new.
struct Subscribers {
    private var byHandle: [AttributeHandle: [Subscriber]] = [:]
    private var ofAll: [Subscriber] = []
    /// Those with staged values.
    private var dirty: [Subscriber] = []
    /// A flood comes from one characteristic: the last look-up is kept.
    private var last: (handle: AttributeHandle, list: [Subscriber])?

    mutating func add(_ subscriber: Subscriber) {
        last = nil
        if let handle = subscriber.handle {
            byHandle[handle, default: []].append(subscriber)
        } else {
            ofAll.append(subscriber)
        }
    }

    mutating func remove(_ subscriber: Subscriber) {
        last = nil
        guard let handle = subscriber.handle else {
            ofAll.removeAll { $0 === subscriber }
            return
        }
        byHandle[handle]?.removeAll { $0 === subscriber }
        if byHandle[handle]?.isEmpty == true { byHandle[handle] = nil }
    }

    /// Every consumer, those of all handles included.
    var all: [Subscriber] { byHandle.values.flatMap(\.self) + ofAll }

    /// Copies a value once and stages it for each consumer of its handle; nothing is copied when there is none.
    mutating func stage(_ octets: RawSpan, of handle: AttributeHandle, kind: ValueKind, at time: Timestamp) {
        let list: [Subscriber]
        if let last, last.handle == handle {
            list = last.list
        } else {
            list = (byHandle[handle] ?? []) + ofAll
            last = (handle, list)
        }
        guard !list.isEmpty else { return }
        let update = ValueUpdate(value: [UInt8](octets: octets), handle: handle, kind: kind, time: time)
        for subscriber in list {
            if subscriber.staged.isEmpty { dirty.append(subscriber) }
            subscriber.staged.append(update)
        }
    }

    /// Hands what was staged to the consumers and wakes each of them at most once.
    mutating func flush() {
        guard !dirty.isEmpty else { return }
        for subscriber in dirty {
            subscriber.queue.append(contentsOf: subscriber.staged)
            subscriber.staged.removeAll(keepingCapacity: true)
            subscriber.queue.wake()
        }
        dirty.removeAll(keepingCapacity: true)
    }
}
