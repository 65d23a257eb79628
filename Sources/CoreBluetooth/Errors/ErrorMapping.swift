import Central
import Foundation
import GATT
import Sockets

// What the layers below say, in Apple's errors. The words for people stay Apple's, since programs compare them; what really
// happened is the failure reason, and the error of the layer below is the underlying error.

extension CBError {
    private init(_ code: Code, because error: CentralError) {
        self.init(
            code, userInfo: [NSLocalizedFailureReasonErrorKey: error.description, NSUnderlyingErrorKey: error])
    }

    /// Why there is no connection.
    init(connecting error: CentralError) {
        let code: Code =
            switch (error.hciStatus, error.gattError) {
            case (0x06, _), (_, .bearerClosed(.disconnected(reason: 0x06))): .peerRemovedPairingInformation
            case (0x09, _), (0x0D, _): .connectionLimitReached
            case (0x22, _) where error.category == .timedOut: .encryptionTimedOut
            default: Self.connectionCode(error)
            }
        self.init(code, because: error)
    }

    private static func connectionCode(_ error: CentralError) -> Code {
        switch error.errno {
        // The kernel's words for the controller's "authentication failure" and "PIN or key missing".
        case .permissionDenied: .peerRemovedPairingInformation
        case .tooManyLinks, .noMemory: .connectionLimitReached
        default: .connectionFailed
        }
    }

    /// Why a connection was lost.
    init(losing disconnection: Disconnection) {
        let code: Code =
            switch disconnection.reason {
            case .disconnected(reason: 0x08), .disconnected(reason: 0x22), .disconnected(reason: 0x3E),
                .requestTimedOut:
                .connectionTimeout
            case .disconnected(reason: 0x06): .peerRemovedPairingInformation
            default: .peripheralDisconnected
            }
        self.init(code, userInfo: [NSLocalizedFailureReasonErrorKey: disconnection.description])
    }
}

/// The error of an operation: the peer's code as `CBATTError`, anything else as `CBError`.
func operationError(_ error: CentralError) -> any Error {
    let userInfo: [String: Any] = [
        NSLocalizedFailureReasonErrorKey: error.description, NSUnderlyingErrorKey: error,
    ]
    switch error.gattError {
    case .attributeError(let code, _, _): return CBATTError(rawCode: Int(code.rawValue), userInfo: userInfo)
    case .valueTooLong: return CBATTError(.invalidAttributeValueLength, userInfo: userInfo)
    case .cannotSubscribe: return CBATTError(.requestNotSupported, userInfo: userInfo)
    case .cancelled: return CBError(.operationCancelled, userInfo: userInfo)
    default: break
    }
    switch error.category {
    case .linkLost: return CBError(.notConnected, userInfo: userInfo)
    case .cancelled: return CBError(.operationCancelled, userInfo: userInfo)
    case .invalid: return CBError(.invalidParameters, userInfo: userInfo)
    case .missingRights: return CBError(.operationNotSupported, userInfo: userInfo)
    default: return CBError(.unknown, userInfo: userInfo)
    }
}
