/// A connection was made, or could not be (Core Specification, Vol 4, Part E, 7.7.65.1 and 7.7.65.10).
@frozen
public struct LEConnectionComplete: Hashable, Sendable {
    /// Which event it came as.
    @frozen
    public enum Version: Sendable {
        /// LE Connection Complete.
        case legacy
        /// LE Enhanced Connection Complete, version 1: with resolvable private addresses.
        case enhanced
        /// LE Enhanced Connection Complete, version 2: with advertising and sync handle.
        case enhancedV2
    }

    /// Success when there is a connection; the other fields mean nothing otherwise.
    public let status: StatusCode
    /// The connection.
    public let handle: ConnectionHandle
    /// Whether this host is the central (0x00) or the peripheral (0x01).
    public let role: UInt8
    /// The peer's address type as coded by HCI.
    public let peerAddressTypeCode: UInt8
    /// The peer's six octets.
    public let peerAddressOctets: AddressOctets
    /// Our resolvable private address that was used; `nil` when none was.
    public let localResolvablePrivateAddress: AddressOctets?
    /// The peer's resolvable private address that was resolved; `nil` when none was.
    public let peerResolvablePrivateAddress: AddressOctets?
    /// The connection interval in units of 1.25 ms.
    public let interval: UInt16
    /// How many events the peripheral may skip.
    public let latency: UInt16
    /// The supervision timeout in units of 10 ms.
    public let supervisionTimeout: UInt16
    /// The clock accuracy of the central as coded by HCI.
    public let centralClockAccuracy: UInt8
    /// The advertising set that was connected to, for a peripheral; `nil` when the event does not say.
    public let advertisingHandle: UInt8?
    /// The periodic advertising train the connection came from; `nil` when the event does not say.
    public let syncHandle: UInt16?

    /// The peer's address; `nil` when its type is unknown.
    @inlinable
    public var peerAddress: DeviceAddress? { DeviceAddress(peerAddressOctets, typeCode: peerAddressTypeCode) }

    /// Whether this host is the central.
    @inlinable
    public var isCentral: Bool { role == 0 }

    init(reading reader: inout OctetReader, version: Version) throws(MalformedError) {
        status = StatusCode(rawValue: try reader.uint8())
        handle = ConnectionHandle(rawValue: try reader.uint16())
        role = try reader.uint8()
        peerAddressTypeCode = try reader.uint8()
        peerAddressOctets = try reader.addressOctets()
        if version == .legacy {
            localResolvablePrivateAddress = nil
            peerResolvablePrivateAddress = nil
        } else {
            let local = try reader.addressOctets()
            let peer = try reader.addressOctets()
            localResolvablePrivateAddress = local.value == 0 ? nil : local
            peerResolvablePrivateAddress = peer.value == 0 ? nil : peer
        }
        interval = try reader.uint16()
        latency = try reader.uint16()
        supervisionTimeout = try reader.uint16()
        centralClockAccuracy = try reader.uint8()
        advertisingHandle = version == .enhancedV2 ? try reader.uint8() : nil
        syncHandle = version == .enhancedV2 ? try reader.uint16() : nil
    }
}

/// A connection's parameters were changed, or could not be (Core Specification, Vol 4, Part E, 7.7.65.3).
@frozen
public struct LEConnectionUpdateComplete: Hashable, Sendable {
    /// Whether the rest holds.
    public let status: StatusCode
    /// The connection.
    public let handle: ConnectionHandle
    /// The connection interval in units of 1.25 ms.
    public let interval: UInt16
    /// How many events the peripheral may skip.
    public let latency: UInt16
    /// The supervision timeout in units of 10 ms.
    public let supervisionTimeout: UInt16

    init(reading reader: inout OctetReader) throws(MalformedError) {
        status = StatusCode(rawValue: try reader.uint8())
        handle = ConnectionHandle(rawValue: try reader.uint16())
        interval = try reader.uint16()
        latency = try reader.uint16()
        supervisionTimeout = try reader.uint16()
    }
}

/// A peer's LE features (Core Specification, Vol 4, Part E, 7.7.65.4).
@frozen
public struct LEReadRemoteFeaturesComplete: Hashable, Sendable {
    /// Whether the rest holds.
    public let status: StatusCode
    /// The connection.
    public let handle: ConnectionHandle
    /// The features.
    public let features: LEFeatures

    init(reading reader: inout OctetReader) throws(MalformedError) {
        status = StatusCode(rawValue: try reader.uint8())
        handle = ConnectionHandle(rawValue: try reader.uint16())
        features = LEFeatures(rawValue: try reader.uint64())
    }
}

/// A peer wants the link encrypted (Core Specification, Vol 4, Part E, 7.7.65.5).
@frozen
public struct LELongTermKeyRequest: Hashable, Sendable {
    /// The connection.
    public let handle: ConnectionHandle
    /// Which key, in LE legacy pairing; 0 in LE Secure Connections.
    public let randomNumber: UInt64
    /// Which key, in LE legacy pairing; 0 in LE Secure Connections.
    public let encryptedDiversifier: UInt16

    init(reading reader: inout OctetReader) throws(MalformedError) {
        handle = ConnectionHandle(rawValue: try reader.uint16())
        randomNumber = try reader.uint64()
        encryptedDiversifier = try reader.uint16()
    }
}

/// A peer wants other connection parameters (Core Specification, Vol 4, Part E, 7.7.65.6). It must be answered.
@frozen
public struct LERemoteConnectionParameterRequest: Hashable, Sendable {
    /// The connection.
    public let handle: ConnectionHandle
    /// The smallest interval it wants, in units of 1.25 ms.
    public let intervalMinimum: UInt16
    /// The largest interval it wants, in units of 1.25 ms.
    public let intervalMaximum: UInt16
    /// How many events it wants to skip.
    public let latency: UInt16
    /// The supervision timeout it wants, in units of 10 ms.
    public let supervisionTimeout: UInt16

    init(reading reader: inout OctetReader) throws(MalformedError) {
        handle = ConnectionHandle(rawValue: try reader.uint16())
        intervalMinimum = try reader.uint16()
        intervalMaximum = try reader.uint16()
        latency = try reader.uint16()
        supervisionTimeout = try reader.uint16()
    }
}

/// The link layer's packets became longer or shorter (Core Specification, Vol 4, Part E, 7.7.65.7).
@frozen
public struct LEDataLengthChange: Hashable, Sendable {
    /// The connection.
    public let handle: ConnectionHandle
    /// The most octets in a packet to the peer.
    public let maximumTxOctets: UInt16
    /// The longest time a packet to the peer takes, in microseconds.
    public let maximumTxTime: UInt16
    /// The most octets in a packet from the peer.
    public let maximumRxOctets: UInt16
    /// The longest time a packet from the peer takes, in microseconds.
    public let maximumRxTime: UInt16

    init(reading reader: inout OctetReader) throws(MalformedError) {
        handle = ConnectionHandle(rawValue: try reader.uint16())
        maximumTxOctets = try reader.uint16()
        maximumTxTime = try reader.uint16()
        maximumRxOctets = try reader.uint16()
        maximumRxTime = try reader.uint16()
    }
}

/// A link's PHYs were changed, or could not be (Core Specification, Vol 4, Part E, 7.7.65.12).
@frozen
public struct LEPHYUpdateComplete: Hashable, Sendable {
    /// Whether the rest holds.
    public let status: StatusCode
    /// The connection.
    public let handle: ConnectionHandle
    /// The PHY to the peer.
    public let txPHY: PHY
    /// The PHY from the peer.
    public let rxPHY: PHY

    init(reading reader: inout OctetReader) throws(MalformedError) {
        status = StatusCode(rawValue: try reader.uint8())
        handle = ConnectionHandle(rawValue: try reader.uint16())
        txPHY = PHY(rawValue: try reader.uint8())
        rxPHY = PHY(rawValue: try reader.uint8())
    }
}
