import Sockets
import Synchronization
import Wire

/// What a socket reported, in order, and a way to wait for the next report without polling.
final class Recorder: Sendable {
    enum Event: Equatable, Sendable {
        case datagram([UInt8], truncated: Bool)
        case batch(Int)
        case writable
        case closed(SocketCloseReason)
    }

    private let continuation: AsyncStream<Event>.Continuation
    private let stream: AsyncStream<Event>
    private let onLoop: @Sendable () -> Void

    init(onLoop: @escaping @Sendable () -> Void = {}) {
        (stream, continuation) = AsyncStream.makeStream()
        self.onLoop = onLoop
    }

    var handlers: SeqPacketHandlers {
        let continuation = continuation
        let onLoop = onLoop
        return SeqPacketHandlers(
            received: { batch in
                onLoop()
                for index in 0..<batch.count {
                    continuation.yield(
                        .datagram([UInt8](octets: batch.octets(at: index)), truncated: batch.isTruncated(at: index)))
                }
                continuation.yield(.batch(batch.count))
            },
            writable: {
                onLoop()
                continuation.yield(.writable)
            },
            closed: {
                onLoop()
                continuation.yield(.closed($0))
                continuation.finish()
            })
    }

    /// Everything up to and including `last`, or the end.
    func events(until last: Event, withBatches: Bool = false) async -> [Event] {
        var events: [Event] = []
        for await event in stream {
            if case .batch = event, !withBatches { continue }
            events.append(event)
            if event == last { break }
        }
        return events
    }

    /// Everything up to the end.
    func all() async -> [Event] {
        await stream.reduce(into: []) { events, event in
            if case .batch = event { return }
            events.append(event)
        }
    }
}
