internal import CBlueZ
public import HCI
public import L2CAP
public import Sockets

/// Listens to what is said about the security of one link: on the Security Manager's channel, and by the controller.
///
/// The management interface says that pairing failed, and not why; of a link that ends, a socket tells one of few error
/// numbers. A raw HCI socket hears the same packets as the kernel's host stack: the reason in Pairing Failed, the status
/// of Encryption Change, the reason of Disconnection Complete. Needs CAP_NET_RAW; without it nothing is heard.
public final class SecurityWatch: Sendable {
    /// What was heard.
    public enum Event: Hashable, Sendable {
        /// Pairing failed, as the device said or as this side did.
        case pairingFailed(PairingFailureReason, byPeer: Bool)
        /// Encryption was switched on, or could not be.
        case encryption(StatusCode)
        /// The link ended.
        case disconnected(StatusCode)
    }

    private let system: any SystemCalls
    private let socket: PacketSocket

    /// Disconnection Complete, Encryption Change in both versions, Encryption Key Refresh Complete.
    private static let eventCodes: [EventCode] = [
        .disconnectionComplete, .encryptionChange, .encryptionKeyRefreshComplete, .encryptionChangeV2,
    ]

    /// While `includesPairing`, every data packet comes too, so that pairing's are among them.
    private static func filter(includesPairing: Bool) -> HCIFilter {
        // The kernel looks at six bits of an event's code.
        let events = eventCodes.reduce(UInt64(0)) { $0 | 1 << UInt64($1.rawValue & 0x3F) }
        let data: UInt32 = includesPairing ? 1 << UInt32(HCI_ACLDATA_PKT) : 0
        return HCIFilter(types: data | 1 << UInt32(HCI_EVENT_PKT), events: events)
    }

    /// Begins to listen.
    /// - Parameter listener: is called on the loop's thread, or by `catchUp`.
    /// - Returns: `nil` when the process may not listen, or the adapter is gone.
    public init?(
        adapter: UInt16, handle: ConnectionHandle, on loop: EventLoop, system: (any SystemCalls)? = nil,
        listener: @escaping @Sendable (Event) -> Void
    ) {
        let system = system ?? loop.system
        self.system = system
        guard
            let opened = try? HCIFilter.openSocket(
                system, adapter: adapter, channel: HCI_CHANNEL_RAW, filter: Self.filter(includesPairing: false))
        else { return nil }
        // Of a data packet, the head is enough.
        socket = PacketSocket(adopting: opened.descriptor, capacity: 16, packetCapacity: 64, system: system)
        guard opened.filterIsWhole else { return nil }
        do throws(Errno) {
            try socket.start(
                on: loop,
                PacketSocket.Handlers(received: { batch in
                    for index in 0..<batch.count {
                        if let event = Self.event(in: batch.octets(at: index), of: handle) { listener(event) }
                    }
                }))
        } catch {
            return nil
        }
    }

    /// Ends the listening. Idempotent.
    public func cancel() { socket.close() }

    /// Whether pairing is listened to, which it is not at the beginning: every data packet of the adapter wakes the process
    /// then.
    public func setIncludesPairing(_ includesPairing: Bool) {
        let filter = Self.filter(includesPairing: includesPairing)
        // A filter that could be set once can be set again, unless the listening has ended.
        try? socket.withDescriptor { descriptor throws(Errno) in try filter.set(on: descriptor, system) }
    }

    /// Hears at once what the kernel has for this socket. When another socket of the link tells of something, this one
    /// has been given its cause before.
    public func catchUp() { socket.read(rounds: 16) }

    /// What a packet, its type octet first, says of a link; `nil` for everything else, broken packets too.
    static func event(in packet: RawSpan, of handle: ConnectionHandle) -> Event? {
        var reader = OctetReader(packet)
        do throws(MalformedError) {
            switch Int32(try reader.uint8()) {
            case HCI_EVENT_PKT: return try event(in: EventPacket(parsing: reader.rest()), of: handle)
            case HCI_ACLDATA_PKT: return try pairingFailure(in: &reader, of: handle)
            default: return nil
            }
        } catch {
            return nil
        }
    }

    private static func event(
        in packet: EventPacket, of handle: ConnectionHandle
    ) throws(MalformedError) -> Event? {
        switch packet.code {
        case .disconnectionComplete:
            let event = try DisconnectionComplete(parsing: packet.parameters)
            return event.handle == handle && event.status.isSuccess ? .disconnected(event.reason) : nil
        case .encryptionChange, .encryptionChangeV2:
            let version = packet.code == .encryptionChange ? 1 : 2
            let event = try EncryptionChange(parsing: packet.parameters, version: version)
            return event.handle == handle ? .encryption(event.status) : nil
        case .encryptionKeyRefreshComplete:
            let event = try EncryptionKeyRefreshComplete(parsing: packet.parameters)
            return event.handle == handle ? .encryption(event.status) : nil
        default: return nil
        }
    }

    /// Pairing Failed is two octets long, so it comes in one fragment: ACL header, L2CAP header, code, reason.
    private static func pairingFailure(
        in reader: inout OctetReader, of handle: ConnectionHandle
    ) throws(MalformedError) -> Event? {
        let word = try reader.uint16()
        let boundary = ACLPacket.Boundary(rawValue: UInt8(truncatingIfNeeded: word >> 12))
        guard ConnectionHandle(rawValue: word) == handle, boundary.isFirst else { return nil }
        _ = try reader.uint16()
        guard try reader.uint16() == 2, try reader.uint16() == ChannelIdentifier.securityManager.rawValue,
            try reader.uint8() == SecurityManagerCode.pairingFailed.rawValue
        else { return nil }
        // On LE a host begins a frame with another boundary flag than a controller.
        return .pairingFailed(
            PairingFailureReason(rawValue: try reader.uint8()), byPeer: boundary == .firstFlushable)
    }
}
