internal import Glibc

/// A thread that runs one closure: an event loop, or a call that blocks and cannot be waited for otherwise.
public enum DetachedThread {
    /// Runs `body` on a thread of its own, which ends with it.
    /// - Throws: the error number of `pthread_create`; `body` is not run then.
    public static func run(_ body: @escaping @Sendable () -> Void) throws(Errno) {
        let context = unsafe Unmanaged.passRetained(Body(body))
        var id = pthread_t()
        let result = unsafe pthread_create(
            &id, nil,
            { pointer in
                guard let pointer = unsafe pointer else { return nil }
                // Balances `passRetained` of the starting thread.
                unsafe Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            unsafe context.release()
            throw Errno(rawValue: result)
        }
        pthread_detach(id)
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
