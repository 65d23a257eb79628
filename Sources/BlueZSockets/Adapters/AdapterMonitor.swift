internal import CBlueZ
internal import GAP
public import Sockets

/// What happened to an adapter.
public struct AdapterChange: Hashable, Sendable {
    /// What can happen.
    public enum Kind: Hashable, Sendable {
        /// It was plugged in.
        case added
        /// It was unplugged.
        case removed
        /// It was switched on.
        case up
        /// It was switched off.
        case down
    }

    /// Which adapter: 0 for `hci0`.
    public var index: UInt16
    /// What happened.
    public var kind: Kind

    /// A change of its parts.
    public init(index: UInt16, kind: Kind) {
        self.index = index
        self.kind = kind
    }
}

/// Tells of adapters that come, go, and are switched on and off.
///
/// With CAP_NET_RAW it reads the kernel's own events on a raw HCI socket that is bound to no adapter
/// (`EVT_STACK_INTERNAL`, which the kernel sends for every change). Without that right it listens to the management
/// socket, which everybody may; there, switching on and off is told only for adapters that some program manages, as
/// bluetoothd does. No command is sent on it: the first command would change how the kernel pairs.
public final class AdapterMonitor: Sendable {
    /// Whether the kernel's own events are read, so that no change can be missed.
    public let isComplete: Bool

    private let socket: PacketSocket
    /// Which adapters were last told to be switched on; for the management socket, which tells settings.
    private let powered = Locked<[UInt16: Bool]>([:])

    /// Begins to watch; `handler` runs on the loop's thread.
    /// - Throws: `noAdapter` when the kernel has no Bluetooth, `noRights` when no socket may be opened.
    public init(
        on loop: EventLoop = .shared, system: (any SystemCalls)? = nil,
        handler: @escaping @Sendable (AdapterChange) -> Void
    ) throws(BluetoothSocketError) {
        let system = system ?? loop.system
        do throws(Errno) {
            let opened = try Self.open(system)
            isComplete = opened.isComplete
            // Management events are up to 64 KiB long; the head of those that matter here is short.
            socket = PacketSocket(adopting: opened.socket, capacity: 8, packetCapacity: 512, system: system)
            if !isComplete, let adapters = try? AdapterList(system: system).all() {
                let isUp = Dictionary(adapters.map { ($0.index, $0.isUp) }) { first, _ in first }
                powered.withLock { $0 = isUp }
            }
            try socket.start(
                on: loop, PacketSocket.Handlers(received: { [weak self] batch in self?.receive(batch, handler) }))
        } catch {
            throw BluetoothSocketError(error, in: .listing, failure: "cannot watch the Bluetooth adapters")
        }
    }

    /// Ends the watching, from any thread. Idempotent.
    public func cancel() { socket.close() }

    /// The changes as a sequence, which ends when its consumer does. It keeps the newest 64 that nobody has taken yet.
    /// - Throws: as the initialiser.
    public static func changes(
        on loop: EventLoop = .shared, system: (any SystemCalls)? = nil
    ) throws(BluetoothSocketError) -> AsyncStream<AdapterChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: AdapterChange.self, bufferingPolicy: .bufferingNewest(64))
        let monitor = try AdapterMonitor(on: loop, system: system) { continuation.yield($0) }
        continuation.onTermination = { _ in monitor.cancel() }
        return stream
    }

    private static func open(_ system: any SystemCalls) throws(Errno) -> (socket: Int32, isComplete: Bool) {
        let raw = try HCIFilter.openSocket(
            system, adapter: UInt16(HCI_DEV_NONE), channel: HCI_CHANNEL_RAW, filter: .stackEvents)
        if raw.filterIsWhole { return (raw.descriptor, true) }
        try? system.close(raw.descriptor)
        let control = try HCIFilter.openSocket(
            system, adapter: UInt16(HCI_DEV_NONE), channel: HCI_CHANNEL_CONTROL, filter: nil)
        return (control.descriptor, false)
    }

    private func receive(_ batch: DatagramBatch, _ handler: @Sendable (AdapterChange) -> Void) {
        for index in 0..<batch.count {
            let packet = batch.octets(at: index)
            let change = isComplete ? Self.stackEvent(packet) : managementEvent(packet)
            if let change { handler(change) }
        }
    }

    /// An event of the kernel's own, in the form of an HCI event: `04 fd 06 01 00 EVENT EVENT INDEX INDEX`.
    static func stackEvent(_ packet: RawSpan) -> AdapterChange? {
        var reader = OctetReader(packet)
        do throws(MalformedError) {
            guard try reader.uint8() == HCI_EVENT_PKT, try reader.uint8() == EVT_STACK_INTERNAL else { return nil }
            _ = try reader.uint8()
            guard try reader.uint16() == EVT_SI_DEVICE else { return nil }
            let event = try reader.uint16()
            let index = try reader.uint16()
            switch Int32(event) {
            case HCI_DEV_REG: return AdapterChange(index: index, kind: .added)
            case HCI_DEV_UNREG: return AdapterChange(index: index, kind: .removed)
            case HCI_DEV_UP: return AdapterChange(index: index, kind: .up)
            case HCI_DEV_DOWN: return AdapterChange(index: index, kind: .down)
            default: return nil
            }
        } catch {
            return nil
        }
    }

    /// A management event (`doc/mgmt-api.txt` of BlueZ): code, index, length, parameters.
    private func managementEvent(_ packet: RawSpan) -> AdapterChange? {
        var reader = OctetReader(packet)
        do throws(MalformedError) {
            let event = try reader.uint16()
            let index = try reader.uint16()
            _ = try reader.uint16()
            switch event {
            case 0x0004:  // Index Added
                powered.withLock { $0[index] = false }
                return AdapterChange(index: index, kind: .added)
            case 0x0005:  // Index Removed
                powered.withLock { $0[index] = nil }
                return AdapterChange(index: index, kind: .removed)
            case 0x0006:  // New Settings: bit 0 is Powered
                let isPowered = try reader.uint32() & 1 == 1
                let before = powered.withLock { $0.updateValue(isPowered, forKey: index) }
                return before == isPowered ? nil : AdapterChange(index: index, kind: isPowered ? .up : .down)
            default: return nil
            }
        } catch {
            return nil
        }
    }
}
