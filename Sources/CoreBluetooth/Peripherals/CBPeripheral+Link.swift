import Foundation
import GATT
import Sockets

// The connection of a peripheral: what the program wants, and what becomes of it. Events come on the manager's queue and
// only as long as their session is the peripheral's.
extension CBPeripheral {
    /// Whether a session is the present one.
    func isCurrent(_ session: Session) -> Bool { guarded.withLock { $0.session === session } }

    // MARK: What the program wants

    func connect(_ wishes: ConnectionWishes, call: UInt64?) {
        enum Step {
            case join(Session)
            case isConnected(Session)
            case wait, refuse
        }
        guard let manager else { return refuse(call, .notConnected) }
        let step: Step = change { state in
            guard state.isValid else { return .refuse }
            switch state.peripheral {
            case .disconnected:
                return .join(begin(&state, wishes, manager))
            case .connecting:
                state.wishes = wishes
                return .wait
            case .connected:
                state.wishes = wishes
                return state.session.map { .isConnected($0) } ?? .wait
            case .disconnecting:
                state.next = wishes
                return .wait
            }
        }
        switch step {
        case .join(let session): session.host.join(session)
        case .isConnected(let session):
            // Nothing is asked of the radio, and the answer still comes later.
            session.deliver { $0.tellConnected() }
        case .wait: break
        case .refuse:
            Diagnostics.misuse(self, "is not valid any more, and has to be retrieved again")
            refuse(call, .unknownDevice)
        }
    }

    /// Begins a session.
    private func begin(_ state: inout State, _ wishes: ConnectionWishes, _ manager: CBCentralManager) -> Session {
        let session = Session(
            of: self, host: manager.host, queue: manager.queue, startDelay: wishes.startDelay)
        state.session = session
        state.wishes = wishes
        state.peripheral = .connecting
        return session
    }

    func cancelConnection() {
        let session: Session? = change { state in
            state.next = nil
            guard state.peripheral == .connecting || state.peripheral == .connected else { return nil }
            state.peripheral = .disconnecting
            return state.session
        }
        if let session { session.host.leave(session, tells: true) }
    }

    /// The manager is gone: everything ends, and nobody is told.
    func abandon() { radioLost(isValid: false) }

    // MARK: What becomes of it

    func linkConnected(_ session: Session) {
        change { $0.peripheral = .connected }
        tellConnected()
    }

    private func tellConnected() {
        guard let manager else { return }
        manager.delegate?.centralManager(manager, didConnect: self)
        finishCalls(of: .connection, .success(.done))
    }

    func linkFailed(_ session: Session, _ error: CBError) {
        let remains = takeDown(.disconnected)
        remains.fail(error)
        guard let manager else { return }
        manager.delegate?.centralManager(manager, didFailToConnect: self, error: error)
    }

    func linkLost(_ session: Session, _ error: CBError, at time: Double) {
        let wishes = guarded.withLock { $0.wishes }
        let remains = takeDown(.disconnected)
        remains.fail(error)
        guard let manager else { return }
        if wishes.reconnects {
            let next = change { begin(&$0, wishes, manager) }
            next.host.join(next)
        }
        manager.delegate?.centralManager(
            manager, didDisconnectPeripheral: self, timestamp: time, isReconnecting: wishes.reconnects,
            error: error)
    }

    func linkLeft(_ session: Session, at time: Double) {
        let next = guarded.withLock { state in
            defer { state.next = nil }
            return state.next
        }
        let remains = takeDown(.disconnected)
        remains.fail(CBError(.operationCancelled), sparing: next == nil ? nil : .connection)
        guard let manager else { return }
        manager.delegate?.centralManager(
            manager, didDisconnectPeripheral: self, timestamp: time, isReconnecting: false, error: nil)
        if let next { connect(next, call: nil) }
    }

    func radioLost(isValid: Bool) {
        let session = guarded.withLock { state in
            state.isValid = isValid
            state.next = nil
            return state.session
        }
        let remains = takeDown(.disconnected)
        if let session { session.host.leave(session, tells: false) }
        remains.fail(CBError(.notConnected))
    }

    /// What a connection leaves behind that somebody waits for.
    struct Remains {
        let peripheral: CBPeripheral
        let followers: [ValueFollower]

        /// Lets everybody know.
        func fail(_ error: CBError, sparing: Call.Kind? = nil) {
            peripheral.failCalls(error, sparing: sparing)
            // A sequence whose end was asked for here just ends.
            for follower in followers { follower.finish(error.code == .operationCancelled ? nil : error) }
        }
    }

    /// Forgets the session and what was found on it.
    private func takeDown(_ new: CBPeripheralState) -> Remains {
        // The objects are let go of outside the lock.
        let (services, followers, session) = change { state in
            defer {
                state.session = nil
                state.peripheral = new
                state.services = nil
                state.known = [:]
                state.characteristics = [:]
                state.descriptors = [:]
                state.discoveries = 0
                state.hasDiscovered = false
                state.valueFollowers = [:]
                state.notifyingForFollowers = []
            }
            return (Array(state.known.values), Array(state.valueFollowers.values), state.session)
        }
        for characteristic in services.flatMap({ $0.characteristics ?? [] }) { characteristic.set(notifying: false) }
        _ = session
        return Remains(peripheral: self, followers: followers)
    }

    // MARK: The name

    /// It was heard, with a name in its advertisement or without.
    func advertised(_ name: String?) {
        guard let name, manager?.store.record(of: address)?.name == nil else { return }
        rename(name)
    }

    /// Its attribute server told its name.
    func named(_ name: String) {
        manager?.store.named(address, name)
        rename(name)
    }

    private func rename(_ name: String) {
        let isNews = guarded.withLock { state in
            defer { state.name = name }
            return state.name != nil && state.name != name
        }
        if isNews { delegate?.peripheralDidUpdateName(self) }
    }
}
