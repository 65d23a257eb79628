import GATT
import Sockets
import Wire

/// One client of a device: its socket, the engine that answers it, and what waits until the socket has room. Belongs to
/// the device, which runs on the socket's loop.
final class ServedConnection {
    let number: Int
    let socket: SeqPacketSocket
    var engine: ServerEngine

    /// Fires at the engine's next deadline.
    var timer: LoopTimer?
    /// Fires when the device breaks the connection by itself.
    var endTimer: LoopTimer?

    /// PDUs that the socket had no room for.
    private var waiting: [[UInt8]] = []

    /// How many PDUs may wait. A client has one response to wait for, so one that makes more than this pile up does not
    /// read what it is sent.
    private static let maximumWaiting = 64

    init(number: Int, socket: SeqPacketSocket, engine: consuming ServerEngine) {
        self.number = number
        self.socket = socket
        self.engine = engine
    }

    /// Whether what is sent now has to wait: values that change all the time are better left out then.
    var isCongested: Bool { !waiting.isEmpty }

    /// Sends a PDU, now or when there is room.
    /// - Returns: Why the connection cannot go on; `nil` when it can.
    func send(_ pdu: [UInt8]) -> String? {
        guard waiting.isEmpty else { return wait(pdu) }
        do throws(Errno) {
            switch try socket.send(pdu.octets) {
            case .sent: return nil
            case .wouldBlock: return wait(pdu)
            }
        } catch {
            return "sending failed: \(error)"
        }
    }

    /// There is room again.
    /// - Returns: Why the connection cannot go on; `nil` when it can.
    func flush() -> String? {
        let pdus = waiting
        waiting = []
        for pdu in pdus {
            if let failure = send(pdu) { return failure }
        }
        return nil
    }

    private func wait(_ pdu: [UInt8]) -> String? {
        guard waiting.count < Self.maximumWaiting else { return "the client does not read what it is sent" }
        waiting.append(pdu)
        return nil
    }

    func stopTimers() {
        timer?.invalidate()
        endTimer?.invalidate()
        timer = nil
        endTimer = nil
    }
}
