import Foundation
import GAP
import Glibc
import Testing

@testable import CoreBluetooth

/// Identifiers in several processes (items 31 and 33).
@Suite(.timeLimit(.minutes(3))) struct ProcessTests {
    /// A file with a sensor that tells one value.
    private func device(_ number: Int, in directory: String) throws -> (file: String, address: DeviceAddress) {
        let address = DeviceAddress(value: 0xC0DE_0000_0100 + UInt64(number), type: .random)
        let file = directory + "-\(number).device"
        try """
        device Sensor \(number)
            address \(address.octets) random
            advertise
                every 20 ms
                services 180D
                name
        service 180D
            characteristic 2A38
                properties read
                value u8: 1
        """.write(toFile: file, atomically: true, encoding: .utf8)
        return (file, address)
    }

    private func identifier(_ text: String) throws -> UUID {
        try #require(text.split(separator: " ").last.flatMap { UUID(uuidString: String($0)) })
    }

    @Test("B33 a peripheral that one process found is known to the next, which connects it without a scan")
    func nextProcess() async throws {
        try await RunningProgram.withDirectory { directory in
            let first = try RunningProgram("state-watcher", adapter: "virtual", directory: directory)
            let identifier = try identifier(try await first.rest(of: "found Heart Rate, identifier"))
            #expect(try await first.rest(of: "connected to ") == "Heart Rate")
            // A program that is killed has written it all the same, after a moment.
            await eventually("the peripheral is on the disk") {
                IdentifierStore(in: directory).record(of: identifier) != nil
            }
            first.kill()
            #expect(await first.status() == SIGKILL)

            let second = try RunningProgram(
                "state-watcher", [identifier.uuidString], adapter: "virtual", directory: directory)
            #expect(try await second.rest(of: "connected to ") == "Heart Rate")
            #expect(second.lines == ["Bluetooth is on", "Heart Rate is known", "connected to Heart Rate"])
            second.kill()
            #expect(await second.status() == SIGKILL)

            let unknown = UUID().uuidString
            let third = try RunningProgram("state-watcher", [unknown], adapter: "virtual", directory: directory)
            #expect(await third.status() == 1)
            #expect(third.lines.last == "\(unknown) was never seen")
        }
    }

    @Test("B33 processes that begin at the same time agree on identifiers, and lose nothing") func atOnce() async throws
    {
        try await RunningProgram.withDirectory { directory in
            // Two processes for each device; none has a secret to begin with.
            let devices = try (0..<5).map { try device($0, in: directory) }
            defer { for device in devices { try? FileManager.default.removeItem(atPath: device.file) } }
            let programs = try (devices + devices).map { device in
                try RunningProgram("lifecycle-client", adapter: "virtual:\(device.file)", directory: directory)
            }
            for program in programs { #expect(await program.status() == 0) }
            let store = IdentifierStore(in: directory)
            for (program, device) in zip(programs, devices + devices) {
                let identifier = try identifier(try #require(program.lines.first))
                #expect(identifier == store.identifier(of: device.address))
                #expect(store.record(of: identifier)?.address == device.address)
                #expect(store.record(of: identifier)?.advertisedName?.hasPrefix("Sensor ") == true)
            }
            #expect(try Set(programs.map { try self.identifier(try #require($0.lines.first)) }).count == devices.count)
        }
    }

    @Test("B33 processes that are killed leave a store that is whole") func killed() async throws {
        try await RunningProgram.withDirectory { directory in
            let devices = try (0..<6).map { try device($0, in: directory) }
            defer { for device in devices { try? FileManager.default.removeItem(atPath: device.file) } }
            let before = IdentifierStore(in: directory)
            before.named(devices[0].address, "Kept")
            before.save()
            var random = SystemRandomNumberGenerator()
            for _ in 0..<3 {
                let programs = try devices.dropFirst().map { device in
                    try RunningProgram("state-watcher", adapter: "virtual:\(device.file)", directory: directory)
                }
                // Around the time at which they write what they found.
                _ = try await programs[0].rest(of: "found")
                for program in programs {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 0...120, using: &random)))
                    program.kill()
                }
                for program in programs { _ = await program.status() }
            }
            let after = IdentifierStore(in: directory)
            for device in devices {
                #expect(after.identifier(of: device.address) == before.identifier(of: device.address))
            }
            #expect(after.record(of: devices[0].address)?.name == "Kept")
            #expect(!FileManager.default.fileExists(atPath: directory + "/peripherals.json.damaged"))
        }
    }
}
