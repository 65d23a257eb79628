/// Part of the value of an attribute (Core Specification, Vol 3, Part F, 3.4.4.6).
///
///     0D │ part
@frozen
public struct ReadBlobResponse: Response, ~Escapable {
    /// 0x0D.
    @inlinable public static var opcode: Opcode { .readBlobResponse }

    /// At most ATT_MTU − 1 octets from the offset asked for; empty at the end of the value.
    public var value: RawSpan

    /// A PDU with these fields.
    @inlinable
    @inline(__always)
    @_lifetime(copy value)
    public init(value: RawSpan) {
        self.value = value
    }

    /// Parses a whole PDU, of at least 1 octet.
    /// - Throws: `truncated` or `wrongOpcode`.
    @inlinable
    @inline(__always)
    @_lifetime(copy pdu)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, atLeast: 1)
        // In bounds: the PDU has at least 1 octet.
        value = unsafe pdu.octets(from: 1)
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 1 &+ value.byteCount }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, value)
    }
}
