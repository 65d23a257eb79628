import HCI
import TestSupport
import Testing
import Wire

/// A command flow and an ACL flow side by side, as a host has them, driven by packets with their type octet. In a box,
/// since `#expect` takes no values that cannot be copied.
final class Host {
    /// What a host's user would see.
    enum Happening: Equatable {
        case answered(CommandFlow.ID, StatusCode)
        case connected(ConnectionHandle)
        case connectionFailed(StatusCode)
        case disconnected(ConnectionHandle, StatusCode)
        case encryption(ConnectionHandle, StatusCode, isEncrypted: Bool)
        case failed([CommandFlow.ID], [ConnectionHandle])
        case data(ConnectionHandle, ACLPacket.Boundary, String)
    }

    private var commands = CommandFlow()
    private var data: ACLFlow

    init(dataLength: Int = 27, packetCount: Int = 4) {
        data = ACLFlow(dataLength: dataLength, packetCount: packetCount)
    }

    var credits: Int { commands.credits }
    var pendingCount: Int { commands.pendingCount }
    var waitingCount: Int { commands.waitingCount }
    var freeCount: Int { data.freeCount }

    func outstandingCount(_ handle: ConnectionHandle) -> Int { data.outstandingCount(handle) }
    func waitingOctetCount(_ handle: ConnectionHandle) -> Int { data.waitingOctetCount(handle) }
    func isConnected(_ handle: ConnectionHandle) -> Bool { data.isConnected(handle) }
    func connect(_ handles: ConnectionHandle...) { for handle in handles { data.connected(handle) } }

    func enqueue(_ command: some HCICommand) -> CommandFlow.ID? { commands.enqueue(command) }
    func enqueue(_ frame: String, on handle: ConnectionHandle) throws { try data.enqueue(hex(frame), on: handle) }
    func nextCommand() -> [UInt8]? { commands.nextPacket() }
    func nextData() -> [UInt8]? { data.nextPacket() }
    /// Sends data until nothing more may be sent.
    func sendAllData() -> [[UInt8]] {
        var packets: [[UInt8]] = []
        while let packet = nextData() { packets.append(packet) }
        return packets
    }

    /// Takes a packet from the controller.
    func receive(_ octets: String) -> [Happening] {
        let octets = hex(octets)
        guard let packet = try? HCIPacket(parsing: octets.octets) else { return [] }
        switch packet {
        case .event(let packet): return receive(packet)
        case .acl(let packet):
            guard data.isConnected(packet.handle) else { return [] }
            return [.data(packet.handle, packet.boundary, packet.data.hexadecimal)]
        default: return []
        }
    }

    private func receive(_ packet: EventPacket) -> [Happening] {
        if let outcome = commands.receive(packet) { return [.answered(outcome.id, outcome.status)] }
        guard let event = try? HCIEvent(packet) else { return [] }
        switch event {
        case .le(.connectionComplete(let connection)):
            guard connection.status.isSuccess else { return [.connectionFailed(connection.status)] }
            data.connected(connection.handle)
            return [.connected(connection.handle)]
        case .disconnectionComplete(let end):
            return data.disconnected(end) ? [.disconnected(end.handle, end.reason)] : []
        case .encryptionChange(let change):
            return [.encryption(change.handle, change.status, isEncrypted: change.isEncrypted)]
        case .numberOfCompletedPackets(let packets):
            data.completed(packets)
            return []
        case .hardwareError: return [.failed(commands.reset(), data.reset())]
        default: return []
        }
    }
}
