import Sockets
import TestSupport
import Testing
import VirtualPeripheral

@Suite(.timeLimit(.minutes(1))) struct VirtualRadioTests {
    static let lamp = """
        device Lamp
          address C0:DE:00:00:00:11 random
          advertise
            every 10 ms
            rssi -33
            flags 6
            scan-response
              name
        service 1815
        """
    static let beacon = """
        device Beacon
          address 02:00:5E:10:00:01 public
          advertise
            every 15 ms
            kind non-connectable
            manufacturer 0x004C hex: 0215
            scan-response
              name
        """
    static let silent = "device Silent\n  address C0:DE:00:00:00:12 random\n  advertise never"

    /// One report in words.
    private static func words(_ report: borrowing AdvertisingReport) -> String {
        let address = report.address.map { "\($0)" } ?? "?"
        let rssi = report.rssi.map { "\($0)" } ?? "?"
        return "\(address) \(report.properties) \(rssi) \(report.data.octets.hexadecimal)"
    }

    private static func radio(_ files: String...) throws -> VirtualRadio {
        try VirtualRadio(try files.map { try DeviceDescription(parsing: $0) })
    }

    @Test(arguments: [false, true])
    func devicesAreHeard(isActive: Bool) async throws {
        let radio = try Self.radio(Self.lamp, Self.beacon, Self.silent)
        let (reports, continuation) = AsyncStream.makeStream(of: String.self)
        let scan = await radio.scan(isActive: isActive) { continuation.yield(Self.words($0)) }
        let lamp = "C0:DE:00:00:00:11/random connectable, scannable, legacy -33 020106"
        let response =
            "C0:DE:00:00:00:11/random connectable, scannable, scan response, legacy -33 05094c616d70"
        let beacon = "02:00:5E:10:00:01/public legacy -50 05ff4c000215"
        var counts: [String: Int] = [:]
        for await report in reports {
            counts[report, default: 0] += 1
            if counts[lamp, default: 0] >= 4, counts[beacon, default: 0] >= 3 { break }
        }
        // A beacon that is not scannable gives no scan response.
        #expect(Set(counts.keys) == (isActive ? [lamp, response, beacon] : [lamp, beacon]))
        await radio.stop(scan)
        continuation.finish()
    }

    @Test func scansEndOneByOne() async throws {
        let radio = try Self.radio(Self.lamp)
        let heard = Locked([0, 0])
        let first = await radio.scan(isActive: false) { _ in heard.withLock { $0[0] += 1 } }
        let (reports, continuation) = AsyncStream.makeStream(of: Void.self)
        let second = await radio.scan(isActive: false) { _ in
            heard.withLock { $0[1] += 1 }
            continuation.yield()
        }
        var iterator = reports.makeAsyncIterator()
        await iterator.next()
        await radio.stop(first)
        let counted = heard.withLock { $0[0] }
        for _ in 0..<3 { await iterator.next() }
        #expect(heard.withLock { $0[0] } == counted)
        await radio.stop(second)
        let last = heard.withLock { $0[1] }
        try await Task.sleep(for: .milliseconds(50))
        #expect(heard.withLock { $0[1] } == last)
    }

    @Test func connectionsToSeveralDevicesAtOnce() async throws {
        let radio = try VirtualRadio()
        var clients: [SocketClient] = []
        for device in BuiltInDevice.allCases + BuiltInDevice.allCases {
            clients.append(try SocketClient(try await radio.connect(to: device.description.address)))
        }
        for (device, client) in zip(BuiltInDevice.allCases + BuiltInDevice.allCases, clients) {
            // The Device Name, by its type.
            let name = try await client.ask("08 0100 ffff 002a")
            let text = device == .torture ? "Törtüre \"0\"" : device.description.name
            #expect(
                name == hex("09 \([UInt8(text.utf8.count + 2)].hexadecimal) 0300").hexadecimal
                    + Array(text.utf8).hexadecimal)
        }
        let devices = await radio.devices
        #expect(devices.count == 3)
        for device in devices { #expect(await device.clientCount == 2) }
    }

    @Test func aDeviceThatVanishesIsGone() async throws {
        let radio = try Self.radio(Self.lamp)
        let lamp = DeviceAddress(value: 0xC0DE_0000_0011, type: .random)
        let client = try SocketClient(try await radio.connect(to: lamp))
        #expect(try await client.ask("0a 0100") == "0b1518")
        let heard = Locked(0)
        let scan = await radio.scan(isActive: false) { _ in heard.withLock { $0 += 1 } }
        #expect(await radio.remove(lamp))
        #expect(await radio.remove(lamp) == false)
        #expect(await client.next() == "closed")
        let count = heard.withLock { $0 }
        try await Task.sleep(for: .milliseconds(40))
        #expect(heard.withLock { $0 } == count)
        await #expect(throws: VirtualRadio.ConnectError.notInReach(lamp)) { try await radio.connect(to: lamp) }
        // It comes back, and is heard by the scan that still runs.
        await radio.add(try VirtualDevice(try DeviceDescription(parsing: Self.lamp), on: radio.loop))
        let again = try SocketClient(try await radio.connect(to: lamp))
        #expect(try await again.ask("0a 0100") == "0b1518")
        try await Task.sleep(for: .milliseconds(40))
        #expect(heard.withLock { $0 } > count)
        await radio.stop(scan)
    }

    @Test func someDevicesCannotBeConnected() async throws {
        let radio = try Self.radio(Self.beacon, Self.silent)
        let beacon = DeviceAddress(value: 0x0200_5E10_0001, type: .public)
        await #expect(throws: VirtualRadio.ConnectError.notConnectable(beacon)) { try await radio.connect(to: beacon) }
        // The type is part of the address.
        let other = DeviceAddress(value: 0x0200_5E10_0001, type: .random)
        await #expect(throws: VirtualRadio.ConnectError.notInReach(other)) { try await radio.connect(to: other) }
        // Who knows a device that does not advertise can connect it.
        let silent = DeviceAddress(value: 0xC0DE_0000_0012, type: .random)
        let client = try SocketClient(try await radio.connect(to: silent))
        #expect(try await client.ask("10 0100 ffff 0028") == "011001000a")
    }
}
