// Writes btsnoop (data link 1002, H4), the format that btmon, Wireshark and Android read.
//
// A bearer below ATT may be the kernel's L2CAP, a Unix socket or nothing but memory: only the PDUs are seen here. So that
// a reader of captures can show them, they are dressed as the ACL packets and L2CAP frames that would have carried them
// on one LE connection, after the event that opens it and before the event that closes it.

import Wire

/// Encodes a btsnoop file, octets out: the caller writes them where it wants.
public struct BtsnoopWriter: Sendable {
    public init() {}

    /// The 16 octets that open the file.
    public var fileHeader: [UInt8] { Array("btsnoop\0".utf8) + Self.bigEndian(1) + Self.bigEndian(1002) }

    /// One record: a packet of the host controller interface at `time`.
    /// - Parameter packet: the packet without its H4 indicator.
    public func record(
        _ kind: H4Kind, _ direction: CaptureDirection, at time: CaptureTime, packet: [UInt8]
    ) -> [UInt8] {
        let length = UInt32(truncatingIfNeeded: packet.count &+ 1)
        var flags: UInt32 = direction == .received ? 1 : 0
        if kind == .command || kind == .event { flags |= 2 }
        let microseconds = UInt64(bitPattern: (time.nanoseconds / 1_000) &+ btsnoopEpochOffset)
        return Self.bigEndian(length) + Self.bigEndian(length) + Self.bigEndian(flags) + Self.bigEndian(0)
            + Self.bigEndian(UInt32(truncatingIfNeeded: microseconds >> 32))
            + Self.bigEndian(UInt32(truncatingIfNeeded: microseconds)) + [kind.rawValue] + packet
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
}

/// Dresses the PDUs of one ATT bearer as the traffic of one LE connection.
public struct ATTCaptureFraming: Sendable {
    /// The connection handle under which the bearer appears.
    public let connectionHandle: UInt16
    private let writer = BtsnoopWriter()

    /// - Parameter connectionHandle: 0x0000 to 0x0EFF; the twelve low bits count.
    public init(connectionHandle: UInt16 = 0x0040) {
        self.connectionHandle = connectionHandle & 0x0FFF
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
