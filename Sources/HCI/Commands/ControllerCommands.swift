// Commands about the controller itself (Core Specification, Vol 4, Part E, 7.3 and 7.4).

/// Reset: the controller forgets everything (7.3.2).
@frozen
public struct ResetCommand: HCICommand {
    public static let opcode = CommandOpcode.reset

    public init() {}
}

/// Set Event Mask: which events the controller sends (7.3.1).
@frozen
public struct SetEventMaskCommand: HCICommand {
    public static let opcode = CommandOpcode.setEventMask

    /// One bit an event.
    public var mask: UInt64

    /// What an LE host needs: disconnection, encryption change and key refresh, remote version, hardware error, data
    /// buffer overflow, and LE Meta (bit 61).
    public static let leHost: UInt64 =
        1 << 4 | 1 << 7 | 1 << 11 | 1 << 15 | 1 << 25 | 1 << 47 | 1 << 61

    public init(mask: UInt64 = leHost) { self.mask = mask }

    public var parameterByteCount: Int { 8 }
    public func encodeParameters(into output: inout OutputRawSpan) { output.append(littleEndian: mask) }
}

/// Set Event Mask Page 2: which of the later events the controller sends (7.3.69).
@frozen
public struct SetEventMaskPage2Command: HCICommand {
    public static let opcode = CommandOpcode.setEventMaskPage2

    /// One bit an event.
    public var mask: UInt64

    /// Authenticated Payload Timeout Expired (bit 23) and Encryption Change [v2] (bit 25).
    public static let leHost: UInt64 = 1 << 23 | 1 << 25

    public init(mask: UInt64 = leHost) { self.mask = mask }

    public var parameterByteCount: Int { 8 }
    public func encodeParameters(into output: inout OutputRawSpan) { output.append(littleEndian: mask) }
}

/// Read Local Version Information (7.4.1).
@frozen
public struct ReadLocalVersionInformationCommand: HCICommand {
    public static let opcode = CommandOpcode.readLocalVersionInformation

    public init() {}

    /// Versions as numbers of the assigned numbers: 0x09 is 5.0, 0x0C is 5.3.
    @frozen
    public struct Answer: CommandAnswer, Hashable {
        public let status: StatusCode
        /// The version of the host controller interface.
        public let hciVersion: UInt8
        /// The maker's own revision of it.
        public let hciSubversion: UInt16
        /// The version of the link layer.
        public let lmpVersion: UInt8
        /// The company that made the controller.
        public let company: UInt16
        /// The maker's own revision of the link layer.
        public let lmpSubversion: UInt16

        public init(parsing returnParameters: RawSpan) throws(MalformedError) {
            var reader = try AnswerReader(returnParameters)
            status = reader.status
            hciVersion = try reader.uint8()
            hciSubversion = try reader.uint16()
            lmpVersion = try reader.uint8()
            company = try reader.uint16()
            lmpSubversion = try reader.uint16()
        }
    }
}

/// Read Local Supported Commands (7.4.2).
@frozen
public struct ReadLocalSupportedCommandsCommand: HCICommand {
    public static let opcode = CommandOpcode.readLocalSupportedCommands

    public init() {}

    /// 512 bits, one a command.
    public struct Answer: CommandAnswer, Hashable {
        public let status: StatusCode
        /// 64 octets.
        public let commands: [UInt8]

        public init(parsing returnParameters: RawSpan) throws(MalformedError) {
            var reader = try AnswerReader(returnParameters)
            status = reader.status
            commands = try reader.octets(64)
        }

        /// Whether the bit of a command is set.
        public func supports(octet: Int, bit: Int) -> Bool {
            commands.indices.contains(octet) && (0..<8).contains(bit) && commands[octet] >> UInt8(bit) & 1 == 1
        }
    }
}

/// Read Local Supported Features: the first page, of BR/EDR and LE (7.4.3).
@frozen
public struct ReadLocalSupportedFeaturesCommand: HCICommand {
    public static let opcode = CommandOpcode.readLocalSupportedFeatures

    public init() {}

    /// The LMP features (Vol 2, Part C, 3.3).
    @frozen
    public struct Answer: CommandAnswer, Hashable {
        public let status: StatusCode
        /// 64 bits.
        public let features: UInt64

        /// Whether BR/EDR is not supported (bit 37).
        public var isLEOnly: Bool { features >> 37 & 1 == 1 }
        /// Whether LE is supported (bit 38).
        public var supportsLE: Bool { features >> 38 & 1 == 1 }

        public init(parsing returnParameters: RawSpan) throws(MalformedError) {
            var reader = try AnswerReader(returnParameters)
            status = reader.status
            features = try reader.uint64()
        }
    }
}

/// Read Buffer Size: of BR/EDR, and of LE where the LE answer says 0 (7.4.5).
@frozen
public struct ReadBufferSizeCommand: HCICommand {
    public static let opcode = CommandOpcode.readBufferSize

    public init() {}

    /// How much the controller takes at once.
    @frozen
    public struct Answer: CommandAnswer, Hashable {
        public let status: StatusCode
        /// The most octets in the data of an ACL packet.
        public let aclLength: UInt16
        /// The most octets in the data of a synchronous packet.
        public let synchronousLength: UInt8
        /// How many ACL packets it holds.
        public let aclCount: UInt16
        /// How many synchronous packets it holds.
        public let synchronousCount: UInt16

        public init(parsing returnParameters: RawSpan) throws(MalformedError) {
            var reader = try AnswerReader(returnParameters)
            status = reader.status
            aclLength = try reader.uint16()
            synchronousLength = try reader.uint8()
            aclCount = try reader.uint16()
            synchronousCount = try reader.uint16()
        }
    }
}

/// Read BD_ADDR: the controller's public address (7.4.6).
@frozen
public struct ReadBDADDRCommand: HCICommand {
    public static let opcode = CommandOpcode.readBDADDR

    public init() {}

    /// The address; zeros when the controller has none.
    @frozen
    public struct Answer: CommandAnswer, Hashable {
        public let status: StatusCode
        /// The public address.
        public let address: DeviceAddress

        public init(parsing returnParameters: RawSpan) throws(MalformedError) {
            var reader = try AnswerReader(returnParameters)
            status = reader.status
            address = DeviceAddress(try reader.address(), type: .public)
        }
    }
}

/// LE Set Event Mask: which LE events the controller sends (7.8.1).
@frozen
public struct LESetEventMaskCommand: HCICommand {
    public static let opcode = CommandOpcode.leSetEventMask

    /// One bit a subevent: subevent code 1 is bit 0.
    public var mask: UInt64

    /// The subevents of which `LEEvent` has a type, but the version 2 of the enhanced connection complete.
    public static let host: UInt64 =
        0b111_1111 | 1 << 9 | 1 << 10 | 1 << 11 | 1 << 12 | 1 << 16

    public init(mask: UInt64 = host) { self.mask = mask }

    public var parameterByteCount: Int { 8 }
    public func encodeParameters(into output: inout OutputRawSpan) { output.append(littleEndian: mask) }
}

/// LE Read Buffer Size [v1] (7.8.2).
@frozen
public struct LEReadBufferSizeCommand: HCICommand {
    public static let opcode = CommandOpcode.leReadBufferSize

    public init() {}

    /// How much the controller takes at once for LE; all 0 when LE shares the buffers of Read Buffer Size.
    @frozen
    public struct Answer: CommandAnswer, Hashable {
        public let status: StatusCode
        /// The most octets in the data of an ACL packet.
        public let aclLength: UInt16
        /// How many ACL packets it holds.
        public let aclCount: UInt8

        public init(parsing returnParameters: RawSpan) throws(MalformedError) {
            var reader = try AnswerReader(returnParameters)
            status = reader.status
            aclLength = try reader.uint16()
            aclCount = try reader.uint8()
        }
    }
}

/// LE Read Local Supported Features (7.8.3).
@frozen
public struct LEReadLocalSupportedFeaturesCommand: HCICommand {
    public static let opcode = CommandOpcode.leReadLocalSupportedFeatures

    public init() {}

    /// What the controller can do.
    @frozen
    public struct Answer: CommandAnswer, Hashable {
        public let status: StatusCode
        /// The features.
        public let features: LEFeatures

        public init(parsing returnParameters: RawSpan) throws(MalformedError) {
            var reader = try AnswerReader(returnParameters)
            status = reader.status
            features = LEFeatures(rawValue: try reader.uint64())
        }
    }
}

/// LE Read Supported States: which roles may be taken at once (7.8.27).
@frozen
public struct LEReadSupportedStatesCommand: HCICommand {
    public static let opcode = CommandOpcode.leReadSupportedStates

    public init() {}

    /// One bit a combination of states.
    @frozen
    public struct Answer: CommandAnswer, Hashable {
        public let status: StatusCode
        /// 42 bits, numbered as in 7.8.27.
        public let states: UInt64

        public init(parsing returnParameters: RawSpan) throws(MalformedError) {
            var reader = try AnswerReader(returnParameters)
            status = reader.status
            states = try reader.uint64()
        }
    }
}

/// LE Set Random Address: the address we scan and connect with where a random one is asked for (7.8.4).
@frozen
public struct LESetRandomAddressCommand: HCICommand {
    public static let opcode = CommandOpcode.leSetRandomAddress

    /// The address.
    public var address: AddressOctets

    public init(address: AddressOctets) { self.address = address }

    public var parameterByteCount: Int { 6 }
    public func encodeParameters(into output: inout OutputRawSpan) { output.append(address) }
}
