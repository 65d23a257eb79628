internal import CLinux
internal import Glibc

/// Numbers of Linux that the C headers give as macros or enumerations of differing types, as one type each.
///
/// Socket types and flags are `Int32` as the calls want them.
public enum LinuxNumbers {
    /// `AF_UNIX`.
    public static let unixDomain: Int32 = AF_UNIX
    /// `SOCK_SEQPACKET`.
    public static let seqPacket = Int32(SOCK_SEQPACKET.rawValue)
    /// `SOCK_RAW`.
    public static let raw = Int32(SOCK_RAW.rawValue)
    /// `SOCK_NONBLOCK | SOCK_CLOEXEC`, for `type` of `socket(2)` and for `accept4(2)`.
    public static let nonBlocking = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    /// `SOCK_CLOEXEC` alone.
    public static let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)
    /// `MSG_DONTWAIT`.
    public static let doNotWait = Int32(MSG_DONTWAIT)
    /// `MSG_NOSIGNAL`.
    public static let noSignal = Int32(MSG_NOSIGNAL)
    /// `MSG_TRUNC`.
    public static let truncated = Int32(MSG_TRUNC)
    /// `SOL_SOCKET`.
    public static let socketLevel: Int32 = SOL_SOCKET
    /// `SO_ERROR`.
    public static let error: Int32 = SO_ERROR
    /// `SO_SNDTIMEO`.
    public static let sendTimeout: Int32 = SO_SNDTIMEO
    /// `SO_SNDBUF`.
    public static let sendBuffer: Int32 = SO_SNDBUF
    /// `SO_RCVBUF`.
    public static let receiveBuffer: Int32 = SO_RCVBUF
    /// `POLLRDHUP | POLLHUP | POLLERR`: the far end is gone.
    static let pollGone: Int32 = 0x2000 | POLLHUP | POLLERR
    /// `O_RDONLY | O_DIRECTORY | O_CLOEXEC`.
    public static let openFolder: Int32 = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    /// `O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC`: a pipe in the place of a file is not waited for.
    public static let openPlainFile: Int32 = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    /// `O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC`.
    public static let makeFile: Int32 = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
}
