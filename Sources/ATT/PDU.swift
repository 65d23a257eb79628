/// One PDU of the Attribute Protocol (Core Specification, Vol 3, Part F, 3.4).
///
/// A value that holds spans borrows the octets it was parsed from and cannot outlive them.
public protocol PDU: SendableMetatype, ~Escapable {
    /// The opcode of this PDU: its first octet.
    static var opcode: Opcode { get }

    /// Parses a whole PDU, without a copy.
    /// - Parameter pdu: every octet of the PDU, the opcode first.
    /// - Throws: `MalformedError`, with the offset from the opcode: `truncated` when a field is missing,
    ///   `trailingOctets` when octets follow the last field, `wrongOpcode` for the opcode of another PDU,
    ///   `invalidLength` when a list is no whole number of entries, `invalidValue` for a reserved layout.
    @_lifetime(copy pdu)
    init(parsing pdu: RawSpan) throws(MalformedError)

    /// How many octets `encode(into:)` appends, the opcode included.
    var encodedByteCount: Int { get }

    /// Appends the whole PDU, opcode first, to a caller's buffer; appends nothing when it throws.
    /// - Throws: `noRoom` when fewer than `encodedByteCount` octets are free; `tooLong` or `invalidValue` when a field
    ///   cannot be written.
    func encode(into output: inout OutputRawSpan) throws(EncodeError)
}

/// A PDU that a client sends and that a server answers by one response or an Error Response.
public protocol Request: PDU, ~Escapable {
    /// The opcode of the response that answers this request, unless an Error Response does.
    static var responseOpcode: Opcode { get }
}

/// A PDU that a server sends to answer a request.
public protocol Response: PDU, ~Escapable {}

/// A PDU that a client sends and that is never answered.
public protocol Command: PDU, ~Escapable {}

/// A PDU that a server sends unasked.
public protocol ServerInitiated: PDU, ~Escapable {}

/// A server-initiated PDU that is never answered.
public protocol Notification: ServerInitiated, ~Escapable {}

/// A server-initiated PDU that the client answers by a confirmation.
public protocol Indication: ServerInitiated, ~Escapable {}

/// A PDU that a client sends to answer an indication.
public protocol Confirmation: PDU, ~Escapable {}
