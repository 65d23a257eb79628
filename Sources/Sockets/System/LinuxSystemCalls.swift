internal import CLinux
internal import Glibc

/// The seam's real side: the kernel.
public struct LinuxSystemCalls: SystemCalls {
    /// The kernel's calls.
    public init() {}

    private func check(_ result: Int32) throws(Errno) -> Int32 {
        guard result >= 0 else { throw Errno(rawValue: errno) }
        return result
    }

    private func check(_ result: Int) throws(Errno) -> Int {
        guard result >= 0 else { throw Errno(rawValue: errno) }
        return result
    }

    public func socket(domain: Int32, type: Int32, protocol number: Int32) throws(Errno) -> Int32 {
        try check(Glibc.socket(domain, type, number))
    }

    public func socketPair(domain: Int32, type: Int32, protocol number: Int32) throws(Errno) -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        // The kernel writes two numbers, and there are two.
        _ = try check(unsafe socketpair(domain, type, number, &ends))
        return (ends[0], ends[1])
    }

    public func bind(_ fd: Int32, to address: RawSpan) throws(Errno) {
        _ = try check(unsafe withSocketAddress(address) { unsafe Glibc.bind(fd, $0, $1) })
    }

    public func connect(_ fd: Int32, to address: RawSpan) throws(Errno) {
        _ = try check(unsafe withSocketAddress(address) { unsafe Glibc.connect(fd, $0, $1) })
    }

    /// Lends the octets as a `sockaddr` for one call.
    private func withSocketAddress(
        _ address: RawSpan, _ body: (UnsafePointer<sockaddr>?, socklen_t) -> Int32
    ) -> Int32 {
        unsafe address.withUnsafeBytes { buffer in
            // The kernel reads no more than the length that goes with the address.
            unsafe body(buffer.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(buffer.count))
        }
    }

    public func listen(_ fd: Int32, backlog: Int32) throws(Errno) {
        _ = try check(Glibc.listen(fd, backlog))
    }

    public func accept(_ fd: Int32, flags: Int32) throws(Errno) -> Int32 {
        try check(clinux_accept(fd, flags))
    }

    public func socketName(_ fd: Int32, into address: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        var length = socklen_t(clamping: address.count)
        // The kernel writes no more than `length` octets.
        _ = try check(unsafe getsockname(fd, address.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length))
        return Int(length)
    }

    public func peerName(_ fd: Int32, into address: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        var length = socklen_t(clamping: address.count)
        // The kernel writes no more than `length` octets.
        _ = try check(unsafe getpeername(fd, address.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length))
        return Int(length)
    }

    public func shutdown(_ fd: Int32, how: Int32) throws(Errno) {
        _ = try check(Glibc.shutdown(fd, how))
    }

    public func socketOption(
        _ fd: Int32, level: Int32, name: Int32, into value: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int {
        var length = socklen_t(clamping: value.count)
        // The kernel writes no more than `length` octets.
        _ = try check(unsafe getsockopt(fd, level, name, value.baseAddress, &length))
        return Int(length)
    }

    public func setSocketOption(_ fd: Int32, level: Int32, name: Int32, to value: RawSpan) throws(Errno) {
        _ = try check(
            unsafe value.withUnsafeBytes { unsafe setsockopt(fd, level, name, $0.baseAddress, socklen_t($0.count)) })
    }

    public func send(_ fd: Int32, _ octets: RawSpan, flags: Int32) throws(Errno) -> Int {
        try check(unsafe octets.withUnsafeBytes { unsafe Glibc.send(fd, $0.baseAddress, $0.count, flags) })
    }

    public func receive(_ fd: Int32, into octets: UnsafeMutableRawBufferPointer, flags: Int32) throws(Errno) -> Int {
        // The kernel writes no more than the buffer's count.
        try check(unsafe recv(fd, octets.baseAddress, octets.count, flags))
    }

    public func receiveMany(_ fd: Int32, into batch: DatagramBatch, flags: Int32) throws(Errno) -> Int {
        batch.reset()
        // Each place carries its own capacity, and the batch has that many places.
        let received = try check(
            unsafe clinux_receive_many(fd, batch.places, UInt32(clamping: batch.capacity), flags))
        batch.didReceive(Int(received))
        return Int(received)
    }

    public func openForReading(_ path: String) throws(Errno) -> Int32 {
        try check(unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC))
    }

    public func open(_ path: String, flags: Int32, mode: UInt32) throws(Errno) -> Int32 {
        try check(unsafe Glibc.open(path, flags, mode))
    }

    public func fileStatus(_ fd: Int32) throws(Errno) -> FileStatus {
        var status = stat()
        // The kernel writes one structure.
        _ = try check(unsafe fstat(fd, &status))
        return FileStatus(mode: status.st_mode, owner: status.st_uid)
    }

    public func lock(_ fd: Int32) throws(Errno) {
        _ = try check(flock(fd, LOCK_EX | LOCK_NB))
    }

    public func synchronise(_ fd: Int32) throws(Errno) { _ = try check(fsync(fd)) }

    public func rename(_ path: String, to newPath: String) throws(Errno) {
        _ = try check(unsafe Glibc.rename(path, newPath))
    }

    public func makeFolder(_ path: String, mode: UInt32) throws(Errno) {
        _ = try check(unsafe mkdir(path, mode))
    }

    public func effectiveUser() -> UInt32 { geteuid() }

    public func ioctl(_ fd: Int32, request: UInt, argument: UnsafeMutableRawBufferPointer) throws(Errno) -> Int32 {
        // The structure that the request names is the caller's buffer.
        try check(unsafe clinux_ioctl_pointer(fd, request, argument.baseAddress))
    }

    public func ioctl(_ fd: Int32, request: UInt, value: Int) throws(Errno) -> Int32 {
        try check(clinux_ioctl_value(fd, request, value))
    }

    public func read(_ fd: Int32, into octets: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        // The kernel writes no more than the buffer's count.
        try check(unsafe Glibc.read(fd, octets.baseAddress, octets.count))
    }

    public func write(_ fd: Int32, _ octets: RawSpan) throws(Errno) -> Int {
        try check(unsafe octets.withUnsafeBytes { unsafe Glibc.write(fd, $0.baseAddress, $0.count) })
    }

    public func close(_ fd: Int32) throws(Errno) {
        _ = try check(Glibc.close(fd))
    }

    public func unlink(_ path: String) throws(Errno) {
        _ = try check(unsafe Glibc.unlink(path))
    }

    public func pollNow(_ fd: Int32, events: Int32) throws(Errno) -> Int32 {
        try check(clinux_poll_now(fd, events))
    }

    public func epollCreate() throws(Errno) -> Int32 {
        try check(epoll_create1(Int32(EPOLL_CLOEXEC)))
    }

    public func epollControl(
        _ epoll: Int32, operation: EpollOperation, _ fd: Int32, events: UInt32, token: UInt64
    ) throws(Errno) {
        var event = unsafe epoll_event(events: events, data: epoll_data_t(u64: token))
        // The kernel reads one event.
        _ = try check(unsafe epoll_ctl(epoll, operation.rawValue, fd, &event))
    }

    public func epollWait(_ epoll: Int32, into events: EpollEvents, timeout: Int32) throws(Errno) -> Int {
        // The kernel writes no more events than there is room for.
        let count = try check(
            unsafe epoll_wait(epoll, events.storage, Int32(clamping: EpollEvents.capacity), timeout))
        return Int(count)
    }

    public func eventDescriptor() throws(Errno) -> Int32 {
        try check(eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC)))
    }

    public func timerDescriptor() throws(Errno) -> Int32 {
        try check(clinux_timer_create())
    }

    public func setTimer(_ fd: Int32, deadline: UInt64) throws(Errno) {
        _ = try check(clinux_timer_set(fd, deadline))
    }

    public func signalDescriptor(_ signals: [Int32]) throws(Errno) -> Int32 {
        // The call reads `count` numbers, and there are that many.
        try check(unsafe clinux_signal_descriptor(signals, UInt32(clamping: signals.count)))
    }

    public func monotonicNow() -> UInt64 { clinux_monotonic_ns() }

    public func realTimeNow() -> UInt64 { clinux_realtime_ns() }
}
