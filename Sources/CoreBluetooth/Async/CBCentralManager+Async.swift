// Beyond Apple's API: what the delegate tells, as asynchronous calls and sequences. Both can be used side by side: every event
// goes to the delegate too.
//
// The names differ in their labels from the calls of the delegates. A call with the same name and labels would take their
// place inside asynchronous functions, and programs written for Apple's systems would no longer compile there.

import Foundation
import Sockets

/// A peripheral that was heard.
public struct CBDiscovery: @unchecked Sendable {
    // Sendable: the dictionary is made once and holds values that do not change.

    /// The peripheral.
    public let peripheral: CBPeripheral
    /// What it advertises, by the keys `CBAdvertisementData…`.
    public let advertisementData: [String: Any]
    /// The signal strength in dBm; 127 when it is not known.
    public let rssi: Int
}

extension CBCentralManager {
    /// The state of the radio, now and at every change, until the manager is let go of.
    public var stateUpdates: AsyncStream<CBManagerState> {
        AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let number = Counter.next()
            guarded.withLock { state in
                continuation.yield(state.manager)
                state.stateFollowers[number] = continuation
            }
            continuation.onTermination = { [weak self] _ in
                self?.guarded.withLock { $0.stateFollowers[number] = nil }
            }
        }
    }

    /// Waits until the radio can be used.
    /// - Throws: `CBError.operationNotSupported` when there is none, or when the program may not use it;
    ///   `CancellationError`.
    public func waitUntilPoweredOn() async throws {
        for await state in stateUpdates {
            switch state {
            case .poweredOn: return
            case .unsupported, .unauthorized: throw CBError(.operationNotSupported)
            default: continue
            }
        }
        throw CancellationError()
    }

    /// Scans, and gives what is heard until the consumer stops or another scan takes the place of this one. When the consumer
    /// is slow, the newest 1024 wait for it.
    /// - Parameters: as of `scanForPeripherals(withServices:options:)`.
    public func discoveries(
        withServices serviceUUIDs: [CBUUID]? = nil, options: [String: Any]? = nil
    ) -> AsyncStream<CBDiscovery> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1024)) { continuation in
            guard acceptsCommands() else { return continuation.finish() }
            let follower = ScanRun.Follower(
                take: { continuation.yield($0) }, finish: { continuation.finish() })
            let run = startScan(serviceUUIDs, options, follower: follower)
            continuation.onTermination = { [weak self] _ in self?.end(run) }
        }
    }

    /// Connects to a peripheral, whenever it comes into reach, and returns once it is connected. Cancelling the task ends the
    /// attempt, unless another task waits for it.
    /// - Throws: the error of `centralManager(_:didFailToConnect:error:)`; `CBError.notConnected` when the radio is off or is
    ///   switched off; `CBError.operationCancelled` after `cancelPeripheralConnection(_:)`; `CancellationError`.
    public func connect(to peripheral: CBPeripheral, options: [String: Any]? = nil) async throws {
        let wishes = ConnectionWishes(options)
        do {
            _ = try await peripheral.answer(of: .connection) { connect(peripheral, wishes, call: $0) }
        } catch let error as CancellationError {
            let others = peripheral.guarded.withLock { $0.calls.values.contains { $0.kind == .connection } }
            if !others, peripheral.state == .connecting { peripheral.cancelConnection() }
            throw error
        }
    }

    /// Ends the connection to a peripheral, and returns once that was done.
    public func disconnect(from peripheral: CBPeripheral) async {
        // Its own cancellation is all that can go wrong; the connection ends in any case.
        _ = try? await peripheral.answer(of: .disconnection) { call in
            guard peripheral.state != .disconnected else { return peripheral.finish(call, .success(.done)) }
            peripheral.cancelConnection()
        }
    }
}
