public import Foundation

/// What services, characteristics and descriptors have in common.
open class CBAttribute: NSObject, @unchecked Sendable {
    /// What the attribute is.
    open var uuid: CBUUID { type }

    private let type: CBUUID
    /// The connection it was found on: the number of the peripheral's session.
    let session: UInt64

    init(uuid: CBUUID, session: UInt64) {
        type = uuid
        self.session = session
    }
}
