internal import CLinux

/// Room for the events of one `epoll_wait(2)`, used again for the next.
@safe
public final class EpollEvents {
    /// How many events one call may return.
    public static let capacity = 64

    let storage: UnsafeMutablePointer<epoll_event>

    /// Empty room for `capacity` events.
    public init() {
        unsafe storage = .allocate(capacity: Self.capacity)
        unsafe storage.initialize(repeating: epoll_event(), count: Self.capacity)
    }

    deinit { unsafe storage.deallocate() }

    /// The token and the events of one; nothing for an index out of range.
    public subscript(_ index: Int) -> (token: UInt64, events: UInt32) {
        get {
            guard index >= 0, index < Self.capacity else { return (0, 0) }
            // In bounds by the line above.
            return unsafe (storage[index].data.u64, storage[index].events)
        }
        set {
            guard index >= 0, index < Self.capacity else { return }
            // In bounds by the line above.
            unsafe storage[index] = unsafe epoll_event(
                events: newValue.events, data: epoll_data_t(u64: newValue.token))
        }
    }
}
