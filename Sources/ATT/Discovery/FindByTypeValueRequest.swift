/// Asks for the attributes in a range that have a 16-bit type and a value
/// (Core Specification, Vol 3, Part F, 3.4.3.3).
///
///     06 │ first (2) │ last (2) │ type (2) │ value
@frozen
public struct FindByTypeValueRequest: Request, ~Escapable {
    /// 0x06.
    @inlinable public static var opcode: Opcode { .findByTypeValueRequest }
    /// Answered by a Find By Type Value Response (0x07).
    @inlinable public static var responseOpcode: Opcode { .findByTypeValueResponse }

    /// The first handle of the range, as sent: a server answers Invalid Handle to 0x0000.
    public var first: AttributeHandle
    /// The last handle of the range, as sent: a server answers Invalid Handle when it is below `first`.
    public var last: AttributeHandle
    /// The 16-bit UUID of the attributes to find.
    public var attributeType: UInt16
    /// The value of the attributes to find.
    public var value: RawSpan

    /// A PDU with these fields.
    @inlinable
    @inline(__always)
    @_lifetime(copy value)
    public init(first: AttributeHandle, last: AttributeHandle, attributeType: UInt16, value: RawSpan) {
        self.first = first
        self.last = last
        self.attributeType = attributeType
        self.value = value
    }

    /// Parses a whole PDU, of at least 7 octets.
    /// - Throws: `truncated` or `wrongOpcode`.
    @inlinable
    @inline(__always)
    @_lifetime(copy pdu)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, atLeast: 7, fields: 0b0101010)
        // In bounds: the PDU has at least 7 octets.
        first = unsafe pdu.handle(at: 1)
        last = unsafe pdu.handle(at: 3)
        attributeType = unsafe pdu.uint16(at: 5)
        value = unsafe pdu.octets(from: 7)
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 7 &+ value.byteCount }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        // In bounds: the stores fill the octets asked for.
        try unsafe output.append(encodedByteCount) { octets in
            unsafe octets.store(Self.opcode.rawValue, at: 0)
            unsafe octets.store(first.rawValue, at: 1)
            unsafe octets.store(last.rawValue, at: 3)
            unsafe octets.store(attributeType, at: 5)
            unsafe octets.store(value, at: 7)
        }
    }
}
