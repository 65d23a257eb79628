/// Asks for the values of the attributes in a range that have a type (Core Specification, Vol 3, Part F, 3.4.4.1).
///
///     08 │ first (2) │ last (2) │ type (2 or 16)
@frozen
public struct ReadByTypeRequest: Request, Hashable, Sendable {
    /// 0x08.
    @inlinable public static var opcode: Opcode { .readByTypeRequest }
    /// Answered by a Read By Type Response (0x09).
    @inlinable public static var responseOpcode: Opcode { .readByTypeResponse }

    /// The first handle of the range, as sent: a server answers Invalid Handle to 0x0000.
    public var first: AttributeHandle
    /// The last handle of the range, as sent: a server answers Invalid Handle when it is below `first`.
    public var last: AttributeHandle
    /// The type of the attributes to read. A 32-bit UUID is sent in 128 bits.
    public var attributeType: BluetoothUUID

    /// A PDU with these fields.
    @inlinable
    @inline(__always)
    public init(first: AttributeHandle, last: AttributeHandle, attributeType: BluetoothUUID) {
        self.first = first
        self.last = last
        self.attributeType = attributeType
    }

    /// Parses a whole PDU.
    /// - Throws: `invalidLength` at offset 5 when the UUID has neither 2 nor 16 octets.
    @inlinable
    @inline(__always)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        attributeType = try pdu.attributeType(afterRangeOf: Self.opcode)
        // In bounds: the PDU has 7 or 21 octets.
        first = unsafe pdu.handle(at: 1)
        last = unsafe pdu.handle(at: 3)
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 5 &+ attributeType.attributeTypeByteCount }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, first.rawValue, last.rawValue, type: attributeType)
    }
}
