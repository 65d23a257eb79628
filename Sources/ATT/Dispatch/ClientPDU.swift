/// Any PDU that a client sends: requests, commands and the confirmation (Core Specification, Vol 3, Part F, 3.3).
///
/// A value borrows the octets it was parsed from.
@frozen
public enum ClientPDU: ~Escapable {
    case exchangeMTURequest(ExchangeMTURequest)
    case findInformationRequest(FindInformationRequest)
    case findByTypeValueRequest(FindByTypeValueRequest)
    case readByTypeRequest(ReadByTypeRequest)
    case readRequest(ReadRequest)
    case readBlobRequest(ReadBlobRequest)
    case readMultipleRequest(ReadMultipleRequest)
    case readByGroupTypeRequest(ReadByGroupTypeRequest)
    case readMultipleVariableRequest(ReadMultipleVariableRequest)
    case writeRequest(WriteRequest)
    case writeCommand(WriteCommand)
    case signedWriteCommand(SignedWriteCommand)
    case prepareWriteRequest(PrepareWriteRequest)
    case executeWriteRequest(ExecuteWriteRequest)
    case handleValueConfirmation(HandleValueConfirmation)
    /// A PDU of any other opcode, those that only servers send included: `Opcode.kind` says which it is.
    case unknown(Opcode)

    /// Parses a whole PDU, by its opcode.
    /// - Parameter pdu: every octet of the PDU, the opcode first.
    /// - Throws: `truncated` at 0 when there is no octet, and what the parser of the opcode's type throws.
    @inlinable
    @_lifetime(copy pdu)
    public init(parsing pdu: RawSpan) throws(MalformedError) {
        guard pdu.byteCount > 0 else { throw MalformedError(.truncated, at: 0) }
        // In bounds: there is one octet.
        let opcode = unsafe Opcode(pdu.octet(at: 0))
        switch opcode {
        case .exchangeMTURequest: self = .exchangeMTURequest(try ExchangeMTURequest(parsing: pdu))
        case .findInformationRequest: self = .findInformationRequest(try FindInformationRequest(parsing: pdu))
        case .findByTypeValueRequest: self = .findByTypeValueRequest(try FindByTypeValueRequest(parsing: pdu))
        case .readByTypeRequest: self = .readByTypeRequest(try ReadByTypeRequest(parsing: pdu))
        case .readRequest: self = .readRequest(try ReadRequest(parsing: pdu))
        case .readBlobRequest: self = .readBlobRequest(try ReadBlobRequest(parsing: pdu))
        case .readMultipleRequest: self = .readMultipleRequest(try ReadMultipleRequest(parsing: pdu))
        case .readByGroupTypeRequest: self = .readByGroupTypeRequest(try ReadByGroupTypeRequest(parsing: pdu))
        case .readMultipleVariableRequest:
            self = .readMultipleVariableRequest(try ReadMultipleVariableRequest(parsing: pdu))
        case .writeRequest: self = .writeRequest(try WriteRequest(parsing: pdu))
        case .writeCommand: self = .writeCommand(try WriteCommand(parsing: pdu))
        case .signedWriteCommand: self = .signedWriteCommand(try SignedWriteCommand(parsing: pdu))
        case .prepareWriteRequest: self = .prepareWriteRequest(try PrepareWriteRequest(parsing: pdu))
        case .executeWriteRequest: self = .executeWriteRequest(try ExecuteWriteRequest(parsing: pdu))
        case .handleValueConfirmation: self = .handleValueConfirmation(try HandleValueConfirmation(parsing: pdu))
        default: self = .unknown(opcode)
        }
    }

    /// The opcode of the PDU.
    @inlinable
    public var opcode: Opcode {
        switch self {
        case .exchangeMTURequest: .exchangeMTURequest
        case .findInformationRequest: .findInformationRequest
        case .findByTypeValueRequest: .findByTypeValueRequest
        case .readByTypeRequest: .readByTypeRequest
        case .readRequest: .readRequest
        case .readBlobRequest: .readBlobRequest
        case .readMultipleRequest: .readMultipleRequest
        case .readByGroupTypeRequest: .readByGroupTypeRequest
        case .readMultipleVariableRequest: .readMultipleVariableRequest
        case .writeRequest: .writeRequest
        case .writeCommand: .writeCommand
        case .signedWriteCommand: .signedWriteCommand
        case .prepareWriteRequest: .prepareWriteRequest
        case .executeWriteRequest: .executeWriteRequest
        case .handleValueConfirmation: .handleValueConfirmation
        case .unknown(let opcode): opcode
        }
    }
}
