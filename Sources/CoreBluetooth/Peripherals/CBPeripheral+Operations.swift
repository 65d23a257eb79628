import Central
import Foundation
import GATT
import Sockets

// How operations get to the session and their results back.
extension CBPeripheral {
    /// The session that takes commands; says so when there is none.
    func session(for call: UInt64?) -> Session? {
        let session = guarded.withLock { $0.peripheral == .connected ? $0.session : nil }
        if session == nil {
            Diagnostics.misuse(self, "can only accept commands while in the connected state")
            refuse(call, .notConnected)
        }
        return session
    }

    /// The session, when the attribute was found on it and is still there.
    func session(for attribute: CBAttribute, in service: CBService?, _ call: UInt64?) -> Session? {
        guard let session = session(for: call) else { return nil }
        guard attribute.session == session.number, service?.isValid == true else {
            Diagnostics.misuse(self, "was given \(attribute), which is not of this connection or was invalidated")
            refuse(call, .invalidHandle)
            return nil
        }
        return session
    }

    /// Tells the delegate, if there is one.
    func inform(_ body: (any CBPeripheralDelegate) -> Void) {
        if let delegate { body(delegate) }
    }

    func beginDiscovery() { change { $0.discoveries += 1 } }

    func endDiscovery(ofServices: Bool = false, _ isSuccess: Bool) {
        change { state in
            state.discoveries = max(state.discoveries - 1, 0)
            if ofServices, isSuccess { state.hasDiscovered = true }
        }
    }
}

extension Session {
    /// Puts a procedure at the end of the line. `then` gets its outcome on the manager's queue; `first`, before that, on the
    /// loop.
    func perform(
        _ procedure: Procedure, first: (@Sendable (Session, Outcome) -> Void)? = nil,
        then: @escaping @Sendable (CBPeripheral, Result<Outcome, CentralError>) -> Void
    ) {
        onLoop { session in
            session.operations.append { done in
                session.start(procedure) { result in
                    if let result {
                        if let first, case .success(let outcome) = result { first(session, outcome) }
                        session.deliver { then($0, result) }
                    }
                    done()
                }
            }
        }
    }

    /// Puts something at the end of the line that asks nothing of the peer.
    func answer(then: @escaping @Sendable (CBPeripheral) -> Void) {
        onLoop { session in
            session.operations.append { done in
                session.deliver(then)
                done()
            }
        }
    }

    /// Starts a procedure now; its outcome is `nil` when the connection ended, which tells itself. On the loop.
    func start(_ procedure: Procedure, _ completion: @escaping (Result<Outcome, CentralError>?) -> Void) {
        guard let connection else { return completion(nil) }
        connection.onLoop(procedure) { result in
            if case .failure(let error) = result, case .bearerClosed = error.gattError { return completion(nil) }
            completion(result)
        }
    }
}
