import CoreBluetooth
import Testing

/// Connecting (items 35 to 47).
@Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
    @Test func smoke() async throws {
        let world = try await World(probe)
        let peripheral = try await world.discover()
        print(world.recorder.all)
        peripheral.readValue(for: try peripheral.characteristic("A001"))
        await world.recorder.expect("value A001 01 ok")
        world.manager.cancelPeripheralConnection(peripheral)
        await world.recorder.expect("disconnect disconnected ok")
    }
}
