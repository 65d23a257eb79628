/// What the shell around a server engine shall do, or may want to know.
public enum ServerAction: Hashable, Sendable {
    /// Send this PDU.
    case send([UInt8])
    /// A client wrote an attribute, which has this value now.
    case written(AttributeHandle, value: [UInt8])
    /// The client configured the characteristic whose value is at this handle.
    case subscriptionChanged(AttributeHandle, ClientCharacteristicConfiguration)
    /// The client confirmed an indication of this value.
    case confirmed(AttributeHandle)
    /// Both sides agreed on this MTU.
    case mtuChanged(Int)
    /// Close the bearer. Nothing more is sent on it, and nothing that comes from it is looked at.
    case close(ServerCloseReason)
    /// Something odd that changes nothing, in words.
    case log(String)
}

/// Why a server gives a bearer up.
public enum ServerCloseReason: Hashable, Sendable {
    /// The client did not confirm the indication of this value in time (Core Specification, Vol 3, Part F, 3.3.3).
    case confirmationTimedOut(AttributeHandle)
    /// The client confirmed an indication that was never sent (Vol 3, Part F, 3.3.2).
    case unexpectedConfirmation
    /// The client sent a request before the one before it was answered (Vol 3, Part F, 3.3.2).
    case requestBeforeResponse(Opcode)
}

extension ServerCloseReason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .confirmationTimedOut(let handle): "the indication of \(handle) was not confirmed in time"
        case .unexpectedConfirmation: "a confirmation came without an indication"
        case .requestBeforeResponse(let opcode): "\(opcode.name) came before the response to the request before it"
        }
    }
}

/// The value of a Client Characteristic Configuration (Core Specification, Vol 3, Part G, 3.3.3.3).
@frozen
public struct ClientCharacteristicConfiguration: OptionSet, Hashable, Sendable {
    /// The two octets of the descriptor as a number.
    public let rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The client wants notifications.
    @inlinable public static var notify: Self { Self(rawValue: 0x0001) }
    /// The client wants indications.
    @inlinable public static var indicate: Self { Self(rawValue: 0x0002) }
}
