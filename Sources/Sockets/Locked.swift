internal import Glibc

/// A value behind a mutex: `withLock { $0 … }`.
///
/// A pthread mutex rather than `Synchronization.Mutex`, because the thread sanitizer understands it.
@safe
public final class Locked<Value>: @unchecked Sendable {
    // Sendable: every access to `value` is under the mutex.
    private var value: Value
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// A value to guard.
    public init(_ value: sending Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs `body` with the value while no other thread has it. Do not lock again inside.
    public func withLock<Result, Failure>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The mutex lives as long as this object.
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
