public import GAP
public import Sockets

/// Makes LE connections: an L2CAP socket of the fixed ATT channel (Core Specification, Vol 3, Part A, 2.1), connected
/// without blocking. Needs no rights.
///
/// The kernel finds the device by a scan of its own, then connects, and gives up by itself after 20 to 40 seconds. The
/// scans of this process are paused meanwhile, because the two exclude each other.
public struct L2CAPConnector: Sendable {
    private let loop: EventLoop
    private let system: any SystemCalls
    private let pauses: ScanPauses

    /// A connector whose sockets belong to `loop`.
    /// - Parameter pauses: the scans of this process.
    public init(on loop: EventLoop = .shared, system: (any SystemCalls)? = nil, pauses: ScanPauses = .shared) {
        self.loop = loop
        self.system = system ?? loop.system
        self.pauses = pauses
    }

    /// Connects to a device. Cancelling the task ends the attempt, in the controller too.
    ///
    /// - Parameters:
    ///   - peer: the device's address with its type, as its advertisement gives them.
    ///   - adapter: the adapter to connect from; `nil` leaves the choice to the kernel.
    ///   - security: what must be there before the connection counts; above `low` the kernel pairs first.
    ///   - timeout: when to give up.
    /// - Returns: The link, whose socket has not been started.
    /// - Throws: `noConnection`, `noAdapter`, `cancelled`; nothing stays open then.
    public func connect(
        to peer: DeviceAddress, from adapter: Adapter?, security: SecurityLevel = .low, timeout: Duration = .seconds(20)
    ) async throws(BluetoothSocketError) -> L2CAPLink {
        let failure = "cannot connect to \(peer)"
        if Task.isCancelled { throw .cancelled(failure) }
        if let adapter, !adapter.isUp {
            throw BluetoothSocketError(
                .noAdapter, .adapterDown, failure: failure, reason: "\(adapter.name) is down",
                remedy: Remedy.switchOn(adapter.name))
        }
        await pauses.begin(adapter: adapter?.index)
        let attempt = ConnectionAttempt(
            peer: peer, source: adapter?.address, security: security, loop: loop, system: system, failure: failure)
        let result = await attempt.run(timeout: timeout)
        // The scans go on by themselves; whoever connects need not wait for the controller's answers.
        let pauses = pauses
        Task(executorPreference: loop.taskExecutor) { await pauses.end(adapter: adapter?.index) }
        return try result.get()
    }
}
