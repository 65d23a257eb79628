import CoreBluetooth
import Testing
import VirtualPeripheral

/// A thousand rounds leave nothing behind.
@Suite(.timeLimit(.minutes(3))) struct GrowthTests {
    /// Resident memory in pages, from the kernel.
    private func residentPages() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return try #require(Int(text.split(separator: " ")[1]))
    }

    private func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    @Test("1,000 rounds of connecting, discovering and disconnecting without growth") func rounds() async throws {
        let world = try await World(probe)
        let peripheral = try await world.find()
        func round() async throws {
            try await world.manager.connect(to: peripheral)
            for service in try await peripheral.discoverServices() {
                try await peripheral.discoverCharacteristics(of: service)
            }
            await world.manager.disconnect(from: peripheral)
            world.traffic.clear()
            world.recorder.clear()
        }
        for _ in 0..<200 { try await round() }
        let before = (try residentPages(), try openDescriptors())
        for _ in 0..<800 { try await round() }
        let after = (try residentPages(), try openDescriptors())
        print("GrowthTests: pages \(before.0) to \(after.0), descriptors \(before.1) to \(after.1)")
        // Four megabytes is the allocator's own slack; a kilobyte left in each round would be more in other tests' company.
        #expect(after.0 - before.0 < 1024)
        #expect(after.1 - before.1 < 8)
        await world.settle()
        #expect(await world.device.clientCount == 0)
    }
}
