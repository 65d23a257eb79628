public import HCI
internal import Sockets

// Commands as values, their answers as values, and a status that is no success as an error.
extension HCISocket {
    /// Sends a command and waits for its answer.
    ///
    /// - Parameters:
    ///   - timeout: how long to wait for the answer.
    ///   - failure: the beginning of the error's sentence, such as `cannot scan on hci0`.
    /// - Returns: What Command Complete returned; for a command that Command Status answers, its status.
    /// - Throws: what `send(_:parameters:…)` throws, and an error that keeps the status when it is no success.
    @discardableResult
    public func send<Command: HCICommand>(
        _ command: Command, timeout: Duration = .seconds(3), failure: String? = nil
    ) async throws(BluetoothSocketError) -> Command.Answer {
        let failure = failure ?? "cannot send \(Command.opcode) to \(name)"
        let reply = try await send(
            Command.opcode, parameters: command.parameters, timeout: timeout, failure: failure)
        guard reply.status.isSuccess else {
            throw BluetoothSocketError(status: reply.status, adapter: name, failure: failure)
        }
        do throws(MalformedError) {
            return try reply.answer()
        } catch {
            throw BluetoothSocketError(
                .protocolError, failure: failure, reason: "\(name) answered \(Command.opcode) with nonsense: \(error)")
        }
    }

    /// The signal strength of a link, in dBm (Read RSSI); `nil` when the controller does not know it.
    /// - Throws: as `send`; `linkLost` when there is no such link.
    public func rssi(of handle: ConnectionHandle) async throws(BluetoothSocketError) -> Int8? {
        try await send(ReadRSSICommand(handle: handle), failure: "cannot read the signal strength").rssi
    }

    /// Begins to end a link; its sockets learn of the end by themselves.
    ///
    /// - Parameter reason: what the device is told.
    /// - Throws: as `send`; `linkLost` when there is no such link.
    public func disconnect(
        _ handle: ConnectionHandle, reason: StatusCode = .remoteUserTerminated
    ) async throws(BluetoothSocketError) {
        try await send(DisconnectCommand(handle: handle, reason: reason), failure: "cannot end the connection")
    }

    /// Ends a link and waits until the controller says that it has ended.
    ///
    /// - Parameter timeout: how long to wait for that; the link ends all the same, later.
    /// - Throws: as `disconnect`.
    public func endLink(
        _ handle: ConnectionHandle, timeout: Duration = .seconds(1)
    ) async throws(BluetoothSocketError) {
        let (end, continuation) = AsyncStream.makeStream(of: Never.self)
        let subscription = try subscribe { input in
            switch input {
            case .event(let packet):
                if packet.ends(handle) { continuation.finish() }
            case .ended: continuation.finish()
            case .foreignCommand, .batchEnded: break
            }
        }
        defer { unsubscribe(subscription) }
        try await disconnect(handle)
        let timer = LoopTimer(on: loop) { continuation.finish() }
        timer.arm(at: loop.now() &+ timeout.wholeNanoseconds)
        for await _ in end {}
        timer.invalidate()
    }
}

extension CommandReply {
    /// The answer read as the type that belongs to the command.
    func answer<Answer: CommandAnswer>() throws(MalformedError) -> Answer {
        // A Command Status event returns nothing but its status.
        let octets = returnParameters.isEmpty ? [status.rawValue] : returnParameters
        return try Answer(parsing: octets.octets)
    }
}

extension EventPacket {
    /// Whether it says that a link is no more.
    fileprivate func ends(_ handle: ConnectionHandle) -> Bool {
        do throws(MalformedError) {
            guard case .disconnectionComplete(let event) = try HCIEvent(self) else { return false }
            return event.handle == handle
        } catch {
            return false
        }
    }
}
