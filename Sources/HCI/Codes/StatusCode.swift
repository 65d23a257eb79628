/// Why a command, a connection or an encryption failed, or a connection ended: a controller error code
/// (Core Specification, Vol 1, Part F, 1.3), open to values that are not assigned.
@frozen
public struct StatusCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Whether it says that all went well.
    @inlinable
    public var isSuccess: Bool { rawValue == 0 }

    /// The specification's name; `Reserved for Future Use` where there is none.
    public var name: String {
        Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : "Reserved for Future Use"
    }
}

extension StatusCode: CustomStringConvertible {
    /// Name and number: `Command Disallowed (0x0c)`.
    public var description: String { "\(name) (0x\([rawValue].hexadecimal))" }
}

extension StatusCode {
    /// The command or procedure succeeded.
    @inlinable public static var success: Self { Self(rawValue: 0x00) }
    /// Unknown HCI Command (Vol 1, Part F, 2.1).
    @inlinable public static var unknownCommand: Self { Self(rawValue: 0x01) }
    /// Unknown Connection Identifier (Vol 1, Part F, 2.2).
    @inlinable public static var unknownConnection: Self { Self(rawValue: 0x02) }
    /// Hardware Failure (Vol 1, Part F, 2.3).
    @inlinable public static var hardwareFailure: Self { Self(rawValue: 0x03) }
    /// Page Timeout (Vol 1, Part F, 2.4).
    @inlinable public static var pageTimeout: Self { Self(rawValue: 0x04) }
    /// Authentication Failure (Vol 1, Part F, 2.5).
    @inlinable public static var authenticationFailure: Self { Self(rawValue: 0x05) }
    /// PIN or Key Missing (Vol 1, Part F, 2.6).
    @inlinable public static var pinOrKeyMissing: Self { Self(rawValue: 0x06) }
    /// Memory Capacity Exceeded (Vol 1, Part F, 2.7).
    @inlinable public static var memoryCapacityExceeded: Self { Self(rawValue: 0x07) }
    /// Connection Timeout (Vol 1, Part F, 2.8).
    @inlinable public static var connectionTimeout: Self { Self(rawValue: 0x08) }
    /// Connection Limit Exceeded (Vol 1, Part F, 2.9).
    @inlinable public static var connectionLimitExceeded: Self { Self(rawValue: 0x09) }
    /// Synchronous Connection Limit To A Device Exceeded (Vol 1, Part F, 2.10).
    @inlinable public static var synchronousConnectionLimitExceeded: Self { Self(rawValue: 0x0A) }
    /// Connection Already Exists (Vol 1, Part F, 2.11).
    @inlinable public static var connectionAlreadyExists: Self { Self(rawValue: 0x0B) }
    /// Command Disallowed (Vol 1, Part F, 2.12).
    @inlinable public static var commandDisallowed: Self { Self(rawValue: 0x0C) }
    /// Connection Rejected due to Limited Resources (Vol 1, Part F, 2.13).
    @inlinable public static var rejectedLimitedResources: Self { Self(rawValue: 0x0D) }
    /// Connection Rejected due to Security Reasons (Vol 1, Part F, 2.14).
    @inlinable public static var rejectedSecurityReasons: Self { Self(rawValue: 0x0E) }
    /// Connection Rejected due to Unacceptable BD_ADDR (Vol 1, Part F, 2.15).
    @inlinable public static var rejectedUnacceptableAddress: Self { Self(rawValue: 0x0F) }
    /// Connection Accept Timeout Exceeded (Vol 1, Part F, 2.16).
    @inlinable public static var connectionAcceptTimeout: Self { Self(rawValue: 0x10) }
    /// Unsupported Feature or Parameter Value (Vol 1, Part F, 2.17).
    @inlinable public static var unsupportedFeatureOrParameterValue: Self { Self(rawValue: 0x11) }
    /// Invalid HCI Command Parameters (Vol 1, Part F, 2.18).
    @inlinable public static var invalidCommandParameters: Self { Self(rawValue: 0x12) }
    /// Remote User Terminated Connection (Vol 1, Part F, 2.19).
    @inlinable public static var remoteUserTerminated: Self { Self(rawValue: 0x13) }
    /// Remote Device Terminated Connection due to Low Resources (Vol 1, Part F, 2.20).
    @inlinable public static var remoteTerminatedLowResources: Self { Self(rawValue: 0x14) }
    /// Remote Device Terminated Connection due to Power Off (Vol 1, Part F, 2.21).
    @inlinable public static var remoteTerminatedPowerOff: Self { Self(rawValue: 0x15) }
    /// Connection Terminated by Local Host (Vol 1, Part F, 2.22).
    @inlinable public static var terminatedByLocalHost: Self { Self(rawValue: 0x16) }
    /// Repeated Attempts (Vol 1, Part F, 2.23).
    @inlinable public static var repeatedAttempts: Self { Self(rawValue: 0x17) }
    /// Pairing Not Allowed (Vol 1, Part F, 2.24).
    @inlinable public static var pairingNotAllowed: Self { Self(rawValue: 0x18) }
    /// Unknown LMP PDU (Vol 1, Part F, 2.25).
    @inlinable public static var unknownLMPPDU: Self { Self(rawValue: 0x19) }
    /// Unsupported Remote Feature (Vol 1, Part F, 2.26).
    @inlinable public static var unsupportedRemoteFeature: Self { Self(rawValue: 0x1A) }
    /// SCO Offset Rejected (Vol 1, Part F, 2.27).
    @inlinable public static var scoOffsetRejected: Self { Self(rawValue: 0x1B) }
    /// SCO Interval Rejected (Vol 1, Part F, 2.28).
    @inlinable public static var scoIntervalRejected: Self { Self(rawValue: 0x1C) }
    /// SCO Air Mode Rejected (Vol 1, Part F, 2.29).
    @inlinable public static var scoAirModeRejected: Self { Self(rawValue: 0x1D) }
    /// Invalid LMP Parameters / Invalid LL Parameters (Vol 1, Part F, 2.30).
    @inlinable public static var invalidLLParameters: Self { Self(rawValue: 0x1E) }
    /// Unspecified Error (Vol 1, Part F, 2.31).
    @inlinable public static var unspecifiedError: Self { Self(rawValue: 0x1F) }
    /// Unsupported LMP Parameter Value / Unsupported LL Parameter Value (Vol 1, Part F, 2.32).
    @inlinable public static var unsupportedLLParameterValue: Self { Self(rawValue: 0x20) }
    /// Role Change Not Allowed (Vol 1, Part F, 2.33).
    @inlinable public static var roleChangeNotAllowed: Self { Self(rawValue: 0x21) }
    /// LMP Response Timeout / LL Response Timeout (Vol 1, Part F, 2.34).
    @inlinable public static var llResponseTimeout: Self { Self(rawValue: 0x22) }
    /// LMP Error Transaction Collision / LL Procedure Collision (Vol 1, Part F, 2.35).
    @inlinable public static var llProcedureCollision: Self { Self(rawValue: 0x23) }
    /// LMP PDU Not Allowed (Vol 1, Part F, 2.36).
    @inlinable public static var lmpPDUNotAllowed: Self { Self(rawValue: 0x24) }
    /// Encryption Mode Not Acceptable (Vol 1, Part F, 2.37).
    @inlinable public static var encryptionModeNotAcceptable: Self { Self(rawValue: 0x25) }
    /// Link Key cannot be Changed (Vol 1, Part F, 2.38).
    @inlinable public static var linkKeyCannotBeChanged: Self { Self(rawValue: 0x26) }
    /// Requested QoS Not Supported (Vol 1, Part F, 2.39).
    @inlinable public static var qosNotSupported: Self { Self(rawValue: 0x27) }
    /// Instant Passed (Vol 1, Part F, 2.40).
    @inlinable public static var instantPassed: Self { Self(rawValue: 0x28) }
    /// Pairing with Unit Key Not Supported (Vol 1, Part F, 2.41).
    @inlinable public static var pairingWithUnitKeyNotSupported: Self { Self(rawValue: 0x29) }
    /// Different Transaction Collision (Vol 1, Part F, 2.42).
    @inlinable public static var differentTransactionCollision: Self { Self(rawValue: 0x2A) }
    /// QoS Unacceptable Parameter (Vol 1, Part F, 2.44).
    @inlinable public static var qosUnacceptableParameter: Self { Self(rawValue: 0x2C) }
    /// QoS Rejected (Vol 1, Part F, 2.45).
    @inlinable public static var qosRejected: Self { Self(rawValue: 0x2D) }
    /// Channel Classification Not Supported (Vol 1, Part F, 2.46).
    @inlinable public static var channelClassificationNotSupported: Self { Self(rawValue: 0x2E) }
    /// Insufficient Security (Vol 1, Part F, 2.47).
    @inlinable public static var insufficientSecurity: Self { Self(rawValue: 0x2F) }
    /// Parameter Out of Mandatory Range (Vol 1, Part F, 2.48).
    @inlinable public static var parameterOutOfMandatoryRange: Self { Self(rawValue: 0x30) }
    /// Role Switch Pending (Vol 1, Part F, 2.50).
    @inlinable public static var roleSwitchPending: Self { Self(rawValue: 0x32) }
    /// Reserved Slot Violation (Vol 1, Part F, 2.52).
    @inlinable public static var reservedSlotViolation: Self { Self(rawValue: 0x34) }
    /// Role Switch Failed (Vol 1, Part F, 2.53).
    @inlinable public static var roleSwitchFailed: Self { Self(rawValue: 0x35) }
    /// Extended Inquiry Response Too Large (Vol 1, Part F, 2.54).
    @inlinable public static var extendedInquiryResponseTooLarge: Self { Self(rawValue: 0x36) }
    /// Secure Simple Pairing Not Supported by Host (Vol 1, Part F, 2.55).
    @inlinable public static var simplePairingNotSupportedByHost: Self { Self(rawValue: 0x37) }
    /// Host Busy - Pairing (Vol 1, Part F, 2.56).
    @inlinable public static var hostBusyPairing: Self { Self(rawValue: 0x38) }
    /// Connection Rejected due to No Suitable Channel Found (Vol 1, Part F, 2.57).
    @inlinable public static var rejectedNoSuitableChannel: Self { Self(rawValue: 0x39) }
    /// Controller Busy (Vol 1, Part F, 2.58).
    @inlinable public static var controllerBusy: Self { Self(rawValue: 0x3A) }
    /// Unacceptable Connection Parameters (Vol 1, Part F, 2.59).
    @inlinable public static var unacceptableConnectionParameters: Self { Self(rawValue: 0x3B) }
    /// Advertising Timeout (Vol 1, Part F, 2.60).
    @inlinable public static var advertisingTimeout: Self { Self(rawValue: 0x3C) }
    /// Connection Terminated due to MIC Failure (Vol 1, Part F, 2.61).
    @inlinable public static var micFailure: Self { Self(rawValue: 0x3D) }
    /// Connection Failed to be Established / Synchronization Timeout (Vol 1, Part F, 2.62).
    @inlinable public static var failedToBeEstablished: Self { Self(rawValue: 0x3E) }
    /// MAC Connection Failed (Vol 1, Part F, 2.63).
    @inlinable public static var macConnectionFailed: Self { Self(rawValue: 0x3F) }
    /// Coarse Clock Adjustment Rejected but Will Try to Adjust Using Clock Dragging (Vol 1, Part F, 2.64).
    @inlinable public static var coarseClockAdjustmentRejected: Self { Self(rawValue: 0x40) }
    /// Type0 Submap Not Defined (Vol 1, Part F, 2.65).
    @inlinable public static var type0SubmapNotDefined: Self { Self(rawValue: 0x41) }
    /// Unknown Advertising Identifier (Vol 1, Part F, 2.66).
    @inlinable public static var unknownAdvertisingIdentifier: Self { Self(rawValue: 0x42) }
    /// Limit Reached (Vol 1, Part F, 2.67).
    @inlinable public static var limitReached: Self { Self(rawValue: 0x43) }
    /// Operation Cancelled by Host (Vol 1, Part F, 2.68).
    @inlinable public static var cancelledByHost: Self { Self(rawValue: 0x44) }
    /// Packet Too Long (Vol 1, Part F, 2.69).
    @inlinable public static var packetTooLong: Self { Self(rawValue: 0x45) }

    /// The names in order of the codes 0x00 to 0x45 (Vol 1, Part F, 1.3).
    private static let names: [String] = [
        "Success",
        "Unknown HCI Command",
        "Unknown Connection Identifier",
        "Hardware Failure",
        "Page Timeout",
        "Authentication Failure",
        "PIN or Key Missing",
        "Memory Capacity Exceeded",
        "Connection Timeout",
        "Connection Limit Exceeded",
        "Synchronous Connection Limit To A Device Exceeded",
        "Connection Already Exists",
        "Command Disallowed",
        "Connection Rejected due to Limited Resources",
        "Connection Rejected due to Security Reasons",
        "Connection Rejected due to Unacceptable BD_ADDR",
        "Connection Accept Timeout Exceeded",
        "Unsupported Feature or Parameter Value",
        "Invalid HCI Command Parameters",
        "Remote User Terminated Connection",
        "Remote Device Terminated Connection due to Low Resources",
        "Remote Device Terminated Connection due to Power Off",
        "Connection Terminated by Local Host",
        "Repeated Attempts",
        "Pairing Not Allowed",
        "Unknown LMP PDU",
        "Unsupported Remote Feature",
        "SCO Offset Rejected",
        "SCO Interval Rejected",
        "SCO Air Mode Rejected",
        "Invalid LMP Parameters / Invalid LL Parameters",
        "Unspecified Error",
        "Unsupported LMP Parameter Value / Unsupported LL Parameter Value",
        "Role Change Not Allowed",
        "LMP Response Timeout / LL Response Timeout",
        "LMP Error Transaction Collision / LL Procedure Collision",
        "LMP PDU Not Allowed",
        "Encryption Mode Not Acceptable",
        "Link Key cannot be Changed",
        "Requested QoS Not Supported",
        "Instant Passed",
        "Pairing with Unit Key Not Supported",
        "Different Transaction Collision",
        "Reserved for Future Use",
        "QoS Unacceptable Parameter",
        "QoS Rejected",
        "Channel Classification Not Supported",
        "Insufficient Security",
        "Parameter Out of Mandatory Range",
        "Reserved for Future Use",
        "Role Switch Pending",
        "Reserved for Future Use",
        "Reserved Slot Violation",
        "Role Switch Failed",
        "Extended Inquiry Response Too Large",
        "Secure Simple Pairing Not Supported by Host",
        "Host Busy - Pairing",
        "Connection Rejected due to No Suitable Channel Found",
        "Controller Busy",
        "Unacceptable Connection Parameters",
        "Advertising Timeout",
        "Connection Terminated due to MIC Failure",
        "Connection Failed to be Established / Synchronization Timeout",
        "MAC Connection Failed",
        "Coarse Clock Adjustment Rejected but Will Try to Adjust Using Clock Dragging",
        "Type0 Submap Not Defined",
        "Unknown Advertising Identifier",
        "Limit Reached",
        "Operation Cancelled by Host",
        "Packet Too Long",
    ]
}
