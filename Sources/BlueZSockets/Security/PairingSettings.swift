public import GAP

/// Something that pairing needs a person, or a program in a person's place, for.
public enum PairingQuestion: Hashable, Sendable {
    /// Whether this number is the one that the device shows. Six digits. Answered by `yes` or `no`.
    case comparison(number: UInt32)
    /// The passkey that the device shows, or that is printed on it. Answered by `passkey` or `no`.
    case passkeyEntry
    /// This passkey is to be entered on the device. Six digits. The answer is not waited for.
    case passkeyDisplay(passkey: UInt32)
}

/// The answer to a question.
public enum PairingAnswer: Hashable, Sendable {
    /// It is so.
    case yes
    /// It is not so, or nobody can tell.
    case no
    /// The passkey, below 1,000,000.
    case passkey(UInt32)
}

/// The keys that the kernel is to have for an adapter.
public struct Keyring: Hashable, Sendable {
    /// An identity resolving key and whose it is.
    public struct Identity: Hashable, Sendable {
        /// The device's identity address.
        public var address: DeviceAddress
        /// Its key.
        public var key: IdentityResolvingKey

        /// An identity of its parts.
        public init(address: DeviceAddress, key: IdentityResolvingKey) {
            self.address = address
            self.key = key
        }
    }

    /// Those for encryption.
    public var longTermKeys: [LongTermKey]
    /// Those for recognising devices.
    public var identities: [Identity]

    /// Keys; none by default.
    public init(longTermKeys: [LongTermKey] = [], identities: [Identity] = []) {
        self.longTermKeys = longTermKeys
        self.identities = identities
    }

    /// Whether there are none.
    public var isEmpty: Bool { longTermKeys.isEmpty && identities.isEmpty }

    var loadIdentities: ManagementCommand {
        .loadIdentityResolvingKeys(identities.map { ($0.address, $0.key) })
    }

    /// Gives all the keys to the kernel, in place of those that it has.
    /// - Throws: `noRights` without CAP_NET_ADMIN.
    public func load(by socket: ManagementSocket) async throws(BluetoothSocketError) {
        let failure = "cannot load the keys of hci\(socket.adapter)"
        try await socket.perform(loadIdentities, failure: failure)
        try await socket.perform(.loadLongTermKeys(longTermKeys), failure: failure)
    }
}

/// How pairing goes on this side of a link.
public struct PairingSettings: Sendable {
    /// What is said of this side's keys and display.
    public var capability: IOCapability
    /// What is answered when a passkey is to be entered; `nil` asks.
    public var passkey: UInt32?
    /// Whether pairing without protection against a man in the middle is agreed to, when no higher level was asked for.
    public var acceptsJustWorks: Bool
    /// The program that pairs and keeps keys instead; `nil` when this one does.
    public var owner: KeyOwner?
    /// The keys that the kernel was given.
    public var keyring: Keyring
    /// Whether the kernel was given them: else, before a pairing, it is given the identities.
    public var keyringIsLoaded: Bool
    /// Asks a person. The task is cancelled when the question no longer matters.
    public var ask: @Sendable (PairingQuestion) async -> PairingAnswer
    /// Told of keys that are to be kept, on the loop's thread.
    public var keep: @Sendable (NewKey) -> Void

    /// A key that pairing made.
    public enum NewKey: Hashable, Sendable {
        /// For encryption.
        case longTerm(LongTermKey)
        /// For recognising the device.
        case identity(Keyring.Identity)
    }

    /// Settings; by default nothing can be shown or entered, and nothing is kept.
    public init(
        capability: IOCapability = .noInputNoOutput, passkey: UInt32? = nil, acceptsJustWorks: Bool = true,
        owner: KeyOwner? = nil, keyring: Keyring = Keyring(), keyringIsLoaded: Bool = false,
        ask: @escaping @Sendable (PairingQuestion) async -> PairingAnswer = { _ in .no },
        keep: @escaping @Sendable (NewKey) -> Void = { _ in }
    ) {
        self.capability = capability
        self.passkey = passkey
        self.acceptsJustWorks = acceptsJustWorks
        self.owner = owner
        self.keyring = keyring
        self.keyringIsLoaded = keyringIsLoaded
        self.ask = ask
        self.keep = keep
    }
}
