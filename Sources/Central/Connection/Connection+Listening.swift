// The façade above needs the events of a connection in the order in which they happened, a value before the response that
// follows it. Asynchronous calls and sequences do not keep that order between each other, closures on the loop do.

package import GATT
internal import Sockets

/// What happens on a connection by itself.
package enum ConnectionEvent: Sendable {
    /// The peer sent a value unasked.
    case value([UInt8], of: AttributeHandle, ValueKind)
    /// The peer asked for another MTU than was agreed on when the connection was opened.
    case mtuChanged(Int)
    /// What is known of these handles is no longer valid.
    case servicesChanged(HandleRange)
    /// The connection has ended. Nothing comes after it.
    case ended(Disconnection)
}

extension Connection {
    /// Whom to tell of events, on the loop's thread and in order; it replaces an earlier one. It must not use the
    /// connection before it has returned.
    package func listen(_ listener: (@Sendable (ConnectionEvent) -> Void)?) {
        self.listener = listener
        if let listener, let disconnection { listener(.ended(disconnection)) }
    }

    /// Starts a procedure. `completion` gets its outcome on the loop's thread, in order with the events, and may start
    /// the next one.
    package func start(
        _ procedure: Procedure, completion: @escaping @Sendable (Result<Outcome, CentralError>) -> Void
    ) {
        start(procedure, failure: procedure.failure(on: peer)) { result in
            completion(result)
            return true
        }
    }

    /// Tells the engine where the peer's Service Changed characteristic is, when discovery did not pass by it.
    package func setServiceChangedHandle(_ handle: AttributeHandle) {
        engine.serviceChangedHandle = handle
    }

    /// The signal strength of the link, in dBm; `nil` when the controller does not know it.
    /// - Throws: `linkLost` when the connection has ended, `missingRights` when the controller must not be asked, `refused`
    ///   for bearers without a radio.
    public func readRSSI() async throws(CentralError) -> Int8? {
        guard disconnection == nil else { throw linkError("read the signal strength") }
        guard let readRSSI = bearer.readRSSI else {
            throw CentralError(
                .refused, failure: "cannot read the signal strength of \(peer)", reason: "there is no radio link")
        }
        return try await readRSSI().get()
    }
}
