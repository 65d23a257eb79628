import Foundation
import GATT
import Sockets

/// Where a peripheral is between two disconnections; beyond Apple's API.
public enum CBPeripheralLifecycle: String, Hashable, Sendable, CaseIterable {
    /// There is no connection.
    case disconnected
    /// A connection is being made, whenever the peripheral comes into reach.
    case connecting
    /// There is a connection, and nothing of the peripheral's attributes is known yet.
    case connected
    /// Services, characteristics or descriptors are being discovered.
    case discovering
    /// Services were discovered, and no discovery goes on.
    case discovered
    /// The connection, or the attempt, is being ended.
    case disconnecting
}

extension CBPeripheral {
    /// Where the peripheral is now.
    public var lifecycle: CBPeripheralLifecycle { guarded.withLock { $0.lifecycle } }

    /// Where the peripheral is, now and at every change, until the peripheral is let go of. A follower that is slow misses
    /// what lies more than 64 changes back.
    public var lifecycleUpdates: AsyncStream<CBPeripheralLifecycle> {
        AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let number = Counter.next()
            guarded.withLock { state in
                continuation.yield(state.lifecycle)
                state.lifecycleFollowers[number] = continuation
            }
            continuation.onTermination = { [weak self] _ in
                self?.guarded.withLock { $0.lifecycleFollowers[number] = nil }
            }
        }
    }

    /// Changes the state, and tells of the lifecycle when that is another afterwards.
    func change<Result>(_ body: (inout State) -> Result) -> Result {
        guarded.withLock { state in
            let before = state.lifecycle
            let result = body(&state)
            let after = state.lifecycle
            if after != before {
                for follower in state.lifecycleFollowers.values { follower.yield(after) }
            }
            return result
        }
    }
}

extension CBPeripheral.State {
    fileprivate var lifecycle: CBPeripheralLifecycle {
        switch peripheral {
        case .disconnected: .disconnected
        case .connecting: .connecting
        case .connected: discoveries > 0 ? .discovering : hasDiscovered ? .discovered : .connected
        case .disconnecting: .disconnecting
        }
    }
}
