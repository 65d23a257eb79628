import BlueZSockets
import Sockets
import SocketsTestSupport
import TestSupport
import Testing

/// Scans that are off for a while: for a connection of this process, or because somebody else switched them off.
@Suite struct ScanPauseTests {
    private static let parameters = "01 0b20 07 01 6000 6000 00 00"
    private static let on = "01 0c20 02 01 00"
    private static let off = "01 0c20 02 00 00"

    private static let switchedOn =
        Script.command(parameters, "04 0e 04 01 0b20 00") + Script.command(on, "04 0e 04 01 0c20 00")
    private static let switchedOff = Script.off(off, "04 0e 04 01 0c20 00")
    private static let switchedOffAgain = Script.off(off, "04 0e 04 01 0c20 00", timer: nil)

    private static let opened =
        Script.adapter() + Script.hciSocket + [(.send(7, hex("01 0320 00")), .done), (.setTimer(4_000_000_000), .done)]
        + Script.heard(7, "04 0e 0c 01 0320 00 0100 0000 0000 0000")

    private func pause(_ scan: Scan, _ adapter: UInt16?, _ rows: [Row]) {
        _ = scan.stage.begin { await scan.pauses.begin(adapter: adapter) }
        scan.stage.play(rows + [Script.quiet])
    }

    private func resume(_ scan: Scan, _ adapter: UInt16?, _ rows: [Row]) {
        _ = scan.stage.begin { await scan.pauses.end(adapter: adapter) }
        scan.stage.play(rows + [Script.quiet])
    }

    @Test(arguments: [0, nil] as [UInt16?])
    func aScanIsOffWhileAConnectionIsMade(adapter: UInt16?) throws {
        let scan = try Scan(Self.opened + Self.switchedOn)
        scan.begin()
        pause(scan, adapter, Self.switchedOff)
        #expect(scan.cleanUp.pending == [])
        // A second connection, and the end of the first: still off.
        pause(scan, adapter, [])
        resume(scan, adapter, [])
        resume(scan, adapter, Self.switchedOn)
        #expect(scan.notices == ["resumed"])
        #expect(scan.cleanUp.pending == ["switch off the scan on hci0"])
        scan.stop(Self.switchedOffAgain + Script.hciClosed)
        scan.expectDone()
    }

    @Test func anotherAdaptersConnectionDoesNotMatter() throws {
        let scan = try Scan(Self.opened + Self.switchedOn)
        scan.begin()
        pause(scan, 1, [])
        resume(scan, 1, [])
        scan.stop(Self.switchedOff + Script.hciClosed)
        scan.expectDone()
    }

    @Test func aScanThatIsStartedInAPauseWaits() throws {
        let scan = try Scan([])
        pause(scan, 0, [])
        scan.stage.system.expect(Self.opened)
        scan.begin()
        #expect(scan.started)
        resume(scan, 0, Self.switchedOn)
        #expect(scan.notices == ["resumed"])
        scan.stop(Self.switchedOff + Script.hciClosed)
        scan.expectDone()
    }

    @Test func aScanIsStoppedInAPause() throws {
        let scan = try Scan(Self.opened + Self.switchedOn)
        scan.begin()
        pause(scan, 0, Self.switchedOff)
        scan.stop(Script.hciClosed)
        resume(scan, 0, [])
        #expect(scan.ends == [nil])
        scan.expectDone()
    }

    /// LE Set Scan Enable, or its extended form, with 0; or Reset.
    @Test(arguments: ["01 0c20 02 00 00", "01 4220 06 00 00 0000 0000", "01 030c 00"])
    func aScanThatSomebodyElseSwitchesOffIsSwitchedOnAgain(command: String) throws {
        let scan = try Scan(Self.opened + Self.switchedOn)
        scan.begin()
        scan.stage.play(Script.heard(7, command) + [(.setTimer(1_100_000_000), .done), Script.quiet])
        #expect(scan.notices == ["interrupted"])
        // Nothing of ours is left to switch off.
        #expect(scan.cleanUp.pending == [])
        // The answer to the other's command, then the first try: the kernel's own scan still runs.
        scan.stage.play(Script.heard(7, "04 0e 04 01 0c20 00"))
        scan.stage.system.setNow(1_100_000_000)
        scan.stage.play(
            [(.epollWait(waits: true), .events([(5, .readable)])), (.send(7, hex(Self.parameters)), .done)]
                + [(.setTimer(4_000_000_000), .done)] + Script.heard(7, "04 0e 04 01 0b20 0c")
                + Script.command("01 4120 08 00 00 01 01 6000 6000", "04 0f 04 01 01 4120")
                + [(.setTimer(1_500_000_000), .done), Script.quiet])
        scan.stage.system.setNow(1_500_000_000)
        scan.stage.play(
            [(.epollWait(waits: true), .events([(5, .readable)])), (.send(7, hex(Self.parameters)), .done)]
                + [(.setTimer(4_000_000_000), .done)] + Script.heard(7, "04 0e 04 01 0b20 00")
                + Script.command(Self.on, "04 0e 04 01 0c20 00") + [Script.quiet])
        #expect(scan.notices == ["interrupted", "resumed"])
        scan.stop(Script.off(Self.off, "04 0e 04 01 0c20 00", timer: 2_500_000_000) + Script.hciClosed)
        scan.expectDone()
    }

    @Test func whatSomebodyElseSwitchesOnDoesNotMatter() throws {
        let scan = try Scan(Self.opened + Self.switchedOn)
        scan.begin()
        scan.stage.play(Script.heard(7, "01 0c20 02 01 01", "01 0b20 07 00 6000 3000 00 01") + [Script.quiet])
        #expect(scan.notices == [])
        scan.stop(Self.switchedOff + Script.hciClosed)
        scan.expectDone()
    }

    @Test func aScanThatIsNotOursAnyMoreIsNotSwitchedOff() throws {
        let scan = try Scan(Self.opened + Self.switchedOn)
        scan.begin()
        scan.stage.play(Script.heard(7, Self.off) + [(.setTimer(1_100_000_000), .done), Script.quiet])
        scan.stop(Script.hciClosed)
        #expect(scan.ends == [nil])
        scan.expectDone()
    }
}
