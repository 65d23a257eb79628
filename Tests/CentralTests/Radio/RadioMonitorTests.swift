import Central
import Sockets
import TestSupport
import Testing
import VirtualPeripheral

/// Radios that come and go, and connections that wait for them.
@Suite(.timeLimit(.minutes(1))) struct RadioMonitorTests {
    private static let address = DeviceAddress(AddressOctets(value: 0xC0DE_0000_180D), type: .random)

    private func radio(_ names: String...) throws -> VirtualRadio {
        try VirtualRadio(names.compactMap(DeviceDescription.init(builtIn:)))
    }

    @Test func tellsWhatTheRadioDoes() async throws {
        let radio = try radio("heart-rate")
        let (states, continuation) = AsyncStream<RadioState>.makeStream()
        let monitor = RadioMonitor(radio: radio) { continuation.yield($0) }
        var iterator = states.makeAsyncIterator()
        #expect(await iterator.next() == .up)
        for (condition, state): (VirtualRadioCondition, RadioState) in [
            (.off, .down), (.absent, .absent), (.forbidden, .missingRights), (.on, .up),
        ] {
            await radio.setCondition(condition)
            #expect(await iterator.next() == state)
        }
        monitor.cancel()
        await radio.setCondition(.off)
        continuation.finish()
        #expect(await iterator.next() == nil)
    }

    @Test func anAdapterThatIsNotThereIsAbsent() async throws {
        let (states, continuation) = AsyncStream<RadioState>.makeStream()
        let monitor = RadioMonitor(.hci(4711)) { continuation.yield($0) }
        var iterator = states.makeAsyncIterator()
        #expect(await iterator.next() == .absent)
        monitor.cancel()
    }

    @Test func switchingOffBreaksConnectionsAndEndsNoScan() async throws {
        let radio = try radio("heart-rate")
        let central = Central(radio: radio)
        #expect(central.isRadioUp)
        let connection = try await central.connect(to: .address(Self.address))
        var scan = central.scan(ScanOptions(duplicates: .all)).makeAsyncIterator()
        #expect(try await scan.next() != nil)
        await radio.setCondition(.off)
        #expect(!central.isRadioUp)
        #expect(try await connection.waitUntilDisconnected().reason == .disconnected(reason: 0x13))
        let refused = await attempt { () throws(CentralError) in
            try await central.connect(to: .address(Self.address))
        }.value
        #expect(refused?.category == .noAdapter)
        await radio.setCondition(.on)
        #expect(try await scan.next() != nil)
    }

    @Test func withoutALimitADeviceIsWaitedFor() async throws {
        let radio = try radio("thermometer")
        let central = Central(radio: radio)
        let connecting = Task {
            try await central.connect(to: .address(Self.address), options: ConnectOptions(timeout: nil))
        }
        let cancelled = Task {
            try await central.connect(to: .address(Self.address), options: ConnectOptions(timeout: nil))
        }
        cancelled.cancel()
        await #expect(throws: CentralError.self) { try await cancelled.value }
        let device = try VirtualDevice(try #require(DeviceDescription(builtIn: "heart-rate")))
        await radio.add(device)
        let connection = try await connecting.value
        #expect(try await connection.readRSSI() == -48)
        await radio.remove(Self.address)
        #expect(try await connection.waitUntilDisconnected().reason == .disconnected(reason: 0x08))
        await #expect(throws: CentralError.self) { try await connection.readRSSI() }
    }

    @Test func theCentralMayRunOnAnotherLoopThanTheRadio() async throws {
        let radio = try radio("heart-rate")
        let central = Central(radio: radio, on: try EventLoop(name: "other"))
        for try await found in central.scan() {
            let connection = try await central.connect(to: .address(try #require(found.address)))
            #expect(try await connection.discoverServices(0x180D).count == 1)
            break
        }
    }

    @Test func eventsComeInTheirOrder() async throws {
        let (connection, peer) = try await connected()
        let (events, continuation) = AsyncStream<String>.makeStream()
        await connection.listen { event in
            switch event {
            case .value(let value, let handle, _): continuation.yield("value \(handle) \(value.hexadecimal)")
            case .mtuChanged(let mtu): continuation.yield("mtu \(mtu)")
            case .servicesChanged(let range): continuation.yield("changed \(range.first)")
            case .ended(let end): continuation.yield("ended \(end.reason)")
            }
        }
        await connection.setServiceChangedHandle(0x0003)
        await connection.start(.read(0x0010)) { result in
            if case .success(.value(let value)) = result { continuation.yield("read \(value.hexadecimal)") }
        }
        await peer.expect("0a 10 00")
        for pdu in ["1b 20 00 01", "0b 07", "1d 03 00 05 00 09 00", "1b 20 00 02"] { try peer.send(pdu) }
        await peer.expect("1e")
        peer.close()
        let expected = ["value 0x0020 01", "read 07", "value 0x0003 05000900", "changed 0x0005", "value 0x0020 02"]
        var iterator = events.makeAsyncIterator()
        for text in expected { #expect(await iterator.next() == text) }
        #expect(await iterator.next()?.hasPrefix("ended") == true)
    }
}
