public import GAP

/// What the kernel says on a management socket, as far as pairing needs it.
public enum ManagementEvent: Hashable, Sendable {
    /// A command was answered; a Command Status event has no parameters.
    case answer(ManagementOpcode, ManagementStatus, parameters: [UInt8])
    /// The adapter is gone.
    case indexRemoved
    /// The settings of the adapter changed.
    case newSettings(ManagementSettings)
    /// Pairing made a key. `isToBeKept` is whether both sides want to be bonded.
    case newLongTermKey(LongTermKey, isToBeKept: Bool)
    /// Pairing told the device's identity resolving key; `privateAddress` is the one under which it was connected, if any.
    case newIdentityResolvingKey(
        IdentityResolvingKey, of: DeviceAddress, privateAddress: AddressOctets?, isToBeKept: Bool)
    /// A connection came about.
    case deviceConnected(DeviceAddress)
    /// A connection ended.
    case deviceDisconnected(DeviceAddress, ManagementDisconnectReason)
    /// A person is to say yes or no: to pairing at all when `isJustWorks`, or to the number being the same on both sides.
    case userConfirmationRequest(DeviceAddress, number: UInt32, isJustWorks: Bool)
    /// A person is to enter what the device shows.
    case userPasskeyRequest(DeviceAddress)
    /// A person is to enter this passkey on the device, which has told that so many digits were entered.
    case passkeyNotify(DeviceAddress, passkey: UInt32, enteredDigits: UInt8)
    /// Pairing or encryption failed.
    case authenticationFailed(DeviceAddress, ManagementStatus)
    /// Another program took the keys of a device away.
    case deviceUnpaired(DeviceAddress)
    /// Something else.
    case other(ManagementEventCode)

    /// The device that it is about, where it is about one.
    public var device: DeviceAddress? {
        switch self {
        case .newLongTermKey(let key, _): key.address
        case .newIdentityResolvingKey(_, let address, _, _), .deviceConnected(let address),
            .deviceDisconnected(let address, _), .userConfirmationRequest(let address, _, _),
            .userPasskeyRequest(let address), .passkeyNotify(let address, _, _),
            .authenticationFailed(let address, _), .deviceUnpaired(let address):
            address
        case .answer, .indexRemoved, .newSettings, .other: nil
        }
    }
}

/// One packet that the kernel sent on a management socket.
public struct ManagementPacket: Hashable, Sendable {
    /// The adapter's number; 0xFFFF when it is about none.
    public let adapter: UInt16
    /// What it says.
    public let event: ManagementEvent

    /// Reads a packet. Octets after the parameters that are known here are left to later kernels.
    /// - Throws: what does not fit; events about BR/EDR devices are `other`.
    public init(parsing packet: RawSpan) throws(MalformedError) {
        var reader = OctetReader(packet)
        let code = ManagementEventCode(rawValue: try reader.uint16())
        adapter = try reader.uint16()
        let length = try reader.uint16()
        var parameters = OctetReader(try reader.octets(Int(length)))
        do throws(MalformedError) {
            event = try Self.event(code, &parameters)
        } catch  where error.kind == .invalidValue {
            event = .other(code)
        }
    }

    private static func event(
        _ code: ManagementEventCode, _ reader: inout OctetReader
    ) throws(MalformedError) -> ManagementEvent {
        switch code {
        case .commandComplete, .commandStatus:
            let opcode = ManagementOpcode(rawValue: try reader.uint16())
            let status = ManagementStatus(rawValue: try reader.uint8())
            return .answer(opcode, status, parameters: [UInt8](octets: reader.rest()))
        case .indexRemoved: return .indexRemoved
        case .newSettings: return .newSettings(ManagementSettings(rawValue: try reader.uint32()))
        case .newLongTermKey:
            let isToBeKept = try reader.uint8() != 0
            return .newLongTermKey(try LongTermKey(&reader), isToBeKept: isToBeKept)
        case .newIdentityResolvingKey:
            let isToBeKept = try reader.uint8() != 0
            let privateAddress = try reader.addressOctets()
            let address = try reader.managementAddress()
            return .newIdentityResolvingKey(
                IdentityResolvingKey(value: try reader.uint128()), of: address,
                privateAddress: privateAddress.value == 0 ? nil : privateAddress, isToBeKept: isToBeKept)
        case .deviceConnected: return .deviceConnected(try reader.managementAddress())
        case .deviceDisconnected:
            let address = try reader.managementAddress()
            return .deviceDisconnected(address, ManagementDisconnectReason(rawValue: try reader.uint8()))
        case .userConfirmationRequest:
            let address = try reader.managementAddress()
            let isJustWorks = try reader.uint8() != 0
            return .userConfirmationRequest(address, number: try reader.uint32(), isJustWorks: isJustWorks)
        case .userPasskeyRequest: return .userPasskeyRequest(try reader.managementAddress())
        case .passkeyNotify:
            let address = try reader.managementAddress()
            let passkey = try reader.uint32()
            return .passkeyNotify(address, passkey: passkey, enteredDigits: try reader.uint8())
        case .authenticationFailed:
            let address = try reader.managementAddress()
            return .authenticationFailed(address, ManagementStatus(rawValue: try reader.uint8()))
        case .deviceUnpaired: return .deviceUnpaired(try reader.managementAddress())
        default: return .other(code)
        }
    }
}

/// What Read Controller Information answers, as far as pairing needs it.
public struct ControllerInformation: Hashable, Sendable {
    /// The adapter's public address; zeros when it has none.
    public let addressOctets: AddressOctets
    /// What the adapter can be set to.
    public let supportedSettings: ManagementSettings
    /// What it is set to.
    public let currentSettings: ManagementSettings

    /// Reads the return parameters.
    /// - Throws: `truncated` when there are too few.
    public init(parsing parameters: RawSpan) throws(MalformedError) {
        var reader = OctetReader(parameters)
        addressOctets = try reader.addressOctets()
        // The version of the specification, and the manufacturer.
        _ = try reader.uint24()
        supportedSettings = ManagementSettings(rawValue: try reader.uint32())
        currentSettings = ManagementSettings(rawValue: try reader.uint32())
    }
}
