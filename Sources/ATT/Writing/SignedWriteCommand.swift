/// Asks the server to write an attribute if the signature is right, without an answer; for links without encryption
/// (Core Specification, Vol 3, Part F, 3.4.5.4).
///
///     D2 │ handle (2) │ value │ signature (12)
@frozen
public struct SignedWriteCommand: Command, ~Escapable {
    /// 0xD2.
    @inlinable public static var opcode: Opcode { .signedWriteCommand }

    /// How many octets a signature has: a counter of 4 and a message authentication code of 8.
    @inlinable public static var signatureByteCount: Int { 12 }

    /// The attribute to write.
    public var handle: AttributeHandle
    /// The value, at most ATT_MTU − 15 octets.
    public var value: RawSpan
    /// The signature over opcode, handle and value: 12 octets.
    public var signature: RawSpan

    /// A PDU with these fields.
    /// - Parameters:
    ///   - handle: the attribute.
    ///   - value: what to write.
    ///   - signature: 12 octets; `encode(into:)` refuses any other number.
    @inlinable
    @inline(__always)
    @_lifetime(copy value, copy signature)
    public init(handle: AttributeHandle, value: RawSpan, signature: RawSpan) {
        self.handle = handle
        self.value = value
        self.signature = signature
    }

    /// Parses a whole PDU, of at least 15 octets.
    /// - Throws: `truncated` or `wrongOpcode`.
    @inlinable
    @inline(__always)
    @_lifetime(copy pdu)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, atLeast: 15, fields: 0b1010)
        // In bounds: the PDU has at least 3 + 12 octets.
        handle = unsafe pdu.handle(at: 1)
        value = unsafe pdu.octets(from: 3, count: pdu.byteCount &- 15)
        signature = unsafe pdu.octets(from: pdu.byteCount &- 12)
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 15 &+ value.byteCount }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`; `invalidValue` when the signature has not 12 octets.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        guard signature.byteCount == Self.signatureByteCount else { throw .invalidValue }
        // In bounds: the stores fill the octets asked for.
        try unsafe output.append(encodedByteCount) { octets in
            unsafe octets.store(Self.opcode.rawValue, at: 0)
            unsafe octets.store(handle.rawValue, at: 1)
            unsafe octets.store(value, at: 3)
            unsafe octets.store(signature, at: 3 &+ value.byteCount)
        }
    }
}
