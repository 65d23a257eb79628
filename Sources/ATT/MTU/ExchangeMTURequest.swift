/// Tells the server how long a PDU the client can receive (Core Specification, Vol 3, Part F, 3.4.2.1).
///
///     02 │ Client Rx MTU (2)
@frozen
public struct ExchangeMTURequest: Request, Hashable, Sendable {
    @inlinable public static var opcode: Opcode { .exchangeMTURequest }
    @inlinable public static var responseOpcode: Opcode { .exchangeMTUResponse }

    /// The longest PDU the client can receive, in octets; below 23 counts as 23.
    public var clientReceiveMTU: UInt16

    @inlinable
    @inline(__always)
    public init(clientReceiveMTU: UInt16) {
        self.clientReceiveMTU = clientReceiveMTU
    }

    @inlinable
    @inline(__always)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, exactly: 3)
        // In bounds: the PDU has 3 octets.
        clientReceiveMTU = unsafe pdu.uint16(at: 1)
    }

    @inlinable public var encodedByteCount: Int { 3 }

    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, clientReceiveMTU)
    }
}
