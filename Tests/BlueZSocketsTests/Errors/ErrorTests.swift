import BlueZSockets
import GAP
import HCI
import Sockets
import Testing

/// What each error number and each status means, and which exit status it becomes.
@Suite struct ErrorTests {
    private static let peer = DeviceAddress(value: 0xF0F1_F2F3_F4F5, type: .random)

    typealias Line = (Errno, SocketPhase, BluetoothSocketError.Category, Int32)

    @Test(
        arguments: [
            (.addressFamilyNotSupported, .listing, .noAdapter, 3),
            (.protocolNotSupported, .listing, .noAdapter, 3),
            (.notPermitted, .listing, .noRights, 4),
            (.permissionDenied, .listing, .noRights, 4),
            (.noDevice, .opening(adapter: "hci0"), .noAdapter, 3),
            (.notPermitted, .opening(adapter: "hci0"), .noRights, 4),
            (.resourceBusy, .opening(adapter: "hci0"), .noAdapter, 3),
            (.tooManyOpenFiles, .opening(adapter: "hci0"), .protocolError, 1),
            (.networkDown, .commanding(adapter: "hci0"), .noAdapter, 3),
            (.ioError, .commanding(adapter: "hci0"), .noAdapter, 3),
            (.brokenPipe, .commanding(adapter: "hci0"), .noAdapter, 3),
            (.radioKilled, .commanding(adapter: "hci0"), .noAdapter, 3),
            (.notPermitted, .commanding(adapter: "hci0"), .noRights, 4),
            (.addressFamilyNotSupported, .binding, .noAdapter, 3),
            (.addressNotAvailable, .binding, .noAdapter, 3),
            (.notPermitted, .binding, .noRights, 4),
            (.permissionDenied, .binding, .noRights, 4),
            (.connectionRefused, .connecting(peer), .noConnection, 5),
            (.hostDown, .connecting(peer), .noConnection, 5),
            (.hostUnreachable, .connecting(peer), .noAdapter, 3),
            (.timedOut, .connecting(peer), .noConnection, 5),
            (.connectionAborted, .connecting(peer), .noConnection, 5),
            (.connectionReset, .connecting(peer), .noConnection, 5),
            (.networkDown, .connecting(peer), .noAdapter, 3),
            (.noFunction, .connecting(peer), .noConnection, 5),
            (.resourceBusy, .connecting(peer), .noConnection, 5),
            (.tooManyLinks, .connecting(peer), .noConnection, 5),
            (.notPermitted, .connecting(peer), .noRights, 4),
            (.permissionDenied, .connecting(peer), .noConnection, 5),
            (.operationNotSupported, .connecting(peer), .noAdapter, 3),
            (.invalidArgument, .connecting(peer), .noConnection, 5),
            (Errno(rawValue: 52), .connecting(peer), .noConnection, 5),
            (.connectionReset, .link(peer), .linkLost, 6),
            (.timedOut, .link(peer), .linkLost, 6),
            (.connectionAborted, .link(peer), .linkLost, 6),
            (.notConnected, .link(peer), .linkLost, 6),
            (.networkDown, .link(peer), .linkLost, 6),
            (.messageTooLong, .link(peer), .protocolError, 1),
            (.invalidArgument, .securing(peer), .protocolError, 1),
            (.timedOut, .securing(peer), .timedOut, 7),
            (.connectionReset, .securing(peer), .linkLost, 6),
        ] as [Line])
    func anErrnoMeansSomethingElseInEachPhase(line: Line) {
        let error = BluetoothSocketError(line.0, in: line.1, failure: "cannot do it")
        #expect(error.category == line.2)
        #expect(error.exitStatus == line.3)
        #expect(error.errno == line.0)
        #expect(error.description.contains(line.0.name))
        #expect(error.reason != "the kernel refused")
    }

    @Test func everyErrnoHasASentenceInEveryPhase() {
        let phases: [SocketPhase] = [
            .listing, .opening(adapter: "hci0"), .commanding(adapter: "hci0"), .binding, .connecting(Self.peer),
            .link(Self.peer), .securing(Self.peer),
        ]
        for phase in phases {
            for number in 1...140 as ClosedRange<Int32> {
                let error = BluetoothSocketError(Errno(rawValue: number), in: phase, failure: "cannot do it")
                #expect(error.description.hasPrefix("cannot do it: "))
                #expect(!error.reason.isEmpty)
                #expect(!error.description.contains("\n"))
                #expect(!error.reason.hasSuffix("."))
                #expect(!error.remedy.hasSuffix("."))
            }
        }
    }

    @Test func aSentenceSaysWhatWhyAndWhatToTry() {
        let error = BluetoothSocketError(.networkDown, in: .commanding(adapter: "hci1"), failure: "cannot scan on hci1")
        #expect(
            error.description == """
                cannot scan on hci1: hci1 is down (Network is down, ENETDOWN); switch it on with "hciconfig hci1 up" or \
                "btmgmt power on"; if it is blocked, "rfkill unblock bluetooth"
                """)
        #expect(error.situation == .adapterDown)
    }

    @Test func aTimeoutNamesTheOtherAddressType() {
        let error = BluetoothSocketError(.timedOut, in: .connecting(Self.peer), failure: "cannot connect")
        #expect(error.remedy.contains("whether its address type is not public"))
    }

    @Test(
        arguments: [
            (0x01, .noAdapter, .unknownCommand), (0x02, .linkLost, .general), (0x08, .timedOut, .general),
            (0x0C, .noAdapter, .general), (0x11, .noAdapter, .unknownCommand), (0x12, .protocolError, .general),
            (0x3E, .protocolError, .general), (0xEE, .protocolError, .general),
        ] as [(UInt8, BluetoothSocketError.Category, BluetoothSocketError.Situation)])
    func aStatusHasACategory(
        status: UInt8, category: BluetoothSocketError.Category, situation: BluetoothSocketError.Situation
    ) {
        let error = BluetoothSocketError(
            status: StatusCode(rawValue: status), adapter: "hci0", failure: "cannot do it")
        #expect(error.category == category)
        #expect(error.situation == situation)
        #expect(error.status?.rawValue == status)
        #expect(error.description.contains(StatusCode(rawValue: status).name))
    }

    @Test func exitStatusesAreThoseOfTheCommandLine() {
        let statuses = BluetoothSocketError.Category.allCases.map(\.exitStatus)
        #expect(statuses == [3, 4, 5, 6, 7, 1, 130])
    }

    @Test func securityLevelsHaveNames() {
        for name in ["low", "medium", "high", "fips"] {
            #expect(SecurityLevel(name)?.description == name)
        }
        #expect(SecurityLevel("LOW") == nil)
        #expect(SecurityLevel.low.next == .medium)
        #expect(SecurityLevel.fips.next == nil)
        #expect(SecurityLevel.medium < .high)
    }
}
