import HCI
import L2CAP
import Sockets
import SocketsTestSupport
import TestSupport
import Testing

@testable import BlueZSockets

@Suite struct SecurityWatchTests {
    static let packets: [(String, SecurityWatch.Event?)] = [
        // ACL of handle 0x040, boundary 10: from the device. L2CAP channel 6, Pairing Failed.
        ("02 4020 0600 0200 0600 05 04", .pairingFailed(.confirmValueFailed, byPeer: true)),
        // Boundary 00: from this side.
        ("02 4000 0600 0200 0600 05 01", .pairingFailed(.passkeyEntryFailed, byPeer: false)),
        ("02 4020 0600 0200 0600 05 77", .pairingFailed(PairingFailureReason(rawValue: 0x77), byPeer: true)),
        // Another link, another channel, another command, a later fragment, one octet too few.
        ("02 4120 0600 0200 0600 05 04", nil),
        ("02 4020 0600 0200 0400 05 04", nil),
        ("02 4020 0600 0200 0600 0b 04", nil),
        ("02 4010 0600 0200 0600 05 04", nil),
        ("02 4020 0500 0200 0600 05", nil),
        // Encryption Change, both versions, and Encryption Key Refresh Complete.
        ("04 08 04 00 4000 01", .encryption(.success)),
        ("04 08 04 06 4000 00", .encryption(.pinOrKeyMissing)),
        ("04 59 05 00 4000 01 10", .encryption(.success)),
        ("04 30 03 3d 4000", .encryption(.micFailure)),
        ("04 08 04 06 4100 00", nil),
        // Disconnection Complete: of this link, of another, and one that failed.
        ("04 05 04 00 4000 3d", .disconnected(.micFailure)),
        ("04 05 04 00 4100 3d", nil),
        ("04 05 04 0c 4000 00", nil),
        ("04 05 03 00 4000", nil),
        ("04 0e 04 01 0310 00", nil),
        ("01 0110 00", nil),
        ("", nil), ("02", nil), ("04", nil),
    ]

    @Test(arguments: packets)
    func whatMattersIsHeard(packet: String, event: SecurityWatch.Event?) {
        #expect(SecurityWatch.event(in: hex(packet).octets, of: 0x0040) == event)
    }

    /// Events 0x05, 0x08, 0x30 and 0x59, of which six bits count, with data and without.
    static let filter = hex("14000000 20010002 00000100 0000 0000")
    static let quietFilter = hex("10000000 20010002 00000100 0000 0000")

    static func opening(_ fd: Int32, reads: [UInt8] = quietFilter) -> [Row] {
        [
            (.socket(domain: 31, type: 0x80803, protocol: 1), .value(Int(fd))),
            (.setSocketOption(fd, level: 0, name: 2, quietFilter), .done),
            (.socketOption(fd, level: 0, name: 2), .octets(reads)),
            (.bind(fd, [0x1F, 0, 0, 0, 0, 0]), .done),
        ]
    }

    @Test func packetsAreReadAndTheDataLeftOutAfterwards() throws {
        let stage = try Stage(
            Self.opening(7) + [
                (.epollControl(.add, 7, events: 1), .done),
                (.setSocketOption(7, level: 0, name: 2, Self.filter), .done),
            ] + Script.heard(7, "02 4020 0600 0200 0600 05 05", "04 05 04 00 4000 13"))
        let events = Locked<[SecurityWatch.Event]>([])
        let watch = try #require(
            SecurityWatch(adapter: 0, handle: 0x40, on: stage.loop) { event in events.withLock { $0.append(event) } })
        watch.setIncludesPairing(true)
        stage.playOut()
        #expect(
            events.withLock { $0 } == [
                .pairingFailed(.pairingNotSupported, byPeer: true), .disconnected(.remoteUserTerminated),
            ])
        stage.system.expect([
            (.setSocketOption(7, level: 0, name: 2, Self.quietFilter), .done),
            (.receiveMany(7), .error(.wouldBlock)),
            (.epollControl(.remove, 7, events: 0), .done), (.close(7), .done),
        ])
        watch.setIncludesPairing(false)
        watch.catchUp()
        watch.cancel()
        watch.cancel()
        watch.catchUp()
        stage.expectDone()
    }

    @Test func withoutTheRightNothingIsWatched() throws {
        let stage = try Stage(
            Self.opening(7, reads: hex("10000000 20010000 00000000 0000 0000")) + [(.close(7), .done)])
        #expect(SecurityWatch(adapter: 0, handle: 0x40, on: stage.loop) { _ in } == nil)
        stage.expectDone()
    }
}
