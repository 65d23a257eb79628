/// Echoes a Prepare Write Request, for the client to compare (Core Specification, Vol 3, Part F, 3.4.6.2).
///
///     17 │ handle (2) │ offset (2) │ part
@frozen
public struct PrepareWriteResponse: Response, ~Escapable {
    /// 0x17.
    @inlinable public static var opcode: Opcode { .prepareWriteResponse }

    /// The attribute, as the server received it.
    public var handle: AttributeHandle
    /// The offset, as the server received it.
    public var valueOffset: UInt16
    /// The part, as the server received it.
    public var value: RawSpan

    /// A PDU with these fields.
    @inlinable
    @inline(__always)
    @_lifetime(copy value)
    public init(handle: AttributeHandle, valueOffset: UInt16, value: RawSpan) {
        self.handle = handle
        self.valueOffset = valueOffset
        self.value = value
    }

    /// Parses a whole PDU, of at least 5 octets.
    /// - Throws: `truncated` or `wrongOpcode`.
    @inlinable
    @inline(__always)
    @_lifetime(copy pdu)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, atLeast: 5, fields: 0b01010)
        // In bounds: the PDU has at least 5 octets.
        handle = unsafe pdu.handle(at: 1)
        valueOffset = unsafe pdu.uint16(at: 3)
        value = unsafe pdu.octets(from: 5)
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 5 &+ value.byteCount }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, handle.rawValue, valueOffset, value)
    }
}
