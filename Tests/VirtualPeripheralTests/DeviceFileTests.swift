import Foundation
import TestSupport
import Testing
import VirtualPeripheral

@Suite struct DeviceFileTests {
    /// The example people see first.
    @Test func theExampleOfTheDocumentationWorks() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "Fixtures/devices/README.md"), encoding: .utf8)
        let block = page.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !$0.hasPrefix("    ") }.prefix { $0.hasPrefix("    ") }
        let device = try DeviceDescription(parsing: block.map { String($0.dropFirst(4)) }.joined(separator: "\n"))
        #expect(device.name == "Lamp")
        #expect(device.services[0].characteristics.count == 2)
        #expect(device.behaviours.count == 1)
    }

    @Test func theShortestFile() throws {
        let device = try DeviceDescription(parsing: "device Lamp")
        #expect(device.name == "Lamp")
        #expect(device.services == [])
        #expect(device.advertising?.data == hex("02 01 06 05 09 4c 61 6d 70"))
        #expect(device.advertising?.properties == .advInd)
    }

    @Test func everythingOfADevice() throws {
        let device = try DeviceDescription(
            parsing: """
                # a comment

                device "Lamp # 1"   # another
                  address 02:00:5E:10:00:01 public
                  mtu 185
                  prepare-queue 3
                  attribute-not-long
                  unsupported 0x0E, 0x20
                  bonded
                  pairs
                  csrk 3c4fcf098815f7aba6d2ae2816157e2b after 4294967295
                  disconnect-after 1.5 s
                  advertise never
                """)
        #expect(device.name == "Lamp # 1")
        #expect(device.address == DeviceAddress(value: 0x0200_5E10_0001, type: .public))
        #expect(device.advertising == nil)
        #expect(device.configuration.mtu == 185)
        #expect(device.configuration.maximumPreparedWrites == 3)
        #expect(device.configuration.answersAttributeNotLong)
        #expect(device.configuration.unsupportedRequests == [.readMultipleRequest, .readMultipleVariableRequest])
        #expect(device.security == LinkSecurity(hasKey: true))
        #expect(device.disconnectsAfter == .milliseconds(1500))
        #expect(device.acceptsPairing)
        #expect(device.signingKey == .init(octets: hex("3c4fcf098815f7aba6d2ae2816157e2b"), lastCounter: .max))
    }

    /// AD structures, written by hand from the Supplement to the Core Specification, Part A.
    @Test(arguments: [
        ("flags general le-only", "02 01 06"), ("flags 0x1A", "02 01 1a"), ("name", "05 09 4c616d70"),
        ("name Other", "06 09 4f74686572"), ("short-name La", "03 08 4c61"), ("services 180D, 180F", "05 03 0d180f18"),
        ("more-services 180D", "03 02 0d18"),
        ("services b7a70001-1d00-4c1e-9f00-00a77a77a77a", "11 07 7aa7777aa700009f1e4c001d0100a7b7"),
        ("services 180D 0000180f", "03 03 0d18 05 05 0f180000"), ("appearance 0x0341", "03 19 4103"),
        ("tx-power -4", "02 0a fc"), ("manufacturer 0x004C hex: 02 15", "05 ff 4c00 0215"),
        ("service-data 180F u8: 87", "04 16 0f18 57"), ("service-data 0000180f empty", "05 20 0f180000"),
        ("service-data b7a70001-1d00-4c1e-9f00-00a77a77a77a u8: 1", "12 21 7aa7777aa700009f1e4c001d0100a7b7 01"),
        ("data 0x24 text: \"\\x17//x\"", "05 24 172f2f78"), ("raw hex: 09 ff", "09 ff"),
    ])
    func advertisingData(_ line: String, _ octets: String) throws {
        let advertised = try DeviceDescription(parsing: "device Lamp\n  advertise\n    \(line)\n")
        #expect(advertised.advertising?.data == hex(octets))
        #expect(advertised.advertising?.scanResponse == nil)
        let answered = try DeviceDescription(
            parsing: "device Lamp\n  advertise\n    every 20ms\n    scan-response\n      \(line)\n")
        #expect(answered.advertising?.scanResponse == hex(octets))
        #expect(answered.advertising?.data == [])
        #expect(answered.advertising?.interval == .milliseconds(20))
    }

    @Test(
        arguments: [
            ("kind connectable", .advInd), ("kind scannable", .advScanInd), ("kind non-connectable", .advNonconnInd),
            ("extended", .connectable), ("kind scannable\n    extended", .scannable),
        ] as [(String, AdvertisingEventProperties)])
    func kindsOfAdvertising(_ lines: String, _ properties: AdvertisingEventProperties) throws {
        let device = try DeviceDescription(parsing: "device Lamp\n  advertise\n    \(lines)\n    rssi -77\n")
        #expect(device.advertising?.properties == properties)
        #expect(device.advertising?.rssi == -77)
    }

    @Test func aLongNameIsShortened() throws {
        let device = try DeviceDescription(parsing: "device Straßenbahnhaltestellenüberdachung")
        let data = device.advertising?.data ?? []
        #expect(data.hexadecimal.hasPrefix("0201061b08" + Array("Straßenbahnhaltestellen".utf8).hexadecimal))
        #expect(data.count == 3 + 28)
    }

    @Test func attributesAndBehaviours() throws {
        let device = try DeviceDescription(
            parsing: """
                device Lamp
                service 180D at 0x0010 to 0x003F as first
                  include second at 0x0012
                  include 180F
                  characteristic 2A37 at 0x0020
                    properties read, notify indicate
                    extended-properties reliable-write
                    value u8: 0 60
                    length up-to 20
                    reading encrypted key-size 16
                    writing forbidden
                    every 250 ms
                    moves u8 at 1 from 60 to 62 by 2
                    next u8: 0 61
                    read-delay 1 min
                    notify-before-response
                    descriptor 2901
                      value text: pulse
                      writing open
                      write-error 0x81
                      accepts text: a
                      accepts text: b
                    descriptor 2902 at 0x0030
                  characteristic 2A39
                    properties write
                    echo 2A37
                    read-error 10
                secondary 180D as second
                service 180F
                """)
        let service = device.services[0]
        #expect(service.handle == 0x0010)
        #expect(service.end == 0x003F)
        #expect(service.includes == [.init(service: 1, handle: 0x0012), .init(service: 2)])
        let pulse = service.characteristics[0]
        #expect(pulse.handle == 0x0020)
        #expect(pulse.properties == [.read, .notify, .indicate])
        #expect(pulse.extendedProperties == .reliableWrite)
        #expect(pulse.length == .variable(maximum: 20))
        #expect(
            pulse.permissions
                == AttributePermissions(read: AccessRule(security: .encryption, minimumKeySize: 16), write: nil))
        #expect(pulse.behaviour == AttributeBehaviour(readDelay: .seconds(60), sendsValueBeforeWriteResponse: true))
        #expect(pulse.descriptors[0].permissions == .readWrite)
        #expect(
            pulse.descriptors[0].behaviour
                == AttributeBehaviour(writeError: ErrorCode(rawValue: 0x81), acceptedValues: [[0x61], [0x62]]))
        #expect(pulse.descriptors[1].handle == 0x0030)
        #expect(service.characteristics[1].behaviour.readError == .attributeNotFound)
        #expect(service.characteristics[1].permissions == .writeOnly)
        #expect(!device.services[1].isPrimary)
        #expect(
            device.behaviours[.init(service: 0, characteristic: 0)]
                == CharacteristicBehaviour(
                    interval: .milliseconds(250),
                    movements: [.init(offset: 1, octetCount: 1, first: 60, last: 62, step: 2)],
                    values: [[0, 60], [0, 61]]))
        #expect(
            device.behaviours[.init(service: 0, characteristic: 1)]
                == CharacteristicBehaviour(echo: .characteristic(0x2A37)))
        #expect(device.behaviours.count == 2)
    }

    /// A file, and the whole sentence.
    @Test(arguments: [
        ("", "line 1, column 1: the file says nothing; expected device NAME"),
        ("# only this", "line 1, column 1: the file says nothing; expected device NAME"),
        ("service 180D", "line 1, column 1: the file begins with \"service\"; expected device NAME"),
        ("device", "line 1, column 7: the line ends too early; expected the device's name"),
        (
            "device X\n\taddress", "line 2, column 1: a tab indents the line; expected spaces"
        ),
        (
            "device X\n  adress C0:DE:00:00:00:01 random",
            "line 2, column 3: \"adress\" is not known here; expected address, advertise, mtu, prepare-queue, "
                + "attribute-not-long, unsupported, bonded, pairs, csrk or disconnect-after"
        ),
        (
            "device X\n  address C0:DE:00:00:00 random",
            "line 2, column 11: \"C0:DE:00:00:00\" is not an address; expected an address such as C0:DE:00:00:00:01, "
                + "then public or random"
        ),
        (
            "device X\n  address C0:DE:00:00:00:01 static",
            "line 2, column 29: the address type \"static\" is not known; expected public, random"
        ),
        ("device X\n  mtu 22", "line 2, column 7: 22 is out of range; expected the server's MTU, 23 to 2048"),
        ("device X\n  mtu 23\n  mtu 24", "line 3, column 3: \"mtu\" was already given in line 2"),
        (
            "device X\n  csrk 3c4fcf098815f7aba6d2ae2816157e",
            "line 2, column 8: \"3c4fcf098815f7aba6d2ae2816157e\" is no key; expected 32 hexadecimal digits, least "
                + "significant octet first"
        ),
        (
            "device X\n  csrk 3c4fcf098815f7aba6d2ae2816157e2b after 4294967296",
            "line 2, column 47: 4294967296 is out of range; expected the counter of the last signed write, 0 to "
                + "4294967295"
        ),
        (
            "device X\n  mtu 23\n    bonded",
            "line 3, column 5: the line is indented by 4 spaces; expected 2 like the lines around it: what stands above "
                + "takes no lines of its own, or others"
        ),
        (
            "device X\n  advertise\n    every soon",
            "line 3, column 11: \"soon\" is not a time; expected a time such as 250 ms, 1.5 s or 1 min"
        ),
        (
            "device X\n  advertise\n    every 2 days",
            "line 3, column 11: \"2\" is not a time; expected a time such as 250 ms, 1.5 s or 1 min"
        ),
        (
            "device X\n  advertise\n    every 0 s",
            "line 3, column 11: the time is out of range; expected 1 ms to 1440 min"
        ),
        (
            "device X\n  advertise\n    name A name that is much, much too long",
            "line 2, column 3: the data has 36 octets; expected 31 at most, or the line \"extended\""
        ),
        (
            "device X\n  advertise\n    flags genral",
            "line 3, column 11: the flag \"genral\" is not known; expected limited, general, le-only"
        ),
        (
            "device X\n  advertise\n    scan-response\n      every 1 s",
            "line 4, column 7: \"every\" is not known here; expected flags, name, short-name, services, more-services, "
                + "appearance, tx-power, manufacturer, service-data, data or raw"
        ),
        (
            "device X\nservice 18D",
            "line 2, column 9: \"18D\" is not a UUID; expected a UUID such as 180D or "
                + "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
        ),
        ("device X\nprimary 180D", "line 2, column 1: \"primary\" is not known here; expected service or secondary"),
        (
            "device X\nservice 180D on 3",
            "line 2, column 14: \"on\" is not known here; expected at, to, as or nothing more"
        ),
        (
            "device X\nservice 180D at 0x10000",
            "line 2, column 17: 0x10000 is out of range; expected a handle, 1 to 65535"
        ),
        (
            "device X\nservice 180D\n  characteristic 2A37\n    properties reed",
            "line 4, column 16: the property \"reed\" is not known; expected broadcast, read, write-without-response, "
                + "write, notify, indicate, signed-write"
        ),
        (
            "device X\nservice 180D\n  characteristic 2A37\n    reading nobody",
            "line 4, column 13: the access \"nobody\" is not known; expected open, encrypted, authenticated, authorized, "
                + "forbidden"
        ),
        (
            "device X\nservice 180D\n  characteristic 2A37\n    read-error 0",
            "line 4, column 16: 0 is out of range; expected an ATT error code, 1 to 255"
        ),
        (
            "device X\nservice 180D\n  include 180F",
            "line 3, column 11: there is no service 180f; expected a service of this file"
        ),
        (
            "device X\nservice 180D\n  include battery",
            "line 3, column 11: no service is called \"battery\"; expected the UUID of a service, or its name after \"as\""
        ),
        (
            "device X\nservice 180D\n  include 180F\nservice 180F\nservice 180F",
            "line 3, column 11: there are 2 services 180f; expected the name of one, given by \"service 180f as NAME\""
        ),
        (
            "device X\nservice 180D as a\nservice 180F as a",
            "line 3, column 17: another service is called \"a\" already"
        ),
        (
            "device X\nservice 180D\n  characteristic 2A37\n    echo 2A38",
            "line 4, column 10: the service has no characteristic 2a38; expected one to send what was written"
        ),
        (
            "device X\nservice 180D\n  characteristic 2A37\n    value u8: 1\n    moves u16 at 0 from 0 to 9 by 1",
            "line 5, column 10: the number ends at octet 2 of the value; expected a value that long; it has 1 octets"
        ),
        (
            "device X\nservice 180D\n  characteristic 2A37\n    value u8: 1\n    moves u8 at 0 from 9 to 0 by 1",
            "line 5, column 10: steps of 1 never lead from 9 to 0; expected steps in that direction"
        ),
        (
            "device X\nservice 180D\n  characteristic 2A37\n    moves u8 from 9",
            "line 4, column 13: \"at\" is missing; expected u8 at 1 from 60 to 99 by 1"
        ),
        (
            "device X\nservice 180D at 9\n  characteristic 2A37 at 9",
            "line 3, column 3: handle 0x0009 is not above 0x0009, the handle before"
        ),
        (
            "device X\nservice 180D at 0x10 to 0x20\nservice 180F at 0x20",
            "line 3, column 1: the services at 0x0010 and 0x0020 share handles"
        ),
        (
            "device X\nservice 180D to 2\n  characteristic 2A37\n    properties read",
            "line 2, column 1: the end 0x0002 lies below the last attribute, 0x0003"
        ),
        (
            "device X\nservice 180D to 0xFFFF\nservice 180F",
            "line 3, column 1: no handle is left for it"
        ),
        (
            "device X\nservice 180D\n  characteristic 2A37\n    length up-to 1\n    value u8: 1 2",
            "line 3, column 3: the value has 2 octets, more than the 1 it may have"
        ),
        (
            "device X\nservice 180D\n  characteristic 2A37\n    length short",
            "line 4, column 11: the length is not known; expected fixed, or up-to and a number"
        ),
    ])
    func errorsNamePlaceCauseAndRemedy(_ file: String, _ sentence: String) throws {
        let error = try #require(throws: DeviceFileError.self) { try DeviceDescription(parsing: file) }
        #expect(error.description == sentence)
    }

    /// Anything a person may mistype is an error or a device, and nothing traps.
    @Test(arguments: BuiltInDevice.allCases)
    func damagedFilesAreErrors(_ device: BuiltInDevice) {
        let characters = Array(device.file)
        var errors = 0
        for start in stride(from: 0, to: characters.count, by: characters.count / 100) {
            let removed = String(characters[..<start] + characters[min(start + 5, characters.count)...])
            let replaced = String(characters[..<start] + "9\"" + characters[min(start + 2, characters.count)...])
            for text in [removed, replaced, String(characters[..<start])] {
                do { _ = try DeviceDescription(parsing: text) } catch { errors += 1 }
            }
        }
        #expect(errors > 100)
    }
}
