// Writes btsnoop, the format that btmon, Wireshark and Android read: data link 1002 (H4) or 2001 (the Linux monitor).
//
// A bearer below ATT may be the kernel's L2CAP, a Unix socket or nothing but memory: only the PDUs are seen here. So that
// a reader of captures can show them, they are dressed as the ACL packets and L2CAP frames that would have carried them
// on one LE connection, after the event that opens it and before the event that closes it.

import Wire

/// Encodes a btsnoop file, octets out: the caller writes them where it wants.
public struct BtsnoopWriter: Hashable, Sendable {
    /// How packets are wrapped.
    public enum DataLink: UInt32, Hashable, Sendable {
        /// Each packet with its H4 indicator, no adapter.
        case h4 = 1002
        /// The messages of the Linux monitor, with adapter and opcode.
        case monitor = 2001
    }

    /// How packets are wrapped.
    public let dataLink: DataLink

    public init(_ dataLink: DataLink = .h4) { self.dataLink = dataLink }

    /// The 16 octets that open the file.
    public var fileHeader: [UInt8] {
        Array("btsnoop\0".utf8) + Self.bigEndian(1) + Self.bigEndian(dataLink.rawValue)
    }

    /// One record: a packet of the host controller interface at `time`.
    /// - Parameter packet: the packet without its H4 indicator.
    public func record(
        _ kind: H4Kind, _ direction: CaptureDirection, at time: CaptureTime, packet: [UInt8]
    ) -> [UInt8] {
        switch dataLink {
        case .h4:
            var flags: UInt32 = direction == .received ? 1 : 0
            if kind == .command || kind == .event { flags |= 2 }
            return record(flags: flags, at: time, [kind.rawValue] + packet)
        case .monitor:
            return message(kind.monitorOpcode(direction), adapter: 0, at: time, packet.octets)
        }
    }

    /// One record of the monitor, for the data link of that name; data link 1002 has no room for it.
    public func message(_ opcode: UInt16, adapter: UInt16, at time: CaptureTime, _ octets: RawSpan) -> [UInt8] {
        record(flags: UInt32(adapter) << 16 | UInt32(opcode), at: time, [UInt8](octets: octets))
    }

    private func record(flags: UInt32, at time: CaptureTime, _ octets: [UInt8]) -> [UInt8] {
        let length = UInt32(truncatingIfNeeded: octets.count)
        let microseconds = UInt64(bitPattern: (time.nanoseconds / 1_000) &+ btsnoopEpochOffset)
        return Self.bigEndian(length) + Self.bigEndian(length) + Self.bigEndian(flags) + Self.bigEndian(0)
            + Self.bigEndian(UInt32(truncatingIfNeeded: microseconds >> 32))
            + Self.bigEndian(UInt32(truncatingIfNeeded: microseconds)) + octets
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}

/// The packet indicators of H4 (Core Specification, Vol 4, Part A, 2).
public enum H4Kind: UInt8, Hashable, Sendable {
    case command = 1
    case acl = 2
    case synchronous = 3
    case event = 4
    case iso = 5

    /// The opcode under which the Linux monitor tells of such a packet.
    func monitorOpcode(_ direction: CaptureDirection) -> UInt16 {
        switch self {
        case .command: 2
        case .event: 3
        case .acl: direction == .received ? 5 : 4
        case .synchronous: direction == .received ? 7 : 6
        case .iso: direction == .received ? 19 : 18
        }
    }
}

/// Dresses the PDUs of one ATT bearer as the traffic of one LE connection.
public struct ATTCaptureFraming: Sendable {
    /// The connection handle under which the bearer appears.
    public let connectionHandle: UInt16
    private let writer: BtsnoopWriter

    /// - Parameters:
    ///   - connectionHandle: 0x0000 to 0x0EFF; the twelve low bits count.
    ///   - writer: of the file that the records go to.
    public init(connectionHandle: UInt16 = 0x0040, writer: BtsnoopWriter = BtsnoopWriter()) {
        self.connectionHandle = connectionHandle & 0x0FFF
        self.writer = writer
    }

    private var handleOctets: [UInt8] {
        [UInt8(truncatingIfNeeded: connectionHandle), UInt8(truncatingIfNeeded: connectionHandle >> 8)]
    }

    /// The LE Connection Complete event (Vol 4, Part E, 7.7.65.1) that a central would have seen.
    /// - Parameters:
    ///   - address: the peer's six octets, least significant first, as on the wire.
    ///   - isRandom: whether the address is a random one.
    public func connected(to address: [UInt8], isRandom: Bool, at time: CaptureTime) -> [UInt8] {
        let six = (0..<6).map { $0 < address.count ? address[$0] : 0 }
        return writer.record(
            .event, .received, at: time,
            packet: [0x3E, 19, 0x01, 0x00] + handleOctets + [0x00, isRandom ? 1 : 0] + six
                + [0x18, 0x00, 0x00, 0x00, 0xF4, 0x01, 0x00])
    }

    /// The Disconnection Complete event (Vol 4, Part E, 7.7.5) with its reason.
    public func disconnected(reason: UInt8, at time: CaptureTime) -> [UInt8] {
        writer.record(.event, .received, at: time, packet: [0x05, 4, 0x00] + handleOctets + [reason])
    }

    /// One ATT PDU in one L2CAP frame on the fixed channel 0x0004, in one ACL packet.
    public func pdu(_ pdu: RawSpan, _ direction: CaptureDirection, at time: CaptureTime) -> [UInt8] {
        let count = min(pdu.byteCount, 65_531)
        // Packet_Boundary_Flag: 00 from the host, 10 from the controller (Vol 4, Part E, 5.4.2).
        let flags: UInt8 = direction == .received ? 0x20 : 0x00
        let handle = [handleOctets[0], handleOctets[1] | flags]
        let length = count &+ 4
        return writer.record(
            .acl, direction, at: time,
            packet: handle
                + [UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8)]
                + [UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8), 0x04, 0x00]
                + [UInt8](octets: pdu.extracting(first: count)))
    }
}
