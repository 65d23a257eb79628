// Apple's names begin with a capital.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// The domain of `CBATTError`.
public let CBATTErrorDomain = "CBATTErrorDomain"

/// An error that the peer's attribute server answered (Core Specification, Vol 3, Part F, 3.4.1.1).
///
/// Codes beyond `Code`, such as an application's 0x80 to 0x9F, keep their number in `rawCode` and `errorCode`; their
/// `code` is `unlikelyError`.
public struct CBATTError: CustomNSError, Hashable, Sendable {
    /// What went wrong.
    public enum Code: Int, Sendable, CaseIterable {
        case success = 0
        case invalidHandle = 1
        case readNotPermitted = 2
        case writeNotPermitted = 3
        case invalidPdu = 4
        case insufficientAuthentication = 5
        case requestNotSupported = 6
        case invalidOffset = 7
        case insufficientAuthorization = 8
        case prepareQueueFull = 9
        case attributeNotFound = 10
        case attributeNotLong = 11
        case insufficientEncryptionKeySize = 12
        case invalidAttributeValueLength = 13
        case unlikelyError = 14
        case insufficientEncryption = 15
        case unsupportedGroupType = 16
        case insufficientResources = 17
    }

    /// The ATT error code as the peer sent it, 0x00 to 0xFF.
    public let rawCode: Int
    private let info: Info

    /// What went wrong; `unlikelyError` where `rawCode` has no case.
    public var code: Code { Code(rawValue: rawCode) ?? .unlikelyError }

    /// An error of a code.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.init(rawCode: code.rawValue, userInfo: userInfo)
    }

    /// An error of the number that the peer sent.
    /// - Parameters:
    ///   - rawCode: 0x00 to 0xFF.
    ///   - userInfo: what else is known.
    public init(rawCode: Int, userInfo: [String: Any] = [:]) {
        self.rawCode = rawCode
        info = Info(userInfo)
    }

    /// What else is known.
    public var userInfo: [String: Any] { info.values }
    public static var errorDomain: String { CBATTErrorDomain }
    public var errorCode: Int { rawCode }
    public var errorUserInfo: [String: Any] {
        info.described(Code(rawValue: rawCode)?.text ?? "Unknown ATT error.")
    }

    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.errorCode == rhs.errorCode }

    public func hash(into hasher: inout Hasher) { hasher.combine(errorCode) }
}

/// The codes by name, so that `catch CBATTError.writeNotPermitted` reads as on Apple's systems.
extension CBATTError {
    public static var success: Code { .success }
    public static var invalidHandle: Code { .invalidHandle }
    public static var readNotPermitted: Code { .readNotPermitted }
    public static var writeNotPermitted: Code { .writeNotPermitted }
    public static var invalidPdu: Code { .invalidPdu }
    public static var insufficientAuthentication: Code { .insufficientAuthentication }
    public static var requestNotSupported: Code { .requestNotSupported }
    public static var invalidOffset: Code { .invalidOffset }
    public static var insufficientAuthorization: Code { .insufficientAuthorization }
    public static var prepareQueueFull: Code { .prepareQueueFull }
    public static var attributeNotFound: Code { .attributeNotFound }
    public static var attributeNotLong: Code { .attributeNotLong }
    public static var insufficientEncryptionKeySize: Code { .insufficientEncryptionKeySize }
    public static var invalidAttributeValueLength: Code { .invalidAttributeValueLength }
    public static var unlikelyError: Code { .unlikelyError }
    public static var insufficientEncryption: Code { .insufficientEncryption }
    public static var unsupportedGroupType: Code { .unsupportedGroupType }
    public static var insufficientResources: Code { .insufficientResources }
}

/// Matches an error by its code, in `catch` and `case`.
public func ~= (match: CBATTError.Code, error: any Error) -> Bool {
    (error as? CBATTError)?.rawCode == match.rawValue
}

extension CBATTError.Code {
    /// Apple's words for people.
    var text: String {
        switch self {
        case .success: "Success."
        case .invalidHandle: "The handle is invalid."
        case .readNotPermitted: "Reading is not permitted."
        case .writeNotPermitted: "Writing is not permitted."
        case .invalidPdu: "The command is invalid."
        case .insufficientAuthentication: "Authentication is insufficient."
        case .requestNotSupported: "The request is not supported."
        case .invalidOffset: "The offset is invalid."
        case .insufficientAuthorization: "Authorization is insufficient."
        case .prepareQueueFull: "The prepare queue is full."
        case .attributeNotFound: "The attribute could not be found."
        case .attributeNotLong: "The attribute is not long."
        case .insufficientEncryptionKeySize: "The encryption key size is insufficient."
        case .invalidAttributeValueLength: "The value's length is invalid."
        case .unlikelyError: "Unlikely error."
        case .insufficientEncryption: "Encryption is insufficient."
        case .unsupportedGroupType: "The group type is not supported."
        case .insufficientResources: "Resources are insufficient."
        }
    }
}
