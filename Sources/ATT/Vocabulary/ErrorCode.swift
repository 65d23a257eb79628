/// Why a request failed (Core Specification, Vol 3, Part F, 3.4.1.1; 0xE0–0xFF: Core Specification Supplement, Part B).
/// A code nobody has defined keeps its number.
@frozen
public struct ErrorCode: RawRepresentable, Hashable, Sendable {
    /// The octet.
    public var rawValue: UInt8

    /// The error of any octet.
    @inlinable
    @inline(__always)
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The error of any octet.
    @inlinable
    @inline(__always)
    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    /// Whether the code, 0x80–0x9F, is defined by the application, that is by the service of the attribute.
    @inlinable
    public var isApplication: Bool { rawValue >= 0x80 && rawValue <= 0x9F }

    /// Whether the code, 0xE0–0xFF, belongs to the common profile and service errors.
    @inlinable
    public var isCommonProfile: Bool { rawValue >= 0xE0 }
}

extension ErrorCode {
    /// The attribute handle is not valid on this server.
    @inlinable public static var invalidHandle: ErrorCode { ErrorCode(0x01) }
    /// The attribute cannot be read.
    @inlinable public static var readNotPermitted: ErrorCode { ErrorCode(0x02) }
    /// The attribute cannot be written.
    @inlinable public static var writeNotPermitted: ErrorCode { ErrorCode(0x03) }
    /// The request was malformed.
    @inlinable public static var invalidPDU: ErrorCode { ErrorCode(0x04) }
    /// The link must be authenticated before the attribute can be read or written.
    @inlinable public static var insufficientAuthentication: ErrorCode { ErrorCode(0x05) }
    /// The server does not support the request.
    @inlinable public static var requestNotSupported: ErrorCode { ErrorCode(0x06) }
    /// The offset lies beyond the end of the attribute.
    @inlinable public static var invalidOffset: ErrorCode { ErrorCode(0x07) }
    /// The client is not authorised for this attribute.
    @inlinable public static var insufficientAuthorization: ErrorCode { ErrorCode(0x08) }
    /// Too many prepare writes have been queued.
    @inlinable public static var prepareQueueFull: ErrorCode { ErrorCode(0x09) }
    /// No attribute was found within the handle range.
    @inlinable public static var attributeNotFound: ErrorCode { ErrorCode(0x0A) }
    /// The attribute cannot be read by Read Blob Request.
    @inlinable public static var attributeNotLong: ErrorCode { ErrorCode(0x0B) }
    /// The key that encrypts this link is too short.
    @inlinable public static var encryptionKeySizeTooShort: ErrorCode { ErrorCode(0x0C) }
    /// The length of the value is not valid for the attribute.
    @inlinable public static var invalidAttributeValueLength: ErrorCode { ErrorCode(0x0D) }
    /// The request met an error that was unlikely and could not be completed.
    @inlinable public static var unlikelyError: ErrorCode { ErrorCode(0x0E) }
    /// The link must be encrypted before the attribute can be read or written.
    @inlinable public static var insufficientEncryption: ErrorCode { ErrorCode(0x0F) }
    /// The attribute type is no grouping attribute of a higher layer.
    @inlinable public static var unsupportedGroupType: ErrorCode { ErrorCode(0x10) }
    /// The server has too few resources to complete the request.
    @inlinable public static var insufficientResources: ErrorCode { ErrorCode(0x11) }
    /// The server's database changed since the client read it.
    @inlinable public static var databaseOutOfSync: ErrorCode { ErrorCode(0x12) }
    /// The value of a parameter is not allowed.
    @inlinable public static var valueNotAllowed: ErrorCode { ErrorCode(0x13) }
    /// A profile or service does not allow the write (Core Specification Supplement, Part B).
    @inlinable public static var writeRequestRejected: ErrorCode { ErrorCode(0xFC) }
    /// The descriptor is not set as the profile or service requires.
    @inlinable public static var improperlyConfigured: ErrorCode { ErrorCode(0xFD) }
    /// A profile or service is still serving an earlier request.
    @inlinable public static var procedureAlreadyInProgress: ErrorCode { ErrorCode(0xFE) }
    /// The value is out of the range that a profile or service defines.
    @inlinable public static var outOfRange: ErrorCode { ErrorCode(0xFF) }
}

extension ErrorCode {
    /// The specification's name, as in `Attribute Not Found`; `Application Error` for 0x80–0x9F;
    /// `Reserved for Future Use` for a code without one.
    public var name: String {
        switch self {
        case .invalidHandle: "Invalid Handle"
        case .readNotPermitted: "Read Not Permitted"
        case .writeNotPermitted: "Write Not Permitted"
        case .invalidPDU: "Invalid PDU"
        case .insufficientAuthentication: "Insufficient Authentication"
        case .requestNotSupported: "Request Not Supported"
        case .invalidOffset: "Invalid Offset"
        case .insufficientAuthorization: "Insufficient Authorization"
        case .prepareQueueFull: "Prepare Queue Full"
        case .attributeNotFound: "Attribute Not Found"
        case .attributeNotLong: "Attribute Not Long"
        case .encryptionKeySizeTooShort: "Encryption Key Size Too Short"
        case .invalidAttributeValueLength: "Invalid Attribute Value Length"
        case .unlikelyError: "Unlikely Error"
        case .insufficientEncryption: "Insufficient Encryption"
        case .unsupportedGroupType: "Unsupported Group Type"
        case .insufficientResources: "Insufficient Resources"
        case .databaseOutOfSync: "Database Out Of Sync"
        case .valueNotAllowed: "Value Not Allowed"
        case .writeRequestRejected: "Write Request Rejected"
        case .improperlyConfigured: "Client Characteristic Configuration Descriptor Improperly Configured"
        case .procedureAlreadyInProgress: "Procedure Already in Progress"
        case .outOfRange: "Out of Range"
        default: isApplication ? "Application Error" : "Reserved for Future Use"
        }
    }
}

extension ErrorCode: CustomStringConvertible {
    /// The name and the number, as in `Attribute Not Found (0x0a)`.
    public var description: String { "\(name) (0x\(hexadecimalDigits(of: rawValue, count: 2)))" }
}
