import Foundation
import Sockets

/// What `connect(_:options:)` was asked for.
struct ConnectionWishes: Sendable {
    var startDelay: Double
    var reconnects: Bool

    init(_ options: [String: Any]?) {
        startDelay = (options?[CBConnectPeripheralOptionStartDelayKey]).flatMap(Self.number) ?? 0
        reconnects = (options?[CBConnectPeripheralOptionEnableAutoReconnect]).flatMap(Self.number) ?? 0 != 0
    }

    /// A number or a Boolean, whether or not it is wrapped.
    private static func number(_ value: Any) -> Double? {
        switch value {
        case let value as Bool: value ? 1 : 0
        case let value as NSNumber: value.doubleValue
        case let value as Double: value
        case let value as Int: Double(value)
        default: nil
        }
    }
}

extension CBCentralManager {
    func connect(_ peripheral: CBPeripheral, _ wishes: ConnectionWishes, call: UInt64?) {
        guard acceptsCommands() else { return peripheral.refuse(call, .notConnected) }
        guard peripheral.manager === self else {
            Diagnostics.misuse(self, "is not the manager of \(peripheral), which is ignored")
            return peripheral.refuse(call, .unknownDevice)
        }
        peripheral.connect(wishes, call: call)
    }

    @discardableResult
    func startScan(
        _ serviceUUIDs: [CBUUID]?, _ options: [String: Any]?, follower: ScanRun.Follower? = nil
    ) -> ScanRun {
        let run = ScanRun(services: serviceUUIDs, options: options, follower: follower)
        let (central, former) = guarded.withLock { state in
            let former = state.scan
            state.scan = run
            return (state.central, former)
        }
        former?.cancel()
        if let central { run.start(on: central, for: self) }
        return run
    }

    /// Ends this scan, when it is still the one that goes on.
    func end(_ run: ScanRun) {
        guarded.withLock { if $0.scan === run { $0.scan = nil } }
        run.cancel()
    }

    func endScan() {
        let former = guarded.withLock { state in
            defer { state.scan = nil }
            return state.scan
        }
        former?.cancel()
    }
}
