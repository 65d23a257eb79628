internal import Wire

/// Every system call of the project, as one seam that tests can replace.
///
/// The methods are the calls of the same name, with the error number thrown; none retries. Results that the kernel
/// writes go to the caller's memory. `LinuxSystemCalls` performs them.
public protocol SystemCalls: Sendable {
    // MARK: Sockets

    /// `socket(2)`: a new descriptor. `type` carries `SOCK_CLOEXEC` and `SOCK_NONBLOCK`.
    func socket(domain: Int32, type: Int32, protocol: Int32) throws(Errno) -> Int32
    /// `socketpair(2)`.
    func socketPair(domain: Int32, type: Int32, protocol: Int32) throws(Errno) -> (Int32, Int32)
    /// `bind(2)`; `address` is the octets of a `sockaddr`.
    func bind(_ fd: Int32, to address: RawSpan) throws(Errno)
    /// `connect(2)`; `inProgress` when a non-blocking socket goes on by itself.
    func connect(_ fd: Int32, to address: RawSpan) throws(Errno)
    /// `listen(2)`.
    func listen(_ fd: Int32, backlog: Int32) throws(Errno)
    /// `accept4(2)`; the new descriptor.
    func accept(_ fd: Int32, flags: Int32) throws(Errno) -> Int32
    /// `getsockname(2)`; how many octets of the address there are.
    func socketName(_ fd: Int32, into address: UnsafeMutableRawBufferPointer) throws(Errno) -> Int
    /// `getpeername(2)`; how many octets of the address there are.
    func peerName(_ fd: Int32, into address: UnsafeMutableRawBufferPointer) throws(Errno) -> Int
    /// `shutdown(2)`.
    func shutdown(_ fd: Int32, how: Int32) throws(Errno)
    /// `getsockopt(2)`; how many octets the kernel wrote.
    func socketOption(
        _ fd: Int32, level: Int32, name: Int32, into value: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int
    /// `setsockopt(2)`.
    func setSocketOption(_ fd: Int32, level: Int32, name: Int32, to value: RawSpan) throws(Errno)
    /// `send(2)`; how many octets were accepted.
    func send(_ fd: Int32, _ octets: RawSpan, flags: Int32) throws(Errno) -> Int
    /// `recv(2)`; how many octets were received, 0 at the end.
    func receive(_ fd: Int32, into octets: UnsafeMutableRawBufferPointer, flags: Int32) throws(Errno) -> Int
    /// `recvmmsg(2)` of as many datagrams as the batch has places; their number, which the batch keeps too.
    func receiveMany(_ fd: Int32, into batch: DatagramBatch, flags: Int32) throws(Errno) -> Int

    // MARK: Files

    /// `open(2)` for reading, with `O_CLOEXEC`.
    func openForReading(_ path: String) throws(Errno) -> Int32
    /// `open(2)`; `flags` are those of `LinuxNumbers`, `mode` the permissions of a file that is made.
    func open(_ path: String, flags: Int32, mode: UInt32) throws(Errno) -> Int32
    /// `fstat(2)`, of which type and permissions, and the owner.
    func fileStatus(_ fd: Int32) throws(Errno) -> FileStatus
    /// `flock(2)` for this descriptor alone, without waiting; `wouldBlock` when somebody else has it.
    func lock(_ fd: Int32) throws(Errno)
    /// `fsync(2)`.
    func synchronise(_ fd: Int32) throws(Errno)
    /// `rename(2)`.
    func rename(_ path: String, to newPath: String) throws(Errno)
    /// `mkdir(2)`.
    func makeFolder(_ path: String, mode: UInt32) throws(Errno)
    /// `geteuid(2)`.
    func effectiveUser() -> UInt32
    /// `ioctl(2)` with an address as its argument.
    func ioctl(_ fd: Int32, request: UInt, argument: UnsafeMutableRawBufferPointer) throws(Errno) -> Int32
    /// `ioctl(2)` with a number as its argument.
    func ioctl(_ fd: Int32, request: UInt, value: Int) throws(Errno) -> Int32
    /// `read(2)`.
    func read(_ fd: Int32, into octets: UnsafeMutableRawBufferPointer) throws(Errno) -> Int
    /// `write(2)`.
    func write(_ fd: Int32, _ octets: RawSpan) throws(Errno) -> Int
    /// `close(2)`. Never repeated: after `interrupted` the descriptor is gone on Linux.
    func close(_ fd: Int32) throws(Errno)
    /// `unlink(2)`.
    func unlink(_ path: String) throws(Errno)

    // MARK: Waiting

    /// `poll(2)` of one descriptor without waiting; the events that are there.
    func pollNow(_ fd: Int32, events: Int32) throws(Errno) -> Int32
    /// `epoll_create1(2)` with `EPOLL_CLOEXEC`.
    func epollCreate() throws(Errno) -> Int32
    /// `epoll_ctl(2)`; `token` comes back with each event.
    func epollControl(
        _ epoll: Int32, operation: EpollOperation, _ fd: Int32, events: UInt32, token: UInt64
    ) throws(Errno)
    /// `epoll_wait(2)` into `events`; how many there are. `timeout` in milliseconds, −1 for ever.
    func epollWait(_ epoll: Int32, into events: EpollEvents, timeout: Int32) throws(Errno) -> Int
    /// `eventfd(2)`, non-blocking.
    func eventDescriptor() throws(Errno) -> Int32
    /// `timerfd_create(2)` on the monotonic clock, non-blocking.
    func timerDescriptor() throws(Errno) -> Int32
    /// `timerfd_settime(2)`: one expiry at an absolute time in nanoseconds of the monotonic clock; 0 disarms.
    func setTimer(_ fd: Int32, deadline: UInt64) throws(Errno)
    /// Catches the signals (`sigaction(2)`); their numbers are read from the descriptor, four octets each.
    func signalDescriptor(_ signals: [Int32]) throws(Errno) -> Int32
    /// `clock_gettime(CLOCK_MONOTONIC)` in nanoseconds.
    func monotonicNow() -> UInt64
    /// `clock_gettime(CLOCK_REALTIME)`: nanoseconds since 1970, UTC.
    func realTimeNow() -> UInt64
}

/// What `fstat(2)` says of a file.
@frozen
public struct FileStatus: Hashable, Sendable {
    /// `st_mode`: type and permissions.
    public var mode: UInt32
    /// `st_uid`: whose it is.
    public var owner: UInt32

    /// A status of its parts.
    public init(mode: UInt32, owner: UInt32) {
        self.mode = mode
        self.owner = owner
    }

    /// Whether it is a plain file.
    public var isRegular: Bool { mode & 0o170000 == 0o100000 }
    /// The permission bits.
    public var permissions: UInt32 { mode & 0o7777 }
}

/// What `epoll_ctl(2)` does with a descriptor.
@frozen
public enum EpollOperation: Int32, Sendable {
    case add = 1
    case remove = 2
    case modify = 3
}

extension SystemCalls {
    /// Reads a socket option that is a C structure or a number. Octets the kernel does not write keep `initial`'s.
    public func socketOption<Value: BitwiseCopyable>(
        _ fd: Int32, level: Int32, name: Int32, initial: Value
    ) throws(Errno) -> Value {
        var value = initial
        var failure: Errno?
        // The kernel writes at most the size of `value`, which the buffer carries.
        unsafe withUnsafeMutableBytes(of: &value) { buffer in
            do throws(Errno) {
                _ = try unsafe socketOption(fd, level: level, name: name, into: buffer)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return value
    }

    /// Sets a socket option that is a C structure or a number.
    public func setSocketOption<Value: BitwiseCopyable>(
        _ fd: Int32, level: Int32, name: Int32, value: Value
    ) throws(Errno) {
        var failure: Errno?
        // The octets are borrowed for the call only.
        unsafe withUnsafeBytes(of: value) { buffer in
            let octets = unsafe RawSpan(_unsafeBytes: buffer)
            do throws(Errno) {
                try setSocketOption(fd, level: level, name: name, to: octets)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// An `ioctl(2)` that reads and writes a C structure.
    public func ioctl<Value: BitwiseCopyable>(
        _ fd: Int32, request: UInt, _ value: inout Value
    ) throws(Errno) -> Int32 {
        var failure: Errno?
        var result: Int32 = 0
        // The request's size is the size of `value`, by the caller's choice of the two.
        unsafe withUnsafeMutableBytes(of: &value) { buffer in
            do throws(Errno) {
                result = try unsafe ioctl(fd, request: request, argument: buffer)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return result
    }

    /// What a file holds.
    /// - Throws: the error number; `messageTooLong` when it holds more than `limit` octets.
    public func contents(of path: String, limit: Int = 1 << 24) throws(Errno) -> [UInt8] {
        let fd = try openForReading(path)
        defer { try? close(fd) }
        return try contents(of: fd, limit: limit)
    }

    /// What an open file holds, from where it stands to its end.
    /// - Throws: the error number; `messageTooLong` when that is more than `limit` octets.
    public func contents(of fd: Int32, limit: Int = 1 << 24) throws(Errno) -> [UInt8] {
        var contents: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            var count = 0
            var failure: Errno?
            // The kernel writes at most the array's size.
            unsafe part.withUnsafeMutableBytes { buffer in
                do throws(Errno) {
                    count = try unsafe read(fd, into: buffer)
                } catch {
                    failure = error
                }
            }
            if failure == .interrupted { continue }
            if let failure { throw failure }
            if count == 0 { return contents }
            contents.append(contentsOf: part.prefix(count))
            guard contents.count <= limit else { throw .messageTooLong }
        }
    }

    /// Writes all the octets.
    /// - Throws: the error number; some may have been written then.
    public func writeAll(_ octets: [UInt8], to fd: Int32) throws(Errno) {
        var written = 0
        while written < octets.count {
            do throws(Errno) {
                written += try write(fd, octets.octets.extracting(droppingFirst: written))
            } catch .interrupted {
                continue
            }
        }
    }

    /// The pending error of a socket (`SO_ERROR`), which reading clears; `nil` when there is none.
    public func pendingError(_ fd: Int32) throws(Errno) -> Errno? {
        let number: Int32 = try socketOption(fd, level: LinuxNumbers.socketLevel, name: LinuxNumbers.error, initial: 0)
        return number == 0 ? nil : Errno(rawValue: number)
    }
}
