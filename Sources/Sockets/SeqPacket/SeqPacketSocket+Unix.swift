internal import Wire

extension SeqPacketSocket {
    /// Connects to a Unix socket of type `SOCK_SEQPACKET`, which needs no waiting.
    /// - Throws: the error number, for example `noSuchFile` (nobody made the socket), `connectionRefused` (nobody
    ///   listens any more), `wrongProtocolType` (it is a stream or datagram socket), `wouldBlock` (the server has not
    ///   accepted the connections before this one).
    public static func connect(
        to address: UnixAddress, on loop: EventLoop = .shared, datagramCapacity: Int = 2048
    ) throws(Errno) -> SeqPacketSocket {
        let system = loop.system
        let descriptor = try system.socket(
            domain: LinuxNumbers.unixDomain, type: LinuxNumbers.seqPacket | LinuxNumbers.nonBlocking, protocol: 0)
        do throws(Errno) {
            try retryingInterrupts { () throws(Errno) in
                try system.connect(descriptor, to: address.octets.octets)
            }
        } catch {
            try? system.close(descriptor)
            throw error
        }
        return SeqPacketSocket(adopting: descriptor, on: loop, datagramCapacity: datagramCapacity)
    }

    /// Two sockets connected to each other, for two ends in one process; each may have its own loop.
    /// - Throws: the error number of `socketpair`.
    public static func pair(
        on first: EventLoop = .shared, and second: EventLoop? = nil, datagramCapacity: Int = 2048
    ) throws(Errno) -> (SeqPacketSocket, SeqPacketSocket) {
        let (a, b) = try first.system.socketPair(
            domain: LinuxNumbers.unixDomain, type: LinuxNumbers.seqPacket | LinuxNumbers.nonBlocking, protocol: 0)
        return (
            SeqPacketSocket(adopting: a, on: first, datagramCapacity: datagramCapacity),
            SeqPacketSocket(adopting: b, on: second ?? first, datagramCapacity: datagramCapacity)
        )
    }
}

/// Repeats a call that a signal interrupted.
func retryingInterrupts<Result>(_ body: () throws(Errno) -> Result) throws(Errno) -> Result {
    while true {
        do throws(Errno) {
            return try body()
        } catch .interrupted {
            continue
        }
    }
}
