/// The first octet of a PDU (Core Specification, Vol 3, Part F, 3.3.1 and 3.4.8). An opcode nobody has defined keeps its
/// number.
@frozen
public struct Opcode: RawRepresentable, Hashable, Sendable {
    /// The octet.
    public var rawValue: UInt8

    /// The opcode of any octet.
    @inlinable
    @inline(__always)
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The opcode of any octet.
    @inlinable
    @inline(__always)
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// What part a PDU plays between client and server.
    @frozen
    public enum Kind: Hashable, Sendable {
        /// Client to server; answered by one response or an Error Response.
        case request
        /// Server to client; answers a request.
        case response
        /// Client to server; never answered.
        case command
        /// Server to client; never answered.
        case notification
        /// Server to client; answered by a confirmation.
        case indication
        /// Client to server; answers an indication.
        case confirmation
        /// An unassigned opcode without the Command Flag: a server answers Request Not Supported (0x06).
        case unknown
    }

    /// Bit 6, the Command Flag: the PDU is never answered, also when its opcode is unknown.
    @inlinable
    public var isCommand: Bool { rawValue & 0x40 != 0 }

    /// Bit 7, the Authentication Signature Flag: the PDU ends with a signature of 12 octets.
    @inlinable
    public var hasSignature: Bool { rawValue & 0x80 != 0 }
}

extension Opcode {
    /// Error Response, Vol 3, Part F, 3.4.1.1.
    @inlinable public static var errorResponse: Opcode { Opcode(0x01) }
    /// Exchange MTU Request, Vol 3, Part F, 3.4.2.1.
    @inlinable public static var exchangeMTURequest: Opcode { Opcode(0x02) }
    /// Exchange MTU Response, Vol 3, Part F, 3.4.2.2.
    @inlinable public static var exchangeMTUResponse: Opcode { Opcode(0x03) }
    /// Find Information Request, Vol 3, Part F, 3.4.3.1.
    @inlinable public static var findInformationRequest: Opcode { Opcode(0x04) }
    /// Find Information Response, Vol 3, Part F, 3.4.3.2.
    @inlinable public static var findInformationResponse: Opcode { Opcode(0x05) }
    /// Find By Type Value Request, Vol 3, Part F, 3.4.3.3.
    @inlinable public static var findByTypeValueRequest: Opcode { Opcode(0x06) }
    /// Find By Type Value Response, Vol 3, Part F, 3.4.3.4.
    @inlinable public static var findByTypeValueResponse: Opcode { Opcode(0x07) }
    /// Read By Type Request, Vol 3, Part F, 3.4.4.1.
    @inlinable public static var readByTypeRequest: Opcode { Opcode(0x08) }
    /// Read By Type Response, Vol 3, Part F, 3.4.4.2.
    @inlinable public static var readByTypeResponse: Opcode { Opcode(0x09) }
    /// Read Request, Vol 3, Part F, 3.4.4.3.
    @inlinable public static var readRequest: Opcode { Opcode(0x0A) }
    /// Read Response, Vol 3, Part F, 3.4.4.4.
    @inlinable public static var readResponse: Opcode { Opcode(0x0B) }
    /// Read Blob Request, Vol 3, Part F, 3.4.4.5.
    @inlinable public static var readBlobRequest: Opcode { Opcode(0x0C) }
    /// Read Blob Response, Vol 3, Part F, 3.4.4.6.
    @inlinable public static var readBlobResponse: Opcode { Opcode(0x0D) }
    /// Read Multiple Request, Vol 3, Part F, 3.4.4.7.
    @inlinable public static var readMultipleRequest: Opcode { Opcode(0x0E) }
    /// Read Multiple Response, Vol 3, Part F, 3.4.4.8.
    @inlinable public static var readMultipleResponse: Opcode { Opcode(0x0F) }
    /// Read By Group Type Request, Vol 3, Part F, 3.4.4.9.
    @inlinable public static var readByGroupTypeRequest: Opcode { Opcode(0x10) }
    /// Read By Group Type Response, Vol 3, Part F, 3.4.4.10.
    @inlinable public static var readByGroupTypeResponse: Opcode { Opcode(0x11) }
    /// Write Request, Vol 3, Part F, 3.4.5.1.
    @inlinable public static var writeRequest: Opcode { Opcode(0x12) }
    /// Write Response, Vol 3, Part F, 3.4.5.2.
    @inlinable public static var writeResponse: Opcode { Opcode(0x13) }
    /// Prepare Write Request, Vol 3, Part F, 3.4.6.1.
    @inlinable public static var prepareWriteRequest: Opcode { Opcode(0x16) }
    /// Prepare Write Response, Vol 3, Part F, 3.4.6.2.
    @inlinable public static var prepareWriteResponse: Opcode { Opcode(0x17) }
    /// Execute Write Request, Vol 3, Part F, 3.4.6.3.
    @inlinable public static var executeWriteRequest: Opcode { Opcode(0x18) }
    /// Execute Write Response, Vol 3, Part F, 3.4.6.4.
    @inlinable public static var executeWriteResponse: Opcode { Opcode(0x19) }
    /// Handle Value Notification, Vol 3, Part F, 3.4.7.1.
    @inlinable public static var handleValueNotification: Opcode { Opcode(0x1B) }
    /// Handle Value Indication, Vol 3, Part F, 3.4.7.2.
    @inlinable public static var handleValueIndication: Opcode { Opcode(0x1D) }
    /// Handle Value Confirmation, Vol 3, Part F, 3.4.7.3.
    @inlinable public static var handleValueConfirmation: Opcode { Opcode(0x1E) }
    /// Read Multiple Variable Request, Vol 3, Part F, 3.4.4.11.
    @inlinable public static var readMultipleVariableRequest: Opcode { Opcode(0x20) }
    /// Read Multiple Variable Response, Vol 3, Part F, 3.4.4.12.
    @inlinable public static var readMultipleVariableResponse: Opcode { Opcode(0x21) }
    /// Multiple Handle Value Notification, Vol 3, Part F, 3.4.7.4.
    @inlinable public static var multipleHandleValueNotification: Opcode { Opcode(0x23) }
    /// Write Command, Vol 3, Part F, 3.4.5.3.
    @inlinable public static var writeCommand: Opcode { Opcode(0x52) }
    /// Signed Write Command, Vol 3, Part F, 3.4.5.4.
    @inlinable public static var signedWriteCommand: Opcode { Opcode(0xD2) }
}

extension Opcode {
    /// What part a PDU of this opcode plays; an unassigned opcode with the Command Flag is a command.
    public var kind: Kind {
        switch self {
        case .exchangeMTURequest, .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest,
            .readRequest, .readBlobRequest, .readMultipleRequest, .readByGroupTypeRequest, .writeRequest,
            .prepareWriteRequest, .executeWriteRequest, .readMultipleVariableRequest:
            .request
        case .errorResponse, .exchangeMTUResponse, .findInformationResponse, .findByTypeValueResponse,
            .readByTypeResponse, .readResponse, .readBlobResponse, .readMultipleResponse, .readByGroupTypeResponse,
            .writeResponse, .prepareWriteResponse, .executeWriteResponse, .readMultipleVariableResponse:
            .response
        case .handleValueNotification, .multipleHandleValueNotification:
            .notification
        case .handleValueIndication:
            .indication
        case .handleValueConfirmation:
            .confirmation
        default: isCommand ? .command : .unknown
        }
    }

    /// The specification's name, as in `Read By Type Request`; `Unknown Command` or `Unknown PDU` for an unassigned
    /// opcode.
    public var name: String {
        switch self {
        case .errorResponse: "Error Response"
        case .exchangeMTURequest: "Exchange MTU Request"
        case .exchangeMTUResponse: "Exchange MTU Response"
        case .findInformationRequest: "Find Information Request"
        case .findInformationResponse: "Find Information Response"
        case .findByTypeValueRequest: "Find By Type Value Request"
        case .findByTypeValueResponse: "Find By Type Value Response"
        case .readByTypeRequest: "Read By Type Request"
        case .readByTypeResponse: "Read By Type Response"
        case .readRequest: "Read Request"
        case .readResponse: "Read Response"
        case .readBlobRequest: "Read Blob Request"
        case .readBlobResponse: "Read Blob Response"
        case .readMultipleRequest: "Read Multiple Request"
        case .readMultipleResponse: "Read Multiple Response"
        case .readByGroupTypeRequest: "Read By Group Type Request"
        case .readByGroupTypeResponse: "Read By Group Type Response"
        case .writeRequest: "Write Request"
        case .writeResponse: "Write Response"
        case .prepareWriteRequest: "Prepare Write Request"
        case .prepareWriteResponse: "Prepare Write Response"
        case .executeWriteRequest: "Execute Write Request"
        case .executeWriteResponse: "Execute Write Response"
        case .handleValueNotification: "Handle Value Notification"
        case .handleValueIndication: "Handle Value Indication"
        case .handleValueConfirmation: "Handle Value Confirmation"
        case .readMultipleVariableRequest: "Read Multiple Variable Request"
        case .readMultipleVariableResponse: "Read Multiple Variable Response"
        case .multipleHandleValueNotification: "Multiple Handle Value Notification"
        case .writeCommand: "Write Command"
        case .signedWriteCommand: "Signed Write Command"
        default: isCommand ? "Unknown Command" : "Unknown PDU"
        }
    }
}

extension Opcode: CustomStringConvertible {
    /// The name and the number, as in `Read Request (0x0a)`.
    public var description: String { "\(name) (0x\(hexadecimalDigits(of: rawValue, count: 2)))" }
}
