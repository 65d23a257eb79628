import BlueZSockets
import Central
import Sockets
import VirtualPeripheral

// An ATT bearer without a client engine on it: what is sent is what the recording says.

extension CommandContext {
    /// Connects to the chosen device, does the work with its bearer, and closes it.
    func withBearer(
        _ work: (_ socket: SeqPacketSocket, _ name: String) async throws(Failure) -> Void
    ) async throws(Failure) {
        let target = try target()
        let name = target.description
        switch target {
        case .unix(let path):
            let socket: SeqPacketSocket
            do throws(Errno) {
                socket = try SeqPacketSocket.connect(to: try UnixAddress(path: path), datagramCapacity: 65_536)
            } catch {
                throw Failure(.noConnection, "cannot connect to unix:\(path): \(error)")
            }
            defer { socket.close() }
            try await work(socket, name)
        case .virtual(let peripheral):
            let device = try virtualDevice(peripheral)
            let socket: SeqPacketSocket
            do throws(Errno) {
                let (near, far) = try SeqPacketSocket.pair(datagramCapacity: 65_536)
                try await device.serve(far)
                socket = near
            } catch {
                throw Failure(.noConnection, "cannot connect to virtual:\(peripheral): \(error)")
            }
            defer { socket.close() }
            try await work(socket, name)
            withExtendedLifetime(device) {}
        case .address(let address):
            let link: L2CAPLink
            do throws(BluetoothSocketError) {
                let list = AdapterList()
                let adapter: Adapter
                if case .hci(let index) = self.adapter, let number = UInt16(exactly: index) {
                    adapter = try list.adapter(number)
                } else {
                    adapter = try list.firstUsable()
                }
                link = try await L2CAPConnector().connect(
                    to: address, from: adapter, security: .low, timeout: timeout ?? .seconds(20))
            } catch {
                throw Failure(ExitStatus(rawValue: error.exitStatus) ?? .noConnection, error.description)
            }
            defer { link.socket.close() }
            try await work(link.socket, name)
        default:
            throw Failure(
                .usage, "replay needs a device by its whole address, such as AA:BB:CC:DD:EE:FF/random, or unix:PATH")
        }
    }

    private func virtualDevice(_ name: String) throws(Failure) -> VirtualDevice {
        do {
            return try VirtualDevice(try DeviceDescription.load(name))
        } catch {
            throw Failure(.usage, "\(name): \(error)")
        }
    }
}
