internal import GATT
internal import Sockets

extension CentralError {
    /// The task that waited was cancelled.
    static func cancelled(_ failure: String) -> CentralError {
        CentralError(.cancelled, failure: failure, reason: "it was cancelled", gattError: .cancelled)
    }

    /// It took longer than it was given.
    static func timedOut(_ failure: String, after duration: Duration) -> CentralError {
        CentralError(
            .timedOut, failure: failure, reason: "no answer within \(seconds(duration))",
            remedy: "see that the device is on and near, or allow more time")
    }

    /// A consumer was too slow for its buffer.
    static func overflow(_ failure: String, capacity: Int) -> CentralError {
        CentralError(
            .refused, failure: failure, reason: "\(capacity) values were waiting and another one came",
            remedy: "consume faster, allow more, or choose which values may be lost")
    }

    /// A GATT procedure failed.
    init(_ error: GATTError, failure: String) {
        let (category, remedy): (Category, String) =
            switch error {
            case .cancelled: (.cancelled, "")
            case .timedOut: (.timedOut, "connect again; if it happens again the device's software hangs")
            case .bearerClosed(let reason): (Category(reason), Self.advice(reason))
            case .valueTooLong, .cannotSubscribe, .notSubscribed, .invalidArgument: (.invalid, "")
            case .attributeError(let code, _, _): (.refused, Self.advice(code))
            default: (.refused, "")
            }
        let reason = error == .cancelled ? "it was cancelled" : error.description
        self.init(category, failure: failure, reason: reason, remedy: remedy, gattError: error)
        if case .bearerClosed(.disconnected(let code)) = error { security = Self.security(code) }
    }

    /// A GATT procedure failed for want of security, which could not be raised.
    init(_ error: GATTError, failure: String, after cause: CentralError) {
        self.init(error, failure: failure)
        category = cause.category
        reason += "; \(cause.reason)"
        remedy = cause.remedy
        security = cause.security
    }

    /// Whether the controller's reason for the end of a link is about its encryption.
    private static func security(_ reason: UInt8) -> SecurityFailure? {
        switch reason {
        case 0x3D: .encryptionLost
        case 0x06: .keyMissing
        case 0x05: .encryptionFailed
        default: nil
        }
    }

    private static func advice(_ reason: BearerCloseReason) -> String {
        switch reason {
        case .closedLocally, .oversizedPDU, .requestBeforeResponse: ""
        case .requestTimedOut: "connect again; if it happens again the device's software hangs"
        case .disconnected(reason: 0x3D): "connect again; if it happens again, unpair on both sides and pair anew"
        case .disconnected, .transportFailed: "see that the device is on and near, and connect again"
        }
    }

    private static func advice(_ code: ErrorCode) -> String {
        switch code {
        case .insufficientAuthentication, .insufficientEncryption:
            "pair with the device first, or ask for more security"
        case .insufficientAuthorization: "the device's user has to allow it"
        case .attributeNotFound, .invalidHandle: "discover what the device has"
        default: ""
        }
    }

    /// A time for a person: seconds and tenths, or milliseconds where tenths would not say it.
    static func seconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        guard seconds > 0 || milliseconds > 0 else { return "less than a millisecond" }
        if seconds == 0, milliseconds % 100 != 0 {
            return milliseconds == 1 ? "1 millisecond" : "\(milliseconds) milliseconds"
        }
        let tenths = milliseconds / 100
        let number = tenths == 0 ? "\(seconds)" : "\(seconds).\(tenths)"
        return number == "1" ? "1 second" : "\(number) seconds"
    }
}

extension CentralError.Category {
    /// The sort of failure that a closed bearer is.
    init(_ reason: BearerCloseReason) {
        switch reason {
        case .requestTimedOut: self = .timedOut
        case .oversizedPDU, .requestBeforeResponse: self = .refused
        case .closedLocally, .disconnected, .transportFailed: self = .linkLost
        }
    }
}
