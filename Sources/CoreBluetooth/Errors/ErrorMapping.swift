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
            switch (error.security, error.hciStatus, error.errno) {
            case (.keyMissing, _, _): .peerRemovedPairingInformation
            case (.pairingTimedOut, _, _): .encryptionTimedOut
            case (_, 0x06?, _): .peerRemovedPairingInformation
            case (_, 0x07?, _), (_, 0x09?, _), (_, 0x0D?, _): .connectionLimitReached
            // The kernel's words for the same statuses (`bt_to_errno`), and for the end that it gives to a link by itself when
            // there is no key.
            case (_, nil, .invalidExchange?), (_, nil, .permissionDenied?): .peerRemovedPairingInformation
            case (_, nil, .tooManyLinks?), (_, nil, .noMemory?): .connectionLimitReached
            default: .connectionFailed
            }
        self.init(code, because: error)
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
