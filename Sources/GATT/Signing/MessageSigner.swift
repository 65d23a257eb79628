// Signed writes (Core Specification, Vol 3, Part C, 10.4 and Part H, 2.4.5). On a link without encryption a Write Command
// may carry a signature of twelve octets: a counter, which grows with every message so that none can be sent again by
// somebody else, and half of an AES-CMAC over opcode, handle, value and counter, made with the Connection Signature
// Resolving Key (CSRK) that the two devices exchanged when they bonded.
//
// AES-CMAC has the most significant octet first, PDUs have the least significant one first: the message is turned round,
// and so is what comes out. This module has no key and no cipher for secrets; whoever has them gives a closure.

/// Signs messages with one key.
public struct MessageSigner: Sendable {
    /// AES-CMAC (RFC 4493) of a message with the CSRK, sixteen octets, all with the most significant octet first; nil when
    /// it cannot be computed.
    public typealias Authentication = @Sendable (_ message: [UInt8]) -> [UInt8]?

    private let authenticate: Authentication
    /// The counter of the next message; nil when all have been used, and the key with them.
    public private(set) var counter: UInt32?

    /// - Parameters:
    ///   - counter: the counter of the next message: one more than that of the last message ever signed with this key.
    ///   - authenticate: computes AES-CMAC with the key.
    public init(counter: UInt32, authenticate: @escaping Authentication) {
        self.counter = counter
        self.authenticate = authenticate
    }

    /// The signature of a message, whose counter is thereby used.
    /// - Parameter message: the PDU without the signature, its opcode first.
    /// - Returns: twelve octets; nil when the counters are used up or the code cannot be computed.
    public mutating func sign(_ message: [UInt8]) -> [UInt8]? {
        guard let counter, let signature = Self.signature(of: message, counter, authenticate) else { return nil }
        self.counter = counter == .max ? nil : counter &+ 1
        return signature
    }

    fileprivate static func signature(
        of message: [UInt8], _ counter: UInt32, _ authenticate: Authentication
    ) -> [UInt8]? {
        let count = (0..<4).map { UInt8(truncatingIfNeeded: counter >> UInt32(8 * $0)) }
        guard let code = authenticate((message + count).reversed()), code.count == 16 else { return nil }
        return count + code[..<8].reversed()
    }
}

/// Checks signatures made with one key.
public struct SignatureCheck: Sendable {
    private let authenticate: MessageSigner.Authentication
    /// The counter of the last message that was accepted; nil before the first.
    public private(set) var lastCounter: UInt32?

    /// - Parameters:
    ///   - lastCounter: the counter of the last message that was accepted, in this connection or an earlier one.
    ///   - authenticate: computes AES-CMAC with the key.
    public init(lastCounter: UInt32? = nil, authenticate: @escaping MessageSigner.Authentication) {
        self.lastCounter = lastCounter
        self.authenticate = authenticate
    }

    /// A check with a key that is no secret, as that of a virtual peripheral, which stands in its file: without a cipher
    /// that guards secrets; see `AES128`.
    /// - Parameters:
    ///   - octets: the key, sixteen octets, least significant first; `nil` comes of any other number.
    ///   - lastCounter: as above.
    package init?(openKey octets: [UInt8], lastCounter: UInt32? = nil) {
        guard octets.count == 16 else { return nil }
        let cmac = CMAC(key: octets.reversed().reduce(UInt128(0)) { $0 << 8 | UInt128($1) })
        self.init(lastCounter: lastCounter) { message in
            let code = cmac.code(of: message)
            return stride(from: 120, through: 0, by: -8).map { UInt8(truncatingIfNeeded: code >> UInt128($0)) }
        }
    }

    /// Whether the signature is right and its counter above those before; it counts as used then.
    /// - Parameters:
    ///   - message: the PDU without the signature, its opcode first.
    ///   - signature: the last twelve octets of the PDU.
    public mutating func accepts(_ message: [UInt8], _ signature: [UInt8]) -> Bool {
        guard signature.count == SignedWriteCommand.signatureByteCount else { return false }
        let counter = signature[..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        if let lastCounter, counter <= lastCounter { return false }
        guard MessageSigner.signature(of: message, counter, authenticate) == signature else { return false }
        lastCounter = counter
        return true
    }
}
