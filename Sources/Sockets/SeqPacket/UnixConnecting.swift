internal import Glibc
internal import Wire

extension SeqPacketSocket {
    /// Connects to a Unix socket, and waits while its server has not accepted the connections before this one.
    ///
    /// Linux tells of room in a server's queue to callers that block only: neither epoll nor a signal does. So this one
    /// wait has a thread of its own, which ends with it.
    /// - Parameters:
    ///   - seconds: how long to wait at most, at least one.
    ///   - completion: runs on any thread, once: the socket, or the error of `connect`; `timedOut` when the queue stayed
    ///     full. Letting go of the socket closes it.
    public static func connect(
        to address: UnixAddress, waiting seconds: Int, on loop: EventLoop = .shared, datagramCapacity: Int = 2048,
        completion: @escaping @Sendable (Result<SeqPacketSocket, Errno>) -> Void
    ) {
        do throws(Errno) {
            completion(.success(try connect(to: address, on: loop, datagramCapacity: datagramCapacity)))
            return
        } catch .wouldBlock {
            // The queue is full.
        } catch {
            completion(.failure(error))
            return
        }
        do throws(Errno) {
            try DetachedThread.run {
                do throws(Errno) {
                    let descriptor = try blockingConnect(to: address, seconds: seconds, loop.system)
                    completion(
                        .success(
                            SeqPacketSocket(adopting: descriptor, on: loop, datagramCapacity: datagramCapacity)))
                } catch {
                    completion(.failure(error == .wouldBlock ? .timedOut : error))
                }
            }
        } catch {
            completion(.failure(error))
        }
    }

    /// A descriptor that blocks; sending and receiving ask not to wait by their flags.
    private static func blockingConnect(
        to address: UnixAddress, seconds: Int, _ system: any SystemCalls
    ) throws(Errno) -> Int32 {
        let descriptor = try system.socket(
            domain: LinuxNumbers.unixDomain, type: LinuxNumbers.seqPacket | LinuxNumbers.closeOnExec, protocol: 0)
        do throws(Errno) {
            try system.setSocketOption(
                descriptor, level: LinuxNumbers.socketLevel, name: LinuxNumbers.sendTimeout,
                value: timeval(tv_sec: max(seconds, 1), tv_usec: 0))
            try retryingInterrupts { () throws(Errno) in
                try system.connect(descriptor, to: address.octets.octets)
            }
            return descriptor
        } catch {
            try? system.close(descriptor)
            throw error
        }
    }
}
