/// The answer to a request that failed (Core Specification, Vol 3, Part F, 3.4.1.1).
///
///     01 │ request opcode │ handle (2) │ error code
@frozen
public struct ErrorResponse: Response, Hashable, Sendable {
    /// 0x01.
    @inlinable public static var opcode: Opcode { .errorResponse }

    /// The opcode of the request that failed.
    public var requestOpcode: Opcode
    /// The attribute that made it fail; 0x0000 when no attribute did.
    public var handle: AttributeHandle
    /// Why it failed.
    public var code: ErrorCode

    /// A PDU with these fields.
    @inlinable
    public init(requestOpcode: Opcode, handle: AttributeHandle, code: ErrorCode) {
        self.requestOpcode = requestOpcode
        self.handle = handle
        self.code = code
    }

    /// Parses a whole PDU, of exactly 5 octets.
    /// - Throws: `truncated`, `trailingOctets` or `wrongOpcode`.
    @inlinable
    @inline(__always)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, exactly: 5, fields: 0b10110)
        // In bounds: the PDU has 5 octets.
        requestOpcode = unsafe Opcode(pdu.octet(at: 1))
        handle = unsafe pdu.handle(at: 2)
        code = unsafe ErrorCode(pdu.octet(at: 4))
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 5 }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        // In bounds: the stores fill the five octets asked for.
        try unsafe output.append(5) { octets in
            unsafe octets.store(Self.opcode.rawValue, at: 0)
            unsafe octets.store(requestOpcode.rawValue, at: 1)
            unsafe octets.store(handle.rawValue, at: 2)
            unsafe octets.store(code.rawValue, at: 4)
        }
    }
}
