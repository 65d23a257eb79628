/// The octet before a packet on a transport that carries several kinds (Core Specification, Vol 4, Part A, 2).
@frozen
public struct PacketType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A command, host to controller.
    @inlinable public static var command: Self { Self(rawValue: 0x01) }
    /// ACL data, both ways.
    @inlinable public static var acl: Self { Self(rawValue: 0x02) }
    /// Synchronous data, both ways; not used by LE.
    @inlinable public static var synchronous: Self { Self(rawValue: 0x03) }
    /// An event, controller to host.
    @inlinable public static var event: Self { Self(rawValue: 0x04) }
    /// Isochronous data, both ways.
    @inlinable public static var isochronous: Self { Self(rawValue: 0x05) }
}

/// One packet with its type octet, as a read from an HCI socket or a frame of a capture gives it.
@frozen
public enum HCIPacket: ~Escapable {
    /// A command.
    case command(CommandPacket)
    /// ACL data.
    case acl(ACLPacket)
    /// An event.
    case event(EventPacket)
    /// Another kind: its type and the octets after it.
    case other(PacketType, RawSpan)

    /// Reads one packet that begins with its type octet.
    /// - Throws: `truncated` when it is shorter than its length field says. Octets after its end are left out: one
    ///   read from a socket is one packet, so they are no packet of their own.
    @inlinable
    @_lifetime(copy h4)
    public init(parsing h4: RawSpan) throws(MalformedError) {
        var reader = OctetReader(h4)
        let type = PacketType(rawValue: try reader.uint8())
        let packet = reader.rest()
        do throws(MalformedError) {
            switch type {
            case .command: self = .command(try CommandPacket(parsing: packet))
            case .acl: self = .acl(try ACLPacket(parsing: packet))
            case .event: self = .event(try EventPacket(parsing: packet))
            default: self = .other(type, packet)
            }
        } catch {
            throw MalformedError(error.kind, at: error.offset &+ 1)
        }
    }
}
