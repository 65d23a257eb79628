/// Asks for the groups in a range that begin with a type, services for instance
/// (Core Specification, Vol 3, Part F, 3.4.4.9).
///
///     10 │ first (2) │ last (2) │ group type (2 or 16)
@frozen
public struct ReadByGroupTypeRequest: Request, Hashable, Sendable {
    /// 0x10.
    @inlinable public static var opcode: Opcode { .readByGroupTypeRequest }
    /// Answered by a Read By Group Type Response (0x11).
    @inlinable public static var responseOpcode: Opcode { .readByGroupTypeResponse }

    /// The first handle of the range, as sent: a server answers Invalid Handle to 0x0000.
    public var first: AttributeHandle
    /// The last handle of the range, as sent: a server answers Invalid Handle when it is below `first`.
    public var last: AttributeHandle
    /// The type of the attributes that begin the groups. A 32-bit UUID is sent in 128 bits.
    public var groupType: BluetoothUUID

    /// A PDU with these fields.
    @inlinable
    @inline(__always)
    public init(first: AttributeHandle, last: AttributeHandle, groupType: BluetoothUUID) {
        self.first = first
        self.last = last
        self.groupType = groupType
    }

    /// Parses a whole PDU.
    /// - Throws: `invalidLength` at offset 5 when the UUID has neither 2 nor 16 octets.
    @inlinable
    @inline(__always)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        groupType = try pdu.attributeType(afterRangeOf: Self.opcode)
        // In bounds: the PDU has 7 or 21 octets.
        first = unsafe pdu.handle(at: 1)
        last = unsafe pdu.handle(at: 3)
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 5 &+ groupType.attributeTypeByteCount }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, first.rawValue, last.rawValue, type: groupType)
    }
}
