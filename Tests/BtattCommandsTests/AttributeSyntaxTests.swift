import CommandLineParsing
import Testing
import Wire

@testable import BtattCommands

@Suite struct AttributeSyntaxTests {
    @Test(arguments: [
        ("0x0025", UInt16(0x25)), ("37", 37), ("0x1", 1), ("65535", 65535), ("0xFFFF", 0xFFFF), ("2902", 2902),
        ("0x2a37", 0x2A37),
    ])
    func numbersAreHandles(_ text: String, _ handle: UInt16) throws {
        #expect(try AttributeSyntax(text) == .handle(handle))
    }

    static func step(_ text: String, _ uuids: [BluetoothUUID], _ index: Int? = nil) -> AttributePath.Step {
        AttributePath.Step(text: text, uuids: uuids, index: index)
    }

    @Test func pathsHaveOneTwoOrThreeSteps() throws {
        #expect(try AttributeSyntax("2a37") == .path(AttributePath(characteristic: Self.step("2a37", [0x2A37]))))
        #expect(
            try AttributeSyntax("180d/2A37")
                == .path(
                    AttributePath(service: Self.step("180d", [0x180D]), characteristic: Self.step("2A37", [0x2A37]))))
        #expect(
            try AttributeSyntax("heart_rate[2]/heart_rate_measurement[1]/client_characteristic_configuration")
                == .path(
                    AttributePath(
                        service: Self.step("heart_rate[2]", [0x180D], 2),
                        characteristic: Self.step("heart_rate_measurement[1]", [0x2A37], 1),
                        descriptor: Self.step("client_characteristic_configuration", [0x2902]))))
    }

    @Test func longUUIDsAreSteps() throws {
        let text = "6e400001-b5a3-f393-e0a9-e50e24dcca9e/6e400003-b5a3-f393-e0a9-e50e24dcca9e"
        guard case .path(let path) = try AttributeSyntax(text) else { throw Unexpected() }
        #expect(path.service?.uuids.first?.description == "6e400001-b5a3-f393-e0a9-e50e24dcca9e")
        #expect(path.characteristic.uuids.first?.description == "6e400003-b5a3-f393-e0a9-e50e24dcca9e")
    }

    struct Unexpected: Error {}

    @Test(
        arguments: [
            ("0", "is no handle: 0x0001 to 0xffff, or 1 to 65535", nil),
            ("0x0", "is no handle: 0x0001 to 0xffff, or 1 to 65535", nil),
            ("65536", "is no handle: 0x0001 to 0xffff, or 1 to 65535", nil),
            ("0x", "is no handle: 0x0001 to 0xffff, or 1 to 65535", nil),
            ("180d/2a37/2902/1", "has 4 steps; service/characteristic/descriptor are at most three", nil),
            ("", "has an empty step", 0), ("180d/", "has an empty step", 5), ("/2a37", "has an empty step", 0),
            ("180d/2a37[0]", "counts from [1]", 9),
            ("180d[x]/2a37", "has \"[x]\" where [1], [2] and so on are expected", 4),
            ("180d[1/2a37", "has \"[1\" where [1], [2] and so on are expected", 4),
            ("180d/2a3", "has \"2a3\", which is no UUID: 4, 8 or 32 digits", 5),
            (
                "heart_rat/2a37",
                "has \"heart_rat\", which is no UUID and no name of a service; did you mean \"heart_rate\"?", 0
            ),
            ("180d/zzzzzzzzzzzz", "has \"zzzzzzzzzzzz\", which is no UUID and no name of a characteristic", 5),
        ] as [(String, String, Int?)])
    func whatIsNoAttributeIsExplained(_ text: String, _ message: String, _ position: Int?) {
        #expect(throws: ValueError(message, at: position)) { try AttributeSyntax(text) }
    }
}

@Suite struct TargetSyntaxTests {
    static let octets: [UInt8] = [0xF0, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5]

    @Test func targetsAreRead() throws {
        #expect(try TargetSyntax("F0:F1:F2:f3:f4:f5") == .address(Self.octets, isRandom: nil))
        #expect(try TargetSyntax("F0:F1:F2:F3:F4:F5/random") == .address(Self.octets, isRandom: true))
        #expect(try TargetSyntax("F0:F1:F2:F3:F4:F5/public") == .address(Self.octets, isRandom: false))
        #expect(try TargetSyntax("name:Bumble HR") == .name("Bumble HR"))
        #expect(try TargetSyntax("name:a:b") == .name("a:b"))
        #expect(try TargetSyntax("virtual:heart-rate") == .virtual("heart-rate"))
        #expect(try TargetSyntax("unix:/tmp/socket") == .unix("/tmp/socket"))
    }

    @Test(
        arguments: [
            ("", "is no device: an address AA:BB:CC:DD:EE:FF, name:TEXT, virtual:NAME or unix:PATH is expected", nil),
            (
                "hrm", "is no device: an address AA:BB:CC:DD:EE:FF, name:TEXT, virtual:NAME or unix:PATH is expected",
                nil
            ),
            ("nme:x", "has an unknown prefix \"nme:\"; did you mean \"name:\"?", 0),
            ("name:", "has nothing after \"name:\"", 5),
            ("F0:F1:F2:F3:F4", "has 5 octets; an address has six", nil),
            ("F0:F1:F2:F3:F4:F5:F6", "has 7 octets; an address has six", nil),
            ("F0:F1:F2:F3:F4:G5", "has \"G5\" where two hexadecimal digits are expected", 15),
            ("F0:F1:F2:F3:F4:5", "has \"5\" where two hexadecimal digits are expected", 15),
            ("F0:F1:F2:F3:F4:F5/static", "has \"/static\"; it can be /public or /random", 17),
        ] as [(String, String, Int?)])
    func whatIsNoTargetIsExplained(_ text: String, _ message: String, _ position: Int?) {
        #expect(throws: ValueError(message, at: position)) { try TargetSyntax(text) }
    }
}
