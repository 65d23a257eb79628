import GAP
import TestSupport
import Testing
import Wire

@Suite struct AdvertisementAssemblerTests {
    @Test func aScanResponseIsAttachedToItsAdvertisement() throws {
        let assembler = Listener()
        let first = try #require(assembler.take(.advInd, "02 01 06 03 03 0d 18"))
        #expect(first.changes == [.newAdvertiser, .properties, .advertisingData])
        #expect(first.name == nil)
        #expect(first.scanResponse.octets.isEmpty)

        let second = try #require(assembler.take(.scanRsp, "03 09 48 52"))
        #expect(second.changes == .scanResponse)
        #expect(second.name == "HR")
        #expect(second.serviceUUIDs == [0x180D])
        #expect(second.advertisingData.octets == hex("02 01 06 03 03 0d 18"))
        #expect(second.isScanResponse)
        #expect(second.properties.contains(.connectable))

        let third = try #require(assembler.take(.advInd, "02 01 06 03 03 0d 18"))
        #expect(third.changes.isEmpty)
        #expect(third.name == "HR")
    }

    @Test func aScanResponseIsNotAttachedToAnotherAdvertiser() throws {
        let assembler = Listener()
        _ = assembler.take(.advInd, "02 01 06")
        // The same octets, but a public address: another device.
        let response = try #require(assembler.take(.scanRsp, "03 09 48 52", typeCode: 0))
        #expect(response.advertisingData.octets.isEmpty)
        #expect(response.changes == [.newAdvertiser, .scanResponse])
        #expect(assembler.deviceCount == 2)
    }

    @Test func changedDataIsNews() throws {
        let assembler = Listener()
        _ = assembler.take(.advNonconnInd, "04 ff 4c 00 01")
        #expect(assembler.take(.advNonconnInd, "04 ff 4c 00 01")?.changes == [])
        #expect(assembler.take(.advNonconnInd, "04 ff 4c 00 02")?.changes == .advertisingData)
        #expect(assembler.take(.advNonconnInd, "05 ff 4c 00 02 03")?.changes == .advertisingData)
        #expect(assembler.take(.advInd, "05 ff 4c 00 02 03")?.changes == .properties)
    }

    @Test func aDirectedAdvertisementTakesNothingBack() throws {
        let assembler = Listener()
        _ = assembler.take(.advInd, "03 09 48 52")
        let directed = try #require(assembler.take(.advDirectInd, ""))
        #expect(directed.changes == .properties)
        #expect(directed.name == "HR")
    }

    @Test func fragmentsOfSeveralAdvertisersAndSetsDoNotMix() throws {
        let assembler = Listener()
        let other = AddressOctets(value: 2)
        #expect(assembler.take([.connectable], "05 09 41", sid: 1, status: .moreToCome) == nil)
        #expect(assembler.take([.connectable], "05 09 61", sid: 2, status: .moreToCome) == nil)
        #expect(assembler.take([.connectable], "05 09 31", from: other, sid: 1, status: .moreToCome) == nil)
        #expect(assembler.take([.connectable], "05 09 2e", typeCode: 0, sid: 1, status: .moreToCome) == nil)
        #expect(assembler.unfinishedCount == 4)
        #expect(assembler.take([.connectable], "62 63 64", sid: 2)?.name == "abcd")
        #expect(assembler.take([.connectable], "42 43 44", sid: 1)?.name == "ABCD")
        #expect(assembler.take([.connectable], "2e 2e 2e", typeCode: 0, sid: 1)?.name == "....")
        #expect(assembler.take([.connectable], "32 33 34", from: other, sid: 1)?.name == "1234")
        #expect(assembler.unfinishedCount == 0)
        #expect(assembler.abandonedCount == 0)
    }

    @Test func manyFragmentsMakeOneAdvertisement() throws {
        let assembler = Listener()
        let fragment = [UInt8](repeating: 0x5A, count: 200)
        for _ in 0..<8 {
            #expect(assembler.take([], fragment.hexadecimal, sid: 0, status: .moreToCome) == nil)
        }
        let record = try #require(assembler.take([], [UInt8](repeating: 0x5A, count: 50).hexadecimal, sid: 0))
        #expect(record.advertisingData.octets.count == 1650)
        #expect(record.dataStatus == .complete)
    }

    @Test func whatIsTooLongIsCutAndSaysSo() throws {
        var limits = AdvertisementAssembler.Limits()
        limits.octets = 8
        let assembler = Listener(limits: limits)
        #expect(assembler.take([], "01 02 03 04 05 06", sid: 0, status: .moreToCome) == nil)
        #expect(assembler.take([], "07 08 09 0a", sid: 0, status: .moreToCome) == nil)
        let record = try #require(assembler.take([], "0b", sid: 0))
        #expect(record.advertisingData.octets == hex("01 02 03 04 05 06 07 08"))
        #expect(record.dataStatus == .truncated)
        // And the next one is whole again.
        #expect(assembler.take([], "02 01 06", sid: 0)?.dataStatus == .complete)
    }

    @Test func theOldestUnfinishedOneMakesRoom() throws {
        var limits = AdvertisementAssembler.Limits()
        limits.unfinished = 2
        let assembler = Listener(limits: limits)
        _ = assembler.take([], "05 09 41", sid: 1, status: .moreToCome, at: 1)
        _ = assembler.take([], "05 09 61", sid: 2, status: .moreToCome, at: 2)
        _ = assembler.take([], "42", sid: 1, status: .moreToCome, at: 3)
        _ = assembler.take([], "05 09 31", sid: 3, status: .moreToCome, at: 4)
        #expect(assembler.unfinishedCount == 2)
        #expect(assembler.abandonedCount == 1)
        #expect(assembler.take([], "43 44", sid: 1, at: 5)?.name == "ABCD")
        #expect(assembler.take([], "32 33 34", sid: 3, at: 5)?.name == "1234")
        // Its beginning is gone: the end alone is what the controller gave.
        #expect(assembler.take([], "62 63 64", sid: 2, at: 5)?.advertisingData.octets == hex("62 63 64"))
    }

    @Test func aBeginningWhoseEndWasLostIsNotGluedToALaterOne() throws {
        let assembler = Listener()
        _ = assembler.take([], "05 09 41", sid: 1, status: .moreToCome, at: 0)
        let record = try #require(assembler.take([], "03 09 48 52", sid: 1, at: 11_000_000_000))
        #expect(record.name == "HR")
        #expect(assembler.abandonedCount == 1)
        #expect(assembler.unfinishedCount == 0)
    }

    @Test func anEmptyLastFragmentEndsTheChain() throws {
        let assembler = Listener()
        _ = assembler.take([], "03 09 48 52", sid: 1, status: .moreToCome)
        #expect(assembler.take([], "", sid: 1)?.name == "HR")
    }

    @Test func aScanResponseInFragmentsGoesBesideItsAdvertisement() throws {
        let assembler = Listener()
        // An extended scannable advertisement carries no data; all is in its scan response.
        #expect(assembler.take([.scannable], "", sid: 4)?.changes == [.newAdvertiser, .properties])
        #expect(assembler.take([.scannable, .scanResponse], "05 09 41", sid: 4, status: .moreToCome) == nil)
        #expect(assembler.take([.scannable], "", sid: 4)?.changes == [])
        let record = try #require(assembler.take([.scannable, .scanResponse], "42 43 44", sid: 4))
        #expect(record.name == "ABCD")
        #expect(record.changes == .scanResponse)
    }

    @Test func anonymousAdvertisersAreNotMerged() throws {
        let assembler = Listener()
        let none = AddressOctets(value: 0)
        let first = try #require(assembler.take([], "02 01 06", from: none, typeCode: 0xFF, sid: 3))
        let second = try #require(assembler.take([], "02 01 04", from: none, typeCode: 0xFF, sid: 3))
        #expect(first.address == nil)
        #expect(first.changes == [.newAdvertiser, .advertisingData])
        #expect(second.changes == [.newAdvertiser, .advertisingData])
        #expect(assembler.deviceCount == 0)
    }

    @Test func resetForgetsDevicesAndFragments() {
        let assembler = Listener()
        _ = assembler.take(.advInd, "02 01 06")
        _ = assembler.take([], "05 09 41", sid: 1, status: .moreToCome)
        assembler.reset()
        #expect(assembler.deviceCount == 0)
        #expect(assembler.unfinishedCount == 0)
        #expect(assembler.take(.advInd, "02 01 06")?.changes.contains(.newAdvertiser) == true)
    }

    @Test func randomReportsNeitherTrapNorPassTheLimits() {
        var random = SeededGenerator.printingItsSeed(for: "random advertising reports")
        var limits = AdvertisementAssembler.Limits()
        limits.devices = 20
        limits.unfinished = 3
        limits.octets = 100
        let assembler = Listener(limits: limits)
        for time in 0..<20_000 as Range<UInt64> {
            let data = random.octets(0...60)
            let sid = random.next() % 3
            let report = report(
                AdvertisingEventProperties(rawValue: UInt16(random.next() % 32)), data,
                from: AddressOctets(value: random.next() % 30), typeCode: UInt8(random.next() % 4),
                sid: sid == 2 ? nil : UInt8(sid), status: AdvertisingDataStatus(rawValue: UInt8(random.next() % 4)),
                rssi: Int8(truncatingIfNeeded: random.next()))
            assembler.receive(report, at: time) { advertisement in
                #expect(advertisement.report.data.octets.byteCount <= 100)
                let record = AdvertisementRecord(copying: advertisement)
                if record.isScanResponse {
                    #expect(record.scanResponse.octets == [UInt8](octets: advertisement.report.data.octets))
                }
                _ = record.name
                _ = record.serviceUUIDs
            }
        }
        #expect(assembler.deviceCount == 20)
        #expect(assembler.unfinishedCount <= 3)
    }
}
