// Apple's names begin with a capital.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// The domain of `CBError`.
public let CBErrorDomain = "CBErrorDomain"

/// An error of the framework itself: connections, parameters, states.
public struct CBError: CustomNSError, Hashable, Sendable {
    /// What went wrong.
    public enum Code: Int, Sendable, CaseIterable {
        case unknown = 0
        case invalidParameters = 1
        case invalidHandle = 2
        case notConnected = 3
        case outOfSpace = 4
        case operationCancelled = 5
        case connectionTimeout = 6
        case peripheralDisconnected = 7
        case uuidNotAllowed = 8
        case alreadyAdvertising = 9
        case connectionFailed = 10
        case connectionLimitReached = 11
        case unknownDevice = 12
        case operationNotSupported = 13
        case peerRemovedPairingInformation = 14
        case encryptionTimedOut = 15
        case tooManyLEPairedDevices = 16
        case leGattExceededBackgroundNotificationLimit = 17
        case leGattNearBackgroundNotificationLimit = 18
    }

    /// What went wrong.
    public let code: Code
    private let info: Info

    /// An error of a code.
    /// - Parameters:
    ///   - code: what went wrong.
    ///   - userInfo: what else is known; `NSLocalizedDescriptionKey` replaces the standard text, and
    ///     `NSUnderlyingErrorKey` holds the error of the layer below.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        info = Info(userInfo)
    }

    /// What else is known.
    public var userInfo: [String: Any] { info.values }
    public static var errorDomain: String { CBErrorDomain }
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] { info.described(code.text) }

    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.errorCode == rhs.errorCode }

    public func hash(into hasher: inout Hasher) { hasher.combine(errorCode) }
}

/// The codes by name, so that `catch CBError.notConnected` reads as on Apple's systems.
extension CBError {
    public static var unknown: Code { .unknown }
    public static var invalidParameters: Code { .invalidParameters }
    public static var invalidHandle: Code { .invalidHandle }
    public static var notConnected: Code { .notConnected }
    public static var outOfSpace: Code { .outOfSpace }
    public static var operationCancelled: Code { .operationCancelled }
    public static var connectionTimeout: Code { .connectionTimeout }
    public static var peripheralDisconnected: Code { .peripheralDisconnected }
    public static var uuidNotAllowed: Code { .uuidNotAllowed }
    public static var alreadyAdvertising: Code { .alreadyAdvertising }
    public static var connectionFailed: Code { .connectionFailed }
    public static var connectionLimitReached: Code { .connectionLimitReached }
    public static var unknownDevice: Code { .unknownDevice }
    public static var operationNotSupported: Code { .operationNotSupported }
    public static var peerRemovedPairingInformation: Code { .peerRemovedPairingInformation }
    public static var encryptionTimedOut: Code { .encryptionTimedOut }
    public static var tooManyLEPairedDevices: Code { .tooManyLEPairedDevices }
    public static var leGattExceededBackgroundNotificationLimit: Code { .leGattExceededBackgroundNotificationLimit }
    public static var leGattNearBackgroundNotificationLimit: Code { .leGattNearBackgroundNotificationLimit }
}

/// Matches an error by its code, in `catch` and `case`.
public func ~= (match: CBError.Code, error: any Error) -> Bool {
    (error as? CBError)?.code == match
}

extension CBError.Code {
    @available(*, deprecated, renamed: "unknownDevice")
    public static var unkownDevice: CBError.Code { .unknownDevice }

    /// Apple's words for people.
    var text: String {
        switch self {
        case .unknown: "Unknown error."
        case .invalidParameters: "One or more parameters were invalid."
        case .invalidHandle: "The handle is invalid."
        case .notConnected: "The device is not connected."
        case .outOfSpace: "The operation could not be completed because of a lack of space."
        case .operationCancelled: "The operation was cancelled."
        case .connectionTimeout: "The connection has timed out unexpectedly."
        case .peripheralDisconnected: "The specified device has disconnected from us."
        case .uuidNotAllowed: "The specified UUID is not allowed for this operation."
        case .alreadyAdvertising: "The peripheral is already advertising."
        case .connectionFailed: "The connection failed."
        case .connectionLimitReached: "The system has reached the maximum number of connections."
        case .unknownDevice: "The specified device is unknown."
        case .operationNotSupported: "The operation is not supported."
        case .peerRemovedPairingInformation: "Peer removed pairing information"
        case .encryptionTimedOut: "The connection timed out while it was being encrypted."
        case .tooManyLEPairedDevices: "Too many LE devices are paired."
        case .leGattExceededBackgroundNotificationLimit: "The limit of background notifications was exceeded."
        case .leGattNearBackgroundNotificationLimit: "The limit of background notifications is near."
        }
    }
}
