internal import CBlueZ
internal import GAP
public import Sockets

/// What a management command came to.
public struct ManagementReply: Hashable, Sendable {
    /// How it ended.
    public var status: ManagementStatus
    /// What it returned; empty when it failed early.
    public var parameters: [UInt8]
}

/// A management socket for one adapter: commands out, their answers to their callers, events to one listener.
///
/// Opening it changes nothing. The first command that any program sends to an adapter makes the adapter a managed one
/// for the kernel, and pairing then makes keys that are kept only after Set Bondable.
public actor ManagementSocket {
    /// The adapter's number: 0 for `hci0`.
    public nonisolated let adapter: UInt16
    /// The loop on whose thread events are read and the listener is called.
    public nonisolated let loop: EventLoop

    private nonisolated let channel: CommandChannel<ManagementOpcode, ManagementReply>
    private let listener: @Sendable (ManagementEvent) -> Void

    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    private init(
        adapter: UInt16, descriptor: Int32, loop: EventLoop, system: any SystemCalls,
        listener: @escaping @Sendable (ManagementEvent) -> Void
    ) {
        self.adapter = adapter
        self.loop = loop
        self.listener = listener
        // The longest events are those of connected devices, with their advertising data, of which the head is read.
        let socket = PacketSocket(adopting: descriptor, capacity: 8, packetCapacity: 1024, system: system)
        channel = CommandChannel(socket, on: loop) { ("the kernel did not answer \($0)", "") }
    }

    /// Opens a socket and begins to read. Everybody may; commands and most events need CAP_NET_ADMIN.
    /// - Parameter listener: is told every event that answers no command, on the loop's thread.
    /// - Throws: `noAdapter` when the kernel has no Bluetooth.
    public static func open(
        adapter: UInt16, on loop: EventLoop = .shared, system: (any SystemCalls)? = nil,
        listener: @escaping @Sendable (ManagementEvent) -> Void = { _ in }
    ) async throws(BluetoothSocketError) -> ManagementSocket {
        let system = system ?? loop.system
        let descriptor: Int32
        do throws(Errno) {
            descriptor = try HCIFilter.openSocket(
                system, adapter: UInt16(HCI_DEV_NONE), channel: HCI_CHANNEL_CONTROL, filter: nil
            ).descriptor
        } catch {
            throw BluetoothSocketError(error, in: .listing, failure: "cannot manage hci\(adapter)")
        }
        let socket = ManagementSocket(
            adapter: adapter, descriptor: descriptor, loop: loop, system: system, listener: listener)
        try await socket.start()
        return socket
    }

    private func start() throws(BluetoothSocketError) {
        do throws(Errno) {
            try channel.start(
                PacketSocket.Handlers(
                    received: { [weak self] batch in self?.assumeIsolated { $0.receive(batch) } },
                    failed: { [weak self] errno in self?.assumeIsolated { $0.failed(errno) } }))
        } catch {
            let failure = BluetoothSocketError(error, in: .listing, failure: "cannot manage hci\(adapter)")
            channel.finish(failure)
            throw failure
        }
    }

    private func failed(_ errno: Errno) {
        channel.finish(BluetoothSocketError(errno, in: .listing, failure: "the use of hci\(adapter) ended"))
    }

    /// Closes the socket; callers that wait get `cancelled`. Idempotent.
    public func close() { channel.finish(.cancelled("the use of hci\(adapter) ended")) }

    /// Sends a command and waits for its answer, whatever its status.
    ///
    /// Cancelling the task does not end the waiting: a command that was sent is answered soon, and one that takes long,
    /// Pair Device, is cancelled by another one.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait for the answer.
    ///   - failure: the beginning of the error's sentence, such as `cannot pair with F0:F1:F2:F3:F4:F5/random`.
    /// - Throws: `noAdapter`, `timedOut`; `cancelled` when the socket is closed.
    public func send(
        _ command: ManagementCommand, timeout: Duration = .seconds(3), failure: String
    ) async throws(BluetoothSocketError) -> ManagementReply {
        try await channel.send(
            command.packet(adapter: adapter), to: "hci\(adapter)", command.opcode, timeout: timeout, failure: failure,
            isCancellable: false)
    }

    /// Sends a command and waits for its success.
    /// - Throws: as `send`, and an error that says what a status means that is none.
    @discardableResult
    public func perform(
        _ command: ManagementCommand, timeout: Duration = .seconds(3), failure: String
    ) async throws(BluetoothSocketError) -> [UInt8] {
        let reply = try await send(command, timeout: timeout, failure: failure)
        guard reply.status.isSuccess else {
            throw BluetoothSocketError(reply.status, to: command.opcode, adapter: adapter, failure: failure)
        }
        return reply.parameters
    }

    /// Sends a command whose answer nobody waits for.
    public func post(_ command: ManagementCommand) {
        try? channel.write(command.packet(adapter: adapter), to: "hci\(adapter)", failure: "")
    }

    private func receive(_ batch: DatagramBatch) {
        for index in 0..<batch.count { receive(batch.octets(at: index)) }
    }

    /// One packet. What is malformed or cut off is passed over: the next packet is a new one.
    private func receive(_ octets: RawSpan) {
        guard let packet = try? ManagementPacket(parsing: octets), packet.adapter == adapter else { return }
        guard case .answer(let opcode, let status, let parameters) = packet.event else {
            if packet.event == .indexRemoved {
                channel.finish(.adapterVanished("hci\(adapter)", failure: "the use of hci\(adapter) ended"))
            }
            listener(packet.event)
            return
        }
        channel.answer(opcode, ManagementReply(status: status, parameters: parameters))
    }
}
