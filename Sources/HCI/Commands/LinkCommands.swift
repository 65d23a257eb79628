// Commands about one connection (Core Specification, Vol 4, Part E, 7.1, 7.5 and 7.8).

/// Read RSSI (7.5.4).
@frozen
public struct ReadRSSICommand: HCICommand {
    public static let opcode = CommandOpcode.readRSSI

    /// The connection.
    public var handle: ConnectionHandle

    public init(handle: ConnectionHandle) { self.handle = handle }

    public var parameterByteCount: Int { 2 }
    public func encodeParameters(into output: inout OutputRawSpan) { output.append(littleEndian: handle.rawValue) }

    /// The signal strength.
    @frozen
    public struct Answer: CommandAnswer, Hashable {
        public let status: StatusCode
        /// The connection.
        public let handle: ConnectionHandle
        /// In dBm; `nil` when the controller does not know it.
        public let rssi: Int8?

        public init(parsing returnParameters: RawSpan) throws(MalformedError) {
            var reader = try AnswerReader(returnParameters)
            status = reader.status
            handle = ConnectionHandle(rawValue: try reader.uint16())
            let octet = try reader.uint8()
            rssi = octet == 127 || !status.isSuccess ? nil : Int8(bitPattern: octet)
        }
    }
}

/// Read Remote Version Information (7.1.23). Read Remote Version Information Complete follows.
@frozen
public struct ReadRemoteVersionInformationCommand: HCICommand {
    public static let opcode = CommandOpcode.readRemoteVersionInformation
    public static let isAnsweredByStatus = true

    /// The connection.
    public var handle: ConnectionHandle

    public init(handle: ConnectionHandle) { self.handle = handle }

    public var parameterByteCount: Int { 2 }
    public func encodeParameters(into output: inout OutputRawSpan) { output.append(littleEndian: handle.rawValue) }
}

/// LE Read Remote Features (7.8.21). LE Read Remote Features Complete follows.
@frozen
public struct LEReadRemoteFeaturesCommand: HCICommand {
    public static let opcode = CommandOpcode.leReadRemoteFeatures
    public static let isAnsweredByStatus = true

    /// The connection.
    public var handle: ConnectionHandle

    public init(handle: ConnectionHandle) { self.handle = handle }

    public var parameterByteCount: Int { 2 }
    public func encodeParameters(into output: inout OutputRawSpan) { output.append(littleEndian: handle.rawValue) }
}

/// LE Connection Update (7.8.18). LE Connection Update Complete follows.
@frozen
public struct LEConnectionUpdateCommand: HCICommand {
    public static let opcode = CommandOpcode.leConnectionUpdate
    public static let isAnsweredByStatus = true

    /// The connection.
    public var handle: ConnectionHandle
    /// What it may be like.
    public var parameters: ConnectionParameterRange

    public init(handle: ConnectionHandle, parameters: ConnectionParameterRange) {
        self.handle = handle
        self.parameters = parameters
    }

    public var parameterByteCount: Int { 14 }
    public func encodeParameters(into output: inout OutputRawSpan) {
        output.append(littleEndian: handle.rawValue)
        parameters.encode(into: &output)
    }
}

/// LE Remote Connection Parameter Request Reply: yes (7.8.31).
@frozen
public struct LERemoteConnectionParameterRequestReplyCommand: HCICommand {
    public typealias Answer = HandleAnswer
    public static let opcode = CommandOpcode.leRemoteConnectionParameterRequestReply

    /// The connection.
    public var handle: ConnectionHandle
    /// What it may be like.
    public var parameters: ConnectionParameterRange

    public init(handle: ConnectionHandle, parameters: ConnectionParameterRange) {
        self.handle = handle
        self.parameters = parameters
    }

    public var parameterByteCount: Int { 14 }
    public func encodeParameters(into output: inout OutputRawSpan) {
        output.append(littleEndian: handle.rawValue)
        parameters.encode(into: &output)
    }
}

/// LE Remote Connection Parameter Request Negative Reply: no (7.8.32).
@frozen
public struct LERemoteConnectionParameterRequestNegativeReplyCommand: HCICommand {
    public typealias Answer = HandleAnswer
    public static let opcode = CommandOpcode.leRemoteConnectionParameterRequestNegativeReply

    /// The connection.
    public var handle: ConnectionHandle
    /// Why not.
    public var reason: StatusCode

    public init(handle: ConnectionHandle, reason: StatusCode = .unacceptableConnectionParameters) {
        self.handle = handle
        self.reason = reason
    }

    public var parameterByteCount: Int { 3 }
    public func encodeParameters(into output: inout OutputRawSpan) {
        output.append(littleEndian: handle.rawValue)
        output.append(reason.rawValue)
    }
}

/// LE Set Data Length (7.8.33). LE Data Length Change follows when something changes.
@frozen
public struct LESetDataLengthCommand: HCICommand {
    public typealias Answer = HandleAnswer
    public static let opcode = CommandOpcode.leSetDataLength

    /// The connection.
    public var handle: ConnectionHandle
    /// The most octets in a link layer packet to the peer, 27–251.
    public var txOctets: UInt16
    /// The longest time such a packet takes, in microseconds, 328–17040.
    public var txTime: UInt16

    public init(handle: ConnectionHandle, txOctets: UInt16 = 251, txTime: UInt16 = 2120) {
        self.handle = handle
        self.txOctets = txOctets
        self.txTime = txTime
    }

    public var parameterByteCount: Int { 6 }
    public func encodeParameters(into output: inout OutputRawSpan) {
        output.append(littleEndian: handle.rawValue)
        output.append(littleEndian: txOctets)
        output.append(littleEndian: txTime)
    }
}

/// LE Read PHY (7.8.47).
@frozen
public struct LEReadPHYCommand: HCICommand {
    public static let opcode = CommandOpcode.leReadPHY

    /// The connection.
    public var handle: ConnectionHandle

    public init(handle: ConnectionHandle) { self.handle = handle }

    public var parameterByteCount: Int { 2 }
    public func encodeParameters(into output: inout OutputRawSpan) { output.append(littleEndian: handle.rawValue) }

    /// The PHYs of the connection.
    @frozen
    public struct Answer: CommandAnswer, Hashable {
        public let status: StatusCode
        /// The connection.
        public let handle: ConnectionHandle
        /// The PHY to the peer.
        public let txPHY: PHY
        /// The PHY from the peer.
        public let rxPHY: PHY

        public init(parsing returnParameters: RawSpan) throws(MalformedError) {
            var reader = try AnswerReader(returnParameters)
            status = reader.status
            handle = ConnectionHandle(rawValue: try reader.uint16())
            txPHY = PHY(rawValue: try reader.uint8())
            rxPHY = PHY(rawValue: try reader.uint8())
        }
    }
}

/// A choice of PHYs, as bits (7.8.48).
@frozen
public struct PHYSet: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// LE 1M.
    public static let le1M = PHYSet(rawValue: 0x01)
    /// LE 2M.
    public static let le2M = PHYSet(rawValue: 0x02)
    /// LE Coded.
    public static let leCoded = PHYSet(rawValue: 0x04)
}

/// LE Set PHY (7.8.49). LE PHY Update Complete follows.
@frozen
public struct LESetPHYCommand: HCICommand {
    public static let opcode = CommandOpcode.leSetPHY
    public static let isAnsweredByStatus = true

    /// The connection.
    public var handle: ConnectionHandle
    /// What we like to send on; empty for no preference.
    public var tx: PHYSet
    /// What we like to receive on; empty for no preference.
    public var rx: PHYSet
    /// The preferred coding of LE Coded: 0 none, 1 S=2, 2 S=8.
    public var codedOptions: UInt16

    public init(handle: ConnectionHandle, tx: PHYSet, rx: PHYSet, codedOptions: UInt16 = 0) {
        self.handle = handle
        self.tx = tx
        self.rx = rx
        self.codedOptions = codedOptions
    }

    public var parameterByteCount: Int { 7 }
    public func encodeParameters(into output: inout OutputRawSpan) {
        output.append(littleEndian: handle.rawValue)
        // ALL_PHYS: a set bit says "no preference".
        output.append((tx.isEmpty ? 0b01 : 0) | (rx.isEmpty ? 0b10 : 0))
        output.append(tx.rawValue)
        output.append(rx.rawValue)
        output.append(littleEndian: codedOptions)
    }
}

/// LE Enable Encryption (7.8.24), also called LE Start Encryption. Encryption Change follows.
@frozen
public struct LEEnableEncryptionCommand: HCICommand {
    public static let opcode = CommandOpcode.leEnableEncryption
    public static let isAnsweredByStatus = true

    /// The connection.
    public var handle: ConnectionHandle
    /// Which key, in LE legacy pairing; 0 in LE Secure Connections.
    public var randomNumber: UInt64
    /// Which key, in LE legacy pairing; 0 in LE Secure Connections.
    public var encryptedDiversifier: UInt16
    /// The most significant half of the long term key.
    public var longTermKeyHigh: UInt64
    /// The least significant half of the long term key.
    public var longTermKeyLow: UInt64

    public init(
        handle: ConnectionHandle, randomNumber: UInt64 = 0, encryptedDiversifier: UInt16 = 0, longTermKeyHigh: UInt64,
        longTermKeyLow: UInt64
    ) {
        self.handle = handle
        self.randomNumber = randomNumber
        self.encryptedDiversifier = encryptedDiversifier
        self.longTermKeyHigh = longTermKeyHigh
        self.longTermKeyLow = longTermKeyLow
    }

    public var parameterByteCount: Int { 28 }
    public func encodeParameters(into output: inout OutputRawSpan) {
        output.append(littleEndian: handle.rawValue)
        output.append(littleEndian: randomNumber)
        output.append(littleEndian: encryptedDiversifier)
        output.append(littleEndian: longTermKeyLow)
        output.append(littleEndian: longTermKeyHigh)
    }
}

/// LE Long Term Key Request Negative Reply: there is no such key (7.8.26).
@frozen
public struct LELongTermKeyRequestNegativeReplyCommand: HCICommand {
    public typealias Answer = HandleAnswer
    public static let opcode = CommandOpcode.leLongTermKeyRequestNegativeReply

    /// The connection.
    public var handle: ConnectionHandle

    public init(handle: ConnectionHandle) { self.handle = handle }

    public var parameterByteCount: Int { 2 }
    public func encodeParameters(into output: inout OutputRawSpan) { output.append(littleEndian: handle.rawValue) }
}
