import GATT
import TestSupport
import Testing

@testable import BtattCommands

@Suite struct DatabaseTreeTests {
    static func range(_ first: AttributeHandle, _ last: AttributeHandle) throws -> HandleRange {
        try #require(HandleRange(first: first, last: last))
    }

    static func sample() throws -> DiscoveredDatabase {
        DiscoveredDatabase(services: [
            .init(
                service: Service(uuid: 0x180D, range: try range(1, 8)),
                includes: [IncludedService(handle: 2, range: try range(9, 0xFFFF), uuid: 0x180F)],
                characteristics: [
                    .init(
                        characteristic: Characteristic(
                            uuid: 0x2A37, declarationHandle: 3, valueHandle: 4, properties: [.notify], endHandle: 6),
                        descriptors: [
                            Descriptor(uuid: 0x2902, handle: 5), Descriptor(uuid: 0x2901, handle: 6),
                        ]),
                    .init(
                        characteristic: Characteristic(
                            uuid: 0x2A39, declarationHandle: 7, valueHandle: 8, properties: [.read, .write],
                            endHandle: 8)),
                ]),
            .init(
                service: Service(uuid: 0x180F, range: try range(9, 0xFFFF), isPrimary: false),
                characteristics: [
                    .init(
                        characteristic: Characteristic(
                            uuid: try #require(BluetoothUUID("6e400003-b5a3-f393-e0a9-e50e24dcca9e")),
                            declarationHandle: 10, valueHandle: 11, properties: [.read], endHandle: 0xFFFF),
                        descriptors: [Descriptor(uuid: 0x2904, handle: 12)])
                ]),
        ])
    }

    static let values: [AttributeHandle: ReadValue] = [
        5: .value(hex("0100")), 6: .value(hex("52617465")),
        8: .failed(.attributeError(.readNotPermitted, request: .readRequest, handle: 8)),
        11: .value(hex("3408")), 12: .value(hex("0efe2f27010000")),
    ]

    @Test func linesForPeople() throws {
        let tree = DatabaseTree(database: try Self.sample(), values: Self.values)
        #expect(
            tree.lines(.plain).joined(separator: "\n") == """
                0x0001  180d Heart Rate  service to 0x0008
                0x0002  ├─ 180f Battery Service  included, 0x0009 to 0xffff
                0x0004  ├─ 2a37 Heart Rate Measurement  notify
                0x0005  │  ├─ 2902 Client Characteristic Configuration  0100  notification
                0x0006  │  └─ 2901 Characteristic User Description  52617465  "Rate"
                0x0008  └─ 2a39 Heart Rate Control Point  read, write  Read Not Permitted (0x02)
                0x0009  180f Battery Service  secondary service to 0xffff
                0x000b  └─ 6e400003-b5a3-f393-e0a9-e50e24dcca9e UART TX Characteristic  read  3408  21.00 °C
                0x000c     └─ 2904 Characteristic Presentation Format  0efe2f27010000  sint16 × 10^-2, \
                Celsius temperature (degree Celsius)
                """)
    }

    @Test func objectsForPrograms() throws {
        let tree = DatabaseTree(database: try Self.sample(), values: Self.values)
        #expect(
            tree.objects().map(\.line) == [
                #"{"kind":"service","handle":1,"start":1,"end":8,"uuid":"180d","name":"Heart Rate","primary":true}"#,
                #"{"kind":"include","handle":2,"start":9,"end":65535,"uuid":"180f","name":"Battery Service","service":1}"#,
                #"{"kind":"characteristic","handle":4,"declaration":3,"end":6,"uuid":"2a37","#
                    + #""name":"Heart Rate Measurement","properties":["notify"],"service":1}"#,
                #"{"kind":"descriptor","handle":5,"uuid":"2902","name":"Client Characteristic Configuration","service":1,"#
                    + #""characteristic":4,"value":"0100","decoded":{"bits":1,"names":["notification"]},"text":"notification"}"#,
                #"{"kind":"descriptor","handle":6,"uuid":"2901","name":"Characteristic User Description","service":1,"#
                    + #""characteristic":4,"value":"52617465","decoded":"Rate","text":"\"Rate\""}"#,
                #"{"kind":"characteristic","handle":8,"declaration":7,"end":8,"uuid":"2a39","#
                    + #""name":"Heart Rate Control Point","properties":["read","write"],"service":1,"#
                    + #""error":{"code":2,"name":"Read Not Permitted","opcode":10,"handle":8}}"#,
                #"{"kind":"service","handle":9,"start":9,"end":65535,"uuid":"180f","name":"Battery Service","primary":false}"#,
                #"{"kind":"characteristic","handle":11,"declaration":10,"end":65535,"#
                    + #""uuid":"6e400003-b5a3-f393-e0a9-e50e24dcca9e","name":"UART TX Characteristic","#
                    + #""properties":["read"],"service":9,"value":"3408","decoded":21.00,"text":"21.00 °C"}"#,
                #"{"kind":"descriptor","handle":12,"uuid":"2904","name":"Characteristic Presentation Format","service":9,"#
                    + #""characteristic":11,"value":"0efe2f27010000","decoded":{"format":"sint16","exponent":-2,"unit":10031,"#
                    + #""unitName":"Celsius temperature (degree Celsius)","namespace":1,"description":0},"#
                    + #""text":"sint16 × 10^-2, Celsius temperature (degree Celsius)"}"#,
            ])
    }

    @Test func aStepChoosesAmongEquals() throws {
        guard case .path(let path) = try AttributeSyntax("180d/2a37[2]"), let service = path.service else {
            throw Unexpected()
        }
        let handles: [AttributeHandle] = [9, 3]
        #expect(try path.characteristic.choose(handles, "characteristic") { $0 } == 9)
        #expect(try service.choose([AttributeHandle(3)], "service") { $0 } == 3)
        #expect(throws: Failure(.refused, "the device has no service 180d")) {
            try service.choose([AttributeHandle](), "service") { $0 }
        }
        #expect(throws: Failure(.refused, "the device has only one characteristic 2a37, not 2a37[2]")) {
            try path.characteristic.choose([AttributeHandle(3)], "characteristic") { $0 }
        }
        #expect(
            throws: Failure(
                .usage, "the device has 2 of service 180d, at 0x0003, 0x0009: say which, as in 180d[1]")
        ) { try service.choose(handles, "service") { $0 } }
    }

    struct Unexpected: Error {}
}
