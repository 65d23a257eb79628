/// The value of an attribute, sent unasked and never answered (Core Specification, Vol 3, Part F, 3.4.7.1).
///
///     1B │ handle (2) │ value
@frozen
public struct HandleValueNotification: Notification, ~Escapable {
    /// 0x1B.
    @inlinable public static var opcode: Opcode { .handleValueNotification }

    /// The attribute.
    public var handle: AttributeHandle
    /// Its value, at most ATT_MTU − 3 octets.
    public var value: RawSpan

    /// A PDU with these fields.
    @inlinable
    @inline(__always)
    @_lifetime(copy value)
    public init(handle: AttributeHandle, value: RawSpan) {
        self.handle = handle
        self.value = value
    }

    /// Parses a whole PDU, of at least 3 octets.
    /// - Throws: `truncated` or `wrongOpcode`.
    @inlinable
    @inline(__always)
    @_lifetime(copy pdu)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, atLeast: 3)
        // In bounds: the PDU has at least 3 octets.
        handle = unsafe pdu.handle(at: 1)
        value = unsafe pdu.octets(from: 3)
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 3 &+ value.byteCount }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, handle.rawValue, value)
    }
}
