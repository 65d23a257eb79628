internal import CLinux

/// What epoll says of a descriptor.
@frozen
public struct Readiness: OptionSet, Sendable {
    /// The bits of `epoll_event.events`.
    public let rawValue: UInt32

    @inlinable
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Something can be read, or the end was reached (`EPOLLIN`).
    @inlinable public static var readable: Readiness { Readiness(rawValue: 0x001) }
    /// Something can be written, or a connection attempt has ended (`EPOLLOUT`).
    @inlinable public static var writable: Readiness { Readiness(rawValue: 0x004) }
    /// An error is pending (`EPOLLERR`). Always reported.
    @inlinable public static var error: Readiness { Readiness(rawValue: 0x008) }
    /// Both directions are closed (`EPOLLHUP`). Always reported.
    @inlinable public static var hangUp: Readiness { Readiness(rawValue: 0x010) }
    /// The peer closed its sending direction (`EPOLLRDHUP`).
    @inlinable public static var peerHangUp: Readiness { Readiness(rawValue: 0x2000) }
}

/// A descriptor that an event loop watches, level-triggered, until `cancel`.
///
/// The owner of the descriptor cancels the source before it closes the descriptor.
public final class DescriptorSource: Sendable {
    /// The watched descriptor, which somebody else owns.
    public let descriptor: Int32

    private let loop: EventLoop
    private let handler: @Sendable (Readiness) -> Void
    private let state: Locked<State>

    private struct State {
        var token: UInt64?
        var interest: Readiness
    }

    /// Watches `descriptor`; `handler` runs on the loop's thread each time that it is ready for what `interest` names,
    /// and on errors and hang-ups always. The loop holds the source until `cancel`.
    /// - Throws: the error number of `epoll_ctl`, for example `notPermitted` for a regular file.
    public init(
        _ descriptor: Int32, on loop: EventLoop, interest: Readiness,
        handler: @escaping @Sendable (Readiness) -> Void
    ) throws(Errno) {
        self.descriptor = descriptor
        self.loop = loop
        self.handler = handler
        state = Locked(State(token: nil, interest: interest))
        let token = loop.table.withLock { $0.add(self) }
        do throws(Errno) {
            try loop.system.epollControl(
                loop.epoll, operation: .add, descriptor, events: interest.rawValue, token: token)
        } catch {
            loop.table.withLock { $0.remove(token) }
            throw error
        }
        state.withLock { $0.token = token }
    }

    /// Changes what is waited for. Nothing happens after `cancel`.
    /// - Throws: the error number of `epoll_ctl`.
    public func setInterest(_ interest: Readiness) throws(Errno) {
        try state.withLock { state throws(Errno) in
            guard let token = state.token, state.interest != interest else { return }
            state.interest = interest
            try loop.system.epollControl(
                loop.epoll, operation: .modify, descriptor, events: interest.rawValue, token: token)
        }
    }

    /// Ends the watching, from any thread; the handler may be running then, but is not called again. Idempotent.
    public func cancel() {
        let token = state.withLock { state in
            defer { state.token = nil }
            return state.token
        }
        guard let token else { return }
        loop.table.withLock { $0.remove(token) }
        // A descriptor that somebody closed already has left the set by itself.
        try? loop.system.epollControl(loop.epoll, operation: .remove, descriptor, events: 0, token: token)
    }

    func handle(_ readiness: Readiness) { handler(readiness) }
}

/// The sources of a loop by token. A token holds a place and a count of its uses, so that an event of a source that was
/// cancelled meanwhile, in the same batch of events, reaches nobody.
struct DescriptorTable {
    private struct Place {
        var source: DescriptorSource?
        var uses: UInt32 = 0
    }

    private var places: [Place] = []
    private var free: [Int] = []

    mutating func add(_ source: DescriptorSource) -> UInt64 {
        let index: Int
        if let last = free.popLast() {
            index = last
        } else {
            index = places.count
            places.append(Place())
        }
        places[index].source = source
        // 31 bits, so that no token is one of the loop's own two.
        places[index].uses = (places[index].uses &+ 1) & 0x7FFF_FFFF
        return UInt64(places[index].uses) << 32 | UInt64(UInt32(truncatingIfNeeded: index))
    }

    mutating func remove(_ token: UInt64) {
        guard let index = index(of: token) else { return }
        places[index].source = nil
        free.append(index)
    }

    func source(of token: UInt64) -> DescriptorSource? {
        index(of: token).flatMap { places[$0].source }
    }

    private func index(of token: UInt64) -> Int? {
        let index = Int(token & 0xFFFF_FFFF)
        guard index < places.count, places[index].uses == UInt32(truncatingIfNeeded: token >> 32),
            places[index].source != nil
        else { return nil }
        return index
    }
}
