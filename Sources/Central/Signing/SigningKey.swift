internal import CCrypto
public import GATT

/// A Connection Signature Resolving Key (CSRK, Core Specification, Vol 3, Part H, 2.4.2.2): what two bonded devices sign
/// and check messages with on links that are not encrypted.
public struct SigningKey: Sendable {
    /// Sixteen octets as they are transmitted, the least significant first.
    private let octets: [UInt8]

    /// A key of sixteen octets, least significant first, as pairing transmits them and BlueZ keeps them; `nil` for any
    /// other number of octets.
    public init?(octets: [UInt8]) {
        guard octets.count == 16 else { return nil }
        self.octets = octets
    }

    /// Signs with this key.
    /// - Parameter counter: the counter of the next message: one more than that of the last one ever signed.
    public func signer(counter: UInt32) -> MessageSigner {
        MessageSigner(counter: counter, authenticate: authentication)
    }

    /// Checks signatures made with this key.
    /// - Parameter lastCounter: the counter of the last message that was accepted.
    public func check(lastCounter: UInt32? = nil) -> SignatureCheck {
        SignatureCheck(lastCounter: lastCounter, authenticate: authentication)
    }

    /// Whether signatures can be computed on this machine: OpenSSL's libcrypto does it.
    public static var isAvailable: Bool { SigningKey(octets: [UInt8](repeating: 0, count: 16))?.code(of: []) != nil }

    /// Names the key without telling it.
    public var fingerprint: String {
        code(of: Array("btatt signing key".utf8)).map { Array($0.prefix(8)).hexadecimal } ?? ""
    }

    private var authentication: MessageSigner.Authentication {
        { message in code(of: message) }
    }

    private func code(of message: [UInt8]) -> [UInt8]? {
        let key = [UInt8](octets.reversed())
        var code = [UInt8](repeating: 0, count: 16)
        // The arrays have the lengths that the function is told and expects: 16, `message.count` and 16 octets.
        let result = unsafe key.withUnsafeBufferPointer { key in
            unsafe message.withUnsafeBufferPointer { message in
                unsafe code.withUnsafeMutableBufferPointer { code in
                    unsafe ccrypto_aes_cmac(key.baseAddress, message.baseAddress, message.count, code.baseAddress)
                }
            }
        }
        return result == 0 ? code : nil
    }
}
