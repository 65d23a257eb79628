// The management interface of the kernel (BlueZ, doc/mgmt-api.txt): commands and events as packets on an HCI socket of the
// control channel.
//
//     ┌───────────────┬───────────────┬───────────────┬─────────────────────┐
//     │ code, 16 bits │ index, 16 bits│ length, 16 b. │ parameters          │      all little-endian
//     └───────────────┴───────────────┴───────────────┴─────────────────────┘
//
// The index is the adapter's number. Every command is answered, by Command Complete or Command Status; an answer goes to
// the socket that sent the command, every other event to all sockets of processes with CAP_NET_ADMIN. Whoever listens is
// an agent: when pairing needs a person, the kernel tells all of them and takes the first reply.
//
// The files of this folder but the last are the codec: no I/O.

internal import GAP

/// Which command of the management interface, open to those this module does not send.
public struct ManagementOpcode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16

    /// The command of a number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Read Controller Information.
    public static let readControllerInformation = Self(rawValue: 0x0004)
    /// Set Bondable.
    public static let setBondable = Self(rawValue: 0x0009)
    /// Set Low Energy.
    public static let setLowEnergy = Self(rawValue: 0x000D)
    /// Load Long Term Keys.
    public static let loadLongTermKeys = Self(rawValue: 0x0013)
    /// Set IO Capability.
    public static let setIOCapability = Self(rawValue: 0x0018)
    /// Pair Device.
    public static let pairDevice = Self(rawValue: 0x0019)
    /// Cancel Pair Device.
    public static let cancelPairDevice = Self(rawValue: 0x001A)
    /// Unpair Device.
    public static let unpairDevice = Self(rawValue: 0x001B)
    /// User Confirmation Reply.
    public static let userConfirmationReply = Self(rawValue: 0x001C)
    /// User Confirmation Negative Reply.
    public static let userConfirmationNegativeReply = Self(rawValue: 0x001D)
    /// User Passkey Reply.
    public static let userPasskeyReply = Self(rawValue: 0x001E)
    /// User Passkey Negative Reply.
    public static let userPasskeyNegativeReply = Self(rawValue: 0x001F)
    /// Set Secure Connections.
    public static let setSecureConnections = Self(rawValue: 0x002D)
    /// Load Identity Resolving Keys.
    public static let loadIdentityResolvingKeys = Self(rawValue: 0x0030)

    private static let names: [UInt16: String] = [
        0x0004: "Read Controller Information", 0x0009: "Set Bondable", 0x000D: "Set Low Energy",
        0x0013: "Load Long Term Keys", 0x0018: "Set IO Capability", 0x0019: "Pair Device", 0x001A: "Cancel Pair Device",
        0x001B: "Unpair Device", 0x001C: "User Confirmation Reply", 0x001D: "User Confirmation Negative Reply",
        0x001E: "User Passkey Reply", 0x001F: "User Passkey Negative Reply", 0x002D: "Set Secure Connections",
        0x0030: "Load Identity Resolving Keys",
    ]
}

extension ManagementOpcode: CustomStringConvertible {
    /// The name, or the number of a command this module does not send.
    public var description: String { Self.names[rawValue] ?? "management command 0x\(hexadecimal(rawValue))" }
}

/// Which event of the management interface, open to those of later kernels.
public struct ManagementEventCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16

    /// The event of a number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Command Complete: a command was done, or failed.
    public static let commandComplete = Self(rawValue: 0x0001)
    /// Command Status: a command failed, or has begun.
    public static let commandStatus = Self(rawValue: 0x0002)
    /// Index Removed: the adapter is gone.
    public static let indexRemoved = Self(rawValue: 0x0005)
    /// New Settings.
    public static let newSettings = Self(rawValue: 0x0006)
    /// New Long Term Key.
    public static let newLongTermKey = Self(rawValue: 0x000A)
    /// Device Connected.
    public static let deviceConnected = Self(rawValue: 0x000B)
    /// Device Disconnected.
    public static let deviceDisconnected = Self(rawValue: 0x000C)
    /// User Confirmation Request.
    public static let userConfirmationRequest = Self(rawValue: 0x000F)
    /// User Passkey Request.
    public static let userPasskeyRequest = Self(rawValue: 0x0010)
    /// Authentication Failed.
    public static let authenticationFailed = Self(rawValue: 0x0011)
    /// Device Unpaired.
    public static let deviceUnpaired = Self(rawValue: 0x0016)
    /// Passkey Notify.
    public static let passkeyNotify = Self(rawValue: 0x0017)
    /// New Identity Resolving Key.
    public static let newIdentityResolvingKey = Self(rawValue: 0x0018)
}

/// How a management command ended, or a pairing, open to statuses of later kernels.
public struct ManagementStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    /// The status of a number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It succeeded.
    public static let success = Self(rawValue: 0x00)
    /// The kernel does not know the command.
    public static let unknownCommand = Self(rawValue: 0x01)
    /// There is no such connection.
    public static let notConnected = Self(rawValue: 0x02)
    /// It failed, for a reason that has no status.
    public static let failed = Self(rawValue: 0x03)
    /// No connection came about.
    public static let connectFailed = Self(rawValue: 0x04)
    /// Pairing or encryption failed.
    public static let authenticationFailed = Self(rawValue: 0x05)
    /// There is no key to take away.
    public static let notPaired = Self(rawValue: 0x06)
    /// Short of memory or the like.
    public static let noResources = Self(rawValue: 0x07)
    /// It took too long.
    public static let timeout = Self(rawValue: 0x08)
    /// There is such a connection already.
    public static let alreadyConnected = Self(rawValue: 0x09)
    /// Another command of this sort goes on.
    public static let busy = Self(rawValue: 0x0A)
    /// Refused, by the device or for a setting of the adapter.
    public static let rejected = Self(rawValue: 0x0B)
    /// The adapter or the kernel cannot do it.
    public static let notSupported = Self(rawValue: 0x0C)
    /// A parameter has a value that is not allowed.
    public static let invalidParameters = Self(rawValue: 0x0D)
    /// The connection ended meanwhile.
    public static let disconnected = Self(rawValue: 0x0E)
    /// The adapter is switched off.
    public static let notPowered = Self(rawValue: 0x0F)
    /// It was cancelled.
    public static let cancelled = Self(rawValue: 0x10)
    /// There is no such adapter.
    public static let invalidIndex = Self(rawValue: 0x11)
    /// The adapter is blocked by rfkill.
    public static let radioKilled = Self(rawValue: 0x12)
    /// The kernel holds keys of this device.
    public static let alreadyPaired = Self(rawValue: 0x13)
    /// The process lacks CAP_NET_ADMIN.
    public static let permissionDenied = Self(rawValue: 0x14)

    /// Whether it says that all went well.
    public var isSuccess: Bool { rawValue == 0 }

    /// The name in the interface's description; `Status 0x42` where there is none.
    public var name: String {
        Int(rawValue) < Self.names.count ? Self.names[Int(rawValue)] : "Status 0x\([rawValue].hexadecimal)"
    }

    private static let names = [
        "Success", "Unknown Command", "Not Connected", "Failed", "Connect Failed", "Authentication Failed",
        "Not Paired",
        "No Resources", "Timeout", "Already Connected", "Busy", "Rejected", "Not Supported", "Invalid Parameters",
        "Disconnected", "Not Powered", "Cancelled", "Invalid Index", "RFKilled", "Already Paired", "Permission Denied",
    ]
}

extension ManagementStatus: CustomStringConvertible {
    /// Name and number: `Already Paired (0x13)`.
    public var description: String { "\(name) (0x\([rawValue].hexadecimal))" }
}

/// Why a connection ended, as Device Disconnected tells it: coarser than the controller's reason.
public struct ManagementDisconnectReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    /// The reason of a number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Some other reason.
    public static let unspecified = Self(rawValue: 0x00)
    /// The device was not heard any more.
    public static let timeout = Self(rawValue: 0x01)
    /// This side ended it.
    public static let localHost = Self(rawValue: 0x02)
    /// The device ended it.
    public static let remote = Self(rawValue: 0x03)
    /// The kernel ended it, because encryption with a key that it holds failed.
    public static let authenticationFailure = Self(rawValue: 0x04)
    /// The machine goes to sleep.
    public static let suspend = Self(rawValue: 0x05)
}

/// The settings of an adapter that this module looks at, as bits of the management interface's 32.
public struct ManagementSettings: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    /// Settings of their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Switched on.
    public static let powered = Self(rawValue: 1 << 0)
    /// Pairing exchanges keys that are to be kept.
    public static let bondable = Self(rawValue: 1 << 4)
    /// BR/EDR is switched on.
    public static let classic = Self(rawValue: 1 << 7)
    /// LE is switched on.
    public static let lowEnergy = Self(rawValue: 1 << 9)
    /// Pairing by LE Secure Connections is switched on.
    public static let secureConnections = Self(rawValue: 1 << 11)
}

func hexadecimal(_ value: UInt16) -> String {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)].hexadecimal
}
