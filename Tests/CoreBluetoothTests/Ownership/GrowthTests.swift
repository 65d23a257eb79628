import CoreBluetooth
import Testing
import VirtualPeripheral

/// Many rounds leave nothing behind.
@Suite(.timeLimit(.minutes(5))) struct GrowthTests {
    /// Does something a number of times, once the first times have filled what is kept for good; then what was allocated and
    /// not freed may be no more than a few octets a round, and no descriptor may be left open.
    private func expectNoGrowth(
        _ what: String, rounds: Int, warmUp: Int, sourceLocation: SourceLocation = #_sourceLocation,
        settle: () async throws -> Void = {}, _ round: () async throws -> Void
    ) async throws {
        for _ in 0..<warmUp { try await round() }
        try await settle()
        let before = try Resources.now()
        for _ in 0..<rounds { try await round() }
        try await settle()
        let after = try Resources.now()
        print(
            "GrowthTests: \(what), \(rounds) rounds: octets \(before.octets) to \(after.octets),",
            "descriptors \(before.descriptors) to \(after.descriptors)")
        // The system keeps something for each thread, and the allocator what was freed a moment ago. An object that is left
        // in each round has at least some hundred octets with all that it holds.
        #expect(after.octets - before.octets < 32 * rounds + 32_768, sourceLocation: sourceLocation)
        #expect(after.descriptors - before.descriptors < 8, sourceLocation: sourceLocation)
    }

    @Test("1,000 rounds of connecting, discovering and disconnecting without growth") func rounds() async throws {
        let world = try await World(probe)
        let peripheral = try await world.find()
        try await expectNoGrowth("connect, discover, disconnect", rounds: 800, warmUp: 200) {
            await world.settle()
        } _: {
            try await world.manager.connect(to: peripheral)
            for service in try await peripheral.discoverServices() {
                try await peripheral.discoverCharacteristics(of: service)
            }
            await world.manager.disconnect(from: peripheral)
            world.traffic.clear()
            world.recorder.clear()
        }
        await eventually("the link is closed") { await world.device.clientCount == 0 }
    }

    @Test("Letting go of everything in the midst of something leaves nothing", arguments: Moment.allCases)
    func lettingGo(moment: Moment) async throws {
        let air = try await Air([probe], adjust: { $0.configuration.mtu = 23 })
        // What is known of a folder's devices is known as long as the process lives.
        let directory = World.temporaryDirectory()
        try await expectNoGrowth("let go while \(moment)", rounds: 40, warmUp: 10) {
            let traces = try await moment.letGo(of: .everything, try await Program(air, directory: directory))
            await traces.expectNothing()
            await eventually("the link is closed") { await air.devices[0].clientCount == 0 }
            if moment == .waiting { await air.radio.add(air.devices[0]) }
            air.traffic.clear()
        }
    }
}
