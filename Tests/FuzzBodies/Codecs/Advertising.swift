// Advertising data, and the reports in which it comes: every octet is accounted for, and what is remembered is bounded.

import GAP
import HCI
import Wire

extension FuzzTarget {
    static let advertisingData = FuzzTarget(
        "advertising", maximumLength: 1650,
        seeds: { $0.lines("data", in: "regressions/adv") },
        run: { (input) throws(Finding) in
            let data = AdvertisingData(input)
            try everyOctetIsAccountedFor(data)
            try fieldsStayInside(data)
            let stored = StoredAdvertisingData(copying: data)
            try check(stored.octets == [UInt8](octets: input), "the stored data differs")
            try check(stored.view.name == data.name, "the name of the stored data differs")
        })

    /// Structures, padding and a malformed tail make up the whole.
    private static func everyOctetIsAccountedFor(_ data: borrowing AdvertisingData) throws(Finding) {
        var structures = data.makeIterator()
        var taken = 0
        var count = 0
        while let structure = structures.next() {
            try check(structure.offset == taken, "a structure at \(structure.offset) follows one that ends at \(taken)")
            taken += 2 + touch(structure.data)
            count += 1
            try check(data.contains(structure.type), "\(structure.type) is not found")
            try check(!structure.type.description.isEmpty, "a type has no description")
        }
        try check(count == data.count, "\(count) structures, the count is \(data.count)")
        var left = structures.paddingOctetCount
        if let malformation = structures.malformation {
            try check(malformation.offset == taken, "the malformed structure stands elsewhere")
            try check(malformation.declaredLength > malformation.available, "nothing is malformed")
            left = malformation.available + 1
        }
        try check(taken + left == data.octets.byteCount, "\(taken) and \(left) of \(data.octets.byteCount) octets")
        try check(data.malformation == structures.malformation, "the malformation differs")
        try check(data.paddingOctetCount == structures.paddingOctetCount, "the padding differs")
    }

    /// Whatever can be asked for is answered, and lists hold no more than there are octets.
    private static func fieldsStayInside(_ data: borrowing AdvertisingData) throws(Finding) {
        let length = data.octets.byteCount
        var uuids = data.serviceUUIDs
        var count = 0
        while let uuid = uuids.next() {
            count += uuid.width.octetCount
            try check(data.advertises(uuid), "\(uuid) is listed and not advertised")
        }
        var solicited = data.solicitedServiceUUIDs
        while let uuid = solicited.next() { count += uuid.width.octetCount }
        var services = data.serviceData
        while let service = services.next() { count += service.uuid.width.octetCount + touch(service.data) }
        var manufacturers = data.manufacturerData
        while let manufacturer = manufacturers.next() { count += 2 + touch(manufacturer.data) }
        var addresses = data.targetAddresses
        while addresses.next() != nil { count += 6 }
        try check(count <= length, "lists of \(count) octets in \(length)")
        _ = data.flags?.description
        _ = data.leRole?.description
        _ = data.appearance.map { ($0.category, $0.subcategory) }
        _ = data.uri?.description
        _ = (data.txPowerLevel, data.deviceAddress, data.peripheralConnectionIntervalRange, data.advertisingInterval)
        _ = (data.classOfDevice, data.securityManagerOutOfBandFlags, data.broadcastName, data.leSupportedFeatures)
        try check(data.name == (data.completeName ?? data.shortenedName), "the name is neither of the two")
    }

    static let advertisingReports = FuzzTarget(
        "reports", maximumLength: 2048,
        seeds: { fixtures in
            let data = fixtures.lines("data", in: "regressions/adv")
            return data.map { data in
                let data = data.prefix(31)
                let report = [0x02, 1, 0x00, 0x01, 1, 2, 3, 4, 5, 0xC6, UInt8(data.count)] + data + [0xC4]
                return [0x00, 3] + [UInt8(report.count)] + report
            }
                + data.map { data in
                    let data = data.prefix(220)
                    let head: [UInt8] = [0x0D, 1, 0x20, 0x00, 0x01, 1, 2, 3, 4, 5, 0xC6, 1, 2, 0, 127, 0xC4]
                    let report = head + [UInt8](repeating: 0, count: 9) + [UInt8(data.count)] + data
                    let last = head.prefix(2) + [0x00] + head.dropFirst(3) + [UInt8](repeating: 0, count: 10)
                    return [0x00, 3, UInt8(report.count)] + report + [UInt8(last.count)] + last
                }
        },
        run: { (input) throws(Finding) in
            var decisions = Decisions(input)
            var limits = AdvertisementAssembler.Limits()
            limits.devices = 1 + decisions.number(below: 8)
            limits.unfinished = 1 + decisions.number(below: 4)
            limits.octets = 300
            limits.age = 1000
            var assembler = AdvertisementAssembler(limits: limits, seed: 0)
            var time: UInt64 = 0
            while !decisions.isAtEnd {
                let event = decisions.octets(upTo: 255)
                time &+= UInt64(event.count)
                try receive(event, &assembler, limits, at: time)
            }
        })

    private static func receive(
        _ parameters: [UInt8], _ assembler: inout AdvertisementAssembler,
        _ limits: AdvertisementAssembler.Limits, at time: UInt64
    ) throws(Finding) {
        var reports: AdvertisingReports
        switch try? LEEvent(parsing: parameters.octets) {
        case .advertisingReport(let list), .extendedAdvertisingReport(let list), .directedAdvertisingReport(let list):
            reports = list
        default: return
        }
        var finding: Finding?
        var count = 0
        while let report = reports.next() {
            count += 1
            _ = (report.address, report.isIdentityAddress, report.properties.description, report.dataStatus.description)
            var delivered = 0
            let known = assembler.devices.entry(for: AdvertisingSetKey(report))
            assembler.receive(report, at: time) { advertisement in
                delivered += 1
                let record = AdvertisementRecord(copying: advertisement)
                let longest = max(limits.octets, 255)
                if record.advertisingData.octets.count > longest || record.scanResponse.octets.count > longest {
                    finding = Finding("an advertisement is longer than was allowed")
                }
                if record.name != advertisement.name { finding = Finding("the name of the record differs") }
                if known == nil, !advertisement.report.isAnonymous, !advertisement.changes.contains(.newAdvertiser) {
                    finding = Finding("an unknown advertiser is told as a known one")
                }
                _ = (record.serviceUUIDs, record.address?.description)
            }
            let isFragment = !report.properties.contains(.legacy) && report.dataStatus == .moreToCome
            try check(delivered == (isFragment ? 0 : 1), "delivered \(delivered) times")
        }
        if let finding { throw finding }
        if let malformation = reports.malformation {
            try check(malformation.index == count, "report \(malformation.index) is malformed, \(count) were whole")
            try check(malformation.error.offset <= parameters.count, "malformed beyond the end")
        } else {
            try check(count == reports.declaredCount, "\(count) of \(reports.declaredCount) reports")
        }
        try check(assembler.devices.count <= limits.devices, "\(assembler.devices.count) devices are remembered")
        try check(assembler.unfinishedCount <= limits.unfinished, "\(assembler.unfinishedCount) are unfinished")
        for entry in assembler.devices.all {
            try check(assembler.devices.entry(for: entry.key)?.key == entry.key, "a remembered device is not found")
        }
    }
}
