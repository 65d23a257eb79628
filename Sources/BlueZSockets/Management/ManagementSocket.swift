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

    private nonisolated let system: any SystemCalls
    private let listener: @Sendable (ManagementEvent) -> Void
    private var descriptor: Int32
    private var source: DescriptorSource?
    private var timer: LoopTimer?
    private var waiting: [Waiter] = []
    private var nextNumber = 0
    private var end: BluetoothSocketError?
    // The longest events are those of connected devices, with their advertising data, of which the head is read.
    private let batch = DatagramBatch(capacity: 8, datagramCapacity: 1024)

    private struct Waiter {
        var number: Int
        var opcode: ManagementOpcode
        var deadline: UInt64
        var failure: String
        var caller: CheckedContinuation<Result<ManagementReply, BluetoothSocketError>, Never>
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    private init(
        adapter: UInt16, descriptor: Int32, loop: EventLoop, system: any SystemCalls,
        listener: @escaping @Sendable (ManagementEvent) -> Void
    ) {
        self.adapter = adapter
        self.descriptor = descriptor
        self.loop = loop
        self.system = system
        self.listener = listener
    }

    deinit {
        source?.cancel()
        // Linux has closed the descriptor even when it reports an error.
        if descriptor >= 0 { try? system.close(descriptor) }
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
            source = try DescriptorSource(descriptor, on: loop, interest: .readable) { [weak self] _ in
                self?.assumeIsolated { $0.read() }
            }
        } catch {
            let failure = BluetoothSocketError(error, in: .listing, failure: "cannot manage hci\(adapter)")
            finish(failure)
            throw failure
        }
        timer = LoopTimer(on: loop) { [weak self] in
            self?.assumeIsolated { $0.expire() }
        }
    }

    /// Closes the socket; callers that wait get `cancelled`. Idempotent.
    public func close() { finish(.cancelled("the use of hci\(adapter) ended")) }

    private func finish(_ error: BluetoothSocketError) {
        guard end == nil else { return }
        end = error
        source?.cancel()
        source = nil
        timer?.invalidate()
        timer = nil
        // Linux has closed the descriptor even when it reports an error.
        if descriptor >= 0 { try? system.close(descriptor) }
        descriptor = -1
        let callers = waiting
        waiting = []
        for waiter in callers {
            var error = error
            error.failure = waiter.failure
            waiter.caller.resume(returning: .failure(error))
        }
    }

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
        try write(command, failure: failure)
        let number = nextNumber
        nextNumber &+= 1
        let deadline = loop.now() &+ timeout.wholeNanoseconds
        let result = await withCheckedContinuation { caller in
            waiting.append(
                Waiter(number: number, opcode: command.opcode, deadline: deadline, failure: failure, caller: caller))
            armTimer()
        }
        return try result.get()
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
    public func post(_ command: ManagementCommand) { try? write(command, failure: "") }

    private func write(_ command: ManagementCommand, failure: String) throws(BluetoothSocketError) {
        if var end {
            end.failure = failure
            throw end
        }
        let packet = command.packet(adapter: adapter)
        while true {
            do throws(Errno) {
                _ = try system.send(descriptor, packet.octets, flags: LinuxNumbers.noSignal | LinuxNumbers.doNotWait)
                return
            } catch .interrupted {
                continue
            } catch {
                throw BluetoothSocketError(error, in: .commanding(adapter: "hci\(adapter)"), failure: failure)
            }
        }
    }

    private func armTimer() {
        if let earliest = waiting.map(\.deadline).min() { timer?.arm(at: earliest) } else { timer?.disarm() }
    }

    private func expire() {
        let now = loop.now()
        let late = waiting.filter { $0.deadline <= now }
        waiting.removeAll { $0.deadline <= now }
        armTimer()
        for waiter in late {
            waiter.caller.resume(
                returning: .failure(
                    BluetoothSocketError(
                        .timedOut, failure: waiter.failure, reason: "the kernel did not answer \(waiter.opcode)")))
        }
    }

    private func read() {
        let batch = batch
        while true {
            guard descriptor >= 0 else { return }
            do throws(Errno) {
                _ = try system.receiveMany(descriptor, into: batch, flags: LinuxNumbers.doNotWait)
            } catch .interrupted {
                continue
            } catch .wouldBlock {
                return
            } catch {
                finish(BluetoothSocketError(error, in: .listing, failure: "the use of hci\(adapter) ended"))
                return
            }
            for index in 0..<batch.count { receive(batch.octets(at: index)) }
            if batch.count < batch.capacity { return }
        }
    }

    /// One packet. What is malformed or cut off is passed over: the next packet is a new one.
    private func receive(_ octets: RawSpan) {
        guard let packet = try? ManagementPacket(parsing: octets), packet.adapter == adapter else { return }
        guard case .answer(let opcode, let status, let parameters) = packet.event else {
            if packet.event == .indexRemoved {
                finish(.adapterVanished("hci\(adapter)", failure: "the use of hci\(adapter) ended"))
            }
            listener(packet.event)
            return
        }
        guard let index = waiting.firstIndex(where: { $0.opcode == opcode }) else { return }
        let waiter = waiting.remove(at: index)
        armTimer()
        waiter.caller.resume(returning: .success(ManagementReply(status: status, parameters: parameters)))
    }
}
