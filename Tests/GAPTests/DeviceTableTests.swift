import GAP
import TestSupport
import Testing
import Wire

@Suite struct DeviceTableTests {
    @Test func anEntryHoldsWhatWasHeard() throws {
        let table = Table()
        let data = hex("02 01 06")
        let name = hex("03 09 48 52")
        #expect(
            table.observe(report(.advInd, data, rssi: -60), at: 5) == [.newAdvertiser, .properties, .advertisingData])
        #expect(table.observe(report(.scanRsp, name, rssi: nil), at: 7) == .scanResponse)
        #expect(table.observe(report(.advInd, data, rssi: -61), at: 9) == [])
        let key = AdvertisingSetKey(report(.advInd, data))
        let entry = try #require(table.entry(for: key))
        #expect(entry.firstHeard == 5)
        #expect(entry.lastHeard == 9)
        #expect(entry.reportCount == 3)
        #expect(entry.rssi == -61)
        #expect(entry.properties == .advInd)
        #expect(entry.advertisingData.octets == data)
        #expect(entry.scanResponse.octets == name)
        #expect(entry.key.address?.description == "C0:FF:EE:00:00:01/random")
        #expect(entry.key.advertisingSID == nil)
    }

    @Test func setsOfOneDeviceAreApart() {
        let table = Table()
        let data = hex("02 01 06")
        table.observe(report([], data, sid: 1), at: 0)
        let second = table.observe(report([], data, sid: 2), at: 0)
        #expect(second.contains(.newAdvertiser))
        let legacy = table.observe(report(.advInd, data), at: 0)
        #expect(legacy.contains(.newAdvertiser))
        #expect(table.count == 3)
    }

    @Test func aFloodDrivesOutItselfNotTheDevicesThatStay() {
        let table = Table(maximumCount: 64)
        let data = hex("02 01 06")
        for address in 0..<32 as Range<UInt64> {
            table.observe(report(.advInd, data, from: AddressOctets(value: address)), at: 0)
        }
        for flood in 1000..<5000 as Range<UInt64> {
            table.observe(report(.advInd, data, from: AddressOctets(value: flood)), at: flood)
            let resident = AddressOctets(value: flood % 32)
            #expect(table.observe(report(.advInd, data, from: resident), at: flood) == [])
        }
        #expect(table.count == 64)
        #expect(table.forgottenCount == 4000 - 32)
    }

    /// Against a dictionary, with forgetting in between: no entry is lost in the moves of the slots, none is mixed up.
    @Test func randomTrafficAgreesWithADictionary() {
        var random = SeededGenerator.printingItsSeed(for: "device table against a dictionary")
        let table = Table(maximumCount: 50, seed: random.next())
        var last: [AdvertisingSetKey: [UInt8]] = [:]
        for time in 0..<30_000 as Range<UInt64> {
            let address = AddressOctets(value: random.next() % 80)
            let data = [UInt8(random.next() % 3)]
            let report = report(.advNonconnInd, data, from: address)
            let key = AdvertisingSetKey(report)
            let known = table.entry(for: key)
            let changes = table.observe(report, at: time)
            #expect(changes.contains(.newAdvertiser) == (known == nil))
            if let known {
                #expect(known.advertisingData.octets == last[key])
                #expect(changes.contains(.advertisingData) == (last[key] != data))
            }
            last[key] = data
        }
        #expect(table.count == 50)
        #expect(Set(table.all.map(\.key)).count == 50)
        for entry in table.all {
            #expect(table.entry(for: entry.key)?.lastHeard == entry.lastHeard)
        }
    }

    /// What the budget of 300 octets a device counts: the entry, its share of the slots, and the headers of its two
    /// buffers, each at the worst moment of growing.
    @Test func anEntryKeepsToItsBudget() {
        let entry = MemoryLayout<DeviceTable.Entry>.stride
        let slots = 4 * 4
        let bufferHeader = 32
        let allocatorHeader = 16
        #expect(2 * entry + slots + 2 * (bufferHeader + allocatorHeader) <= 300)
    }

    @Test func removingAllLeavesAnEmptyTable() {
        let table = Table(maximumCount: 4)
        let data = hex("02 01 06")
        for address in 0..<10 as Range<UInt64> {
            table.observe(report(.advInd, data, from: AddressOctets(value: address)), at: 0)
        }
        table.removeAll()
        #expect(table.count == 0)
        let legacy = table.observe(report(.advInd, data), at: 0)
        #expect(legacy.contains(.newAdvertiser))
        #expect(table.count == 1)
    }
}
