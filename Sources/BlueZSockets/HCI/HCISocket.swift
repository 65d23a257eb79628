internal import CBlueZ
public import HCI
public import Sockets

/// What a raw HCI socket hears, for those who subscribe to it. The packets are borrowed until the closure returns.
public enum HCISocketInput: ~Escapable {
    /// An event of the controller that answers no command.
    case event(EventPacket)
    /// A command that the kernel, or another program, has just sent to the same controller.
    case foreignCommand(CommandPacket)
    /// All packets that were there have been handed out; the time to pass on what was gathered.
    case batchEnded
    /// Nothing more will be heard: the adapter is down, was removed, or the socket was closed.
    case ended(BluetoothSocketError)
}

/// The answer to a command.
public struct CommandReply: Hashable, Sendable {
    /// The command that is answered.
    public var opcode: CommandOpcode
    /// Whether it was done, or begun.
    public var status: StatusCode
    /// What a Command Complete event returned, the status octet first; empty after a Command Status event.
    public var returnParameters: [UInt8]
}

/// A raw HCI socket of one adapter: commands out, their answers to their callers, events to subscribers.
///
/// Packets are read in one place and given out by opcode and by event; the filter is set once, when the socket is
/// opened, so nothing is lost between a command and the next. The kernel sends one command at a time, so an answer
/// belongs to the command that another program sent last, when it has the same opcode, and else to the first caller
/// that waits for this opcode.
///
/// It also watches its adapter (`AdapterMonitor`), because the kernel tells a socket nothing when the adapter is
/// switched off: callers and subscribers then get the error `adapterDown`.
public actor HCISocket {
    /// The adapter's index: 0 for `hci0`.
    public nonisolated let adapter: UInt16
    /// The adapter's name: `hci0`.
    public nonisolated var name: String { "hci\(adapter)" }
    /// Whether the process may send all commands (CAP_NET_RAW). Without it the kernel lets pass only those that read
    /// versions and features, and shows no LE events.
    public nonisolated let isPrivileged: Bool
    /// The loop on whose thread packets are read and subscribers are called.
    public nonisolated let loop: EventLoop

    nonisolated let system: any SystemCalls

    private nonisolated let channel: CommandChannel<CommandOpcode, CommandReply>
    private var monitor: AdapterMonitor?
    private var foreignCommand: CommandOpcode?
    private var subscribers: [Int: @Sendable (borrowing HCISocketInput) -> Void] = [:]
    private var nextNumber = 0

    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    private init(
        adapter: UInt16, isPrivileged: Bool, descriptor: Int32, loop: EventLoop, system: any SystemCalls
    ) {
        self.adapter = adapter
        self.isPrivileged = isPrivileged
        self.loop = loop
        self.system = system
        let name = "hci\(adapter)"
        channel = CommandChannel(
            PacketSocket(adopting: descriptor, capacity: 32, packetCapacity: 260, system: system), on: loop
        ) { opcode in
            ("\(name) did not answer \(opcode)", "take the adapter down and up again, or plug it in anew")
        }
    }

    /// Opens a socket of an adapter, which may be down, and begins to read.
    /// - Throws: `noAdapter` when it is not there, `noRights` when no such socket may be opened.
    public static func open(
        adapter: UInt16, on loop: EventLoop = .shared, system: (any SystemCalls)? = nil
    ) async throws(BluetoothSocketError) -> HCISocket {
        let system = system ?? loop.system
        let name = "hci\(adapter)"
        let opened: (descriptor: Int32, filterIsWhole: Bool)
        do throws(Errno) {
            opened = try HCIFilter.openSocket(
                system, adapter: adapter, channel: HCI_CHANNEL_RAW, filter: .everything)
        } catch {
            throw BluetoothSocketError(error, in: .opening(adapter: name), failure: "cannot use \(name)")
        }
        let socket = HCISocket(
            adapter: adapter, isPrivileged: opened.filterIsWhole, descriptor: opened.descriptor, loop: loop,
            system: system)
        try await socket.start()
        return socket
    }

    private func start() throws(BluetoothSocketError) {
        let adapter = adapter
        do throws(BluetoothSocketError) {
            monitor = try AdapterMonitor(on: loop, system: system) { [weak self] change in
                guard change.index == adapter else { return }
                self?.assumeIsolated { $0.adapterChanged(change.kind) }
            }
            try read()
        } catch {
            finish(error)
            throw error
        }
    }

    private func read() throws(BluetoothSocketError) {
        do throws(Errno) {
            try channel.start(
                PacketSocket.Handlers(
                    received: { [weak self] batch in self?.assumeIsolated { $0.receive(batch) } },
                    isExhausted: { [weak self] in self?.assumeIsolated { $0.tell(.batchEnded) } },
                    failed: { [weak self] errno in self?.assumeIsolated { $0.failed(errno) } }))
        } catch {
            throw BluetoothSocketError(error, in: .opening(adapter: name), failure: "cannot use \(name)")
        }
    }

    private func failed(_ errno: Errno) {
        finish(BluetoothSocketError(errno, in: .commanding(adapter: name), failure: "the use of \(name) ended"))
    }

    /// Closes the socket; callers that wait get `cancelled`. Idempotent.
    public func close() {
        finish(.cancelled("the use of \(name) ended"))
    }

    private func finish(_ error: BluetoothSocketError) {
        guard channel.finish(error) else { return }
        monitor?.cancel()
        monitor = nil
        tell(.ended(error))
        subscribers = [:]
    }

    private func adapterChanged(_ kind: AdapterChange.Kind) {
        let failure = "the use of \(name) ended"
        switch kind {
        case .down: finish(.adapterWentDown(name, failure: failure))
        case .removed: finish(.adapterVanished(name, failure: failure))
        case .added, .up: break
        }
    }
}

// MARK: - Commands

extension HCISocket {
    /// Sends a command and waits for its answer: Command Complete, or Command Status.
    ///
    /// - Parameters:
    ///   - parameters: at most 255 octets.
    ///   - timeout: how long to wait for the answer.
    ///   - failure: the beginning of the error's sentence, such as `cannot scan on hci0`.
    /// - Returns: The answer, whatever its status.
    /// - Throws: `noRights`, `noAdapter` as the kernel says; `timedOut`; `cancelled` with the task.
    public func send(
        _ opcode: CommandOpcode, parameters: [UInt8], timeout: Duration = .seconds(3), failure: String? = nil
    ) async throws(BluetoothSocketError) -> CommandReply {
        let failure = failure ?? "cannot send \(opcode) to \(name)"
        return try await channel.send(
            try packet(opcode, parameters, failure: failure), to: name, opcode, timeout: timeout, failure: failure,
            isCancellable: true)
    }

    /// Sends a command whose answer nobody waits for: at once, and on the loop's thread only. For clean-up.
    /// - Throws: as the kernel says.
    func write(
        _ opcode: CommandOpcode, parameters: [UInt8], failure: String
    ) throws(BluetoothSocketError) {
        try channel.write(try packet(opcode, parameters, failure: failure), to: name, failure: failure)
    }

    private func packet(
        _ opcode: CommandOpcode, _ parameters: [UInt8], failure: String
    ) throws(BluetoothSocketError) -> [UInt8] {
        guard parameters.count <= 255 else {
            throw BluetoothSocketError(
                .protocolError, failure: failure,
                reason: "a command has at most 255 octets of parameters, not \(parameters.count)")
        }
        var packet: [UInt8] = [UInt8(HCI_COMMAND_PKT)]
        packet.append(UInt8(truncatingIfNeeded: opcode.rawValue))
        packet.append(UInt8(truncatingIfNeeded: opcode.rawValue >> 8))
        packet.append(UInt8(parameters.count))
        return packet + parameters
    }

    private func answer(_ reply: CommandReply) {
        if foreignCommand == reply.opcode {
            foreignCommand = nil
            return
        }
        channel.answer(reply.opcode, reply)
    }
}

// MARK: - Reading

extension HCISocket {
    /// Has `handler` called with everything that is heard from now on, on the loop's thread, until `unsubscribe` or the
    /// input `ended`.
    /// - Returns: What `unsubscribe` wants.
    /// - Throws: Why nothing is heard any more.
    public func subscribe(
        _ handler: @escaping @Sendable (borrowing HCISocketInput) -> Void
    ) throws(BluetoothSocketError) -> Int {
        if let end = channel.end { throw end }
        defer { nextNumber &+= 1 }
        subscribers[nextNumber] = handler
        return nextNumber
    }

    /// Ends a subscription. Idempotent.
    public func unsubscribe(_ number: Int) {
        subscribers[number] = nil
    }

    private func tell(_ input: borrowing HCISocketInput) {
        for subscriber in subscribers.values { subscriber(input) }
    }

    private func receive(_ batch: DatagramBatch) {
        for index in 0..<batch.count { receive(batch.octets(at: index)) }
    }

    /// One packet, its type octet first. What is malformed is passed over: the controller's next packet is a new one.
    private func receive(_ octets: RawSpan) {
        var reader = OctetReader(octets)
        do throws(MalformedError) {
            switch Int32(try reader.uint8()) {
            case HCI_EVENT_PKT: try receive(EventPacket(parsing: reader.rest()))
            case HCI_COMMAND_PKT:
                let command = try CommandPacket(parsing: reader.rest())
                foreignCommand = command.opcode
                tell(.foreignCommand(command))
            default: break
            }
        } catch {
            return
        }
    }

    private func receive(_ event: EventPacket) throws(MalformedError) {
        switch event.code {
        case .commandComplete:
            let complete = try CommandComplete(parsing: event.parameters)
            answer(
                CommandReply(
                    opcode: complete.opcode, status: complete.status ?? .success,
                    returnParameters: [UInt8](octets: complete.returnParameters)))
        case .commandStatus:
            let status = try CommandStatus(parsing: event.parameters)
            answer(CommandReply(opcode: status.opcode, status: status.status, returnParameters: []))
        default: tell(.event(event))
        }
    }
}

extension Duration {
    /// The duration in nanoseconds, not below 0, and not above the 292 years that fit.
    var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (product, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max / 2 : min(product, .max / 2) &+ UInt64(attoseconds / 1_000_000_000)
    }
}
