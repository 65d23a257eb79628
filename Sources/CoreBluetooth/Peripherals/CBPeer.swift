public import Foundation

/// A remote device.
open class CBPeer: NSObject, NSCopying, @unchecked Sendable {
    /// The device on this machine: the same in every program and at every time, and it says nothing of the address.
    ///
    /// It belongs to the address that the device uses. A device that changes its private address is another device here
    /// until it is paired.
    open var identifier: UUID { deviceIdentifier }

    private let deviceIdentifier: UUID

    init(identifier: UUID) { deviceIdentifier = identifier }

    /// The object itself: there is one for each device and manager.
    open func copy(with zone: NSZone? = nil) -> Any { self }
}
