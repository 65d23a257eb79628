public import Sockets
import Wire

/// A system call as a value, with the arguments that matter.
public enum SystemCall: Hashable, Sendable {
    case socket(domain: Int32, type: Int32, protocol: Int32)
    case socketPair(domain: Int32, type: Int32, protocol: Int32)
    case bind(Int32, [UInt8])
    case connect(Int32, [UInt8])
    case listen(Int32, backlog: Int32)
    case accept(Int32)
    case socketName(Int32)
    case peerName(Int32)
    case shutdown(Int32, how: Int32)
    case socketOption(Int32, level: Int32, name: Int32)
    case setSocketOption(Int32, level: Int32, name: Int32, [UInt8])
    case send(Int32, [UInt8])
    case receive(Int32)
    case receiveMany(Int32)
    /// An ioctl with an address; the octets are those the caller passes in.
    case ioctl(Int32, request: UInt, [UInt8])
    case ioctlValue(Int32, request: UInt, Int)
    case read(Int32)
    case write(Int32, [UInt8])
    case close(Int32)
    case unlink(String)
    case openForReading(String)
    case open(String, flags: Int32, mode: UInt32)
    /// The reply's value is the mode; the owner is root.
    case fileStatus(Int32)
    case lock(Int32)
    case synchronise(Int32)
    case rename(String, to: String)
    case makeFolder(String, mode: UInt32)
    case pollNow(Int32)
    case epollCreate
    case epollControl(EpollOperation, Int32, events: UInt32)
    case epollWait(waits: Bool)
    case eventDescriptor
    case timerDescriptor
    case setTimer(UInt64)
    case signalDescriptor([Int32])
}

/// What a scripted call gives back.
public enum SystemReply: Sendable {
    /// The call's number: a descriptor, a length, zero.
    case value(Int)
    /// Octets that the call writes to the caller's memory; its result is their number, or zero for an ioctl.
    case octets([UInt8])
    /// Datagrams of `receiveMany`.
    case datagrams([[UInt8]])
    /// Events of `epollWait`, for the descriptors that were added.
    case events([(descriptor: Int32, Readiness)])
    /// The call fails.
    case error(Errno)

    /// Success without a result.
    public static var done: SystemReply { .value(0) }
}

/// System calls that follow a table: each call must be the table's next, and gets its reply.
///
/// A call that does not fit is noted in `mismatches` and fails with `noFunction`. The calls of an event loop can be left
/// to the kernel with `keepingLoop`, so that a table holds only the calls of the code under test.
public final class ScriptedSystemCalls: SystemCalls {
    struct State {
        var table: [(SystemCall, SystemReply)] = []
        var position = 0
        var mismatches: [String] = []
        var tokens: [Int32: UInt64] = [:]
        var now: UInt64 = 1_000_000_000
    }

    let state: Locked<State>
    private let kernel: (any SystemCalls)?

    /// Calls that follow `table`.
    /// - Parameter keepingLoop: whether the calls of an event loop (epoll, eventfd, timerfd, write, the clock) go to the
    ///   kernel.
    public init(_ table: [(SystemCall, SystemReply)], keepingLoop: Bool = false) {
        state = Locked(State())
        kernel = keepingLoop ? LinuxSystemCalls() : nil
        expect(table)
    }

    /// Adds to the end of the table.
    public func expect(_ table: [(SystemCall, SystemReply)]) {
        for entry in table { state.withLock { $0.table.append(entry) } }
    }

    /// The calls that did not fit the table, and what was expected instead.
    public var mismatches: [String] { state.withLock { $0.mismatches } }

    /// The table's calls that have not been made.
    public var remaining: [SystemCall] { state.withLock { $0.table.dropFirst($0.position).map(\.0) } }

    /// Sets the scripted clock, in nanoseconds.
    public func setNow(_ now: UInt64) { state.withLock { $0.now = now } }

    func reply(to call: SystemCall) throws(Errno) -> SystemReply {
        let reply: SystemReply? = state.withLock { state in
            guard state.position < state.table.count else {
                state.mismatches.append("\(call), where the table ends")
                return nil
            }
            let (expected, reply) = state.table[state.position]
            guard expected == call else {
                state.mismatches.append("\(call), where the table has \(expected)")
                return nil
            }
            state.position += 1
            return reply
        }
        switch reply {
        case nil: throw .noFunction
        case .error(let error): throw error
        case .some(let reply): return reply
        }
    }

    func number(_ call: SystemCall) throws(Errno) -> Int {
        switch try reply(to: call) {
        case .value(let value): return value
        case .octets(let octets): return octets.count
        case .datagrams(let datagrams): return datagrams.count
        case .events, .error: return 0
        }
    }

    func descriptor(_ call: SystemCall) throws(Errno) -> Int32 { Int32(truncatingIfNeeded: try number(call)) }

    func octets(_ call: SystemCall, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        let reply = try reply(to: call)
        if case .value(let value) = reply { return value }
        guard case .octets(let octets) = reply else { return 0 }
        let count = min(octets.count, buffer.count)
        for index in 0..<count { unsafe buffer[index] = octets[index] }
        return count
    }
}

extension ScriptedSystemCalls {
    public func socket(domain: Int32, type: Int32, protocol number: Int32) throws(Errno) -> Int32 {
        try descriptor(.socket(domain: domain, type: type, protocol: number))
    }

    /// The reply's value is the first descriptor; the second is the one after it.
    public func socketPair(domain: Int32, type: Int32, protocol number: Int32) throws(Errno) -> (Int32, Int32) {
        let first = try descriptor(.socketPair(domain: domain, type: type, protocol: number))
        return (first, first + 1)
    }

    public func bind(_ fd: Int32, to address: RawSpan) throws(Errno) {
        _ = try reply(to: .bind(fd, [UInt8](octets: address)))
    }

    public func connect(_ fd: Int32, to address: RawSpan) throws(Errno) {
        _ = try reply(to: .connect(fd, [UInt8](octets: address)))
    }

    public func listen(_ fd: Int32, backlog: Int32) throws(Errno) {
        _ = try reply(to: .listen(fd, backlog: backlog))
    }

    public func accept(_ fd: Int32, flags: Int32) throws(Errno) -> Int32 { try descriptor(.accept(fd)) }

    public func socketName(_ fd: Int32, into address: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        try unsafe octets(.socketName(fd), into: address)
    }

    public func peerName(_ fd: Int32, into address: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        try unsafe octets(.peerName(fd), into: address)
    }

    public func shutdown(_ fd: Int32, how: Int32) throws(Errno) { _ = try reply(to: .shutdown(fd, how: how)) }

    public func socketOption(
        _ fd: Int32, level: Int32, name: Int32, into value: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int {
        try unsafe octets(.socketOption(fd, level: level, name: name), into: value)
    }

    public func setSocketOption(_ fd: Int32, level: Int32, name: Int32, to value: RawSpan) throws(Errno) {
        _ = try reply(to: .setSocketOption(fd, level: level, name: name, [UInt8](octets: value)))
    }

    public func send(_ fd: Int32, _ octets: RawSpan, flags: Int32) throws(Errno) -> Int {
        try number(.send(fd, [UInt8](octets: octets)))
    }

    public func receive(_ fd: Int32, into buffer: UnsafeMutableRawBufferPointer, flags: Int32) throws(Errno) -> Int {
        try unsafe octets(.receive(fd), into: buffer)
    }

    public func receiveMany(_ fd: Int32, into batch: DatagramBatch, flags: Int32) throws(Errno) -> Int {
        guard case .datagrams(let datagrams) = try reply(to: .receiveMany(fd)) else { return 0 }
        batch.fill(datagrams)
        return batch.count
    }

    public func ioctl(_ fd: Int32, request: UInt, argument: UnsafeMutableRawBufferPointer) throws(Errno) -> Int32 {
        let passed = unsafe [UInt8](argument)
        let call = SystemCall.ioctl(fd, request: request, passed)
        guard case .octets(let octets) = try reply(to: call) else { return 0 }
        for index in 0..<min(octets.count, argument.count) { unsafe argument[index] = octets[index] }
        return 0
    }

    public func ioctl(_ fd: Int32, request: UInt, value: Int) throws(Errno) -> Int32 {
        try descriptor(.ioctlValue(fd, request: request, value))
    }

    public func read(_ fd: Int32, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        try unsafe octets(.read(fd), into: buffer)
    }

    public func write(_ fd: Int32, _ octets: RawSpan) throws(Errno) -> Int {
        if let kernel { return try kernel.write(fd, octets) }
        return try number(.write(fd, [UInt8](octets: octets)))
    }

    public func close(_ fd: Int32) throws(Errno) { _ = try reply(to: .close(fd)) }

    public func unlink(_ path: String) throws(Errno) { _ = try reply(to: .unlink(path)) }

    public func openForReading(_ path: String) throws(Errno) -> Int32 { try descriptor(.openForReading(path)) }

    public func open(_ path: String, flags: Int32, mode: UInt32) throws(Errno) -> Int32 {
        try descriptor(.open(path, flags: flags, mode: mode))
    }

    public func fileStatus(_ fd: Int32) throws(Errno) -> FileStatus {
        FileStatus(mode: UInt32(truncatingIfNeeded: try number(.fileStatus(fd))), owner: 0)
    }

    public func lock(_ fd: Int32) throws(Errno) { _ = try reply(to: .lock(fd)) }

    public func synchronise(_ fd: Int32) throws(Errno) { _ = try reply(to: .synchronise(fd)) }

    public func rename(_ path: String, to newPath: String) throws(Errno) {
        _ = try reply(to: .rename(path, to: newPath))
    }

    public func makeFolder(_ path: String, mode: UInt32) throws(Errno) {
        _ = try reply(to: .makeFolder(path, mode: mode))
    }

    public func effectiveUser() -> UInt32 { 0 }

    public func pollNow(_ fd: Int32, events: Int32) throws(Errno) -> Int32 { try descriptor(.pollNow(fd)) }
}

// MARK: - The loop's calls

extension ScriptedSystemCalls {
    public func epollCreate() throws(Errno) -> Int32 {
        if let kernel { return try kernel.epollCreate() }
        return try descriptor(.epollCreate)
    }

    public func epollControl(
        _ epoll: Int32, operation: EpollOperation, _ fd: Int32, events: UInt32, token: UInt64
    ) throws(Errno) {
        if let kernel {
            return try kernel.epollControl(epoll, operation: operation, fd, events: events, token: token)
        }
        _ = try reply(to: .epollControl(operation, fd, events: events))
        state.withLock { $0.tokens[fd] = operation == .remove ? nil : token }
    }

    public func epollWait(_ epoll: Int32, into events: EpollEvents, timeout: Int32) throws(Errno) -> Int {
        if let kernel { return try kernel.epollWait(epoll, into: events, timeout: timeout) }
        let reply: SystemReply
        do throws(Errno) {
            reply = try self.reply(to: .epollWait(waits: timeout != 0))
        } catch .noFunction {
            // Noted as a mismatch; an error would stop the loop, and the test before it can say so.
            return 0
        }
        guard case .events(let ready) = reply else { return 0 }
        for (index, event) in ready.enumerated() {
            let token = state.withLock { $0.tokens[event.descriptor] } ?? 0
            events[index] = (token, event.1.rawValue)
        }
        return ready.count
    }

    public func eventDescriptor() throws(Errno) -> Int32 {
        if let kernel { return try kernel.eventDescriptor() }
        return try descriptor(.eventDescriptor)
    }

    public func timerDescriptor() throws(Errno) -> Int32 {
        if let kernel { return try kernel.timerDescriptor() }
        return try descriptor(.timerDescriptor)
    }

    public func setTimer(_ fd: Int32, deadline: UInt64) throws(Errno) {
        if let kernel { return try kernel.setTimer(fd, deadline: deadline) }
        do throws(Errno) {
            _ = try reply(to: .setTimer(deadline))
        } catch .noFunction {
            // As in `epollWait`.
            return
        }
    }

    public func signalDescriptor(_ signals: [Int32]) throws(Errno) -> Int32 {
        if let kernel { return try kernel.signalDescriptor(signals) }
        return try descriptor(.signalDescriptor(signals))
    }

    public func monotonicNow() -> UInt64 {
        if let kernel { return kernel.monotonicNow() }
        return state.withLock { $0.now }
    }

    public func realTimeNow() -> UInt64 {
        if let kernel { return kernel.realTimeNow() }
        return state.withLock { $0.now }
    }

    /// The calls by which an event loop is made, giving descriptors 3 (epoll), 4 (eventfd) and 5 (timerfd).
    public static var loopCreation: [(SystemCall, SystemReply)] {
        [
            (.epollCreate, .value(3)), (.eventDescriptor, .value(4)), (.timerDescriptor, .value(5)),
            (.epollControl(.add, 4, events: 0x8000_0001), .done),
            (.epollControl(.add, 5, events: 0x8000_0001), .done),
        ]
    }
}
