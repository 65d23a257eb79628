import Central
import Dispatch
import Foundation
import GAP
import GATT
import Sockets

/// One manager's use of one device, from `connect` to the end of that connection.
///
/// What happens on the loop is handed to the manager's queue here. The peripheral takes it only as long as the session is
/// its own.
final class Session: @unchecked Sendable {
    // Sendable: what is marked belongs to the loop; the rest is constant or behind a lock.

    /// Counts sessions; attributes remember the one that found them.
    let number: UInt64
    let address: DeviceAddress
    let host: Host
    let queue: DispatchQueue
    /// How many seconds to wait before connecting.
    let startDelay: Double
    private weak let peripheral: CBPeripheral?

    /// What the program may ask from any thread.
    struct Facts {
        /// ATT_MTU; 0 while there is no connection.
        var mtu = 0
        /// Writes without response that were asked for and not yet handed to the link.
        var pendingWrites = 0
        /// Whether writes have to wait until all those were handed over.
        var isCongested = false
        /// The program has ended it, or let go of it: nothing is delivered any more but the end.
        var isLeaving = false
    }
    let facts = Locked(Facts())

    /// How many writes without response may be under way before `canSendWriteWithoutResponse` says no.
    static let writeWindow = 16
    /// How many are kept at most, for programs that do not ask.
    static let maximumPendingWrites = 4096

    // Of the loop.

    /// The connection, once it stands.
    var connection: Connection?
    let operations = OperationLine()
    /// Reads of the signal strength are no business of the peer's and wait for each other only.
    let signalReads = OperationLine()
    /// Characteristics whose values the program wants.
    var notifying: Set<AttributeHandle> = []
    /// Characteristics of which that is being asked for.
    var enabling: Set<AttributeHandle> = []
    /// Services that were found, by the handle of their declaration.
    var knownServices: [AttributeHandle: Service] = [:]
    var startTimer: LoopTimer?
    var hasEnded = false

    init(of peripheral: CBPeripheral, host: Host, queue: DispatchQueue, startDelay: Double) {
        number = Counter.next()
        address = peripheral.address
        self.peripheral = peripheral
        self.host = host
        self.queue = queue
        self.startDelay = startDelay
    }

    /// Runs `body` on the manager's queue, when the session is still the peripheral's by then and not being left.
    func deliver(_ body: @escaping @Sendable (CBPeripheral) -> Void) {
        queue.async { [self] in
            guard let peripheral, peripheral.isCurrent(self), !facts.withLock({ $0.isLeaving }) else { return }
            body(peripheral)
        }
    }

    /// The same also while the session is being left.
    private func deliverEnd(_ body: @escaping @Sendable (CBPeripheral) -> Void) {
        queue.async { [self] in
            guard let peripheral, peripheral.isCurrent(self) else { return }
            body(peripheral)
        }
    }

    /// Does something on the loop, in the order of the calls.
    func onLoop(_ body: @escaping @Sendable (Session) -> Void) {
        host.loop.execute { body(self) }
    }

    // MARK: Events, on the loop

    /// The connection stands.
    func connected(_ connection: Connection, mtu: Int) {
        self.connection = connection
        facts.withLock { $0.mtu = mtu }
        deliver { $0.linkConnected(self) }
    }

    /// There will be no connection.
    func failed(_ error: CBError) {
        end()
        deliver { $0.linkFailed(self, error) }
    }

    /// The connection was lost.
    func lost(_ error: CBError) {
        end()
        let time = absoluteTimeNow()
        deliver { $0.linkLost(self, error, at: time) }
    }

    /// The program wanted the end, and here it is.
    func left() {
        end()
        let time = absoluteTimeNow()
        deliverEnd { $0.linkLeft(self, at: time) }
    }

    /// Nothing begins any more.
    func end() {
        hasEnded = true
        connection = nil
        startTimer?.invalidate()
        startTimer = nil
        operations.close()
        signalReads.close()
        notifying = []
        enabling = []
        facts.withLock { $0.mtu = 0 }
    }

    /// The peer sent a value unasked.
    func received(_ value: [UInt8], of handle: AttributeHandle) {
        guard notifying.contains(handle) || enabling.contains(handle) else { return }
        deliver { $0.received(value, of: handle) }
    }

    // MARK: Writes without response

    /// Counts one more write.
    /// - Returns: whether there is room for it.
    func takeWritePlace() -> Bool {
        facts.withLock { facts in
            guard facts.pendingWrites < Self.maximumPendingWrites else { return false }
            facts.pendingWrites += 1
            if facts.pendingWrites >= Self.writeWindow { facts.isCongested = true }
            return true
        }
    }

    /// A write was handed to the link, or never will be; when it was the last, the program is told.
    func returnWritePlace() {
        let isDrained = facts.withLock { facts in
            facts.pendingWrites -= 1
            guard facts.pendingWrites == 0 else { return false }
            facts.isCongested = false
            return true
        }
        if isDrained { deliver { $0.isReadyToWrite() } }
    }
}

/// The time as Apple's systems count it: seconds since the first instant of 2001.
func absoluteTimeNow() -> Double { Date().timeIntervalSinceReferenceDate }
