import GAP
import HCI
import TestSupport
import Testing
import Wire

/// Advertising reports of events as literal parameters, the subevent code first.
@Suite struct AdvertisingReportTests {
    /// Each report in a line, and what did not fit.
    private func lines(_ octets: String) throws -> (reports: [String], malformation: AdvertisingReports.Malformation?) {
        let octets = hex(octets)
        var reports: AdvertisingReports
        switch try LEEvent(parsing: octets.octets) {
        case .advertisingReport(let list), .extendedAdvertisingReport(let list), .directedAdvertisingReport(let list):
            reports = list
        default:
            Issue.record("no reports")
            return ([], nil)
        }
        var lines: [String] = []
        while let report = reports.next() {
            lines.append(
                "\(report.address?.description ?? "anonymous") [\(report.properties)] "
                    + "\(report.rssi.map(String.init) ?? "-") \(report.data.octets.hexadecimal)")
        }
        return (lines, reports.malformation)
    }

    /// Two reports in one event: all of the first, then all of the second.
    @Test func severalLegacyReports() throws {
        let found = try lines(
            "02 02 00 01 01 00 00 ee ff c0 03 02 01 06 c6 04 00 01 00 10 5e 00 02 04 03 09 48 52 7f")
        #expect(
            found.reports == [
                "C0:FF:EE:00:00:01/random [connectable, scannable, legacy] -58 020106",
                "02:00:5E:10:00:01/public [scannable, scan response, legacy] - 03094852",
            ])
        #expect(found.malformation == nil)
    }

    @Test(arguments: [
        (0x00 as UInt8, "connectable, scannable, legacy"), (0x01, "connectable, directed, legacy"),
        (0x02, "scannable, legacy"), (0x03, "legacy"), (0x04, "scannable, scan response, legacy"), (0x77, "legacy"),
    ])
    func legacyTypes(code: UInt8, properties: String) throws {
        let found = try lines("02 01 \([code].hexadecimal) 01 01 00 00 ee ff c0 00 c6")
        #expect(found.reports == ["C0:FF:EE:00:00:01/random [\(properties)] -58 "])
    }

    @Test func whatCameBeforeABrokenReportIsKept() throws {
        let found = try lines("02 02 00 01 01 00 00 ee ff c0 03 02 01 06 c6 00 01 02 00 00 ee ff c0 1f 02 01 06 c6")
        #expect(found.reports.count == 1)
        #expect(
            found.malformation == .some(AdvertisingReports.Malformation(index: 1, error: .init(.truncated, at: 24))))
    }

    @Test func moreReportsDeclaredThanThere() throws {
        let found = try lines("02 03 00 01 01 00 00 ee ff c0 03 02 01 06 c6")
        #expect(found.reports.count == 1)
        #expect(found.malformation?.index == 1)
    }

    @Test func noReports() throws {
        let found = try lines("02 00")
        #expect(found.reports.isEmpty)
        #expect(found.malformation == nil)
        let octets = hex("02")
        #expect(throws: MalformedError(.truncated, at: 1)) {
            guard case .scanTimeout = try LEEvent(parsing: octets.octets) else { return }
        }
    }

    @Test func extendedReportFields() throws {
        let octets = hex(
            "0d 01 25 00 03 01 00 00 ee ff c0 03 02 0a f4 ba 50 00 01 55 44 33 22 11 5a 03 02 01 06")
        guard case .extendedAdvertisingReport(var reports) = try LEEvent(parsing: octets.octets) else {
            Issue.record("no reports")
            return
        }
        guard let report = reports.next() else {
            Issue.record("no report")
            return
        }
        #expect(report.properties == [.connectable, .directed])
        #expect(report.dataStatus == .moreToCome)
        #expect(report.isIdentityAddress == true)
        #expect(report.primaryPHY == .leCoded)
        #expect(report.secondaryPHY == .le2M)
        #expect(report.advertisingSID == 10)
        #expect(report.txPower == -12)
        #expect(report.rssi == -70)
        #expect(report.periodicAdvertisingInterval == 80)
        #expect(report.directAddress?.description == "5A:11:22:33:44:55/random")
        let data = report.data.octets.hexadecimal
        #expect(data == "020106")
        #expect((reports.next()?.rssi == nil) == true)
    }

    @Test func severalExtendedReports() throws {
        let fields = "01 01 00 00 ee ff c0 01 00 ff 7f ba 00 00 00 00 00 00 00 00 00"
        let found = try lines("0d 02 13 00 \(fields) 03 02 01 06 1b 00 \(fields) 04 03 09 48 52")
        #expect(
            found.reports == [
                "C0:FF:EE:00:00:01/random [connectable, scannable, legacy] -70 020106",
                "C0:FF:EE:00:00:01/random [connectable, scannable, scan response, legacy] -70 03094852",
            ])
    }

    @Test func directedReport() throws {
        let found = try lines("0b 01 01 01 01 00 00 ee ff c0 01 55 44 33 22 11 5a c6")
        #expect(found.reports == ["C0:FF:EE:00:00:01/random [connectable, directed, legacy] -58 "])
    }

    @Test func randomEventsNeitherTrapNorReadBeyondTheirEnd() throws {
        var random = SeededGenerator.printingItsSeed(for: "random HCI packets")
        let codes: [UInt8] = [0x05, 0x08, 0x0C, 0x0E, 0x0F, 0x10, 0x13, 0x30, 0x3E, 0x3E, 0x3E, 0x59, 0xFF]
        let subevents: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 0x0A, 0x0B, 0x0C, 0x0D, 0x11, 0x29, 0x50]
        var readable = 0
        for _ in 0..<50_000 {
            var parameters = random.octets(0...80)
            let code = codes[Int(random.next() % UInt64(codes.count))]
            if code == 0x3E, !parameters.isEmpty {
                parameters[0] = subevents[Int(random.next() % UInt64(subevents.count))]
            }
            var packet = [4, code, UInt8(parameters.count)] + parameters
            if random.next() % 8 == 0 { packet[2] = UInt8(truncatingIfNeeded: random.next()) }
            if random.next() % 16 == 0 { packet[0] = UInt8(truncatingIfNeeded: random.next() % 6) }
            guard let parsed = try? HCIPacket(parsing: packet.octets), case .event(let event) = parsed,
                let event = try? HCIEvent(event)
            else { continue }
            readable += 1
            switch event {
            case .numberOfCompletedPackets(var packets):
                var count = 0
                while packets.next() != nil { count += 1 }
                #expect(count <= packets.declaredCount)
            case .le(.advertisingReport(var reports)), .le(.extendedAdvertisingReport(var reports)),
                .le(.directedAdvertisingReport(var reports)):
                var count = 0
                while let report = reports.next() {
                    count += 1
                    _ = report.data.malformation
                }
                #expect(count <= reports.declaredCount)
                #expect((reports.malformation?.index ?? reports.declaredCount) == count)
            default: break
            }
        }
        #expect(readable > 10_000)
    }
}
