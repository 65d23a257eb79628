public import HCI
public import Sockets

/// Why something with an adapter or a link failed: for a program by category, situation and code, for a person in words.
public struct BluetoothSocketError: Error, Hashable, Sendable {
    /// What sort of failure it is; each has an exit status of its own.
    public enum Category: Hashable, Sendable, CaseIterable {
        /// There is no adapter that could do it: none at all, absent, down, without LE, or taken by another
        /// program.
        case noAdapter
        /// The process may not do it.
        case noRights
        /// The device was not reached.
        case noConnection
        /// A link that was there is gone.
        case linkLost
        /// Nothing happened within the time that was given.
        case timedOut
        /// The controller, the kernel or the device refused, or answered nonsense.
        case protocolError
        /// The caller gave up: the task was cancelled.
        case cancelled

        /// The exit status of a command that ends with this error.
        public var exitStatus: Int32 {
            switch self {
            case .protocolError: 1
            case .noAdapter: 3
            case .noRights: 4
            case .noConnection: 5
            case .linkLost: 6
            case .timedOut: 7
            case .cancelled: 130
            }
        }
    }

    /// Situations that a program may want to tell apart within a category.
    public enum Situation: Hashable, Sendable {
        /// Nothing particular.
        case general
        /// Somebody else scans on the adapter. Passive listening (`ScanMode.listen`) still works.
        case scanAlreadyRunning
        /// The adapter was switched off.
        case adapterDown
        /// The adapter is not there, or no longer.
        case adapterAbsent
        /// The controller does not know the command.
        case unknownCommand
        /// The security level is there already, or cannot be had.
        case security
        /// The security of a link could not be raised.
        case pairing(PairingFailure)
    }

    /// What sort of failure it is.
    public var category: Category
    /// Which of the situations that programs tell apart.
    public var situation: Situation
    /// What failed: `cannot scan on hci0`.
    public var failure: String
    /// Why: `the adapter is down`.
    public var reason: String
    /// What to try, as a sentence without its full stop; empty when nothing is known to help.
    public var remedy: String
    /// The kernel's error number, when it gave one.
    public var errno: Errno?
    /// The controller's status, when it gave one (Core Specification, Vol 1, Part F).
    public var status: StatusCode?

    /// An error of its parts.
    public init(
        _ category: Category, _ situation: Situation = .general, failure: String, reason: String, remedy: String = "",
        errno: Errno? = nil, status: StatusCode? = nil
    ) {
        self.category = category
        self.situation = situation
        self.failure = failure
        self.reason = reason
        self.remedy = remedy
        self.errno = errno
        self.status = status
    }

    /// The exit status of a command that ends with this error.
    public var exitStatus: Int32 { category.exitStatus }
}

extension BluetoothSocketError: CustomStringConvertible {
    /// What failed, why, and what to try, in one line:
    /// `cannot scan on hci0: the adapter is down (Network is down, ENETDOWN); switch it on with "hciconfig hci0 up"`.
    public var description: String {
        var text = "\(failure): \(reason)"
        if let errno {
            text += " (\(errno.message), \(errno.name))"
        } else if let status {
            text += " (HCI status \(status))"
        }
        if !remedy.isEmpty { text += "; \(remedy)" }
        return text
    }
}

extension BluetoothSocketError {
    /// The caller's task was cancelled.
    static func cancelled(_ failure: String) -> BluetoothSocketError {
        BluetoothSocketError(.cancelled, failure: failure, reason: "it was cancelled")
    }

    /// The adapter was switched off while it was in use.
    static func adapterWentDown(_ name: String, failure: String, errno: Errno? = nil) -> BluetoothSocketError {
        BluetoothSocketError(
            .noAdapter, .adapterDown, failure: failure, reason: "\(name) was switched off meanwhile",
            remedy: Remedy.switchOn(name), errno: errno)
    }

    /// The adapter was unplugged while it was in use.
    static func adapterVanished(_ name: String, failure: String, errno: Errno? = nil) -> BluetoothSocketError {
        BluetoothSocketError(
            .noAdapter, .adapterAbsent, failure: failure, reason: "\(name) was removed meanwhile",
            remedy: Remedy.listAdapters, errno: errno)
    }
}

/// What to try, in the words that several errors share.
enum Remedy {
    static let listAdapters = "see which adapters there are with \"btatt adapters\" or \"hciconfig -a\""
    static let loadModule =
        "load it with \"modprobe bluetooth\"; in a container, use the host's network and allow AF_BLUETOOTH"
    static let rights =
        "run as root, or give the program the right: \"setcap cap_net_raw,cap_net_admin+eip PROGRAM\""

    static func switchOn(_ name: String) -> String {
        "switch it on with \"hciconfig \(name) up\" or \"btmgmt power on\"; if it is blocked, \"rfkill unblock bluetooth\""
    }
}
