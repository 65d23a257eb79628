import BlueZSockets
import Sockets
import SocketsTestSupport
import TestSupport
import Testing
import Wire

@Suite struct HCIMonitorTests {
    /// HCI_CHANNEL_MONITOR is 2, SOL_SOCKET 1, SO_RCVBUF 8.
    private static let opened: [Row] = [
        (.socket(domain: 31, type: 0x80803, protocol: 1), .value(8)),
        (.bind(8, hex("1f00 ffff 0200")), .done),
        (.setSocketOption(8, level: 1, name: 8, hex("00001000")), .done),
        (.epollControl(.add, 8, events: 1), .done),
    ]

    private func listen(_ stage: Stage) throws(BluetoothSocketError) -> (HCIMonitor, Locked<[String]>) {
        let messages = Locked<[String]>([])
        let monitor = try HCIMonitor(on: stage.loop) { message in
            let text = "\(message.adapter) \(message.opcode) \(message.octets.hexadecimal)"
            messages.withLock { $0.append(text) }
        }
        return (monitor, messages)
    }

    @Test func messagesComeWithAdapterAndOpcode() throws {
        let stage = try Stage(
            Self.opened + [
                (.epollWait(waits: true), .events([(8, .readable)])),
                (.receive(8), .octets(hex("0000 0000 1000 00000000000000006863693000000000"))),
                (.receive(8), .error(.interrupted)),
                (.receive(8), .octets(hex("0200 0000 0300 030c00"))),
                // Shorter than its own length, and shorter than a header: passed over.
                (.receive(8), .octets(hex("0300 0000 0600 0e0401"))),
                (.receive(8), .octets(hex("0300"))),
                (.receive(8), .octets(hex("0500 0100 0700 40200300 1e0000"))),
                (.receive(8), .octets(hex("0c00 ffff 0500 6e6f746500"))),
                (.receive(8), .error(.wouldBlock)),
            ])
        let (monitor, messages) = try listen(stage)
        stage.playOut()
        #expect(
            messages.withLock { $0 } == [
                "0 0 00000000000000006863693000000000", "0 2 030c00", "1 5 402003001e0000", "65535 12 6e6f746500",
            ])
        stage.system.expect([
            (.receive(8), .octets(hex("0200 0000 0300 030c00"))), (.receive(8), .error(.wouldBlock)),
            (.epollControl(.remove, 8, events: 0), .done), (.close(8), .done),
        ])
        monitor.drain()
        #expect(messages.withLock { $0.count } == 5)
        monitor.close()
        monitor.close()
        monitor.drain()
        stage.expectDone()
    }

    /// CAP_NET_RAW is missing: the kernel refuses to bind.
    @Test func withoutRightsThereIsNothingToHear() throws {
        let stage = try Stage([Self.opened[0], (Self.opened[1].0, .error(.notPermitted)), (.close(8), .done)])
        let error = #expect(throws: BluetoothSocketError.self) { try listen(stage) }
        #expect(error?.category == .noRights)
        stage.expectDone()
    }

    @Test func whatWasOpenedIsClosedWhenItCannotBeWatched() throws {
        let stage = try Stage(
            Array(Self.opened.dropLast()) + [(Self.opened[3].0, .error(.noMemory)), (.close(8), .done)])
        #expect(throws: BluetoothSocketError.self) { try listen(stage) }
        stage.expectDone()
    }
}
