public import GAP
public import Sockets

/// What was being done when the kernel gave an error number. The same number means different things in each.
///
/// The numbers of `connecting` and of `link` are mostly made by the kernel from the controller's status
/// (`bt_to_errno` in `net/bluetooth/lib.c`).
public enum SocketPhase: Hashable, Sendable {
    /// A socket for the adapters is made, or their list is read.
    case listing
    /// A raw HCI socket of an adapter is made.
    case opening(adapter: String)
    /// A command goes to the controller, or its events are read.
    case commanding(adapter: String)
    /// An L2CAP socket is made or bound.
    case binding
    /// An L2CAP connection is made.
    case connecting(DeviceAddress)
    /// An L2CAP connection is there.
    case link(DeviceAddress)
    /// The security level of a link is raised.
    case securing(DeviceAddress)
}

extension BluetoothSocketError {
    /// The error that an error number of the kernel stands for in a phase.
    ///
    /// - Parameter failure: What failed, such as `cannot scan on hci0`.
    public init(_ errno: Errno, in phase: SocketPhase, failure: String) {
        let known =
            switch phase {
            case .listing: Self.opening(errno, adapter: nil)
            case .opening(let adapter), .commanding(let adapter): Self.opening(errno, adapter: adapter)
            case .binding: Self.opening(errno, adapter: nil)
            case .connecting(let peer): Self.connecting(errno, peer) ?? Self.opening(errno, adapter: nil)
            case .link(let peer): Self.link(errno, peer)
            case .securing(let peer): Self.securing(errno, peer) ?? Self.link(errno, peer)
            }
        let explanation = known ?? Explanation(.protocolError, "the kernel refused")
        self.init(
            explanation.category, explanation.situation, failure: failure, reason: explanation.reason,
            remedy: explanation.remedy, errno: errno)
    }

    private struct Explanation {
        var category: Category
        var situation: Situation
        var reason: String
        var remedy: String

        init(_ category: Category, _ reason: String, _ remedy: String = "", _ situation: Situation = .general) {
            self.category = category
            self.situation = situation
            self.reason = reason
            self.remedy = remedy
        }
    }

    private static func opening(_ errno: Errno, adapter: String?) -> Explanation? {
        let name = adapter ?? "the adapter"
        return switch errno {
        case .addressFamilyNotSupported, .protocolNotSupported, .socketTypeNotSupported:
            Explanation(.noAdapter, "this kernel has no Bluetooth, or hides it", Remedy.loadModule, .adapterAbsent)
        case .notPermitted, .permissionDenied:
            Explanation(
                .noRights, "the process has not the right to use raw HCI sockets (CAP_NET_RAW)", Remedy.rights)
        case .noDevice, .noSuchDeviceOrAddress, .brokenPipe:
            Explanation(.noAdapter, "\(name) is not there", Remedy.listAdapters, .adapterAbsent)
        case .networkDown:
            Explanation(.noAdapter, "\(name) is down", Remedy.switchOn(adapter ?? "hci0"), .adapterDown)
        case .radioKilled:
            Explanation(
                .noAdapter, "\(name) is blocked by rfkill", "unblock it with \"rfkill unblock bluetooth\"", .adapterDown
            )
        case .ioError:
            Explanation(
                .noAdapter, "\(name) does not answer any more", "take it down and up again, or plug it in anew",
                .adapterDown)
        case .resourceBusy:
            Explanation(
                .noAdapter, "another program has \(name) for itself", "end that program, or use another adapter")
        case .addressNotAvailable:
            Explanation(.noAdapter, "no adapter has this address", Remedy.listAdapters, .adapterAbsent)
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
            Explanation(.protocolError, "too many files are open", "raise the limit with \"ulimit -n\"")
        case .noMemory, .noBufferSpace, .wouldBlock:
            Explanation(.protocolError, "the kernel has no memory for it now", "try again")
        case .invalidArgument:
            Explanation(.protocolError, "the kernel does not accept the parameters")
        case .messageTooLong:
            Explanation(.protocolError, "the packet is longer than the kernel takes")
        case .operationNotSupported:
            Explanation(.noAdapter, "\(name) cannot do this", "use another adapter")
        default: nil
        }
    }

    private static func connecting(_ errno: Errno, _ peer: DeviceAddress) -> Explanation? {
        let otherType = peer.type == .public ? "random" : "public"
        let near = "see whether it advertises with \"btatt scan\", and whether \(peer.type) is its address type"
        return switch errno {
        case .connectionRefused:
            Explanation(
                .noConnection, "the adapter has LE switched off, or the device refused",
                "switch LE on with \"btmgmt le on\"; \(near)")
        case .hostDown:
            Explanation(.noConnection, "the device does not answer", near)
        case .hostUnreachable:
            Explanation(
                .noAdapter, "no adapter that is up has the address to connect from", Remedy.switchOn("hci0"),
                .adapterDown)
        case .timedOut:
            Explanation(
                .noConnection, "the device was not heard in time",
                "see whether it advertises with \"btatt scan\", and whether its address type is not \(otherType)")
        case .connectionAborted:
            Explanation(
                .noConnection, "the attempt was ended on this side, by the kernel or by another program", "try again")
        case .connectionReset:
            Explanation(
                .noConnection, "the device ended the connection while it was being made",
                "see whether it is connected to something else already")
        case .noFunction:
            // The kernel has no number for this status, above all 0x3E, Connection Failed to be Established.
            Explanation(
                .noConnection, "the link could not be established: the device was heard but did not answer",
                "move closer and try again")
        case .notConnected:
            Explanation(.noConnection, "the connection was gone before it could be used", "try again")
        case .resourceBusy, .alreadyInProgress:
            Explanation(
                .noConnection, "the adapter is busy with another connection attempt or with a scan",
                "wait for it, or end the program that scans or connects (bluetoothd, hcitool, gatttool)")
        case .tooManyLinks:
            Explanation(.noConnection, "the adapter has no room for another connection", "disconnect another device")
        case .permissionDenied:
            Explanation(.noConnection, "pairing or authentication failed", "pair again, and check the passkey")
        case .notPermitted:
            Explanation(
                .noRights, "the process has not the right to open Bluetooth sockets",
                "run as root, or outside of the sandbox that forbids it")
        case .invalidExchange:  // PIN or Key Missing
            Explanation(
                .noConnection, "the device no longer has the key of this pairing",
                "remove the pairing on this side (\"btmgmt unpair \(peer.octets)\") and pair again")
        case .tooManySymbolicLinks:  // ELOOP: Repeated Attempts
            Explanation(.noConnection, "the device wants a pause between pairing attempts", "wait and try again")
        case .protocolError:
            Explanation(.noConnection, "the two controllers could not agree", "try again")
        case .operationNotSupported:
            Explanation(.noAdapter, "the adapter does not support LE connections", "use another adapter")
        case .ioError:
            Explanation(.noConnection, "the controller failed", "take the adapter down and up again")
        case .invalidArgument:
            Explanation(.noConnection, "the kernel does not accept this address or channel", near)
        default: nil
        }
    }

    private static func link(_ errno: Errno, _ peer: DeviceAddress) -> Explanation? {
        switch errno {
        case .connectionReset, .brokenPipe, .shutDown:
            Explanation(.linkLost, "the device ended the connection", "connect again")
        case .timedOut:
            Explanation(
                .linkLost, "the device was not heard any more (supervision timeout)",
                "move closer, see whether it is on, and connect again")
        case .connectionAborted:
            Explanation(
                .linkLost, "the connection was ended on this side: the adapter went down, or another program did it",
                "see whether the adapter is up, and connect again")
        case .notConnected:
            Explanation(.linkLost, "there is no connection any more", "connect again")
        case .networkDown, .noDevice:
            Explanation(.linkLost, "the adapter went down", Remedy.switchOn("hci0"), .adapterDown)
        case .ioError:
            Explanation(.linkLost, "the controller failed", "take the adapter down and up again")
        case .noFunction:
            // No number for this status, among them 0x3D, MIC Failure.
            Explanation(.linkLost, "the controller ended the connection", "connect again")
        case .permissionDenied:
            Explanation(.linkLost, "authentication failed", "pair again", .security)
        case .invalidExchange:
            Explanation(
                .linkLost, "the device no longer has the key of this pairing",
                "remove the pairing on this side (\"btmgmt unpair \(peer.octets)\") and pair again", .security)
        case .connectionRefused:
            Explanation(.linkLost, "the device is short of resources, or refuses this security", "connect again")
        case .messageTooLong:
            Explanation(.protocolError, "the PDU is longer than the MTU of the channel")
        case .noMemory, .noBufferSpace, .wouldBlock:
            Explanation(.protocolError, "the kernel has no memory for it now", "try again")
        default: nil
        }
    }

    private static func securing(_ errno: Errno, _ peer: DeviceAddress) -> Explanation? {
        switch errno {
        case .invalidArgument:
            Explanation(
                .protocolError,
                "the link has this security already, or the kernel cannot pair (Security Manager not available)",
                "see \"dmesg\", and whether pairing is allowed: \"btmgmt bondable on\"", .security)
        case .timedOut:
            Explanation(
                .timedOut, "pairing did not end in time",
                "allow it with \"btmgmt bondable on\", answer it with an agent (\"bluetoothctl\" or \"btmgmt\"), and connect again",
                .security)
        default: nil
        }
    }
}
