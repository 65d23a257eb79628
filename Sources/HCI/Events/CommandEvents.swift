/// A command has its result (Core Specification, Vol 4, Part E, 7.7.14).
@frozen
public struct CommandComplete: ~Escapable {
    /// How many commands the controller takes now (Num_HCI_Command_Packets).
    public let credits: UInt8
    /// The command; `nop` when this event answers none.
    public let opcode: CommandOpcode
    /// What the command returned: nearly always a status first.
    public let returnParameters: RawSpan

    /// Reads the parameters of the event.
    @inlinable
    @_lifetime(copy parameters)
    public init(parsing parameters: RawSpan) throws(MalformedError) {
        var reader = OctetReader(parameters)
        credits = try reader.uint8()
        opcode = CommandOpcode(rawValue: try reader.uint16())
        returnParameters = reader.rest()
    }

    /// The status; `nil` when nothing was returned.
    @inlinable
    public var status: StatusCode? {
        guard !returnParameters.isEmpty else { return nil }
        // In bounds: there is at least one octet.
        return StatusCode(rawValue: unsafe returnParameters.unsafeLoad(fromUncheckedByteOffset: 0, as: UInt8.self))
    }
}

/// A command was begun, or refused (Core Specification, Vol 4, Part E, 7.7.15).
@frozen
public struct CommandStatus: Hashable, Sendable {
    /// Success when it was begun and its own event follows; else it failed and none does.
    public let status: StatusCode
    /// How many commands the controller takes now (Num_HCI_Command_Packets).
    public let credits: UInt8
    /// The command; `nop` when this event answers none.
    public let opcode: CommandOpcode

    /// Reads the parameters of the event.
    @inlinable
    public init(parsing parameters: RawSpan) throws(MalformedError) {
        var reader = OctetReader(parameters)
        status = StatusCode(rawValue: try reader.uint8())
        credits = try reader.uint8()
        opcode = CommandOpcode(rawValue: try reader.uint16())
    }
}
