import BlueZSockets
import GAP
import HCI
import Sockets
import SocketsTestSupport
import TestSupport
import Testing

/// What can be asked of a link, and asked for. The socket is descriptor 9; BT_SECURITY is option 4 of level 274.
@Suite struct L2CAPLinkTests {
    private static let peer = DeviceAddress(value: 0xF0F1_F2F3_F4F5, type: .random)

    private func link(_ rows: [Row]) throws -> (L2CAPLink, Stage) {
        let stage = try Stage(rows)
        let socket = SeqPacketSocket(adopting: 9, on: stage.loop)
        return (L2CAPLink(socket: socket, peer: Self.peer, handle: 0x2A), stage)
    }

    private func close(_ link: L2CAPLink, _ stage: Stage) {
        stage.expectDone()
        stage.system.expect([(.close(9), .done)])
        link.socket.close()
    }

    private func security(_ octets: String) -> Row { (.socketOption(9, level: 274, name: 4), .octets(hex(octets))) }

    @Test func theSecurityIsRead() throws {
        let (link, stage) = try link([security("0210")])
        #expect(try link.security() == LinkSecurity(level: .medium, keySize: 16))
        close(link, stage)
    }

    @Test func aRaiseIsPendingUntilTheSocketIsWritable() throws {
        let (link, stage) = try link([
            security("0100"), (.setSocketOption(9, level: 274, name: 4, hex("0200")), .done),
            (.pollNow(9), .value(0)), (.pollNow(9), .value(1)), (.pollNow(9), .value(4)),
        ])
        #expect(try link.requestSecurity(.medium))
        #expect(try link.securityIsPending())
        #expect(try link.securityIsPending())
        #expect(try !link.securityIsPending())
        close(link, stage)
    }

    @Test func whatIsThereAlreadyIsNotAskedFor() throws {
        // The kernel would answer EINVAL.
        let (link, stage) = try link([security("0310"), security("0100")])
        #expect(try !link.requestSecurity(.medium))
        #expect(try !link.requestSecurity(.low))
        close(link, stage)
    }

    @Test func aLevelOfTheSocketWithoutAKeyIsNotThere() throws {
        let (link, stage) = try link([
            security("0200"), (.setSocketOption(9, level: 274, name: 4, hex("0200")), .done),
        ])
        #expect(try link.requestSecurity(.medium))
        close(link, stage)
    }

    @Test func aRefusalIsASecurityError() throws {
        let (link, stage) = try link([
            security("0100"), (.setSocketOption(9, level: 274, name: 4, hex("0300")), .error(.invalidArgument)),
        ])
        let error = #expect(throws: BluetoothSocketError.self) { try link.requestSecurity(.high) }
        #expect(error?.situation == .security)
        #expect(error?.category == .protocolError)
        close(link, stage)
    }

    @Test func theEndOfTheLinkWhilePairingIsALostLink() throws {
        let (link, stage) = try link([
            (.pollNow(9), .value(0x18)), (.socketOption(9, level: 1, name: 4), .octets(hex("68000000"))),
            (.pollNow(9), .value(0x14)), (.socketOption(9, level: 1, name: 4), .octets(hex("00000000"))),
        ])
        let reset = #expect(throws: BluetoothSocketError.self) { try link.securityIsPending() }
        #expect(reset?.errno == .connectionReset)
        #expect(reset?.category == .linkLost)
        let gone = #expect(throws: BluetoothSocketError.self) { try link.securityIsPending() }
        #expect(gone?.errno == .notConnected)
        close(link, stage)
    }

    @Test func aClosedSocketHasNoSecurity() throws {
        let (link, stage) = try link([(.close(9), .done)])
        link.socket.close()
        let error = #expect(throws: BluetoothSocketError.self) { try link.security() }
        #expect(error?.category == .linkLost)
        stage.expectDone()
    }

    @Test(
        arguments: [
            (.closedHere, "it was closed on this side"), (.closedByPeer, "the device ended the connection"),
            (.failed(.timedOut), "the device was not heard any more (supervision timeout)"),
        ] as [(SocketCloseReason, String)])
    func theEndOfASocketIsExplained(reason: SocketCloseReason, text: String) throws {
        let (link, stage) = try link([])
        let error = link.error(for: reason)
        #expect(error.reason == text)
        #expect(error.category == .linkLost)
        #expect(error.failure == "the connection to F0:F1:F2:F3:F4:F5/random ended")
        close(link, stage)
    }

    @Test func pairingThatDoesNotEndIsATimeout() throws {
        let (link, stage) = try link([])
        let error = link.securityTimedOut(.medium)
        #expect(error.category == .timedOut)
        #expect(error.situation == .security)
        #expect(error.remedy.contains("bondable on"))
        close(link, stage)
    }
}
