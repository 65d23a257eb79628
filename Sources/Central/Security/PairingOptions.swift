// Pairing makes the keys with which two devices encrypt their link, and bonding keeps them (Core Specification, Vol 3,
// Part H, 2.3). How much protection it gives follows from what each side can show and what can be entered there:
//
//     ┌───────────────────────┬────────────────────────────────────────────────────────────────────────────────────┐
//     │ Just Works            │ nobody is asked; somebody who sits between the two is not noticed                  │
//     │ Passkey Entry         │ one side shows six digits, which are entered on the other                          │
//     │ Numeric Comparison    │ both show six digits, and on both somebody says that they are the same             │
//     └───────────────────────┴────────────────────────────────────────────────────────────────────────────────────┘

/// How pairing goes, when security needs it.
public struct PairingOptions: Sendable {
    /// What can be shown and entered on this side; the device is told.
    public var capability: PairingCapability
    /// The passkey to enter, below 1,000,000, where it is known beforehand; `nil` asks.
    public var passkey: UInt32?
    /// Where keys are kept, and taken from when a connection is made; `nil` for nowhere. A program that may not write
    /// there pairs all the same.
    public var bonds: BondStore?
    /// Asks a person. The task is cancelled when the answer is no longer of use; pairing ends by itself after thirty
    /// seconds.
    public var ask: @Sendable (_ question: PairingQuestion, _ peer: String) async -> PairingAnswer

    /// Options; by default nothing can be shown or entered, which gives Just Works, and keys are kept where `btatt` keeps
    /// them.
    public init(
        capability: PairingCapability = .none, passkey: UInt32? = nil, bonds: BondStore? = .standard,
        ask: @escaping @Sendable (PairingQuestion, String) async -> PairingAnswer = { _, _ in .no }
    ) {
        self.capability = capability
        self.passkey = passkey
        self.bonds = bonds
        self.ask = ask
    }
}

/// What one side can show and what can be entered there (Core Specification, Vol 3, Part H, 2.3.2). The raw values are the
/// words of the command line.
@frozen
public enum PairingCapability: String, Hashable, Sendable, CaseIterable {
    /// Nothing.
    case none
    /// A passkey can be shown.
    case display
    /// A passkey can be entered.
    case keyboard
    /// A number can be shown, and said to be the same or not.
    case yesNo = "yesno"
    /// All of it.
    case keyboardDisplay = "keyboard-display"
}

/// Something that pairing needs a person for.
@frozen
public enum PairingQuestion: Hashable, Sendable {
    /// Whether this number, of six digits, is the one that the device shows: `yes` or `no`.
    case comparison(number: UInt32)
    /// The passkey that the device shows, or that is printed on it: `passkey` or `no`.
    case passkeyEntry
    /// This passkey, of six digits, is to be entered on the device. The answer is not waited for.
    case passkeyDisplay(passkey: UInt32)
}

/// The answer to a question.
@frozen
public enum PairingAnswer: Hashable, Sendable {
    /// It is so.
    case yes
    /// It is not so, or nobody can tell.
    case no
    /// The passkey, below 1,000,000.
    case passkey(UInt32)
}

/// Why a link has not the security that was asked for, for a program. The raw values stand in JSON.
@frozen
public enum SecurityFailure: String, Hashable, Sendable, CaseIterable {
    /// One side refused to pair.
    case pairingRefused = "pairing-refused"
    /// The passkey that was entered was not the one that was shown.
    case wrongPasskey = "wrong-passkey"
    /// Nobody on this side said yes, or gave the passkey.
    case notConfirmed = "not-confirmed"
    /// Pairing failed, and nothing more is known.
    case pairingFailed = "pairing-failed"
    /// Pairing took longer than it may.
    case pairingTimedOut = "pairing-timed-out"
    /// What both sides can show and enter does not give the protection that was asked for.
    case notProtected = "not-protected"
    /// The device has lost the key that this side still has.
    case keyMissing = "key-missing"
    /// The link could not be encrypted.
    case encryptionFailed = "encryption-failed"
    /// The link ended because what was received could not be decrypted.
    case encryptionLost = "encryption-lost"
    /// The process may not pair.
    case missingRights = "missing-rights"
    /// Another program, BlueZ's daemon, pairs and keeps the keys on this machine.
    case keysOwned = "keys-owned"
}
