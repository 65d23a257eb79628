// What capture files have in common, whatever their format.
//
// btsnoop, pcap and pcapng differ in their headers, byte order and time stamps, but each record ends up as the same
// thing: one packet that crossed the host controller interface, its direction where the file tells it, and its time.

/// A point in time of a capture, in nanoseconds since 1970-01-01 00:00:00 UTC. Negative before.
@frozen
public struct CaptureTime: Hashable, Comparable, Sendable {
    /// Nanoseconds since 1970-01-01 00:00:00 UTC.
    public var nanoseconds: Int64

    @inlinable
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    @inlinable
    public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }
}

/// Which way a packet crossed the host controller interface.
@frozen
public enum CaptureDirection: Hashable, Sendable {
    /// From the host to the controller.
    case sent
    /// From the controller to the host.
    case received
    /// The file does not say, and the kind of packet does not either.
    case unknown
}

/// What kind of packet a record holds.
@frozen
public enum CapturePacketKind: Hashable, Sendable {
    /// An HCI Command packet (Vol 4, Part E, 5.4.1).
    case command
    /// An HCI ACL Data packet (Vol 4, Part E, 5.4.2).
    case acl
    /// An HCI Synchronous Data packet (Vol 4, Part E, 5.4.3).
    case synchronous
    /// An HCI Event packet (Vol 4, Part E, 5.4.4).
    case event
    /// An HCI ISO Data packet (Vol 4, Part E, 5.4.5).
    case iso
    /// Anything else: a note of the monitor (its opcode), or an H4 packet type that is not in the specification.
    case other(UInt16)

    /// The kind that an H4 packet indicator (Vol 4, Part A, 2) names.
    @inlinable
    public init(h4 indicator: UInt8) {
        switch indicator {
        case 1: self = .command
        case 2: self = .acl
        case 3: self = .synchronous
        case 4: self = .event
        case 5: self = .iso
        default: self = .other(UInt16(indicator))
        }
    }

    /// The direction that the kind alone implies: commands are sent, events received, data may be either.
    @inlinable
    public var impliedDirection: CaptureDirection {
        switch self {
        case .command: .sent
        case .event: .received
        case .acl, .synchronous, .iso, .other: .unknown
        }
    }
}

/// One packet of a capture file, borrowed from the octets that were parsed.
@frozen
public struct CaptureRecord: ~Escapable {
    /// When the packet was seen; `nil` where the format keeps no time (a Simple Packet Block of pcapng).
    public let time: CaptureTime?
    /// Which way it went.
    public let direction: CaptureDirection
    /// What it is.
    public let kind: CapturePacketKind
    /// The adapter's index (btsnoop monitor and pcap 254) or the interface of a pcapng section; 0 elsewhere.
    public let adapter: Int
    /// Whether the packet was longer when it was seen than what the file keeps.
    public let isCut: Bool
    /// The packet without its H4 indicator or pseudo header.
    public let packet: RawSpan

    @inlinable
    @_lifetime(copy packet)
    init(
        time: CaptureTime?, direction: CaptureDirection, kind: CapturePacketKind, adapter: Int, isCut: Bool,
        packet: RawSpan
    ) {
        self.time = time
        self.direction = direction
        self.kind = kind
        self.adapter = adapter
        self.isCut = isCut
        self.packet = packet
    }
}

/// Why a capture file cannot be read, or cannot be read further. What came before was delivered.
public struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The first octets are those of no known capture format.
        case unknownFormat
        /// The file is of a known format in a version nobody knows.
        case unsupportedVersion(String)
        /// The link type cannot hold HCI packets, or is none this reader knows; the text says what it is.
        case unsupportedLinkType(UInt32, String)
        /// The file ends inside a header or a record.
        case truncated
        /// A length is impossible, so nothing after it can be found.
        case impossibleLength(UInt32)
    }

    /// What is wrong.
    public var reason: Reason
    /// Where, in octets from the start of the file.
    public var offset: Int

    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    public var description: String {
        switch reason {
        case .unknownFormat: "this is no btsnoop, pcap or pcapng file"
        case .unsupportedVersion(let version): "\(version) is not supported"
        case .unsupportedLinkType(let type, let what): "link type \(type) \(what)"
        case .truncated: "the file is cut off in the record at offset \(offset)"
        case .impossibleLength(let length): "the file is damaged at offset \(offset): a record of \(length) octets"
        }
    }
}
