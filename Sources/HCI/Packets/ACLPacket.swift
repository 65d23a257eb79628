/// ACL data: a fragment of an L2CAP frame on one connection (Core Specification, Vol 4, Part E, 5.4.2).
@frozen
public struct ACLPacket: ~Escapable {
    /// Which fragment it is (Packet_Boundary_Flag).
    @frozen
    public struct Boundary: RawRepresentable, Hashable, Sendable {
        public let rawValue: UInt8

        @inlinable
        public init(rawValue: UInt8) { self.rawValue = rawValue & 0x3 }

        /// The first fragment, host to controller on LE. Some controllers swallow `firstFlushable` from a host.
        @inlinable public static var firstNonFlushable: Self { Self(rawValue: 0b00) }
        /// A later fragment.
        @inlinable public static var continuing: Self { Self(rawValue: 0b01) }
        /// The first fragment, controller to host.
        @inlinable public static var firstFlushable: Self { Self(rawValue: 0b10) }
        /// A whole frame; not used on LE.
        @inlinable public static var complete: Self { Self(rawValue: 0b11) }

        /// Whether an L2CAP header begins here.
        @inlinable
        public var isFirst: Bool { self != .continuing }
    }

    /// The connection.
    public let handle: ConnectionHandle
    /// Which fragment.
    public let boundary: Boundary
    /// Broadcast_Flag: 0 on every LE connection.
    public let broadcast: UInt8
    /// The fragment.
    public let data: RawSpan

    /// How many octets come before the data: handle and flags, and the length.
    @inlinable public static var headerByteCount: Int { 4 }

    /// A packet of its parts.
    @inlinable
    @_lifetime(copy data)
    public init(handle: ConnectionHandle, boundary: Boundary, broadcast: UInt8 = 0, data: RawSpan) {
        self.handle = handle
        self.boundary = boundary
        self.broadcast = broadcast & 0x3
        self.data = data
    }

    /// Reads a packet without its type octet. Octets after the declared end are left out.
    /// - Throws: `truncated` when it is shorter than its length field says.
    @inlinable
    @_lifetime(copy packet)
    public init(parsing packet: RawSpan) throws(MalformedError) {
        var reader = OctetReader(packet)
        let word = try reader.uint16()
        handle = ConnectionHandle(rawValue: word)
        boundary = Boundary(rawValue: UInt8(truncatingIfNeeded: word >> 12))
        broadcast = UInt8(truncatingIfNeeded: word >> 14)
        let length = try reader.uint16()
        data = try reader.octets(Int(length))
    }

    /// How many octets the packet takes, without its type octet.
    @inlinable
    public var encodedByteCount: Int { Self.headerByteCount &+ data.byteCount }

    /// Appends the packet without its type octet.
    /// - Throws: `tooLong` when the data needs more than a 16-bit length, `noRoom` when it does not fit.
    @inlinable
    public func encode(into output: inout OutputRawSpan) throws(EncodeError) {
        guard let length = UInt16(exactly: data.byteCount) else {
            throw .tooLong(length: data.byteCount, maximum: Int(UInt16.max))
        }
        try output.require(encodedByteCount)
        output.append(littleEndian: handle.rawValue | UInt16(boundary.rawValue) << 12 | UInt16(broadcast) << 14)
        output.append(littleEndian: length)
        output.append(octets: data)
    }
}
