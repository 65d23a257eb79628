/// Which signalling command (Core Specification, Vol 3, Part A, 4), open to codes that are not assigned.
@frozen
public struct SignallingCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable
    init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// Command Reject, 4.1.
    @inlinable public static var commandReject: Self { Self(0x01) }
    /// Disconnection Request, 4.6.
    @inlinable public static var disconnectionRequest: Self { Self(0x06) }
    /// Disconnection Response, 4.7.
    @inlinable public static var disconnectionResponse: Self { Self(0x07) }
    /// Connection Parameter Update Request, 4.20.
    @inlinable public static var connectionParameterUpdateRequest: Self { Self(0x12) }
    /// Connection Parameter Update Response, 4.21.
    @inlinable public static var connectionParameterUpdateResponse: Self { Self(0x13) }
    /// LE Credit Based Connection Request, 4.22.
    @inlinable public static var leCreditBasedConnectionRequest: Self { Self(0x14) }
    /// LE Credit Based Connection Response, 4.23.
    @inlinable public static var leCreditBasedConnectionResponse: Self { Self(0x15) }
    /// Flow Control Credit Indication, 4.24.
    @inlinable public static var flowControlCreditIndication: Self { Self(0x16) }
    /// Credit Based Connection Request, 4.25.
    @inlinable public static var creditBasedConnectionRequest: Self { Self(0x17) }
    /// Credit Based Connection Response, 4.26.
    @inlinable public static var creditBasedConnectionResponse: Self { Self(0x18) }
    /// Credit Based Reconfigure Request, 4.27.
    @inlinable public static var creditBasedReconfigureRequest: Self { Self(0x19) }
    /// Credit Based Reconfigure Response, 4.28.
    @inlinable public static var creditBasedReconfigureResponse: Self { Self(0x1A) }

    /// The specification's name; `nil` where there is none on LE.
    public var name: String? { Self.names[rawValue] }

    /// Whether it answers another command, or rejects one: such are never answered. On the LE channel an odd name out is
    /// Flow Control Credit Indication, which asks for no answer either.
    public var isAnswer: Bool {
        switch rawValue {
        case 0x01, 0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x15, 0x18, 0x1A: true
        default: false
        }
    }

    private static let names: [UInt8: String] = [
        0x01: "Command Reject", 0x06: "Disconnection Request", 0x07: "Disconnection Response",
        0x12: "Connection Parameter Update Request", 0x13: "Connection Parameter Update Response",
        0x14: "LE Credit Based Connection Request", 0x15: "LE Credit Based Connection Response",
        0x16: "Flow Control Credit Indication", 0x17: "Credit Based Connection Request",
        0x18: "Credit Based Connection Response", 0x19: "Credit Based Reconfigure Request",
        0x1A: "Credit Based Reconfigure Response",
    ]
}

extension SignallingCode: CustomStringConvertible {
    /// The name, or the number where there is none.
    public var description: String { name ?? "signalling code 0x\([rawValue].hexadecimal)" }
}

/// One command on the LE signalling channel: code, identifier, data (Core Specification, Vol 3, Part A, 4).
///
/// A frame on that channel holds exactly one.
@frozen
public struct SignallingPacket: ~Escapable {
    /// Which command.
    public let code: SignallingCode
    /// Repeated by the answer; never 0.
    public let identifier: UInt8
    /// What the command carries.
    public let data: RawSpan

    /// How many octets come before the data.
    @inlinable public static var headerByteCount: Int { 4 }

    /// A command of its parts.
    @inlinable
    @_lifetime(copy data)
    public init(code: SignallingCode, identifier: UInt8, data: RawSpan) {
        self.code = code
        self.identifier = identifier
        self.data = data
    }

    /// Reads the payload of a frame on the LE signalling channel.
    /// - Throws: `truncated` when it is shorter than a header or than its length says, `trailingOctets` when something
    ///   follows.
    @inlinable
    @_lifetime(copy payload)
    public init(parsing payload: RawSpan) throws(MalformedError) {
        var reader = OctetReader(payload)
        code = SignallingCode(rawValue: try reader.uint8())
        identifier = try reader.uint8()
        let length = try reader.uint16()
        data = try reader.octets(Int(length))
        try reader.end()
    }
}
