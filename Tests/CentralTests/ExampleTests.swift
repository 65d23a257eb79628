import Central
import Testing

/// The library in ten lines, as the README shows it.
@Suite(.timeLimit(.minutes(1))) struct ExampleTests {
    @Test func theLibraryInTenLines() async throws {
        var rates: [UInt8] = []

        let central = try await Central(adapter: .virtual(["heart-rate"]))
        for try await device in central.scan(ScanOptions(services: [0x180D])) {
            guard let address = device.address else { continue }
            let sensor = try await central.connect(to: .address(address))
            let database = try await sensor.discoverAll()
            guard let rate = database.characteristics(0x2A37).first else { break }
            for try await update in try await sensor.subscribe(to: rate) {
                rates.append(update.value[1])
                if rates.count == 3 { break }
            }
            break
        }

        #expect(rates.count == 3)
        #expect(rates.allSatisfy { $0 > 30 })
    }
}
