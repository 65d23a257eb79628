/// Says that the queue was written or cancelled, as asked (Core Specification, Vol 3, Part F, 3.4.6.4).
///
///     19
@frozen
public struct ExecuteWriteResponse: Response, Hashable, Sendable {
    /// 0x19.
    @inlinable public static var opcode: Opcode { .executeWriteResponse }

    /// The PDU, which has no fields.
    @inlinable
    @inline(__always)
    public init() {}

    /// Parses a whole PDU, of exactly 1 octet.
    /// - Throws: `truncated`, `trailingOctets` or `wrongOpcode`.
    @inlinable
    @inline(__always)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, exactly: 1)
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 1 }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, RawSpan())
    }
}
