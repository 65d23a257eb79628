/// Asks for the values of several attributes, each with its length
/// (Core Specification, Vol 3, Part F, 3.4.4.11).
///
///     20 │ handle (2) │ handle (2) │ …
@frozen
public struct ReadMultipleVariableRequest: Request, ~Escapable {
    /// 0x20.
    @inlinable public static var opcode: Opcode { .readMultipleVariableRequest }
    /// Answered by a Read Multiple Variable Response (0x21).
    @inlinable public static var responseOpcode: Opcode { .readMultipleVariableResponse }

    /// The attributes to read: two or more.
    public var handles: HandleList

    /// A PDU with these fields.
    /// - Parameter handles: two handles or more; `encode(into:)` refuses fewer.
    @inlinable
    @inline(__always)
    @_lifetime(copy handles)
    public init(handles: HandleList) { self.handles = handles }

    /// A PDU with these fields.
    /// - Parameter handles: two handles or more; `encode(into:)` refuses fewer.
    @inlinable
    @inline(__always)
    @_lifetime(copy handles)
    public init(handles: Span<AttributeHandle>) { self.handles = HandleList(handles) }

    /// Parses a whole PDU.
    /// - Throws: `truncated` when there are fewer than two handles; `invalidLength` when the last one is cut short.
    @inlinable
    @inline(__always)
    @_lifetime(copy pdu)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        handles = try pdu.handles(after: Self.opcode)
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 1 &+ handles.octets.byteCount }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`; `invalidValue` when there are fewer than two handles.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        guard handles.count >= 2 else { throw .invalidValue }
        try output.append(Self.opcode, handles.octets)
    }
}
