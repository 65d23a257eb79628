/// The values of several attributes, one after the other without their lengths
/// (Core Specification, Vol 3, Part F, 3.4.4.8).
///
///     0F │ values
@frozen
public struct ReadMultipleResponse: Response, ~Escapable {
    /// 0x0F.
    @inlinable public static var opcode: Opcode { .readMultipleResponse }

    /// The values in the order of the request, joined, and cut to ATT_MTU − 1 octets.
    public var value: RawSpan

    /// A PDU with these fields.
    @inlinable
    @inline(__always)
    @_lifetime(copy value)
    public init(value: RawSpan) { self.value = value }

    /// Parses a whole PDU, of at least 1 octet.
    /// - Throws: `truncated` or `wrongOpcode`.
    @inlinable
    @inline(__always)
    @_lifetime(copy pdu)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, atLeast: 1)
        // In bounds: the PDU has at least one octet.
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

    /// Begins a response that a server composes value by value: appends the opcode.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public static func begin(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(opcode, RawSpan())
    }

    /// Appends the next value, cut short where `output`, of ATT_MTU octets, ends.
    /// - Returns: whether the whole value fitted.
    @inlinable
    @discardableResult
    @_lifetime(output: copy output)
    public static func append(value: RawSpan, into output: inout OutputRawSpan) -> Bool {
        output.appendCut(value)
    }
}
