// Making and ending connections (Core Specification, Vol 4, Part E, 7.1 and 7.8).

/// What the parameters of a connection may be.
@frozen
public struct ConnectionParameterRange: Hashable, Sendable {
    /// The smallest interval, in units of 1.25 ms, 0x0006–0x0C80.
    public var intervalMinimum: UInt16
    /// The largest interval, in units of 1.25 ms, 0x0006–0x0C80.
    public var intervalMaximum: UInt16
    /// How many events the peripheral may skip, 0x0000–0x01F3.
    public var latency: UInt16
    /// The supervision timeout in units of 10 ms, 0x000A–0x0C80, longer than (1 + latency) × interval × 2.
    public var supervisionTimeout: UInt16
    /// The least length of a connection event, in units of 0.625 ms; a hint.
    public var eventLengthMinimum: UInt16
    /// The greatest length of a connection event, in units of 0.625 ms; a hint.
    public var eventLengthMaximum: UInt16

    public init(
        intervalMinimum: UInt16 = 0x0018, intervalMaximum: UInt16 = 0x0028, latency: UInt16 = 0,
        supervisionTimeout: UInt16 = 0x01F4, eventLengthMinimum: UInt16 = 0, eventLengthMaximum: UInt16 = 0
    ) {
        self.intervalMinimum = intervalMinimum
        self.intervalMaximum = intervalMaximum
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
        self.eventLengthMinimum = eventLengthMinimum
        self.eventLengthMaximum = eventLengthMaximum
    }

    func encode(into output: inout OutputRawSpan) {
        output.append(littleEndian: intervalMinimum)
        output.append(littleEndian: intervalMaximum)
        output.append(littleEndian: latency)
        output.append(littleEndian: supervisionTimeout)
        output.append(littleEndian: eventLengthMinimum)
        output.append(littleEndian: eventLengthMaximum)
    }
}

/// LE Create Connection (7.8.12). LE Connection Complete follows; after a failing Command Status none does.
@frozen
public struct LECreateConnectionCommand: HCICommand {
    public static let opcode = CommandOpcode.leCreateConnection
    public static let isAnsweredByStatus = true

    /// From the start of one scan window to the next, in units of 0.625 ms, 0x0004–0x4000.
    public var scanInterval: UInt16
    /// How long each scan lasts, in units of 0.625 ms, 0x0004–0x4000, at most the interval.
    public var scanWindow: UInt16
    /// The device to connect to; `nil` for any in the filter accept list.
    public var peer: DeviceAddress?
    /// Which address we have.
    public var ownAddressType: OwnAddressType
    /// What the connection may be like.
    public var parameters: ConnectionParameterRange

    public init(
        peer: DeviceAddress?, scanInterval: UInt16 = 0x0060, scanWindow: UInt16 = 0x0060,
        ownAddressType: OwnAddressType = .public, parameters: ConnectionParameterRange = .init()
    ) {
        self.peer = peer
        self.scanInterval = scanInterval
        self.scanWindow = scanWindow
        self.ownAddressType = ownAddressType
        self.parameters = parameters
    }

    public var parameterByteCount: Int { 25 }
    public func encodeParameters(into output: inout OutputRawSpan) {
        output.append(littleEndian: scanInterval)
        output.append(littleEndian: scanWindow)
        output.append(flag: peer == nil)
        output.append(peer?.type.rawValue ?? 0)
        output.append(peer?.octets ?? AddressOctets(value: 0))
        output.append(ownAddressType.rawValue)
        parameters.encode(into: &output)
    }
}

/// LE Extended Create Connection [v1] (7.8.66). LE Enhanced Connection Complete follows.
@frozen
public struct LEExtendedCreateConnectionCommand: HCICommand {
    public static let opcode = CommandOpcode.leExtendedCreateConnection
    public static let isAnsweredByStatus = true

    /// How one PHY is used to connect.
    @frozen
    public struct Initiation: Hashable, Sendable {
        /// From the start of one scan window to the next, in units of 0.625 ms, from 0x0004. Not used for LE 2M.
        public var scanInterval: UInt16
        /// How long each scan lasts, in units of 0.625 ms, from 0x0004, at most the interval. Not used for LE 2M.
        public var scanWindow: UInt16
        /// What the connection may be like.
        public var parameters: ConnectionParameterRange

        public init(
            scanInterval: UInt16 = 0x0060, scanWindow: UInt16 = 0x0060, parameters: ConnectionParameterRange = .init()
        ) {
            self.scanInterval = scanInterval
            self.scanWindow = scanWindow
            self.parameters = parameters
        }
    }

    /// The device to connect to; `nil` for any in the filter accept list.
    public var peer: DeviceAddress?
    /// Which address we have.
    public var ownAddressType: OwnAddressType
    /// How LE 1M is used; `nil` not at all. At least one of LE 1M and LE Coded must be used.
    public var le1M: Initiation?
    /// How LE 2M is used; `nil` not at all.
    public var le2M: Initiation?
    /// How LE Coded is used; `nil` not at all.
    public var leCoded: Initiation?

    public init(
        peer: DeviceAddress?, ownAddressType: OwnAddressType = .public, le1M: Initiation? = .init(),
        le2M: Initiation? = nil, leCoded: Initiation? = nil
    ) {
        self.peer = peer
        self.ownAddressType = ownAddressType
        self.le1M = le1M
        self.le2M = le2M
        self.leCoded = leCoded
    }

    public var parameterByteCount: Int { 10 + 16 * [le1M, le2M, leCoded].count { $0 != nil } }
    public func encodeParameters(into output: inout OutputRawSpan) {
        output.append(flag: peer == nil)
        output.append(ownAddressType.rawValue)
        output.append(peer?.type.rawValue ?? 0)
        output.append(peer?.octets ?? AddressOctets(value: 0))
        output.append((le1M == nil ? 0 : 0b001) | (le2M == nil ? 0 : 0b010) | (leCoded == nil ? 0 : 0b100))
        for initiation in [le1M, le2M, leCoded] {
            guard let initiation else { continue }
            output.append(littleEndian: initiation.scanInterval)
            output.append(littleEndian: initiation.scanWindow)
            initiation.parameters.encode(into: &output)
        }
    }
}

/// LE Create Connection Cancel: of either create command (7.8.13). LE Connection Complete follows with status 0x02.
@frozen
public struct LECreateConnectionCancelCommand: HCICommand {
    public static let opcode = CommandOpcode.leCreateConnectionCancel

    public init() {}
}

/// Disconnect (7.1.6). Disconnection Complete follows.
@frozen
public struct DisconnectCommand: HCICommand {
    public static let opcode = CommandOpcode.disconnect
    public static let isAnsweredByStatus = true

    /// The connection.
    public var handle: ConnectionHandle
    /// What the peer is told: `remoteUserTerminated` or one of the few others that 7.1.6 allows.
    public var reason: StatusCode

    public init(handle: ConnectionHandle, reason: StatusCode = .remoteUserTerminated) {
        self.handle = handle
        self.reason = reason
    }

    public var parameterByteCount: Int { 3 }
    public func encodeParameters(into output: inout OutputRawSpan) {
        output.append(littleEndian: handle.rawValue)
        output.append(reason.rawValue)
    }
}

/// LE Clear Filter Accept List (7.8.15).
@frozen
public struct LEClearFilterAcceptListCommand: HCICommand {
    public static let opcode = CommandOpcode.leClearFilterAcceptList

    public init() {}
}

/// LE Add Device To Filter Accept List (7.8.16).
@frozen
public struct LEAddDeviceToFilterAcceptListCommand: HCICommand {
    public static let opcode = CommandOpcode.leAddDeviceToFilterAcceptList

    /// The device.
    public var address: DeviceAddress

    public init(address: DeviceAddress) { self.address = address }

    public var parameterByteCount: Int { 7 }
    public func encodeParameters(into output: inout OutputRawSpan) {
        output.append(address.type.rawValue)
        output.append(address.octets)
    }
}
