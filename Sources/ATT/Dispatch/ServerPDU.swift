/// Any PDU that a server sends: responses, notifications and indications
/// (Core Specification, Vol 3, Part F, 3.3).
///
/// A value borrows the octets it was parsed from.
@frozen
public enum ServerPDU: ~Escapable {
    case errorResponse(ErrorResponse)
    case exchangeMTUResponse(ExchangeMTUResponse)
    case findInformationResponse(FindInformationResponse)
    case findByTypeValueResponse(FindByTypeValueResponse)
    case readByTypeResponse(ReadByTypeResponse)
    case readResponse(ReadResponse)
    case readBlobResponse(ReadBlobResponse)
    case readMultipleResponse(ReadMultipleResponse)
    case readByGroupTypeResponse(ReadByGroupTypeResponse)
    case readMultipleVariableResponse(ReadMultipleVariableResponse)
    case writeResponse(WriteResponse)
    case prepareWriteResponse(PrepareWriteResponse)
    case executeWriteResponse(ExecuteWriteResponse)
    case handleValueNotification(HandleValueNotification)
    case handleValueIndication(HandleValueIndication)
    case multipleHandleValueNotification(MultipleHandleValueNotification)
    /// A PDU of any other opcode, those that only clients send included: `Opcode.kind` says which it is.
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
        case .errorResponse: self = .errorResponse(try ErrorResponse(parsing: pdu))
        case .exchangeMTUResponse: self = .exchangeMTUResponse(try ExchangeMTUResponse(parsing: pdu))
        case .findInformationResponse: self = .findInformationResponse(try FindInformationResponse(parsing: pdu))
        case .findByTypeValueResponse: self = .findByTypeValueResponse(try FindByTypeValueResponse(parsing: pdu))
        case .readByTypeResponse: self = .readByTypeResponse(try ReadByTypeResponse(parsing: pdu))
        case .readResponse: self = .readResponse(try ReadResponse(parsing: pdu))
        case .readBlobResponse: self = .readBlobResponse(try ReadBlobResponse(parsing: pdu))
        case .readMultipleResponse: self = .readMultipleResponse(try ReadMultipleResponse(parsing: pdu))
        case .readByGroupTypeResponse: self = .readByGroupTypeResponse(try ReadByGroupTypeResponse(parsing: pdu))
        case .readMultipleVariableResponse:
            self = .readMultipleVariableResponse(try ReadMultipleVariableResponse(parsing: pdu))
        case .writeResponse: self = .writeResponse(try WriteResponse(parsing: pdu))
        case .prepareWriteResponse: self = .prepareWriteResponse(try PrepareWriteResponse(parsing: pdu))
        case .executeWriteResponse: self = .executeWriteResponse(try ExecuteWriteResponse(parsing: pdu))
        case .handleValueNotification: self = .handleValueNotification(try HandleValueNotification(parsing: pdu))
        case .handleValueIndication: self = .handleValueIndication(try HandleValueIndication(parsing: pdu))
        case .multipleHandleValueNotification:
            self = .multipleHandleValueNotification(try MultipleHandleValueNotification(parsing: pdu))
        default: self = .unknown(opcode)
        }
    }

    /// The opcode of the PDU.
    @inlinable
    public var opcode: Opcode {
        switch self {
        case .errorResponse: .errorResponse
        case .exchangeMTUResponse: .exchangeMTUResponse
        case .findInformationResponse: .findInformationResponse
        case .findByTypeValueResponse: .findByTypeValueResponse
        case .readByTypeResponse: .readByTypeResponse
        case .readResponse: .readResponse
        case .readBlobResponse: .readBlobResponse
        case .readMultipleResponse: .readMultipleResponse
        case .readByGroupTypeResponse: .readByGroupTypeResponse
        case .readMultipleVariableResponse: .readMultipleVariableResponse
        case .writeResponse: .writeResponse
        case .prepareWriteResponse: .prepareWriteResponse
        case .executeWriteResponse: .executeWriteResponse
        case .handleValueNotification: .handleValueNotification
        case .handleValueIndication: .handleValueIndication
        case .multipleHandleValueNotification: .multipleHandleValueNotification
        case .unknown(let opcode): opcode
        }
    }
}
