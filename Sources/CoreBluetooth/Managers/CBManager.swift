public import Foundation
import Sockets

/// What the radio is doing.
public enum CBManagerState: Int, Sendable {
    /// Not known yet; soon after the manager was made it is.
    case unknown = 0
    /// The adapter was lost just now and may come back.
    case resetting = 1
    /// There is no adapter, or none with Bluetooth LE.
    case unsupported = 2
    /// The program lacks the right to use the adapter (CAP_NET_RAW).
    case unauthorized = 3
    /// The adapter is switched off.
    case poweredOff = 4
    /// The adapter can be used.
    case poweredOn = 5
}

/// Whether the program may use Bluetooth.
public enum CBManagerAuthorization: Int, Sendable {
    /// Nobody was asked; does not occur on Linux.
    case notDetermined = 0
    /// It may not, and nobody can change that; does not occur on Linux.
    case restricted = 1
    /// It may not: the right CAP_NET_RAW is missing.
    case denied = 2
    /// It may.
    case allowedAlways = 3
}

@available(*, deprecated, renamed: "CBManagerState")
public typealias CBCentralManagerState = CBManagerState

/// What managers have in common.
open class CBManager: NSObject, @unchecked Sendable {
    /// What the radio is doing.
    open var state: CBManagerState { .unknown }

    /// Whether the program may use Bluetooth, as far as a manager has found out: allowed before that.
    open class var authorization: CBManagerAuthorization {
        isDenied.withLock { $0 } ? .denied : .allowedAlways
    }

    @available(*, deprecated, message: "Use the property of the class")
    open var authorization: CBManagerAuthorization { CBManager.authorization }

    static let isDenied = Locked(false)

    init(forSubclass: Void) {}
}
