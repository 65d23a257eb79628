/// Asks for the value of an attribute (Core Specification, Vol 3, Part F, 3.4.4.3).
///
///     0A │ handle (2)
@frozen
public struct ReadRequest: Request, Hashable, Sendable {
    /// 0x0A.
    @inlinable public static var opcode: Opcode { .readRequest }
    /// Answered by a Read Response (0x0B).
    @inlinable public static var responseOpcode: Opcode { .readResponse }

    /// The attribute to read.
    public var handle: AttributeHandle

    /// A PDU with these fields.
    @inlinable
    @inline(__always)
    public init(handle: AttributeHandle) {
        self.handle = handle
    }

    /// Parses a whole PDU, of exactly 3 octets.
    /// - Throws: `truncated`, `trailingOctets` or `wrongOpcode`.
    @inlinable
    @inline(__always)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, exactly: 3)
        // In bounds: the PDU has 3 octets.
        handle = unsafe pdu.handle(at: 1)
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 3 }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, handle.rawValue)
    }
}
