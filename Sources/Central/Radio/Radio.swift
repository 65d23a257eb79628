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

    /// The address of a bonded device with these octets: its type is known without a scan, and it may advertise others.
    func bondedAddress(_ octets: AddressOctets, _ options: ConnectOptions) -> DeviceAddress?
}

extension Radio {
    func bondedAddress(_ octets: AddressOctets, _ options: ConnectOptions) -> DeviceAddress? { nil }
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
    /// What names the peer for good, in whatever connection; `nil` when nothing does.
    var identity: String?
    /// Whether there is a bond with the peer.
    var isBonded = false
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

/// How the security of a link is raised, as closures so that tests can play a link. All but `raise`, `close` and `keeping`
/// are called on the loop's thread.
struct LinkSecurityControl: Sendable {
    /// Whether the link is encrypted now, whoever saw to that.
    var isEncrypted: @Sendable () -> Bool = { false }
    /// Raises it to a level, or by one step; returns what it is then. Not called again before it has returned. The socket
    /// may take nothing meanwhile.
    var raise: @Sendable (SecurityLevel?) async -> Result<SecurityLevel, CentralError>
    /// The socket, which `raise` has had watched, can be written to.
    var socketIsWritable: @Sendable () -> Void = {}
    /// Whether a raise that failed has left the socket of no use.
    var isBlocking: @Sendable () -> Bool = { false }
    /// The socket has ended; what is known of that.
    var linkEnded: @Sendable () -> LinkEnd = { LinkEnd() }
    /// Ends what goes on, and returns when it has ended.
    var close: @Sendable () async -> Void = {}
    /// Waits until new keys are in the store, or cannot be.
    var keeping: @Sendable () async -> BondKeeper.Outcome = { BondKeeper.Outcome() }
}

/// What is known of the end of a link beside its socket's error.
struct LinkEnd: Sendable {
    /// Why it ended.
    var reason: BearerCloseReason?
    /// Why its security could not be raised, when that ended it.
    var error: CentralError?
}
