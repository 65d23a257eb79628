/// Which channel of a connection (Core Specification, Vol 3, Part A, 2.1).
@frozen
public struct ChannelIdentifier: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16

    @inlinable
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The null identifier: no channel, never on the air.
    @inlinable public static var null: Self { Self(rawValue: 0x0000) }
    /// The Attribute Protocol.
    @inlinable public static var attributeProtocol: Self { Self(rawValue: 0x0004) }
    /// LE L2CAP signalling.
    @inlinable public static var leSignalling: Self { Self(rawValue: 0x0005) }
    /// The Security Manager Protocol.
    @inlinable public static var securityManager: Self { Self(rawValue: 0x0006) }

    /// Whether it is one of those that are handed out to connection-oriented channels on LE.
    @inlinable
    public var isDynamic: Bool { (0x0040...0x007F).contains(rawValue) }
}

extension ChannelIdentifier: CustomStringConvertible {
    /// The number: `0x0004`.
    public var description: String {
        "0x\([UInt8(truncatingIfNeeded: rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)].hexadecimal)"
    }
}

/// A basic information frame: one message on one channel (Core Specification, Vol 3, Part A, 3.1).
@frozen
public struct BasicFrame: ~Escapable {
    /// The channel.
    public let channel: ChannelIdentifier
    /// The message.
    public let payload: RawSpan

    /// How many octets come before the payload: length and channel.
    @inlinable public static var headerByteCount: Int { 4 }

    /// A frame of its parts.
    @inlinable
    @_lifetime(copy payload)
    public init(channel: ChannelIdentifier, payload: RawSpan) {
        self.channel = channel
        self.payload = payload
    }

    /// Reads a whole frame, header included.
    /// - Throws: `truncated` when the octets end before the payload does, `trailingOctets` when they go on after it.
    @inlinable
    @_lifetime(copy frame)
    public init(parsing frame: RawSpan) throws(MalformedError) {
        var reader = OctetReader(frame)
        let length = try reader.uint16()
        channel = ChannelIdentifier(rawValue: try reader.uint16())
        payload = try reader.octets(Int(length))
        try reader.end()
    }

    /// How many octets the frame takes.
    @inlinable
    public var encodedByteCount: Int { Self.headerByteCount &+ payload.byteCount }

    /// Appends the frame, header included.
    /// - Throws: `tooLong` when the payload needs more than a 16-bit length, `noRoom` when the frame does not fit.
    @inlinable
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        guard let length = UInt16(exactly: payload.byteCount) else {
            throw .tooLong(length: payload.byteCount, maximum: Int(UInt16.max))
        }
        try output.require(encodedByteCount)
        output.append(littleEndian: length)
        output.append(littleEndian: channel.rawValue)
        output.append(octets: payload)
    }
}
