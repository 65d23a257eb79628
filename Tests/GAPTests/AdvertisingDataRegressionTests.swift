import GAP
import HCI
import TestSupport
import Testing
import Wire

/// Fixtures/regressions/adv. Either `data`, the advertising data itself, or `event`, HCI events with their type octet,
/// in order. Then what must come out:
///
/// - of events: `address`, `sid`, `secondaryphy`, `properties`, `rssi`, `txpowerreported`, `status`, `joined` of the one
///   advertisement, or `malformedreport` with the index of the report that does not fit;
/// - of the data: all of `structure`, `uuid`, `service`, `manufacturer`, in order; `malformed` and `padding` (none when
///   not there); `name`, `flags`, `txpower` (not looked at when not there, none when `-`).
@Suite struct AdvertisingDataRegressionTests {
    @Test(arguments: RegressionFile.all(in: "adv").filter { !$0["data"].isEmpty })
    func data(_ file: RegressionFile) throws {
        let octets = try #require(file["data"].first).octets
        check(AdvertisingData(octets.octets), against: file)

        // The same in the middle of a larger buffer: offsets count from the data, not from the buffer.
        let larger = [UInt8](repeating: 0x55, count: 7) + octets + [0xAA, 0xAA, 0xAA]
        check(AdvertisingData(larger.octets.extracting(7..<(7 + octets.count))), against: file)
    }

    @Test(arguments: RegressionFile.all(in: "adv").filter { !$0["event"].isEmpty })
    func events(_ file: RegressionFile) throws {
        var assembler = AdvertisementAssembler()
        var records: [AdvertisementRecord] = []
        var malformedReports: [Int] = []
        for line in file["event"] {
            let octets = line.octets
            guard case .event(let packet) = try HCIPacket(parsing: octets.octets),
                case .le(let event) = try HCIEvent(packet)
            else {
                Issue.record("no LE event")
                return
            }
            var reports: AdvertisingReports
            switch event {
            case .advertisingReport(let list), .extendedAdvertisingReport(let list): reports = list
            default:
                Issue.record("no reports")
                return
            }
            while let report = reports.next() {
                assembler.receive(report, at: 0) { records.append(AdvertisementRecord(copying: $0)) }
            }
            if let malformation = reports.malformation { malformedReports.append(malformation.index) }
        }
        #expect(assembler.unfinishedCount == 0)
        #expect(malformedReports == file["malformedreport"].map { $0.number() })
        guard !file["joined"].isEmpty else {
            #expect(records.isEmpty)
            return
        }
        #expect(records.count == 1)
        let record = try #require(records.first)
        for line in file.lines {
            switch line.key {
            case "address": #expect(record.address?.description ?? "anonymous" == line.value)
            case "sid": #expect(record.advertisingSID.map(Int.init) == line.number())
            case "secondaryphy": #expect(record.secondaryPHY.map { Int($0.rawValue) } == line.number())
            case "properties": #expect(record.properties.description == line.value)
            case "rssi": #expect(record.rssi.map(Int.init) == line.number())
            case "txpowerreported": #expect(record.txPower?.description ?? "-" == line.value)
            case "status": #expect(record.dataStatus.description == line.value)
            case "joined": #expect(record.advertisingData.octets == line.octets)
            default: break
            }
        }
        check(record.advertisingData.view, against: file)
    }

    private func check(_ data: AdvertisingData, against file: RegressionFile) {
        var structures: [String] = []
        var iterator = data.makeIterator()
        while let structure = iterator.next() {
            structures.append(line("0x\([structure.type.rawValue].hexadecimal)", structure.data))
        }
        #expect(structures == file["structure"].map(\.value))
        #expect(data.count == structures.count)

        let malformation = data.malformation.map {
            "offset \($0.offset) declared \($0.declaredLength) available \($0.available)"
        }
        #expect(malformation == file["malformed"].first?.value)
        #expect(data.paddingOctetCount == file["padding"].first?.number() ?? 0)

        var uuids = data.serviceUUIDs
        #expect(uuids.collect().map(\.description) == file["uuid"].map(\.value))
        var services: [String] = []
        var serviceData = data.serviceData
        while let service = serviceData.next() { services.append(line(service.uuid.description, service.data)) }
        #expect(services == file["service"].map(\.value))
        var manufacturers: [String] = []
        var manufacturerData = data.manufacturerData
        while let manufacturer = manufacturerData.next() {
            let company = [UInt8(manufacturer.company >> 8), UInt8(manufacturer.company & 0xFF)].hexadecimal
            manufacturers.append(line("0x" + company, manufacturer.data))
        }
        #expect(manufacturers == file["manufacturer"].map(\.value))

        for line in file.lines {
            switch line.key {
            case "name": #expect(data.name == line.text)
            case "flags": #expect((data.flags?.rawValue).map { "0x\([$0].hexadecimal)" } ?? "-" == line.value)
            case "txpower": #expect(data.txPowerLevel?.description ?? "-" == line.value)
            default: break
            }
        }
    }

    /// A line of a file: a word, and octets with spaces between, or `-`.
    private func line(_ word: String, _ octets: RawSpan) -> String {
        let octets = [UInt8](octets: octets).map { [$0].hexadecimal }
        return word + " " + (octets.isEmpty ? "-" : octets.joined(separator: " "))
    }
}
