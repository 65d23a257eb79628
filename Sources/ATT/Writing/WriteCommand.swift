/// Asks the server to write an attribute, without an answer (Core Specification, Vol 3, Part F, 3.4.5.3).
///
///     52 │ handle (2) │ value
@frozen
public struct WriteCommand: Command, ~Escapable {
    /// 0x52.
    @inlinable public static var opcode: Opcode { .writeCommand }

    /// The attribute to write.
    public var handle: AttributeHandle
    /// The value, at most ATT_MTU − 3 octets.
    public var value: RawSpan

    /// A PDU with these fields.
    @inlinable
    @inline(__always)
    @_lifetime(copy value)
    public init(handle: AttributeHandle, value: RawSpan) {
        self.handle = handle
        self.value = value
    }

    /// Parses a whole PDU, of at least 3 octets.
    /// - Throws: `truncated` or `wrongOpcode`.
    @inlinable
    @inline(__always)
    @_lifetime(copy pdu)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, atLeast: 3)
        // In bounds: the PDU has at least 3 octets.
        handle = unsafe pdu.handle(at: 1)
        value = unsafe pdu.octets(from: 3)
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 3 &+ value.byteCount }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, handle.rawValue, value)
    }
}
