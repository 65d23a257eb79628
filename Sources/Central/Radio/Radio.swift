internal import GAP
internal import GATT
internal import Sockets

/// What a central needs of a radio: the kernel's, or the virtual one.
protocol Radio: Sendable {
    /// For messages: `hci0`, `virtual`.
    var name: String { get }
    /// Whether it is switched on at this moment.
    var isUp: Bool { get }

    /// Begins to scan; `report` runs on the loop's thread. Repeats are reported too.
    func scan(
        _ mode: ScanMode, report: @escaping @Sendable (RadioEvent) -> Void
    ) async throws(CentralError) -> any RadioScan

    /// Makes a connection and its ATT bearer, and pauses scans meanwhile where the controller needs that. Cancelling the
    /// task ends the attempt at once. Without a time limit in the options it may still fail when the radio has one.
    func connect(to address: DeviceAddress, _ options: ConnectOptions) async throws(CentralError) -> Bearer
}

/// A scan of a radio.
protocol RadioScan: Sendable {
    /// Ends it, and returns when the controller no longer scans. Nothing is reported afterwards.
    func stop() async
}

/// What a scan of a radio reports.
enum RadioEvent: Sendable {
    /// What was heard at once, in order.
    case heard([AdvertisementRecord])
    /// The scan ended by itself: the adapter went down, or away.
    case ended(CentralError)
}

/// A connected ATT bearer and what can be done to the link under it.
struct Bearer: Sendable {
    /// One datagram is one PDU.
    var socket: SeqPacketSocket
    /// For messages: the peer.
    var peer: String
    /// What has to live as long as the bearer does, such as the virtual peripheral at its other end.
    var owner: (any Sendable)?
    /// Ends the link under the bearer, at once and whoever uses it; `nil` where closing the socket is all there is to do.
    var endLink: (@Sendable () async -> Void)?
    /// How the link's security is raised; `nil` where there is none to be had.
    var security: LinkSecurityControl?
    /// Asks for the signal strength in dBm; `nil` where there is no radio.
    var readRSSI: (@Sendable () async -> Result<Int8?, CentralError>)?
    /// What the end of the socket means for the bearer.
    var closeReason: @Sendable (SocketCloseReason) -> BearerCloseReason = Bearer.plainReason

    /// A Unix socket's end: there is no link and no controller's code.
    static func plainReason(_ reason: SocketCloseReason) -> BearerCloseReason {
        switch reason {
        case .closedHere: .closedLocally
        case .closedByPeer: .transportFailed("the peer closed the connection")
        case .failed(.connectionReset):
            .transportFailed("the peer closed the connection without reading everything (ECONNRESET)")
        case .failed(let error): .transportFailed(error.description)
        }
    }
}

/// How the security of a link is raised. While that goes on, the socket cannot be written to; becoming writable is the
/// end of it.
struct LinkSecurityControl: Sendable {
    /// Asks for one step more. Whether there is something to wait for; `false` when no more can be had.
    var raise: @Sendable () -> Bool
    /// Whether it still goes on.
    var isPending: @Sendable () -> Bool
    /// How long it may take: the 30 seconds of the Security Manager's own timer, after which pairing may not go on (Core
    /// Specification, Vol 3, Part H, 3.4), and a little for the answer.
    var timeout: Duration = .seconds(32)
}
