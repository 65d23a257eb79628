import Dispatch
import Foundation
import GATT
import Sockets

@testable import CoreBluetooth
@testable import VirtualPeripheral

extension CBCentralManager {
    /// The queue on which callbacks come, for waiting behind them.
    var queueForTests: DispatchQueue { queue }
    /// The loop on which everything else happens.
    var loopForTests: EventLoop { host.loop }
    /// The use of the radio that managers share.
    var hostForTests: AnyObject { host }
}

extension VirtualRadio {
    /// How many scans there are.
    var scanningCount: Int { listenerCount }
    /// How many attempts to connect wait for a device.
    var waitingCount: Int { arrivals.count }
}

/// What the framework says to standard error, of whatever test.
final class Complaints: Sendable {
    private let lines = Locked<[String]>([])
    private let number: Int

    init() {
        let lines = lines
        number = Diagnostics.listen { line in lines.withLock { $0.append(line) } }
    }

    deinit { Diagnostics.stopListening(number) }

    /// Whether something was said about this object.
    func contain(_ text: String, about object: NSObject? = nil) -> Bool {
        // A peripheral's description changes with its state; what stands before the first comma does not.
        let name = object.map { "\($0)".prefix { !",>".contains($0) } } ?? ""
        return lines.withLock { $0.contains { $0.contains(text) && (name.isEmpty || $0.contains(name)) } }
    }
}

extension CBCharacteristic {
    /// The handle of the value on the virtual device.
    var handleForTests: AttributeHandle { valueHandle }
}

extension CBPeripheral {
    var managerForTests: CBCentralManager? { manager }
    /// What stands between the peripheral and its connection.
    var sessionForTests: AnyObject? { guarded.withLock { $0.session } }
}

extension World {
    /// Whether a program that begins now would know a device.
    func knowsAfterRestart(_ identifier: UUID) async throws -> Bool {
        manager.store.save()
        return IdentifierStore(in: directory).record(of: identifier) != nil
    }
}

extension World {
    /// The value handle of the first device's Service Changed characteristic.
    func serviceChangedHandle() -> AttributeHandle? {
        var handle: UInt16 = 1
        for service in device.description.services {
            handle += 1
            for characteristic in service.characteristics {
                if characteristic.uuid == 0x2A05 { return AttributeHandle(rawValue: handle + 1) }
                handle += 2
            }
        }
        return nil
    }
}

extension World {
    /// Lets requests on connections that are made from now on time out soon: the clock of the engines is the loop's.
    func shortenRequestTimeout() {
        manager.host.requestTimeout.withLock { $0 = .milliseconds(100) }
    }
}
