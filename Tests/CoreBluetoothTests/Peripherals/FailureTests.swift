import CoreBluetooth
import Sockets
import Testing
import VirtualPeripheral

/// Attempts that fail, and the codes of failures (items 43 and 48).
@Suite(.timeLimit(.minutes(1))) struct FailureTests {
    @Test("B43 a failed attempt is told with a CBError, disconnected by then") func failure() async throws {
        let world = try await World(
            """
            device Beacon
                address C0:DE:00:00:00:03 random
                advertise
                    every 20 ms
                    kind non-connectable
                    name
            """)
        let peripheral = try await world.find("Beacon")
        world.manager.connect(peripheral)
        await world.recorder.expect("fail disconnected CBError 10")
    }

    @Test("B43 a link that is lost before it was usable is a failed attempt") func lostEarly() async throws {
        let world = try await World(lamp)
        let peripheral = try await world.find("Lamp")
        let device = world.device
        world.trap.withLock {
            $0 = { event in
                guard case .received(_, let pdu) = event, pdu.first == 0x02 else { return }
                device.assumeIsolated { $0.disconnectAll() }
            }
        }
        world.manager.connect(peripheral)
        await world.recorder.expect("fail disconnected CBError 10")
        world.trap.withLock { $0 = nil }
        world.manager.connect(peripheral)
        await world.recorder.expect("connect connected")
    }

    @Test("B43 the adapter has no room for another connection: code 11") func limit() async throws {
        let world = try await World(lamp, probe)
        let (lamp, probe) = (try await world.find("Lamp"), try await world.find())
        world.radio.maximumConnections = 1
        world.manager.connect(lamp)
        await world.recorder.expect("connect connected")
        world.manager.connect(probe)
        await world.recorder.expect("fail disconnected CBError 11")
        // As soon as there is room it can be connected.
        world.manager.cancelPeripheralConnection(lamp)
        await world.recorder.expect("disconnect disconnected ok")
        await eventually("the link is closed") { await world.devices[0].clientCount == 0 }
        world.manager.connect(probe)
        await world.recorder.expect("connect connected")
    }

    @Test("B43 a peripheral that has lost its key: the link ends with code 14") func keyMissing() async throws {
        let world = try await World(locked, adjust: { $0.acceptsPairing = true })
        // Pairs, since a request needs it.
        var peripheral = try await world.discover()
        peripheral.readValue(for: try peripheral.characteristic("A001"))
        await world.recorder.expect("value A001 5e ok")
        world.manager.cancelPeripheralConnection(peripheral)
        await world.recorder.expect("disconnect disconnected ok")

        // The key serves the next connection, too.
        peripheral = try await world.discover()
        peripheral.readValue(for: try peripheral.characteristic("A001"))
        await world.recorder.expect("value A001 5e ok")
        world.manager.cancelPeripheralConnection(peripheral)
        await world.recorder.expect("disconnect disconnected ok")

        world.radio.setBond(.keyMissing, with: world.address())
        peripheral = try await world.discover()
        peripheral.readValue(for: try peripheral.characteristic("A001"))
        await world.recorder.skip(to: "disconnect disconnected CBError 14")

        // Forgotten on this side too, it pairs anew.
        world.radio.setBond(nil, with: world.address())
        peripheral = try await world.discover()
        peripheral.readValue(for: try peripheral.characteristic("A001"))
        await world.recorder.expect("value A001 5e ok")
    }

    @Test(
        "B43 a link that ends before it was usable: the controller's reason decides",
        arguments: [
            (UInt8(0x06), 14), (0x13, 10), (0x3E, 10),
        ])
    func earlyReasons(reason: UInt8, code: Int) async throws {
        let world = try await World(lamp)
        let peripheral = try await world.find("Lamp")
        let (radio, address) = (world.radio, world.address())
        world.air.onRequest(0x02) { radio.endLinks(to: address, reason: reason) }
        world.manager.connect(peripheral)
        await world.recorder.expect("fail disconnected CBError \(code)")
        world.manager.connect(peripheral)
        await world.recorder.expect("connect connected")
    }

    @Test(
        "B48 a link that is lost: the controller's reason decides",
        arguments: [
            (UInt8(0x06), 14), (0x08, 6), (0x22, 6), (0x3E, 6), (0x13, 7), (0x15, 7),
        ])
    func lateReasons(reason: UInt8, code: Int) async throws {
        let world = try await World(lamp)
        let peripheral = try await world.connect("Lamp")
        world.radio.endLinks(to: world.address(), reason: reason)
        await world.recorder.skip(to: "disconnect disconnected CBError \(code)")
        #expect(peripheral.state == .disconnected)
    }
}
