/// The error number of a system call, kept as the kernel gave it.
///
/// An open structure rather than an enumeration: a number that a later kernel adds survives and is printed.
@frozen
public struct Errno: Error, RawRepresentable, Hashable, Sendable {
    /// The number, positive.
    public let rawValue: Int32

    /// The error of a number.
    @inlinable
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// The symbolic name, for example `ECONNREFUSED`; `errno 4711` for a number that Linux does not define.
    public var name: String { tableEntry?.name ?? "errno \(rawValue)" }

    /// The C library's sentence, for example `Connection refused`, always in English.
    public var message: String { tableEntry?.message ?? "Unknown error" }

    private var tableEntry: (name: String, message: String)? {
        guard rawValue > 0, Int(rawValue) < errnoTable.count else { return nil }
        let entry = errnoTable[Int(rawValue)]
        return entry.name.isEmpty ? nil : entry
    }
}

extension Errno: CustomStringConvertible {
    /// The sentence and the name: `Connection refused (ECONNREFUSED)`.
    public var description: String { "\(message) (\(name))" }
}

extension Errno {
    /// `EPERM`: Operation not permitted.
    @inlinable public static var notPermitted: Errno { Errno(rawValue: 1) }
    /// `ENOENT`: No such file or directory.
    @inlinable public static var noSuchFile: Errno { Errno(rawValue: 2) }
    /// `EINTR`: Interrupted system call.
    @inlinable public static var interrupted: Errno { Errno(rawValue: 4) }
    /// `EIO`: Input/output error.
    @inlinable public static var ioError: Errno { Errno(rawValue: 5) }
    /// `ENXIO`: No such device or address.
    @inlinable public static var noSuchDeviceOrAddress: Errno { Errno(rawValue: 6) }
    /// `EBADF`: Bad file descriptor.
    @inlinable public static var badFileDescriptor: Errno { Errno(rawValue: 9) }
    /// `EAGAIN`: Resource temporarily unavailable.
    @inlinable public static var wouldBlock: Errno { Errno(rawValue: 11) }
    /// `ENOMEM`: Cannot allocate memory.
    @inlinable public static var noMemory: Errno { Errno(rawValue: 12) }
    /// `EACCES`: Permission denied.
    @inlinable public static var permissionDenied: Errno { Errno(rawValue: 13) }
    /// `EFAULT`: Bad address.
    @inlinable public static var badAddress: Errno { Errno(rawValue: 14) }
    /// `EBUSY`: Device or resource busy.
    @inlinable public static var resourceBusy: Errno { Errno(rawValue: 16) }
    /// `EEXIST`: File exists.
    @inlinable public static var fileExists: Errno { Errno(rawValue: 17) }
    /// `ENODEV`: No such device.
    @inlinable public static var noDevice: Errno { Errno(rawValue: 19) }
    /// `ENOTDIR`: Not a directory.
    @inlinable public static var notDirectory: Errno { Errno(rawValue: 20) }
    /// `EINVAL`: Invalid argument.
    @inlinable public static var invalidArgument: Errno { Errno(rawValue: 22) }
    /// `ENFILE`: Too many open files in system.
    @inlinable public static var tooManyOpenFilesInSystem: Errno { Errno(rawValue: 23) }
    /// `EMFILE`: Too many open files.
    @inlinable public static var tooManyOpenFiles: Errno { Errno(rawValue: 24) }
    /// `ENOTTY`: Inappropriate ioctl for device.
    @inlinable public static var inappropriateRequest: Errno { Errno(rawValue: 25) }
    /// `ENOSPC`: No space left on device.
    @inlinable public static var noSpace: Errno { Errno(rawValue: 28) }
    /// `EROFS`: Read-only file system.
    @inlinable public static var readOnlyFileSystem: Errno { Errno(rawValue: 30) }
    /// `EMLINK`: Too many links.
    @inlinable public static var tooManyLinks: Errno { Errno(rawValue: 31) }
    /// `EPIPE`: Broken pipe.
    @inlinable public static var brokenPipe: Errno { Errno(rawValue: 32) }
    /// `ENAMETOOLONG`: File name too long.
    @inlinable public static var nameTooLong: Errno { Errno(rawValue: 36) }
    /// `ENOSYS`: Function not implemented.
    @inlinable public static var noFunction: Errno { Errno(rawValue: 38) }
    /// `ELOOP`: Too many levels of symbolic links.
    @inlinable public static var tooManySymbolicLinks: Errno { Errno(rawValue: 40) }
    /// `EUNATCH`: Protocol driver not attached.
    @inlinable public static var protocolNotAttached: Errno { Errno(rawValue: 49) }
    /// `EBADE`: Invalid exchange.
    @inlinable public static var invalidExchange: Errno { Errno(rawValue: 52) }
    /// `ECOMM`: Communication error on send.
    @inlinable public static var communicationError: Errno { Errno(rawValue: 70) }
    /// `EPROTO`: Protocol error.
    @inlinable public static var protocolError: Errno { Errno(rawValue: 71) }
    /// `EBADMSG`: Bad message.
    @inlinable public static var badMessage: Errno { Errno(rawValue: 74) }
    /// `EOVERFLOW`: Value too large for defined data type.
    @inlinable public static var overflow: Errno { Errno(rawValue: 75) }
    /// `EILSEQ`: Invalid or incomplete multibyte or wide character.
    @inlinable public static var illegalSequence: Errno { Errno(rawValue: 84) }
    /// `ENOTSOCK`: Socket operation on non-socket.
    @inlinable public static var notSocket: Errno { Errno(rawValue: 88) }
    /// `EDESTADDRREQ`: Destination address required.
    @inlinable public static var addressRequired: Errno { Errno(rawValue: 89) }
    /// `EMSGSIZE`: Message too long.
    @inlinable public static var messageTooLong: Errno { Errno(rawValue: 90) }
    /// `EPROTOTYPE`: Protocol wrong type for socket.
    @inlinable public static var wrongProtocolType: Errno { Errno(rawValue: 91) }
    /// `ENOPROTOOPT`: Protocol not available.
    @inlinable public static var optionNotAvailable: Errno { Errno(rawValue: 92) }
    /// `EPROTONOSUPPORT`: Protocol not supported.
    @inlinable public static var protocolNotSupported: Errno { Errno(rawValue: 93) }
    /// `ESOCKTNOSUPPORT`: Socket type not supported.
    @inlinable public static var socketTypeNotSupported: Errno { Errno(rawValue: 94) }
    /// `EOPNOTSUPP`: Operation not supported.
    @inlinable public static var operationNotSupported: Errno { Errno(rawValue: 95) }
    /// `EAFNOSUPPORT`: Address family not supported by protocol.
    @inlinable public static var addressFamilyNotSupported: Errno { Errno(rawValue: 97) }
    /// `EADDRINUSE`: Address already in use.
    @inlinable public static var addressInUse: Errno { Errno(rawValue: 98) }
    /// `EADDRNOTAVAIL`: Cannot assign requested address.
    @inlinable public static var addressNotAvailable: Errno { Errno(rawValue: 99) }
    /// `ENETDOWN`: Network is down.
    @inlinable public static var networkDown: Errno { Errno(rawValue: 100) }
    /// `ENETUNREACH`: Network is unreachable.
    @inlinable public static var networkUnreachable: Errno { Errno(rawValue: 101) }
    /// `ENETRESET`: Network dropped connection on reset.
    @inlinable public static var networkReset: Errno { Errno(rawValue: 102) }
    /// `ECONNABORTED`: Software caused connection abort.
    @inlinable public static var connectionAborted: Errno { Errno(rawValue: 103) }
    /// `ECONNRESET`: Connection reset by peer.
    @inlinable public static var connectionReset: Errno { Errno(rawValue: 104) }
    /// `ENOBUFS`: No buffer space available.
    @inlinable public static var noBufferSpace: Errno { Errno(rawValue: 105) }
    /// `EISCONN`: Transport endpoint is already connected.
    @inlinable public static var alreadyConnected: Errno { Errno(rawValue: 106) }
    /// `ENOTCONN`: Transport endpoint is not connected.
    @inlinable public static var notConnected: Errno { Errno(rawValue: 107) }
    /// `ESHUTDOWN`: Cannot send after transport endpoint shutdown.
    @inlinable public static var shutDown: Errno { Errno(rawValue: 108) }
    /// `ETIMEDOUT`: Connection timed out.
    @inlinable public static var timedOut: Errno { Errno(rawValue: 110) }
    /// `ECONNREFUSED`: Connection refused.
    @inlinable public static var connectionRefused: Errno { Errno(rawValue: 111) }
    /// `EHOSTDOWN`: Host is down.
    @inlinable public static var hostDown: Errno { Errno(rawValue: 112) }
    /// `EHOSTUNREACH`: No route to host.
    @inlinable public static var hostUnreachable: Errno { Errno(rawValue: 113) }
    /// `EALREADY`: Operation already in progress.
    @inlinable public static var alreadyInProgress: Errno { Errno(rawValue: 114) }
    /// `EINPROGRESS`: Operation now in progress.
    @inlinable public static var inProgress: Errno { Errno(rawValue: 115) }
    /// `EREMOTEIO`: Remote I/O error.
    @inlinable public static var remoteIOError: Errno { Errno(rawValue: 121) }
    /// `ECANCELED`: Operation canceled.
    @inlinable public static var cancelled: Errno { Errno(rawValue: 125) }
    /// `ENOKEY`: Required key not available.
    @inlinable public static var noKey: Errno { Errno(rawValue: 126) }
    /// `EKEYREJECTED`: Key was rejected by service.
    @inlinable public static var keyRejected: Errno { Errno(rawValue: 129) }
    /// `ERFKILL`: Operation not possible due to RF-kill.
    @inlinable public static var radioKilled: Errno { Errno(rawValue: 132) }
}
