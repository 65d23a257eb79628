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

/// Why pairing failed (Core Specification, Vol 3, Part H, 3.5.5), open to reasons that are not assigned.
@frozen
public struct PairingFailureReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The passkey was not entered.
    @inlinable public static var passkeyEntryFailed: Self { Self(rawValue: 0x01) }
    /// There are no out-of-band data.
    @inlinable public static var outOfBandNotAvailable: Self { Self(rawValue: 0x02) }
    /// The security that one side wants cannot be had with what both can show and enter.
    @inlinable public static var authenticationRequirements: Self { Self(rawValue: 0x03) }
    /// The two sides do not have the same secret: with a passkey, it was a wrong one.
    @inlinable public static var confirmValueFailed: Self { Self(rawValue: 0x04) }
    /// One side does not pair.
    @inlinable public static var pairingNotSupported: Self { Self(rawValue: 0x05) }
    /// The encryption key would be too short.
    @inlinable public static var encryptionKeySize: Self { Self(rawValue: 0x06) }
    /// One side does not know a command.
    @inlinable public static var commandNotSupported: Self { Self(rawValue: 0x07) }
    /// No reason is told.
    @inlinable public static var unspecifiedReason: Self { Self(rawValue: 0x08) }
    /// Too soon after an attempt that failed.
    @inlinable public static var repeatedAttempts: Self { Self(rawValue: 0x09) }
    /// A command was too short, or a parameter out of range.
    @inlinable public static var invalidParameters: Self { Self(rawValue: 0x0A) }
    /// The keys of the two sides do not match.
    @inlinable public static var dhKeyCheckFailed: Self { Self(rawValue: 0x0B) }
    /// A person said that the two numbers differ.
    @inlinable public static var numericComparisonFailed: Self { Self(rawValue: 0x0C) }
    /// One side pairs over BR/EDR at the moment.
    @inlinable public static var classicPairingInProgress: Self { Self(rawValue: 0x0D) }
    /// A key of BR/EDR must not be made into one of LE.
    @inlinable public static var crossTransportNotAllowed: Self { Self(rawValue: 0x0E) }
    /// A key that was distributed was refused.
    @inlinable public static var keyRejected: Self { Self(rawValue: 0x0F) }
    /// One side has no time now.
    @inlinable public static var busy: Self { Self(rawValue: 0x10) }

    /// The specification's name; `Reserved for Future Use` where there is none.
    public var name: String {
        Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : "Reserved for Future Use"
    }

    private static let names = [
        "Reserved for Future Use", "Passkey Entry Failed", "OOB Not Available", "Authentication Requirements",
        "Confirm Value Failed", "Pairing Not Supported", "Encryption Key Size", "Command Not Supported",
        "Unspecified Reason", "Repeated Attempts", "Invalid Parameters", "DHKey Check Failed",
        "Numeric Comparison Failed", "BR/EDR Pairing In Progress",
        "Cross-transport Key Derivation/Generation Not Allowed", "Key Rejected", "Busy",
    ]
}

extension PairingFailureReason: CustomStringConvertible {
    /// Name and number: `Confirm Value Failed (0x04)`.
    public var description: String { "\(name) (0x\([rawValue].hexadecimal))" }
}
