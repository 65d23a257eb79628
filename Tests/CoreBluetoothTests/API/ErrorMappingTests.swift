import Central
import Sockets
import Testing

@testable import CoreBluetooth

/// What the layers below say, in Apple's codes.
@Suite struct ErrorMappingTests {
    private func error(
        _ category: CentralError.Category = .noConnection, errno: Errno? = nil, hciStatus: UInt8? = nil,
        security: SecurityFailure? = nil
    ) -> CentralError {
        CentralError(
            category, failure: "cannot connect", reason: "as the test has it", errno: errno, hciStatus: hciStatus,
            security: security)
    }

    @Test("B43 why the kernel or the controller made no connection") func connecting() {
        let cases: [(CentralError, CBError.Code)] = [
            (error(hciStatus: 0x06), .peerRemovedPairingInformation),
            (error(errno: .invalidExchange), .peerRemovedPairingInformation),
            (error(errno: .permissionDenied), .peerRemovedPairingInformation),
            (error(.refused, security: .keyMissing), .peerRemovedPairingInformation),
            (error(.timedOut, security: .pairingTimedOut), .encryptionTimedOut),
            (error(hciStatus: 0x07), .connectionLimitReached),
            (error(hciStatus: 0x09), .connectionLimitReached),
            (error(hciStatus: 0x0D), .connectionLimitReached),
            (error(errno: .tooManyLinks), .connectionLimitReached),
            (error(errno: .noMemory), .connectionLimitReached),
            (error(hciStatus: 0x3E), .connectionFailed),
            (error(errno: .connectionRefused), .connectionFailed),
            (error(.refused, security: .encryptionFailed), .connectionFailed),
            (error(), .connectionFailed),
        ]
        for (error, code) in cases {
            let mapped = CBError(connecting: error)
            #expect(mapped.code == code, "\(error)")
            #expect(mapped.userInfo[NSUnderlyingErrorKey] as? CentralError == error)
        }
    }
}
