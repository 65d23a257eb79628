import Foundation
import TestSupport
import Testing

@testable import BtattCommands

/// `--capture` on bearers without a controller; with one, it is tested in the virtual machine.
@Suite struct SessionCaptureTests {
    private let file: TemporaryFile

    init() throws { file = try TemporaryFile("") }

    /// Everything that `--trace` shows is in the capture, between an opening and an ending event.
    @Test func aSessionIsWrittenAsOneConnection() async throws {
        let run = await btatt(["-d", "virtual:heart-rate", "--trace", "--capture", file.path, "read", "180f/2a19"])
        #expect(run.status == .done)
        let decoded = await btatt(["decode", file.path])
        #expect(decoded.status == .done)
        #expect(decoded.error.isEmpty)
        let traced = run.error.split(separator: "\n").filter { $0.contains(" > ") || $0.contains(" < ") }
        #expect(decoded.lines.count == 1 + 1 + traced.count + 1)
        #expect(decoded.lines[1].hasSuffix("#1 * connected to C0:DE:CA:FE:00:01/random as central"))
        #expect(decoded.lines.last?.hasSuffix("#1 * disconnected: Connection Terminated by Local Host (0x16)") == true)
        #expect(decoded.lines.contains { $0.contains("Read Response  ") && $0.contains("2a19 Battery Level") })
    }

    @Test func aRefusalIsPartOfTheSession() async throws {
        let run = await btatt(["-d", "virtual:heart-rate", "--capture", file.path, "read", "0x00ff"])
        #expect(run.status == .refused)
        let errors = await btatt(["decode", "--errors", file.path])
        #expect(errors.lines.last?.contains("Error Response  to Read Request 0x00ff Invalid Handle (0x01)") == true)
    }

    @Test func aScanIsWrittenAsReports() async throws {
        let run = await btatt(["-i", "virtual", "--capture", file.path, "scan", "--count", "4", "--json"])
        #expect(run.status == .done)
        let scanned = try run.objects()
        let devices = try await btatt(["decode", "--summary", "--json", file.path]).objects()
            .filter { $0["kind"] as? String == "device" }
        #expect(
            Set(devices.compactMap { $0["address"] as? String }) == Set(scanned.compactMap { $0["address"] as? String })
        )
        for device in devices {
            let last = try #require(scanned.last { $0["address"] as? String == device["address"] as? String })
            #expect(device["data"] as? String == last["data"] as? String)
            #expect(device["scanResponseData"] as? String == last["scanResponseData"] as? String)
            #expect(device["connectable"] as? Bool == last["connectable"] as? Bool)
            #expect(device["rssi"] as? Int == last["rssi"] as? Int)
        }
    }

    /// Without a connection there is no connection in the file, and the file is one all the same.
    @Test func nothingIsMadeUp() async throws {
        let run = await btatt(["-d", "unix:/nowhere/at/all", "--capture", file.path, "mtu"])
        #expect(run.status == .noConnection)
        #expect(try Data(contentsOf: URL(filePath: file.path)).count == 16)
        let decoded = await btatt(["decode", file.path])
        #expect(decoded.status == .done)
        #expect(decoded.output.isEmpty)
    }

    @Test func aFileThatCannotBeWrittenIsToldBeforeAnythingElse() async {
        let run = await btatt(["-d", "virtual:heart-rate", "--capture", "/nowhere/at/all", "mtu"])
        #expect(run.status == .usage)
        #expect(run.output.isEmpty)
        #expect(run.error.hasPrefix("btatt: cannot write /nowhere/at/all: "))
        let full = await btatt(["-d", "virtual:heart-rate", "--capture", "/dev/full", "mtu"])
        #expect(full.status == .usage)
        #expect(full.error.contains("cannot write /dev/full: No space left on device"))
    }

    @Test func thereIsNothingToRecordOnTheVirtualRadio() async {
        let run = await btatt(["-i", "virtual", "record", file.path])
        #expect(run.status == .noAdapter)
    }
}
