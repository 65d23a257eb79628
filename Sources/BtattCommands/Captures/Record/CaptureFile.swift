import BlueZSockets
import Captures
import Central
import Glibc
import Sockets
import Wire

/// The file of `--capture` and `record`: btsnoop, written as things happen, on whatever thread.
///
/// Where the radio is the kernel's and the process may listen to it, the file holds what really crosses the host controller
/// interface. Else only the PDUs of ATT bearers are known, and what a scan told: they are dressed as the packets that would
/// have carried them.
final class CaptureFile: Sendable {
    private let path: String
    private let state: Locked<State>

    private struct State {
        var descriptor: Int32
        /// How the file is written, once that is known; it begins with the first record.
        var writer: BtsnoopWriter?
        var monitor: HCIMonitor?
        /// How many connections were dressed up.
        var connectionCount: UInt16 = 0
        var octetCount = 0
        /// The first reason why something could not be written; nothing is written after it.
        var failure: String?
    }

    /// Makes the file, or empties it.
    /// - Parameter path: the file, or `-` for standard output.
    init(_ path: String) throws(Failure) {
        self.path = path
        if path == "-" {
            state = Locked(State(descriptor: dup(STDOUT_FILENO)))
            return
        }
        // The path is a C string for the time of the call.
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(.usage, "cannot write \(path): \(lastErrorText())") }
        state = Locked(State(descriptor: descriptor))
    }

    deinit {
        let descriptor = state.withLock { $0.descriptor }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Whether the file holds what crosses the host controller interface, so that nothing has to be dressed up.
    var isMonitoring: Bool { state.withLock { $0.monitor != nil } }

    /// How many octets were written.
    var octetCount: Int { state.withLock { $0.octetCount } }

    /// Begins to write what crosses the host controller interface.
    /// - Parameters:
    ///   - adapter: of this adapter only, and what concerns none; `nil` for all adapters.
    ///   - also: told of each message, on the loop's thread.
    /// - Throws: when the process may not listen.
    func startMonitoring(
        _ adapter: UInt16?, also: (@Sendable (UInt16) -> Void)? = nil
    ) throws(BluetoothSocketError) {
        let isNew = state.withLock { state in
            guard state.writer == nil else { return false }
            state.writer = BtsnoopWriter(.monitor)
            return true
        }
        guard isNew else { return }
        do throws(BluetoothSocketError) {
            let monitor = try HCIMonitor { [weak self] message in
                guard adapter == nil || message.adapter == adapter || message.adapter == 0xFFFF else { return }
                self?.append { writer in
                    writer.message(
                        message.opcode, adapter: message.adapter,
                        at: CaptureTime(nanoseconds: Int64(clamping: message.unixNanoseconds)), message.octets)
                }
                also?(message.opcode)
            }
            state.withLock { $0.monitor = monitor }
        } catch {
            state.withLock { $0.writer = nil }
            throw error
        }
    }

    /// Writes a record, after the header of the file where it is the first.
    func append(_ record: (BtsnoopWriter) -> [UInt8]) {
        state.withLock { state in
            let writer = state.writer ?? BtsnoopWriter()
            state.writer = writer
            if state.octetCount == 0 { write(writer.fileHeader, &state) }
            write(record(writer), &state)
        }
    }

    /// The dress of another connection.
    func nextFraming() -> ATTCaptureFraming {
        state.withLock { state in
            let writer = state.writer ?? BtsnoopWriter()
            state.writer = writer
            defer { state.connectionCount = (state.connectionCount + 1) % 0x0E00 }
            return ATTCaptureFraming(connectionHandle: 0x0040 + state.connectionCount, writer: writer)
        }
    }

    /// Writes what is still to come, and closes the file. Idempotent.
    /// - Throws: when something could not be written.
    func finish() throws(Failure) {
        let monitor = state.withLock { $0.monitor }
        monitor?.drain()
        monitor?.close()
        // A file without a record is one all the same.
        append { _ in [] }
        let failure = state.withLock { state in
            if state.descriptor >= 0, close(state.descriptor) != 0, state.failure == nil {
                state.failure = lastErrorText()
            }
            state.descriptor = -1
            state.monitor = nil
            return state.failure
        }
        if let failure { throw Failure(.usage, "cannot write \(path): \(failure)") }
    }

    private func write(_ octets: [UInt8], _ state: inout State) {
        guard state.failure == nil, state.descriptor >= 0 else { return }
        state.failure = writeAll(octets, to: state.descriptor)?.message
        if state.failure == nil { state.octetCount += octets.count }
    }
}

/// The PDUs of one connection on their way to a capture file.
final class CapturedSession: Sendable {
    private let file: CaptureFile
    private let framing: ATTCaptureFraming
    private let address: [UInt8]
    private let isRandom: Bool
    /// Whether a PDU was seen, and the connection with it.
    private let isOpen = Locked(false)

    /// What has no address gets one that is a random static address: C0:DE:CA:FE:00:01.
    private static let madeUpAddress: [UInt8] = [0x01, 0x00, 0xFE, 0xCA, 0xDE, 0xC0]

    /// A connection to a target, which is to be made.
    init(_ file: CaptureFile, to target: DeviceTarget) {
        self.file = file
        framing = file.nextFraming()
        if case .address(let known) = target {
            address = (0..<6).map { UInt8(truncatingIfNeeded: known.octets.value >> ($0 * 8)) }
            isRandom = known.type == .random
        } else {
            address = Self.madeUpAddress
            isRandom = true
        }
    }

    /// Takes the connection's PDUs.
    var observer: PDUObserver {
        { direction, time, octets in
            let time = CaptureTime(nanoseconds: Int64(clamping: time.unixNanoseconds))
            self.opened(at: time)
            let record = self.framing.pdu(octets, direction == .sent ? .sent : .received, at: time)
            self.file.append { _ in record }
        }
    }

    private func opened(at time: CaptureTime) {
        let isNew = isOpen.withLock { isOpen in
            defer { isOpen = true }
            return !isOpen
        }
        guard isNew else { return }
        file.append { _ in framing.connected(to: address, isRandom: isRandom, at: time) }
    }

    /// The connection ended.
    func ended(_ disconnection: Disconnection?) {
        guard isOpen.withLock({ $0 }) else { return }
        let reason: UInt8 =
            switch disconnection?.reason {
            case .disconnected(let reason)?: reason
            // Terminated by the local host, and by the remote user.
            case .closedLocally?, .oversizedPDU?, .requestBeforeResponse?, .requestTimedOut?, nil: 0x16
            case .transportFailed?: 0x13
            }
        let time = disconnection.map { CaptureTime(nanoseconds: Int64(clamping: $0.time.unixNanoseconds)) }
        file.append { _ in framing.disconnected(reason: reason, at: time ?? .now) }
    }
}

extension CaptureTime {
    /// The present moment.
    static var now: CaptureTime { CaptureTime(nanoseconds: Moment.now().microseconds * 1_000) }
}
