internal import CBlueZ
public import GAP
public import HCI
public import Sockets

/// The ATT bearer of one LE connection: a connected L2CAP socket of the fixed channel 4, and what belongs to it.
///
/// Closing the socket ends the connection unless another program uses it too; the kernel does so after two seconds
/// without a user. `HCISocket.endLink` ends it at once, whoever uses it.
public struct L2CAPLink: Sendable {
    /// The bearer: one datagram is one PDU.
    public let socket: SeqPacketSocket
    /// The device at the other end.
    public let peer: DeviceAddress
    /// The connection's number at the controller, for HCI commands.
    public let handle: ConnectionHandle

    /// A link of its parts.
    public init(socket: SeqPacketSocket, peer: DeviceAddress, handle: ConnectionHandle) {
        self.socket = socket
        self.peer = peer
        self.handle = handle
    }

    /// The link's security now.
    /// - Throws: `linkLost` when there is no connection any more.
    public func security() throws(BluetoothSocketError) -> LinkSecurity {
        do throws(Errno) {
            let value = try socket.loop.system.socketOption(
                try descriptor(), level: SOL_BLUETOOTH, name: BT_SECURITY, initial: bt_security(level: 0, key_size: 0))
            return LinkSecurity(level: SecurityLevel(rawValue: value.level), keySize: Int(value.key_size))
        } catch {
            throw BluetoothSocketError(
                error, in: .link(peer), failure: "cannot read the security of the link to \(peer)")
        }
    }

    /// Asks the kernel to raise the link's security, pairing when there is no key.
    ///
    /// From then until pairing ends the socket is not writable, and sending fails with `notConnected`; receiving goes on.
    /// The socket becoming writable is the end of it (`SeqPacketSocket.waitUntilWritable`, `securityIsPending`). When pairing fails, the kernel leaves the
    /// socket as it is for good: bound the wait by a time, then close the link.
    ///
    /// - Returns: Whether there is something to wait for; `false` when the link has this security already.
    /// - Throws: `linkLost`; `protocolError` in the situation `security` when the kernel cannot pair.
    public func requestSecurity(_ level: SecurityLevel) throws(BluetoothSocketError) -> Bool {
        let current = try security()
        // The kernel answers EINVAL to what the link has already.
        if level == .low || (current.level >= level && current.keySize > 0) { return false }
        do throws(Errno) {
            try socket.loop.system.setSocketOption(
                try descriptor(), level: SOL_BLUETOOTH, name: BT_SECURITY,
                value: bt_security(level: level.rawValue, key_size: 0))
            return true
        } catch {
            throw BluetoothSocketError(error, in: .securing(peer), failure: failure(level))
        }
    }

    /// Whether a raise of the security goes on: the socket cannot be written to.
    /// - Throws: `linkLost` when the connection ended meanwhile.
    public func securityIsPending() throws(BluetoothSocketError) -> Bool {
        do throws(Errno) {
            let system = socket.loop.system
            let descriptor = try descriptor()
            let wanted = Int32(bitPattern: Readiness.writable.rawValue)
            let events = Readiness(rawValue: UInt32(bitPattern: try system.pollNow(descriptor, events: wanted)))
            guard events.isDisjoint(with: [.hangUp, .error]) else {
                throw try system.pendingError(descriptor) ?? .notConnected
            }
            return !events.contains(.writable)
        } catch {
            throw BluetoothSocketError(error, in: .link(peer), failure: "the connection to \(peer) ended")
        }
    }

    /// The error for a raise of the security that did not end in time.
    public func securityTimedOut(_ level: SecurityLevel) -> BluetoothSocketError {
        BluetoothSocketError(.timedOut, in: .securing(peer), failure: failure(level))
    }

    /// What the end of the socket means, for a person.
    public func error(for reason: SocketCloseReason) -> BluetoothSocketError {
        let failure = "the connection to \(peer) ended"
        return switch reason {
        case .closedHere: BluetoothSocketError(.linkLost, failure: failure, reason: "it was closed on this side")
        case .closedByPeer: BluetoothSocketError(.connectionReset, in: .link(peer), failure: failure)
        case .failed(let errno): BluetoothSocketError(errno, in: .link(peer), failure: failure)
        }
    }

    private func descriptor() throws(Errno) -> Int32 {
        guard let descriptor = socket.descriptor else { throw .notConnected }
        return descriptor
    }

    private func failure(_ level: SecurityLevel) -> String {
        "cannot raise the security of the link to \(peer) to \(level)"
    }
}
