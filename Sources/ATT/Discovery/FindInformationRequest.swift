/// Asks for the handles and types of the attributes in a range (Core Specification, Vol 3, Part F, 3.4.3.1).
///
///     04 │ first (2) │ last (2)
@frozen
public struct FindInformationRequest: Request, Hashable, Sendable {
    /// 0x04.
    @inlinable public static var opcode: Opcode { .findInformationRequest }
    /// Answered by a Find Information Response (0x05).
    @inlinable public static var responseOpcode: Opcode { .findInformationResponse }

    /// The first handle of the range, as sent: a server answers Invalid Handle to 0x0000.
    public var first: AttributeHandle
    /// The last handle of the range, as sent: a server answers Invalid Handle when it is below `first`.
    public var last: AttributeHandle

    /// A PDU with these fields.
    @inlinable
    @inline(__always)
    public init(first: AttributeHandle, last: AttributeHandle) {
        self.first = first
        self.last = last
    }

    /// Parses a whole PDU, of exactly 5 octets.
    /// - Throws: `truncated`, `trailingOctets` or `wrongOpcode`.
    @inlinable
    @inline(__always)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, exactly: 5, fields: 0b01010)
        // In bounds: the PDU has 5 octets.
        first = unsafe pdu.handle(at: 1)
        last = unsafe pdu.handle(at: 3)
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 5 }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, first.rawValue, last.rawValue)
    }
}
