import GAP
import TestSupport
import Testing
import Wire

@Suite struct RandomAdvertisingDataTests {
    /// Every octet belongs to a structure, the padding or the malformed tail, and no accessor traps.
    @Test func everyOctetIsAccountedFor() {
        var random = SeededGenerator.printingItsSeed(for: "random advertising data")
        let types: [UInt8] = [
            0x01, 0x03, 0x05, 0x07, 0x08, 0x09, 0x0A, 0x0D, 0x12, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x1C,
            0x1F, 0x20, 0x21, 0x24, 0x27, 0x2F, 0x30, 0xFF,
        ]
        for _ in 0..<20_000 {
            var octets: [UInt8] = []
            while random.next() % 4 != 0, octets.count < 200 {
                let data = random.octets(0...20)
                octets.append(UInt8(data.count + 1))
                octets.append(types[Int(random.next() % UInt64(types.count))])
                octets += data
            }
            if random.next() % 2 == 0 { octets += random.octets(0...10) }

            let data = AdvertisingData(octets.octets)
            var iterator = data.makeIterator()
            var accounted = 0
            while let structure = iterator.next() {
                #expect(structure.offset == accounted)
                accounted += 2 + structure.data.byteCount
            }
            if let malformation = iterator.malformation {
                #expect(malformation.offset == accounted)
                #expect(malformation.available < malformation.declaredLength)
                accounted += 1 + malformation.available
            }
            accounted += iterator.paddingOctetCount
            #expect(accounted == octets.count)

            _ = (data.flags, data.name, data.completeName, data.shortenedName, data.txPowerLevel, data.appearance)
            _ = (data.leRole, data.deviceAddress, data.peripheralConnectionIntervalRange, data.advertisingInterval)
            _ = (data.classOfDevice, data.securityManagerOutOfBandFlags, data.broadcastName, data.leSupportedFeatures)
            _ = (data.uri, data.malformation, data.count, data.advertises(0x180D))
            var uuids = data.serviceUUIDs
            var solicited = data.solicitedServiceUUIDs
            #expect(uuids.collect().count + solicited.collect().count <= octets.count / 2)
            var services = data.serviceData
            while services.next() != nil {}
            var manufacturers = data.manufacturerData
            while manufacturers.next() != nil {}
            var targets = data.targetAddresses
            while targets.next() != nil {}
        }
    }
}
