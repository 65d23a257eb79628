// Who may read or write an attribute (Core Specification, Vol 3, Part F, 3.2.5 and Part C, 10.3.1).
//
// A request is checked in this order: does the attribute exist (0x01), is the access allowed at all (0x02, 0x03), is the
// link encrypted (0x05 without a key for the peer, 0x0F with one), is the key long enough (0x0C), was it made with
// protection against a man in the middle (0x05), and has the application authorised this client (0x08).

/// What a link must have before an attribute may be read, or written.
@frozen
public struct AccessRule: Hashable, Sendable {
    /// The security of the link that is needed.
    @frozen
    public enum Security: UInt8, Hashable, Sendable, Comparable {
        /// Any link will do.
        case none
        /// The link must be encrypted.
        case encryption
        /// The link must be encrypted with a key that is protected against a man in the middle.
        case authentication

        @inlinable
        public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
    }

    /// The security of the link that is needed.
    public var security: Security

    /// Whether the application must have authorised the client.
    public var needsAuthorization: Bool

    /// The shortest encryption key that is accepted, in octets: 7 to 16, or 0 when any length will do.
    public var minimumKeySize: UInt8

    /// A rule; without arguments one that every link satisfies.
    @inlinable
    public init(security: Security = .none, needsAuthorization: Bool = false, minimumKeySize: UInt8 = 0) {
        self.security = security
        self.needsAuthorization = needsAuthorization
        self.minimumKeySize = minimumKeySize
    }

    /// Everybody may.
    public static let open = AccessRule()
    /// Only over an encrypted link.
    public static let encrypted = AccessRule(security: .encryption)
    /// Only over a link encrypted with an authenticated key.
    public static let authenticated = AccessRule(security: .authentication)
    /// Only clients that the application has authorised.
    public static let authorized = AccessRule(needsAuthorization: true)
}

/// Who may read and who may write an attribute; `nil` means nobody.
@frozen
public struct AttributePermissions: Hashable, Sendable {
    /// Who may read; `nil`: reading is answered by Read Not Permitted (0x02).
    public var read: AccessRule?

    /// Who may write; `nil`: writing is answered by Write Not Permitted (0x03).
    public var write: AccessRule?

    @inlinable
    public init(read: AccessRule? = nil, write: AccessRule? = nil) {
        self.read = read
        self.write = write
    }

    /// Everybody may read, nobody may write: the permissions of every declaration (Vol 3, Part G, 3.1 to 3.3.1).
    public static let readOnly = AttributePermissions(read: .open)
    /// Everybody may read and write.
    public static let readWrite = AttributePermissions(read: .open, write: .open)
    /// Everybody may write, nobody may read.
    public static let writeOnly = AttributePermissions(write: .open)
}

/// What a server knows about the security of one link.
@frozen
public struct LinkSecurity: Hashable, Sendable {
    /// Whether the link is encrypted now.
    public var isEncrypted: Bool

    /// Whether the key in use is protected against a man in the middle.
    public var isAuthenticated: Bool

    /// Whether the client is authorised by the application.
    public var isAuthorized: Bool

    /// Whether a key for this client exists, so that encrypting is enough and pairing is not needed. Decides between
    /// Insufficient Encryption (0x0F) and Insufficient Authentication (0x05).
    public var hasKey: Bool

    /// The length of the key in use in octets, 7 to 16; has no meaning on a link that is not encrypted.
    public var keySize: UInt8

    @inlinable
    public init(
        isEncrypted: Bool = false, isAuthenticated: Bool = false, isAuthorized: Bool = false, hasKey: Bool = false,
        keySize: UInt8 = 16
    ) {
        self.isEncrypted = isEncrypted
        self.isAuthenticated = isAuthenticated
        self.isAuthorized = isAuthorized
        self.hasKey = hasKey
        self.keySize = keySize
    }

    /// A link as it is right after it was made: nothing encrypted, nothing known.
    public static let none = LinkSecurity()

    /// Why this link does not satisfy `rule`; `nil` when it does.
    /// - Parameter forbidden: The error when there is no rule, that is, when nobody may.
    @inlinable
    func refusal(of rule: AccessRule?, forbidden: ErrorCode) -> ErrorCode? {
        guard let rule else { return forbidden }
        if rule.security > .none {
            guard isEncrypted else { return hasKey ? .insufficientEncryption : .insufficientAuthentication }
            guard keySize >= rule.minimumKeySize else { return .encryptionKeySizeTooShort }
            if rule.security == .authentication, !isAuthenticated { return .insufficientAuthentication }
        }
        if rule.needsAuthorization, !isAuthorized { return .insufficientAuthorization }
        return nil
    }
}
