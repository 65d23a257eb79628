public import GATT
public import Sockets

/// Why an operation of a central failed: what was attempted, on what, why it did not work, and what to try.
public struct CentralError: Error, Hashable, Sendable {
    /// The sort of failure, by which a program decides; each has its exit status in the command line.
    public enum Category: Hashable, Sendable {
        /// The peer refused, or the protocol was violated. Exit status 1.
        case refused
        /// What was asked for cannot be asked for. Exit status 2.
        case invalid
        /// There is no usable adapter. Exit status 3.
        case noAdapter
        /// The process lacks a right. Exit status 4.
        case missingRights
        /// The device was not found, or no connection came about. Exit status 5.
        case noConnection
        /// A connection that existed is gone. Exit status 6.
        case linkLost
        /// Something took longer than it was given. Exit status 7.
        case timedOut
        /// The task was cancelled. Exit status 130.
        case cancelled
    }

    /// The sort of failure.
    public var category: Category
    /// What failed, and on what, as a clause: `cannot read 0x0025 on F0:F1:F2:F3:F4:F5/random`.
    public var failure: String
    /// Why, as a clause.
    public var reason: String
    /// What to try, as a clause; empty when there is nothing to advise.
    public var remedy: String
    /// The GATT error behind it, where there is one.
    public var gattError: GATTError?
    /// The error number of the system call behind it, where there is one.
    public var errno: Errno?
    /// The controller's status code behind it (Core Specification, Vol 1, Part F), where there is one.
    public var hciStatus: UInt8?
    /// Why the link has not the security that it would need, where that is what it is about.
    public var security: SecurityFailure?

    /// An error of its parts.
    public init(
        _ category: Category, failure: String, reason: String, remedy: String = "", gattError: GATTError? = nil,
        errno: Errno? = nil, hciStatus: UInt8? = nil, security: SecurityFailure? = nil
    ) {
        self.category = category
        self.failure = failure
        self.reason = reason
        self.remedy = remedy
        self.gattError = gattError
        self.errno = errno
        self.hciStatus = hciStatus
        self.security = security
    }
}

extension CentralError {
    /// The exit status of a command that ends with this error.
    public var exitStatus: Int32 { category.exitStatus }
}

extension CentralError.Category {
    /// The exit status of a command that ends with an error of this sort.
    public var exitStatus: Int32 {
        switch self {
        case .refused: 1
        case .invalid: 2
        case .noAdapter: 3
        case .missingRights: 4
        case .noConnection: 5
        case .linkLost: 6
        case .timedOut: 7
        case .cancelled: 130
        }
    }
}

extension CentralError: CustomStringConvertible {
    /// One sentence: what failed, on what, why; and what to try.
    public var description: String {
        let sentence = "\(failure): \(reason)"
        return remedy.isEmpty ? sentence : "\(sentence); \(remedy)"
    }
}
