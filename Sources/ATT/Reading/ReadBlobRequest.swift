/// Asks for part of the value of an attribute (Core Specification, Vol 3, Part F, 3.4.4.5).
///
///     0C │ handle (2) │ offset (2)
@frozen
public struct ReadBlobRequest: Request, Hashable, Sendable {
    /// 0x0C.
    @inlinable public static var opcode: Opcode { .readBlobRequest }
    /// Answered by a Read Blob Response (0x0D).
    @inlinable public static var responseOpcode: Opcode { .readBlobResponse }

    /// The attribute to read.
    public var handle: AttributeHandle
    /// The offset of the first octet to read, from 0.
    public var valueOffset: UInt16

    /// A PDU with these fields.
    @inlinable
    @inline(__always)
    public init(handle: AttributeHandle, valueOffset: UInt16) {
        self.handle = handle
        self.valueOffset = valueOffset
    }

    /// Parses a whole PDU, of exactly 5 octets.
    /// - Throws: `truncated`, `trailingOctets` or `wrongOpcode`.
    @inlinable
    @inline(__always)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, exactly: 5, fields: 0b01010)
        // In bounds: the PDU has 5 octets.
        handle = unsafe pdu.handle(at: 1)
        valueOffset = unsafe pdu.uint16(at: 3)
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 5 }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, handle.rawValue, valueOffset)
    }
}
