/// Which Security Manager command (Core Specification, Vol 3, Part H, 3.3), open to codes that are not assigned.
@frozen
public struct SecurityManagerCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Pairing Request, 3.5.1.
    @inlinable public static var pairingRequest: Self { Self(rawValue: 0x01) }
    /// Pairing Response, 3.5.2.
    @inlinable public static var pairingResponse: Self { Self(rawValue: 0x02) }
    /// Pairing Confirm, 3.5.3.
    @inlinable public static var pairingConfirm: Self { Self(rawValue: 0x03) }
    /// Pairing Random, 3.5.4.
    @inlinable public static var pairingRandom: Self { Self(rawValue: 0x04) }
    /// Pairing Failed, 3.5.5.
    @inlinable public static var pairingFailed: Self { Self(rawValue: 0x05) }
    /// Encryption Information, 3.6.2.
    @inlinable public static var encryptionInformation: Self { Self(rawValue: 0x06) }
    /// Central Identification, 3.6.3.
    @inlinable public static var centralIdentification: Self { Self(rawValue: 0x07) }
    /// Identity Information, 3.6.4.
    @inlinable public static var identityInformation: Self { Self(rawValue: 0x08) }
    /// Identity Address Information, 3.6.5.
    @inlinable public static var identityAddressInformation: Self { Self(rawValue: 0x09) }
    /// Signing Information, 3.6.6.
    @inlinable public static var signingInformation: Self { Self(rawValue: 0x0A) }
    /// Security Request, 3.6.7.
    @inlinable public static var securityRequest: Self { Self(rawValue: 0x0B) }
    /// Pairing Public Key, 3.5.6.
    @inlinable public static var pairingPublicKey: Self { Self(rawValue: 0x0C) }
    /// Pairing DHKey Check, 3.5.7.
    @inlinable public static var pairingDHKeyCheck: Self { Self(rawValue: 0x0D) }
    /// Pairing Keypress Notification, 3.5.8.
    @inlinable public static var pairingKeypressNotification: Self { Self(rawValue: 0x0E) }

    /// The specification's name; `nil` where there is none.
    public var name: String? { Self.names[rawValue] }

    private static let names: [UInt8: String] = [
        0x01: "Pairing Request", 0x02: "Pairing Response", 0x03: "Pairing Confirm", 0x04: "Pairing Random",
        0x05: "Pairing Failed", 0x06: "Encryption Information", 0x07: "Central Identification",
        0x08: "Identity Information", 0x09: "Identity Address Information", 0x0A: "Signing Information",
        0x0B: "Security Request", 0x0C: "Pairing Public Key", 0x0D: "Pairing DHKey Check",
        0x0E: "Pairing Keypress Notification",
    ]
}

extension SecurityManagerCode: CustomStringConvertible {
    /// The name, or the number where there is none.
    public var description: String { name ?? "Security Manager code 0x\([rawValue].hexadecimal)" }
}

/// How a central that does not pair answers the Security Manager channel (Core Specification, Vol 3, Part H, 2.4.6
/// and 3.5.5): a wish to pair is refused, never left unanswered; everything else is ignored.
@frozen
public struct PairingRefusal: Sendable {
    @inlinable
    public init() {}

    /// The payload to send on the Security Manager channel; `nil` for none.
    public func receive(_ payload: RawSpan) -> [UInt8]? {
        var reader = OctetReader(payload)
        guard let octet = try? reader.uint8() else { return nil }
        switch SecurityManagerCode(rawValue: octet) {
        // Pairing Failed, Pairing Not Supported.
        case .securityRequest, .pairingRequest: return [SecurityManagerCode.pairingFailed.rawValue, 0x05]
        default: return nil
        }
    }
}
