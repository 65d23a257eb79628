/// Asks the server to write or to drop everything in its queue for this client
/// (Core Specification, Vol 3, Part F, 3.4.6.3).
///
///     18 │ flags
@frozen
public struct ExecuteWriteRequest: Request, Hashable, Sendable {
    /// What to do with the queue. A reserved value keeps its number.
    @frozen
    public struct Flags: RawRepresentable, Hashable, Sendable {
        /// The octet.
        public var rawValue: UInt8

        /// The flags of any octet.
        @inlinable
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Drop all prepared writes.
        @inlinable public static var cancel: Flags { Flags(rawValue: 0x00) }
        /// Write all prepared values, at once.
        @inlinable public static var write: Flags { Flags(rawValue: 0x01) }
    }

    /// 0x18.
    @inlinable public static var opcode: Opcode { .executeWriteRequest }
    /// Answered by a Execute Write Response (0x19).
    @inlinable public static var responseOpcode: Opcode { .executeWriteResponse }

    /// What to do with the queue.
    public var flags: Flags

    /// A PDU with these fields.
    @inlinable
    @inline(__always)
    public init(flags: Flags) { self.flags = flags }

    /// Parses a whole PDU, of exactly 2 octets.
    /// - Throws: `truncated`, `trailingOctets` or `wrongOpcode`.
    @inlinable
    @inline(__always)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        try pdu.check(Self.opcode, exactly: 2)
        // In bounds: the PDU has two octets.
        flags = unsafe Flags(rawValue: pdu.octet(at: 1))
    }

    /// How many octets the PDU takes.
    @inlinable public var encodedByteCount: Int { 2 }

    /// Appends the whole PDU, or nothing when it throws.
    /// - Throws: `noRoom`.
    @inlinable
    @inline(__always)
    @_lifetime(output: copy output)
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        try output.append(Self.opcode, octet: flags.rawValue)
    }
}
