public import GATT

/// The end of a connection, as a value.
public struct Disconnection: Hashable, Sendable {
    /// Why it ended.
    public let reason: BearerCloseReason
    /// When.
    public let time: Timestamp

    /// An end of its parts.
    public init(reason: BearerCloseReason, time: Timestamp) {
        self.reason = reason
        self.time = time
    }

    /// Whether this side ended it on purpose.
    public var isLocal: Bool { reason == .closedLocally }
}

extension Disconnection: CustomStringConvertible {
    /// The reason as a clause, for people.
    public var description: String { reason.description }
}
