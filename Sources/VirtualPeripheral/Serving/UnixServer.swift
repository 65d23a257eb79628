public import Sockets

/// A device served to any number of clients on a Unix socket of type SEQPACKET: one datagram, one PDU.
public final class UnixServer: Sendable {
    /// The device, with the values all clients share.
    public let device: VirtualDevice
    private let listener: UnixSocketListener

    /// Serves a device from now on, until `close`.
    /// - Parameters:
    ///   - device: The device; the sockets of its clients run on its loop.
    ///   - address: Where to listen.
    ///   - failed: Is told, on the loop, of connections that could not be accepted.
    /// - Throws: The error number, for example `addressInUse` when something listens there already.
    public init(
        _ device: VirtualDevice, at address: UnixAddress, failed: @escaping @Sendable (Errno) -> Void = { _ in }
    ) throws(Errno) {
        self.device = device
        listener = try UnixSocketListener(
            at: address, on: device.loop,
            accepted: { socket in
                do throws(Errno) {
                    try device.serveNow(socket)
                } catch {
                    failed(error)
                }
            }, failed: failed)
    }

    /// Stops listening, removes the socket's file and breaks all connections.
    public func close() async {
        listener.close()
        await device.disconnectAll()
    }
}
