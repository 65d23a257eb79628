internal import CBlueZ
public import Sockets
internal import Wire

/// One message of the kernel's monitor, borrowed: `struct hci_mon_hdr` and what follows it.
public struct HCIMonitorMessage: ~Escapable {
    /// What it is: 2 a command, 3 an event, 4 and 5 ACL data sent and received, 18 and 19 isochronous data; others tell of
    /// adapters that come and go, and what programs want noted.
    public let opcode: UInt16
    /// The adapter's index; 0xFFFF for none.
    public let adapter: UInt16
    /// When it was read, in nanoseconds since 1970 (UTC).
    public let unixNanoseconds: UInt64
    /// A packet without its type octet, or what the opcode calls for.
    public let octets: RawSpan

    @_lifetime(copy octets)
    init(opcode: UInt16, adapter: UInt16, unixNanoseconds: UInt64, octets: RawSpan) {
        self.opcode = opcode
        self.adapter = adapter
        self.unixNanoseconds = unixNanoseconds
        self.octets = octets
    }
}

/// Listens to everything between the kernel and its Bluetooth controllers, without a trace on either side
/// (`HCI_CHANNEL_MONITOR`): commands and events, data of all connections, those of other programs too.
///
/// It needs CAP_NET_RAW. The kernel keeps some hundreds of messages for a listener that is slow, and drops what comes after
/// them without a word.
public final class HCIMonitor: Sendable {
    private let system: any SystemCalls
    private let deliver: @Sendable (borrowing HCIMonitorMessage) -> Void
    private let state: Locked<State>

    private struct State {
        /// −1 once closed.
        var descriptor: Int32
        var source: DescriptorSource?
    }

    /// The header before every message: opcode, index and length, little-endian.
    private static let headerLength = 6
    /// The longest message: an ACL packet of 65,535 octets with its headers.
    private static let longestMessage = 65_545
    /// How many octets the kernel is asked to keep for this listener.
    private static let receiveBuffer: Int32 = 1 << 20

    /// Begins to listen; `deliver` runs on the loop's thread, or on the thread of `drain`.
    /// - Throws: `noRights` without CAP_NET_RAW, `noAdapter` when the kernel has no Bluetooth.
    public init(
        on loop: EventLoop = .shared, system: (any SystemCalls)? = nil,
        deliver: @escaping @Sendable (borrowing HCIMonitorMessage) -> Void
    ) throws(BluetoothSocketError) {
        let system = system ?? loop.system
        self.system = system
        self.deliver = deliver
        do throws(Errno) {
            let opened = try HCIFilter.openSocket(
                system, adapter: UInt16(HCI_DEV_NONE), channel: HCI_CHANNEL_MONITOR, filter: nil)
            state = Locked(State(descriptor: opened.descriptor))
        } catch {
            throw BluetoothSocketError(error, in: .listing, failure: "cannot listen to the Bluetooth adapters")
        }
        let descriptor = state.withLock { $0.descriptor }
        // Less room is not fatal.
        try? system.setSocketOption(
            descriptor, level: LinuxNumbers.socketLevel, name: SO_RCVBUF, value: Self.receiveBuffer)
        do throws(Errno) {
            let source = try DescriptorSource(descriptor, on: loop, interest: .readable) { [weak self] _ in
                self?.read(most: 256)
            }
            state.withLock { $0.source = source }
        } catch {
            close()
            throw BluetoothSocketError(error, in: .listing, failure: "cannot listen to the Bluetooth adapters")
        }
    }

    deinit { close() }

    /// Delivers what the kernel has kept until now.
    public func drain() { read(most: .max) }

    /// Ends the listening, from any thread. Idempotent.
    public func close() {
        state.withLock { state in
            state.source?.cancel()
            state.source = nil
            // Linux has closed the descriptor even when it reports an error.
            if state.descriptor >= 0 { try? system.close(state.descriptor) }
            state.descriptor = -1
        }
    }

    /// One message a call, so that each has the time at which it was read.
    private func read(most: Int) {
        var buffer = [UInt8](repeating: 0, count: Self.headerLength + Self.longestMessage)
        for _ in 0..<most {
            // The lock keeps two readers from changing the order.
            let isMore = state.withLock { state in
                guard state.descriptor >= 0, let count = receive(state.descriptor, into: &buffer) else { return false }
                hand(buffer, count)
                return true
            }
            guard isMore else { return }
        }
    }

    /// How many octets came; `nil` when there is nothing more.
    private func receive(_ descriptor: Int32, into buffer: inout [UInt8]) -> Int? {
        while true {
            var failure: Errno?
            var count = 0
            // The kernel writes at most the buffer's length.
            unsafe buffer.withUnsafeMutableBytes { buffer in
                do throws(Errno) {
                    count = try unsafe system.receive(descriptor, into: buffer, flags: LinuxNumbers.doNotWait)
                } catch {
                    failure = error
                }
            }
            switch failure {
            case nil: return count
            case .interrupted?: continue
            default: return nil
            }
        }
    }

    private func hand(_ buffer: [UInt8], _ count: Int) {
        var reader = OctetReader(buffer.octets.extracting(first: count))
        do throws(MalformedError) {
            let opcode = try reader.uint16()
            let adapter = try reader.uint16()
            let length = try reader.uint16()
            deliver(
                HCIMonitorMessage(
                    opcode: opcode, adapter: adapter, unixNanoseconds: system.realTimeNow(),
                    octets: try reader.octets(Int(length))))
        } catch {
            // No kernel sends less than it says; such a message would tell nothing.
            return
        }
    }
}
