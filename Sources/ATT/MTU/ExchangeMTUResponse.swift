/// Tells the client how long a PDU the server can receive (Core Specification, Vol 3, Part F, 3.4.2.2).
///
///     03 │ Server Rx MTU (2)
@frozen
public struct ExchangeMTUResponse: Response, Hashable, Sendable {
    /// 0x03.
    @inlinable public static var opcode: Opcode { .exchangeMTUResponse }

    /// The longest PDU the server can receive, in octets; below 23 counts as 23.
    public var serverReceiveMTU: UInt16

    /// A PDU with these fields.
    @inlinable
    @inline(__always)
    public init(serverReceiveMTU: UInt16) {
        self.serverReceiveMTU = serverReceiveMTU
    }

    /// Parses a whole PDU, of exactly 3 octets.
    /// - Throws: `truncated`, `trailingOctets` or `wrongOpcode`.
    @inlinable
    @inline(__always)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, exactly: 3)
        // In bounds: the PDU has 3 octets.
        serverReceiveMTU = unsafe pdu.uint16(at: 1)
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 3 }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, serverReceiveMTU)
    }
}
