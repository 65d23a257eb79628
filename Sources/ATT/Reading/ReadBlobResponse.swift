/// Part of the value of an attribute (Core Specification, Vol 3, Part F, 3.4.4.6).
///
///     0D │ part
@frozen
public struct ReadBlobResponse: Response, ~Escapable {
    @inlinable public static var opcode: Opcode { .readBlobResponse }

    /// At most ATT_MTU − 1 octets from the offset asked for; empty at the end of the value.
    public var value: RawSpan

    @inlinable
    @inline(__always)
    @_lifetime(copy value)
    public init(value: RawSpan) {
        self.value = value
    }

    @inlinable
    @inline(__always)
    @_lifetime(copy pdu)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, atLeast: 1)
        // In bounds: the PDU has at least 1 octet.
        value = unsafe pdu.octets(from: 1)
    }

    @inlinable public var encodedByteCount: Int { 1 &+ value.byteCount }

    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, value)
    }
}
