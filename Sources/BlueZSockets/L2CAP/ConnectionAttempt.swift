internal import CBlueZ
internal import GAP
internal import HCI
internal import Sockets

/// One attempt to connect, from the socket to the link or to an error.
///
///     socket, bind, security, connect ──EINPROGRESS──▶ wait until writable ──▶ SO_ERROR, L2CAP_CONNINFO ──▶ link
///              │                                         │          │                   │
///              ▼                                         ▼          ▼                   ▼
///            error                                   timed out  cancelled             error        (descriptor closed)
///
/// Closing the descriptor is what ends an attempt in the kernel and in the controller.
actor ConnectionAttempt {
    typealias Outcome = Result<L2CAPLink, BluetoothSocketError>

    /// The fixed channel of ATT over LE.
    private static let attChannel: UInt16 = 0x0004

    private let peer: DeviceAddress
    private let source: DeviceAddress?
    private let security: SecurityLevel
    private nonisolated let loop: EventLoop
    private let system: any SystemCalls
    private let failure: String

    private var descriptor: Int32 = -1
    private var watch: DescriptorSource?
    private var timer: LoopTimer?
    private var outcome: Outcome?
    private var caller: CheckedContinuation<Outcome, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// - Parameter source: the address of the adapter; `nil` for any.
    init(
        peer: DeviceAddress, source: DeviceAddress?, security: SecurityLevel, loop: EventLoop,
        system: any SystemCalls, failure: String
    ) {
        self.peer = peer
        self.source = source
        self.security = security
        self.loop = loop
        self.system = system
        self.failure = failure
    }

    func run(timeout: Duration) async -> Outcome {
        await withTaskCancellationHandler {
            begin(timeout)
            return await withCheckedContinuation { continuation in
                // Asked here: an `await` may let other work of the actor go first, the end of the attempt too.
                if let outcome { return continuation.resume(returning: outcome) }
                caller = continuation
            }
        } onCancel: {
            loop.execute { self.assumeIsolated { $0.finish(.failure(.cancelled($0.failure))) } }
        }
    }

    private func begin(_ timeout: Duration) {
        guard outcome == nil else { return }
        do throws(BluetoothSocketError) {
            try open()
            guard try connect() else {
                try connected()
                return
            }
            watch = try watched()
        } catch {
            finish(.failure(error))
            return
        }
        let timer = LoopTimer(on: loop) { [weak self] in
            self?.assumeIsolated { attempt in
                attempt.finish(
                    .failure(BluetoothSocketError(.timedOut, in: .connecting(attempt.peer), failure: attempt.failure)))
            }
        }
        timer.arm(at: loop.now() &+ timeout.wholeNanoseconds)
        self.timer = timer
    }

    private func open() throws(BluetoothSocketError) {
        do throws(Errno) {
            descriptor = try system.socket(
                domain: AF_BLUETOOTH, type: LinuxNumbers.seqPacket | LinuxNumbers.nonBlocking, protocol: BTPROTO_L2CAP)
            let address = [
                cbluez_l2cap_le_address(source?.octets.value ?? 0, Self.kernelType(source), Self.attChannel)
            ]
            // The octets of the address are borrowed for the call only.
            unsafe try system.bind(descriptor, to: address.span.bytes)
            if security > .low {
                try system.setSocketOption(
                    descriptor, level: SOL_BLUETOOTH, name: BT_SECURITY,
                    value: bt_security(level: security.rawValue, key_size: 0))
            }
        } catch {
            throw BluetoothSocketError(error, in: .binding, failure: failure)
        }
    }

    /// Whether the connection is still being made.
    private func connect() throws(BluetoothSocketError) -> Bool {
        let address = [cbluez_l2cap_le_address(peer.octets.value, Self.kernelType(peer), Self.attChannel)]
        do throws(Errno) {
            // The octets of the address are borrowed for the call only.
            unsafe try system.connect(descriptor, to: address.span.bytes)
            return false
        } catch {
            // After a signal the attempt goes on by itself, too.
            if error == .inProgress || error == .interrupted { return true }
            throw BluetoothSocketError(error, in: .connecting(peer), failure: failure)
        }
    }

    private static func kernelType(_ address: DeviceAddress?) -> UInt8 {
        UInt8(truncatingIfNeeded: address?.type == .random ? BDADDR_LE_RANDOM : BDADDR_LE_PUBLIC)
    }

    private func watched() throws(BluetoothSocketError) -> DescriptorSource {
        do throws(Errno) {
            return try DescriptorSource(descriptor, on: loop, interest: .writable) { [weak self] _ in
                self?.assumeIsolated { $0.ready() }
            }
        } catch {
            throw BluetoothSocketError(error, in: .binding, failure: failure)
        }
    }

    private func ready() {
        guard outcome == nil else { return }
        do throws(BluetoothSocketError) {
            try connected()
        } catch {
            finish(.failure(error))
        }
    }

    /// Writable: connected, or failed. `L2CAP_CONNINFO` is there only when connected.
    private func connected() throws(BluetoothSocketError) {
        do throws(Errno) {
            if let error = try system.pendingError(descriptor) { throw error }
            let information = try system.socketOption(
                descriptor, level: SOL_L2CAP, name: L2CAP_CONNINFO, initial: l2cap_conninfo())
            watch?.cancel()
            watch = nil
            let link = L2CAPLink(
                socket: SeqPacketSocket(adopting: descriptor, on: loop, system: system), peer: peer,
                handle: ConnectionHandle(rawValue: information.hci_handle))
            descriptor = -1
            finish(.success(link))
        } catch {
            throw BluetoothSocketError(error, in: .connecting(peer), failure: failure)
        }
    }

    private func finish(_ result: Outcome) {
        guard outcome == nil else { return }
        outcome = result
        watch?.cancel()
        watch = nil
        timer?.invalidate()
        timer = nil
        // Linux has closed the descriptor even when it reports an error.
        if descriptor >= 0 { try? system.close(descriptor) }
        descriptor = -1
        caller?.resume(returning: result)
        caller = nil
    }
}
