/// Says that the queue was written or cancelled, as asked (Core Specification, Vol 3, Part F, 3.4.6.4).
///
///     19
@frozen
public struct ExecuteWriteResponse: Response, Hashable, Sendable {
    @inlinable public static var opcode: Opcode { .executeWriteResponse }

    @inlinable
    @inline(__always)
    public init() {}

    @inlinable
    @inline(__always)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, exactly: 1)
    }

    @inlinable public var encodedByteCount: Int { 1 }

    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, RawSpan())
    }
}
