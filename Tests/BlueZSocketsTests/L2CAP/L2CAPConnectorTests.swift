import BlueZSockets
import GAP
import HCI
import Sockets
import SocketsTestSupport
import TestSupport
import Testing

/// Connections as tables of system calls. The L2CAP socket is descriptor 9.
@Suite struct L2CAPConnectorTests {
    typealias Outcome = Result<L2CAPLink, BluetoothSocketError>

    private static let peer = DeviceAddress(value: 0xF0F1_F2F3_F4F5, type: .random)
    private static let adapter = Adapter(
        index: 0, name: "hci0", addressOctets: AddressOctets(value: 0x00AA_0100_0000), bus: .virtual, flags: .up,
        lmpFeatures: 1 << 38)

    /// From the adapter's public address, channel 4, PSM 0.
    private static let bound: [Row] = [
        (.socket(domain: 31, type: 0x80805, protocol: 0), .value(9)),
        (.bind(9, hex("1f00 0000 00000001aa00 0400 01 00")), .done),
    ]
    /// To the peer's random address.
    private static let connectCall = SystemCall.connect(9, hex("1f00 0000 f5f4f3f2f1f0 0400 02 00"))
    private static let waiting: [Row] =
        bound + [
            (connectCall, .error(.inProgress)), (.epollControl(.add, 9, events: 4), .done),
            (.setTimer(21_000_000_000), .done),
        ]
    private static let writable: [Row] = [
        (.epollWait(waits: true), .events([(9, .writable)])),
        (.socketOption(9, level: 1, name: 4), .octets(hex("00000000"))),
    ]
    private static let unwatched: Row = (.epollControl(.remove, 9, events: 0), .done)
    private static let closed: Row = (.close(9), .done)
    private static let information: Row = (.socketOption(9, level: 6, name: 2), .octets(hex("2a00 000000")))

    private func begin(
        _ stage: Stage, to peer: DeviceAddress = peer, from adapter: Adapter? = adapter,
        security: SecurityLevel = .low
    ) -> Performance<Outcome> {
        let connector = L2CAPConnector(on: stage.loop, pauses: ScanPauses())
        return stage.begin { () -> Outcome in
            do throws(BluetoothSocketError) {
                return .success(try await connector.connect(to: peer, from: adapter, security: security))
            } catch {
                return .failure(error)
            }
        }
    }

    private func play(_ stage: Stage, _ performance: Performance<Outcome>) throws -> Outcome {
        stage.play([Script.quiet])
        return try #require(performance.result)
    }

    @Test func aConnectionIsThereWhenItsSocketIsWritableWithoutError() throws {
        let stage = try Stage(Self.waiting + Self.writable + [Self.information, Self.unwatched])
        let link = try play(stage, begin(stage)).get()
        #expect(link.handle.rawValue == 0x2A)
        #expect(link.peer == Self.peer)
        #expect(link.socket.descriptor == 9)
        stage.system.expect([Self.closed])
        link.socket.close()
        stage.expectDone()
    }

    @Test func aConnectionMayBeThereAtOnce() throws {
        let stage = try Stage(
            Self.bound + [
                (Self.connectCall, .done), (.socketOption(9, level: 1, name: 4), .octets(hex("00000000"))),
                Self.information,
            ])
        let link = try play(stage, begin(stage)).get()
        stage.system.expect([Self.closed])
        link.socket.close()
        stage.expectDone()
    }

    @Test func withoutAnAdapterTheKernelChooses() throws {
        let stage = try Stage([
            (.socket(domain: 31, type: 0x80805, protocol: 0), .value(9)),
            (.bind(9, hex("1f00 0000 000000000000 0400 01 00")), .done),
            (.connect(9, hex("1f00 0000 f5f4f3f2f1f0 0400 01 00")), .error(.hostUnreachable)), Self.closed,
        ])
        let peer = DeviceAddress(value: 0xF0F1_F2F3_F4F5, type: .public)
        let error = try play(stage, begin(stage, to: peer, from: nil)).failure
        #expect(error?.category == .noAdapter)
        stage.expectDone()
    }

    @Test func securityIsAskedForBeforeTheConnection() throws {
        let stage = try Stage(
            Self.bound + [
                (.setSocketOption(9, level: 274, name: 4, hex("0200")), .done),
                (Self.connectCall, .error(.hostDown)), Self.closed,
            ])
        #expect(try play(stage, begin(stage, security: .medium)).failure?.errno == .hostDown)
        stage.expectDone()
    }

    @Test(
        arguments: [
            (.connectionRefused, .noConnection), (.hostDown, .noConnection), (.hostUnreachable, .noAdapter),
            (.timedOut, .noConnection), (.connectionAborted, .noConnection), (.networkDown, .noAdapter),
            (.noFunction, .noConnection), (.resourceBusy, .noConnection), (.ioError, .noConnection),
            (.connectionReset, .noConnection), (.permissionDenied, .noConnection), (.notPermitted, .noRights),
        ] as [(Errno, BluetoothSocketError.Category)])
    func theErrorOfTheSocketIsKeptAndTheSocketClosed(
        errno: Errno, category: BluetoothSocketError.Category
    ) throws {
        let pending = [UInt8(errno.rawValue), 0, 0, 0]
        let stage = try Stage(
            Self.waiting + [
                (.epollWait(waits: true), .events([(9, [.writable, .error, .hangUp])])),
                (.socketOption(9, level: 1, name: 4), .octets(pending)), Self.unwatched, Self.closed,
            ])
        let error = try play(stage, begin(stage)).failure
        #expect(error?.category == category)
        #expect(error?.errno == errno)
        #expect(error?.failure == "cannot connect to F0:F1:F2:F3:F4:F5/random")
        stage.expectDone()
    }

    @Test(arguments: [Errno.hostUnreachable, .networkDown, .connectionRefused, .invalidArgument])
    func anErrorOfConnectItselfClosesTheSocket(errno: Errno) throws {
        let stage = try Stage(Self.bound + [(Self.connectCall, .error(errno)), Self.closed])
        #expect(try play(stage, begin(stage)).failure?.errno == errno)
        stage.expectDone()
    }

    @Test func aSignalDuringConnectDoesNotEndIt() throws {
        var rows = Self.waiting
        rows[2].1 = .error(.interrupted)
        let stage = try Stage(rows + Self.writable + [Self.information, Self.unwatched])
        let link = try play(stage, begin(stage)).get()
        stage.system.expect([Self.closed])
        link.socket.close()
        stage.expectDone()
    }

    @Test(arguments: 0..<4)
    func whatWasOpenedIsClosedWhenAStepFails(step: Int) throws {
        var rows = Array(Self.waiting.dropLast())
        rows[step].1 = .error(.addressFamilyNotSupported)
        rows.removeSubrange((step + 1)...)
        if step > 0 { rows.append(Self.closed) }
        let stage = try Stage(rows)
        #expect(try play(stage, begin(stage)).failure?.category == .noAdapter)
        stage.expectDone()
    }

    @Test func aConnectionThatIsGoneBeforeItCanBeUsedIsNone() throws {
        let stage = try Stage(
            Self.waiting + Self.writable + [
                (.socketOption(9, level: 6, name: 2), .error(.notConnected)), Self.unwatched, Self.closed,
            ])
        let error = try play(stage, begin(stage)).failure
        #expect(error?.category == .noConnection)
        #expect(error?.errno == .notConnected)
        stage.expectDone()
    }

    @Test func theAttemptEndsWhenItsTimeIsOver() throws {
        let stage = try Stage(Self.waiting + [Script.quiet])
        let performance = begin(stage)
        stage.playOut()
        #expect(performance.result == nil)
        stage.system.setNow(21_000_000_000)
        stage.system.expect([
            (.epollWait(waits: true), .events([(5, .readable)])), Self.unwatched, Self.closed,
        ])
        let error = try play(stage, performance).failure
        #expect(error?.category == .noConnection)
        #expect(error?.exitStatus == 5)
        stage.expectDone()
    }

    @Test func cancellingClosesTheSocket() throws {
        let stage = try Stage(Self.waiting + [Script.quiet])
        let performance = begin(stage)
        stage.playOut()
        performance.task.cancel()
        stage.system.expect([Self.unwatched, Self.closed])
        let error = try play(stage, performance).failure
        #expect(error?.category == .cancelled)
        #expect(error?.exitStatus == 130)
        stage.expectDone()
    }

    @Test func anAttemptCancelledBeforehandOpensNothing() throws {
        let stage = try Stage([])
        let performance = begin(stage)
        performance.task.cancel()
        #expect(try play(stage, performance).failure?.category == .cancelled)
        stage.expectDone()
    }

    @Test func anAdapterThatIsDownIsNotTried() throws {
        var adapter = Self.adapter
        adapter.flags = []
        let stage = try Stage([])
        let error = try play(stage, begin(stage, from: adapter)).failure
        #expect(error?.situation == .adapterDown)
        stage.expectDone()
    }

    @Test func scansArePausedMeanwhileAndGoOnAfterAFailure() throws {
        let parameters = "01 0b20 07 01 6000 6000 00 00"
        let on = "01 0c20 02 01 00"
        let scan = try Scan(
            Script.adapter() + Script.hciSocket
                + [(.send(7, hex("01 0320 00")), .done), (.setTimer(4_000_000_000), .done)]
                + Script.heard(7, "04 0e 0c 01 0320 00 0100 0000 0000 0000")
                + Script.command(parameters, "04 0e 04 01 0b20 00") + Script.command(on, "04 0e 04 01 0c20 00"))
        scan.begin()
        let connector = L2CAPConnector(on: scan.stage.loop, pauses: scan.pauses)
        let performance = scan.stage.begin { () -> Outcome in
            do throws(BluetoothSocketError) {
                return .success(try await connector.connect(to: Self.peer, from: Self.adapter))
            } catch {
                return .failure(error)
            }
        }
        scan.stage.play(
            Script.off("01 0c20 02 00 00", "04 0e 04 01 0c20 00") + Self.bound
                + [(Self.connectCall, .error(.connectionRefused)), Self.closed]
                + Script.command(parameters, "04 0e 04 01 0b20 00") + Script.command(on, "04 0e 04 01 0c20 00")
                + [Script.quiet])
        #expect(performance.result?.failure?.errno == .connectionRefused)
        #expect(scan.notices == ["resumed"])
        scan.stop(Script.off("01 0c20 02 00 00", "04 0e 04 01 0c20 00", timer: nil) + Script.hciClosed)
        scan.expectDone()
    }
}
