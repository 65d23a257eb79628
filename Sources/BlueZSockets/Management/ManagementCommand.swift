public import GAP

/// A command of the management interface: what is sent, but for the adapter.
public struct ManagementCommand: Hashable, Sendable {
    /// Which command.
    public let opcode: ManagementOpcode
    /// Its parameters.
    public let parameters: [UInt8]

    /// A command of its parts.
    public init(_ opcode: ManagementOpcode, _ parameters: [UInt8] = []) {
        self.opcode = opcode
        self.parameters = parameters
    }

    /// The packet for one adapter.
    public func packet(adapter: UInt16) -> [UInt8] {
        var octets: [UInt8] = []
        octets.append(littleEndian: opcode.rawValue)
        octets.append(littleEndian: adapter)
        octets.append(littleEndian: UInt16(truncatingIfNeeded: parameters.count))
        return octets + parameters
    }

    /// Asks for the settings of the adapter, among other things: `ControllerInformation`.
    public static let readControllerInformation = Self(.readControllerInformation)

    /// Switches LE on or off; it can be while the adapter is on.
    public static func setLowEnergy(_ isOn: Bool) -> Self { Self(.setLowEnergy, [isOn ? 1 : 0]) }

    /// Has pairing exchange keys that are to be kept, or not.
    public static func setBondable(_ isOn: Bool) -> Self { Self(.setBondable, [isOn ? 1 : 0]) }

    /// Allows LE Secure Connections, or only LE legacy pairing.
    public static func setSecureConnections(_ isOn: Bool) -> Self { Self(.setSecureConnections, [isOn ? 1 : 0]) }

    /// What the adapter says of this side's keys and display in every pairing for which nothing else is said.
    public static func setIOCapability(_ capability: IOCapability) -> Self {
        Self(.setIOCapability, [capability.rawValue])
    }

    /// Pairs, on the connection that is there, or on one that the kernel makes. Answered when pairing has ended.
    public static func pairDevice(_ address: DeviceAddress, _ capability: IOCapability) -> Self {
        Self(.pairDevice, octets(address) + [capability.rawValue])
    }

    /// Ends a pairing that Pair Device began.
    public static func cancelPairDevice(_ address: DeviceAddress) -> Self { Self(.cancelPairDevice, octets(address)) }

    /// Takes the keys of a device out of the kernel.
    /// - Parameter disconnecting: whether to end a connection to it.
    public static func unpairDevice(_ address: DeviceAddress, disconnecting: Bool) -> Self {
        Self(.unpairDevice, octets(address) + [disconnecting ? 1 : 0])
    }

    /// Answers a User Confirmation Request.
    public static func confirm(_ address: DeviceAddress, _ isConfirmed: Bool) -> Self {
        Self(isConfirmed ? .userConfirmationReply : .userConfirmationNegativeReply, octets(address))
    }

    /// Answers a User Passkey Request, with `nil` for no passkey.
    public static func passkey(_ address: DeviceAddress, _ passkey: UInt32?) -> Self {
        guard let passkey else { return Self(.userPasskeyNegativeReply, octets(address)) }
        var parameters = octets(address)
        parameters.append(littleEndian: passkey)
        return Self(.userPasskeyReply, parameters)
    }

    /// Replaces all long-term keys that the kernel holds for the adapter. At most 1,820 keys fit into a command.
    public static func loadLongTermKeys(_ keys: [LongTermKey]) -> Self {
        var parameters: [UInt8] = []
        let keys = keys.prefix((Int(UInt16.max) - 2) / 36)
        parameters.append(littleEndian: UInt16(truncatingIfNeeded: keys.count))
        for key in keys { key.append(to: &parameters) }
        return Self(.loadLongTermKeys, parameters)
    }

    /// Replaces all identity resolving keys that the kernel holds for the adapter, and has later pairings ask devices for
    /// theirs. At most 2,849 keys fit into a command.
    public static func loadIdentityResolvingKeys(_ keys: [(address: DeviceAddress, key: IdentityResolvingKey)]) -> Self
    {
        var parameters: [UInt8] = []
        let keys = keys.prefix((Int(UInt16.max) - 2) / 23)
        parameters.append(littleEndian: UInt16(truncatingIfNeeded: keys.count))
        for (address, key) in keys {
            parameters.append(address)
            parameters.append(littleEndian: key.value)
        }
        return Self(.loadIdentityResolvingKeys, parameters)
    }

    private static func octets(_ address: DeviceAddress) -> [UInt8] {
        var octets: [UInt8] = []
        octets.append(address)
        return octets
    }
}

/// What one side can show and what can be entered there (Core Specification, Vol 3, Part H, 2.3.2), open to values that
/// are not assigned. From those of both sides follows how they pair.
public struct IOCapability: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    /// The capability of a number.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A passkey can be shown.
    public static let displayOnly = Self(rawValue: 0x00)
    /// A number can be shown, and said to be the same or not.
    public static let displayYesNo = Self(rawValue: 0x01)
    /// A passkey can be entered.
    public static let keyboardOnly = Self(rawValue: 0x02)
    /// Nothing: pairing is not protected against a man in the middle.
    public static let noInputNoOutput = Self(rawValue: 0x03)
    /// All of it.
    public static let keyboardDisplay = Self(rawValue: 0x04)
}

extension IOCapability: CustomStringConvertible {
    /// The specification's name.
    public var description: String {
        let names = ["DisplayOnly", "DisplayYesNo", "KeyboardOnly", "NoInputNoOutput", "KeyboardDisplay"]
        return Int(rawValue) < names.count ? names[Int(rawValue)] : "capability 0x\([rawValue].hexadecimal)"
    }
}
