/// An event from the controller: code and parameters (Core Specification, Vol 4, Part E, 5.4.4).
@frozen
public struct EventPacket: ~Escapable {
    /// Which event.
    public let code: EventCode
    /// Its parameters, as many octets as its length octet says.
    public let parameters: RawSpan

    /// An event of its parts.
    @inlinable
    @_lifetime(copy parameters)
    public init(code: EventCode, parameters: RawSpan) {
        self.code = code
        self.parameters = parameters
    }

    /// Reads an event without its type octet. Octets after the declared end are left out.
    /// - Throws: `truncated` when it is shorter than its length octet says.
    @inlinable
    @inline(__always)
    @_lifetime(copy packet)
    public init(parsing packet: RawSpan) throws(MalformedError) {
        guard packet.byteCount >= 2 else { throw MalformedError(.truncated, at: packet.byteCount) }
        // In bounds: there are two octets, and as many more as the second one says.
        code = EventCode(rawValue: unsafe packet.unsafeLoad(fromUncheckedByteOffset: 0, as: UInt8.self))
        let length = Int(unsafe packet.unsafeLoad(fromUncheckedByteOffset: 1, as: UInt8.self))
        guard packet.byteCount &- 2 >= length else { throw MalformedError(.truncated, at: 2) }
        parameters = unsafe packet.slice(uncheckedFrom: 2, count: length)
    }

    /// Which LE event it is; `nil` when it is none, or is empty.
    @inlinable
    public var leSubevent: LESubeventCode? {
        guard code == .leMeta, !parameters.isEmpty else { return nil }
        // In bounds: there is at least one octet.
        return LESubeventCode(rawValue: unsafe parameters.unsafeLoad(fromUncheckedByteOffset: 0, as: UInt8.self))
    }
}

/// A command to the controller: opcode and parameters (Core Specification, Vol 4, Part E, 5.4.1). For reading traces;
/// what sends one is `HCICommand`.
@frozen
public struct CommandPacket: ~Escapable {
    /// Which command.
    public let opcode: CommandOpcode
    /// Its parameters, as many octets as its length octet says.
    public let parameters: RawSpan

    /// Reads a command without its type octet. Octets after the declared end are left out.
    /// - Throws: `truncated` when it is shorter than its length octet says.
    @inlinable
    @_lifetime(copy packet)
    public init(parsing packet: RawSpan) throws(MalformedError) {
        var reader = OctetReader(packet)
        opcode = CommandOpcode(rawValue: try reader.uint16())
        let length = try reader.uint8()
        parameters = try reader.octets(Int(length))
    }
}
