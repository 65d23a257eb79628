import GAP
import TestSupport
import Testing
import Wire

@Suite struct AdvertisingDataFieldTests {
    @Test func flags() {
        let octets = hex("02 01 06")
        let flags = AdvertisingData(octets.octets).flags
        #expect(flags == [.generalDiscoverable, .noBREDR])
        #expect(flags?.description == "LE General Discoverable, BR/EDR Not Supported")
        #expect(AdvertisingFlags(rawValue: 0x81).description == "LE Limited Discoverable, 0x80")
    }

    @Test func aCompleteNameIsPreferred() {
        let octets = hex("03 08 41 42 05 09 41 42 43 44")
        let data = AdvertisingData(octets.octets)
        #expect(data.shortenedName == "AB")
        #expect(data.completeName == "ABCD")
        #expect(data.name == "ABCD")
    }

    @Test func aNameOfUmlauts() {
        let octets = hex("05 09 c3 a4 c3 b6")
        #expect(AdvertisingData(octets.octets).name == "äö")
    }

    @Test func appearance() {
        let octets = hex("03 19 41 03")
        let appearance = AdvertisingData(octets.octets).appearance
        #expect(appearance?.rawValue == 0x0341)
        // Heart rate sensor: belt.
        #expect(appearance?.category == 13)
        #expect(appearance?.subcategory == 1)
        let short = hex("02 19 41")
        #expect(AdvertisingData(short.octets).appearance == nil)
    }

    @Test func txPowerIsSigned() {
        let octets = hex("02 0a f4")
        #expect(AdvertisingData(octets.octets).txPowerLevel == -12)
    }

    @Test func deviceAddress() {
        let octets = hex("08 1b 01 00 00 ee ff c0 01")
        #expect(AdvertisingData(octets.octets).deviceAddress?.description == "C0:FF:EE:00:00:01/random")
        let short = hex("07 1b 01 00 00 ee ff c0")
        #expect(AdvertisingData(short.octets).deviceAddress == nil)
    }

    @Test func role() {
        let octets = hex("02 1c 02")
        #expect(AdvertisingData(octets.octets).leRole == .peripheralPreferred)
        #expect(LERole(rawValue: 9).description == "LE role 0x09")
    }

    @Test func connectionIntervalRange() {
        let octets = hex("05 12 18 00 ff ff")
        let range = AdvertisingData(octets.octets).peripheralConnectionIntervalRange
        #expect(range?.minimum == 24)
        #expect(range?.maximum == nil)
        let short = hex("04 12 18 00 ff")
        #expect(AdvertisingData(short.octets).peripheralConnectionIntervalRange == nil)
    }

    @Test(arguments: [
        ("03 1a 40 06", 1600 as UInt32), ("04 2f 01 02 03", 0x030201), ("05 2f 01 02 03 04", 0x0403_0201),
    ])
    func advertisingInterval(octets: String, interval: UInt32) {
        let octets = hex(octets)
        #expect(AdvertisingData(octets.octets).advertisingInterval == interval)
    }

    @Test(arguments: [
        ("0e 24 17 2f 2f 62 6c 75 65 2e 63 6f 6d 2f 61", "https://blue.com/a"), ("04 24 16 2f 2f", "http://"),
        ("04 24 01 61 3a", "a:"), ("03 24 c2 aa", "<scheme 0xaa>:"),
    ])
    func uri(octets: String, text: String) {
        let octets = hex(octets)
        #expect(AdvertisingData(octets.octets).uri?.description == text)
    }

    @Test func features() {
        let octets = hex("04 27 01 10 08")
        #expect(AdvertisingData(octets.octets).leSupportedFeatures == 0x081001)
        let long = hex("0b 27 01 02 03 04 05 06 07 08 09 0a")
        #expect(AdvertisingData(long.octets).leSupportedFeatures == 0x0807_0605_0403_0201)
    }

    @Test func classOfDeviceAndBroadcastName() {
        let octets = hex("04 0d 0c 02 5a 05 30 41 42 43 44")
        let data = AdvertisingData(octets.octets)
        #expect(data.classOfDevice == 0x5A020C)
        #expect(data.broadcastName == "ABCD")
    }

    @Test func solicitationIsNoService() {
        let octets = hex(
            "03 14 0d 18 05 1f 0f 18 00 00 11 15 33 c3 69 51 41 ab aa b2 48 4c d6 90 01 00 4a 42 03 03 0a 18")
        let data = AdvertisingData(octets.octets)
        var solicited = data.solicitedServiceUUIDs
        #expect(
            solicited.collect().map(\.description)
                == ["180d", "0000180f", "424a0001-90d6-4c48-b2aa-ab415169c333"])
        var services = data.serviceUUIDs
        #expect(services.next() == 0x180A)
        #expect(services.isFromCompleteList == true)
        #expect(services.next() == nil)
        #expect(data.advertises(0x180A) == true)
        #expect(data.advertises(0x180D) == false)
    }

    @Test func aShortUUIDIsFoundInALongList() {
        let octets = hex("11 06 fb 34 9b 5f 80 00 00 80 00 10 00 00 0d 18 00 00")
        #expect(AdvertisingData(octets.octets).advertises(0x180D) == true)
    }

    @Test func targetAddresses() {
        let octets = hex("0d 17 01 00 10 5e 00 02 02 00 10 5e 00 02 08 18 01 00 00 ee ff c0 99")
        var addresses = AdvertisingData(octets.octets).targetAddresses
        #expect(addresses.next()?.description == "02:00:5E:10:00:01/public")
        #expect(addresses.next()?.description == "02:00:5E:10:00:02/public")
        #expect(addresses.next()?.description == "C0:FF:EE:00:00:01/random")
        #expect(addresses.next() == nil)
        #expect(addresses.next() == nil)
    }

    @Test func noDataAtAll() {
        let octets: [UInt8] = []
        let data = AdvertisingData(octets.octets)
        #expect(data.isEmpty == true)
        #expect(data.count == 0)
        #expect(data.malformation == nil)
        #expect(data.paddingOctetCount == 0)
        #expect(data.flags == nil)
    }

    @Test func unknownTypesAreKept() {
        let octets = hex("03 4a 01 02")
        let data = AdvertisingData(octets.octets)
        var iterator = data.makeIterator()
        let structure = iterator.next()
        #expect(structure?.type.name == nil)
        #expect(structure?.type.description == "AD type 0x4a")
        #expect(data.contains(ADType(rawValue: 0x4A)) == true)
    }

    @Test func theWalkStaysAtItsEnd() {
        let octets = hex("02 01 06 00 02 01 06")
        var iterator = AdvertisingData(octets.octets).makeIterator()
        #expect((iterator.next()?.type == .flags) == true)
        #expect((iterator.next()?.type == nil) == true)
        #expect((iterator.next()?.type == nil) == true)
        #expect(iterator.paddingOctetCount == 4)
    }

    @Test func storedDataReadsTheSame() {
        let octets = hex("02 01 06 05 09 41 42 43 44")
        let stored = StoredAdvertisingData(copying: AdvertisingData(octets.octets))
        #expect(stored.octets == octets)
        #expect(stored.view.name == "ABCD")
        #expect(stored == StoredAdvertisingData(octets))
    }
}
