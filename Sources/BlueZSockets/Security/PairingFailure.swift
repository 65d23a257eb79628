public import GAP
public import HCI
public import L2CAP

/// Why the security of a link could not be raised, for a program.
public enum PairingFailure: Hashable, Sendable {
    /// One side refused to pair, or to go on with it.
    case refused(PairingFailureReason, byPeer: Bool)
    /// The passkey that was entered, here or on the device, was not the one that was shown.
    case wrongPasskey
    /// Nobody here said yes, or gave the passkey.
    case notConfirmed
    /// Pairing failed, and nothing is known but that.
    case unexplained
    /// What both sides can show and enter does not give the protection that was asked for.
    case notProtected
    /// The device no longer has the key with which the link was to be encrypted.
    case keyMissing
    /// The controller could not encrypt the link.
    case encryptionFailed(StatusCode)
    /// Pairing took longer than the thirty seconds that it may.
    case notAnswered
    /// The process must not pair (CAP_NET_ADMIN).
    case missingRights
    /// Another program pairs and keeps the keys on this machine.
    case owned
}

extension BluetoothSocketError {
    /// The error for a raise of a link's security that failed.
    ///
    /// - Parameters:
    ///   - owner: The program that pairs and keeps the keys on this machine, if there is one.
    ///   - failure: What failed, such as `cannot pair with F0:F1:F2:F3:F4:F5/random`.
    public init(_ cause: PairingFailure, with peer: DeviceAddress, owner: KeyOwner? = nil, failure: String) {
        var category = Category.protocolError
        var reason: String
        var remedy = ""
        switch cause {
        case .refused(let code, let byPeer):
            reason = (byPeer ? "the device refused to pair" : "pairing was given up on this side") + ": \(code)"
            remedy = Self.remedy(code)
        case .wrongPasskey:
            reason = "the passkey was wrong"
            remedy = "try again, with the same passkey on both sides"
        case .notConfirmed:
            reason = "pairing was not confirmed on this side"
            remedy = "run it on a terminal and answer, or say what can be answered: \"--passkey\", \"--io none\""
        case .unexplained:
            reason = "pairing failed"
            remedy = "see whether the device accepts pairing now, and check the passkey"
        case .notProtected:
            reason = "what the two sides can show and enter gives no protection against a man in the middle"
            remedy = "pair with a passkey or a comparison (\"--io\", \"--passkey\"), or ask for \"--security medium\""
        case .keyMissing:
            reason = "the device no longer has the key of this pairing"
            remedy = "forget it here too, \"btatt unpair -d \(peer)\", and pair again"
        case .encryptionFailed(let status):
            reason = "the link could not be encrypted: \(status)"
            remedy = "connect again"
        case .notAnswered:
            category = .timedOut
            reason = "pairing did not end in time"
            remedy = "see whether the device waits for something to be entered or confirmed, and try again"
        case .missingRights:
            category = .noRights
            reason = "the process has not the right to pair (CAP_NET_ADMIN)"
            remedy = Remedy.rights
        case .owned: reason = "another program pairs and keeps the keys here"
        }
        if let owner {
            reason = cause == .owned ? "" : reason + ", and "
            reason += "\(owner.name) pairs and keeps the keys on this machine"
            let verb = cause == .keyMissing ? "remove" : "pair"
            remedy = "use \"bluetoothctl \(verb) \(peer.octets)\", or end \(owner.name) and try again"
        }
        self.init(category, .pairing(cause), failure: failure, reason: reason, remedy: remedy)
    }

    private static func remedy(_ code: PairingFailureReason) -> String {
        switch code {
        case .authenticationRequirements:
            "pair with a passkey or a comparison: \"--io keyboard\", \"--io display\", \"--io yesno\", \"--passkey\""
        case .pairingNotSupported:
            "see whether the device has to be made ready for pairing, or has a bond with another one"
        case .repeatedAttempts, .busy, .classicPairingInProgress: "wait a moment and try again"
        case .numericComparisonFailed: "the numbers must be the same on both sides; try again"
        default: "see whether the device has to be made ready for pairing, and try again"
        }
    }

    /// The error that a status of a management command stands for.
    public init(_ status: ManagementStatus, to opcode: ManagementOpcode, adapter: UInt16, failure: String) {
        let name = "hci\(adapter)"
        switch status {
        case .permissionDenied:
            self.init(
                .noRights, failure: failure,
                reason: "the process has not the right to manage \(name) (CAP_NET_ADMIN)", remedy: Remedy.rights)
        case .invalidIndex:
            self.init(
                .noAdapter, .adapterAbsent, failure: failure, reason: "\(name) is not there",
                remedy: Remedy.listAdapters)
        case .notPowered, .radioKilled:
            self.init(
                .noAdapter, .adapterDown, failure: failure, reason: "\(name) is down", remedy: Remedy.switchOn(name))
        case .connectFailed, .notConnected, .disconnected:
            self.init(
                .linkLost, failure: failure, reason: "the connection ended meanwhile: \(status)",
                remedy: "connect again")
        case .busy:
            self.init(
                .protocolError, failure: failure, reason: "another program pairs at this moment: \(status)",
                remedy: "try again")
        default:
            self.init(
                .protocolError, failure: failure, reason: "the kernel answered \(opcode) with \(status)")
        }
    }
}
