// How a link type of a capture wraps its packets: what stands before the packet, and what that says of kind and
// direction. btsnoop numbers its data links from 1001; pcap and pcapng use the LINKTYPE registry.

import Wire

/// A way of wrapping HCI packets, common to the file formats.
enum Wrapping: Hashable, Sendable {
    /// No type octet; flags bit 0 is the direction, bit 1 tells commands and events from data (btsnoop 1001).
    case flagsOnly
    /// An H4 indicator first; flags bit 0 is the direction (btsnoop 1002).
    case h4WithFlags
    /// Flags are the adapter index << 16 | the monitor's opcode (btsnoop 2001).
    case monitorFlags
    /// An H4 indicator first, no direction (LINKTYPE 187).
    case h4
    /// A 32-bit big-endian direction, then H4 (LINKTYPE 201).
    case h4WithDirection
    /// A 16-bit adapter index and a 16-bit opcode, big-endian (LINKTYPE 254).
    case monitorHeader

    /// The wrapping of a btsnoop data link, or why it cannot be read.
    static func btsnoop(_ link: UInt32, at offset: Int) throws(CaptureError) -> Wrapping {
        switch link {
        case 1001: return .flagsOnly
        case 1002: return .h4WithFlags
        case 2001: return .monitorFlags
        case 1003: throw CaptureError(.unsupportedLinkType(link, "(HCI over BCSP) is not supported"), at: offset)
        case 1004:
            throw CaptureError(.unsupportedLinkType(link, "(HCI over three-wire UART) is not supported"), at: offset)
        case 2002:
            throw CaptureError(
                .unsupportedLinkType(link, "(BlueZ simulator) holds no packets of a host controller interface"),
                at: offset)
        default: throw CaptureError(.unsupportedLinkType(link, "is no btsnoop data link known here"), at: offset)
        }
    }

    /// The wrapping of a LINKTYPE value, or `nil` where it holds no HCI packets.
    static func linkType(_ type: UInt32) -> Wrapping? {
        switch type {
        case 187: .h4
        case 201: .h4WithDirection
        case 254: .monitorHeader
        default: nil
        }
    }

    /// What a LINKTYPE that holds no HCI packets is, as the rest of a sentence after its number.
    static func explanation(of type: UInt32) -> String {
        switch type {
        case 1: "(Ethernet) is no Bluetooth capture"
        case 113: "(Linux cooked, the 'any' interface) is no Bluetooth capture; capture on bluetooth0 instead"
        case 189, 220: "(USB) holds HCI inside USB transfers, which is not supported; capture with btmon instead"
        case 161: "(BACnet) is no Bluetooth capture"
        case 192: "(per-packet information) is not supported; save the packets again without PPI headers"
        case 251: "(LE link layer) is what a sniffer hears on the air, not HCI; open it in Wireshark"
        case 255: "(BR/EDR baseband) is what a sniffer hears on the air, not HCI; open it in Wireshark"
        case 256:
            "(LE link layer with a pseudo header) is what a sniffer hears on the air, not HCI; open it in Wireshark"
        case 272: "(Nordic sniffer) is what a sniffer hears on the air, not HCI; open it in Wireshark"
        case 157: "(Nordic or other user link) is not supported"
        default: "holds no HCI packets known here (187, 201 and 254 do)"
        }
    }
}

/// What a wrapping says of one record.
struct Unwrapped: ~Escapable {
    let direction: CaptureDirection
    let kind: CapturePacketKind
    let adapter: Int
    let packet: RawSpan

    @_lifetime(copy packet)
    init(direction: CaptureDirection, kind: CapturePacketKind, adapter: Int, packet: RawSpan) {
        self.direction = direction
        self.kind = kind
        self.adapter = adapter
        self.packet = packet
    }
}

extension Wrapping {
    /// Whether the wrapping itself names the adapter.
    var namesAdapter: Bool {
        switch self {
        case .monitorFlags, .monitorHeader: true
        case .flagsOnly, .h4WithFlags, .h4, .h4WithDirection: false
        }
    }

    /// Takes the wrapping off one record's octets.
    /// - Throws: `truncated` when the octets are fewer than the pseudo header.
    @_lifetime(copy octets)
    func unwrap(_ octets: RawSpan, flags: UInt32) throws(MalformedError) -> Unwrapped {
        var reader = OctetReader(octets)
        switch self {
        case .flagsOnly:
            let received = flags & 1 != 0
            let isCommandOrEvent = flags & 2 != 0
            let kind: CapturePacketKind = isCommandOrEvent ? (received ? .event : .command) : .acl
            return Unwrapped(direction: received ? .received : .sent, kind: kind, adapter: 0, packet: octets)
        case .h4WithFlags:
            let kind = CapturePacketKind(h4: try reader.uint8())
            return Unwrapped(
                direction: flags & 1 != 0 ? .received : .sent, kind: kind, adapter: 0, packet: reader.rest())
        case .monitorFlags:
            return Self.monitor(opcode: UInt16(truncatingIfNeeded: flags), adapter: Int(flags >> 16), packet: octets)
        case .h4:
            let kind = CapturePacketKind(h4: try reader.uint8())
            return Unwrapped(direction: kind.impliedDirection, kind: kind, adapter: 0, packet: reader.rest())
        case .h4WithDirection:
            let direction = UInt32(bigEndian: UInt32(littleEndian: try reader.uint32()))
            let kind = CapturePacketKind(h4: try reader.uint8())
            return Unwrapped(
                direction: direction & 1 != 0 ? .received : .sent, kind: kind, adapter: 0, packet: reader.rest())
        case .monitorHeader:
            let adapter = try reader.uint16().byteSwapped
            let opcode = try reader.uint16().byteSwapped
            return Self.monitor(opcode: opcode, adapter: Int(adapter), packet: reader.rest())
        }
    }

    /// A record of the Linux Bluetooth monitor: the opcode holds kind and direction.
    @_lifetime(copy packet)
    private static func monitor(opcode: UInt16, adapter: Int, packet: RawSpan) -> Unwrapped {
        let (direction, kind): (CaptureDirection, CapturePacketKind) =
            switch opcode {
            case 2: (.sent, .command)
            case 3: (.received, .event)
            case 4: (.sent, .acl)
            case 5: (.received, .acl)
            case 6: (.sent, .synchronous)
            case 7: (.received, .synchronous)
            case 18: (.sent, .iso)
            case 19: (.received, .iso)
            default: (.unknown, .other(opcode))
            }
        return Unwrapped(direction: direction, kind: kind, adapter: adapter, packet: packet)
    }
}
