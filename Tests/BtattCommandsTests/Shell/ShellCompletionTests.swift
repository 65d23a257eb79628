import Central
import Foundation
import Testing

@testable import BtattCommands

/// Completion, which is a function of the line and of what is known.
@Suite struct ShellCompletionTests {
    /// Two batteries, a heart rate, and a service that nobody assigned a name to.
    static let database = DiscoveredDatabase(services: [
        service(0x0001, 0x180D, [(0x0003, 0x2A37, .notify, [0x2902]), (0x0006, 0x2A38, .read, [])]),
        service(0x0010, 0x180F, [(0x0012, 0x2A19, [.read, .notify], [0x2902, 0x2904])]),
        service(0x0020, 0x180F, [(0x0022, 0x2A19, [.read, .notify], [0x2902])]),
        service(0x0030, 0xFFF0, [(0x0032, 0xFFF1, .write, []), (0x0034, 0xFFF1, .read, [])]),
    ])

    private static func service(
        _ first: UInt16, _ uuid: UInt16, _ nodes: [(UInt16, UInt16, CharacteristicProperties, [UInt16])]
    ) -> DiscoveredDatabase.ServiceNode {
        DiscoveredDatabase.ServiceNode(
            service: Service(
                uuid: BluetoothUUID(uuid),
                range: HandleRange(first: AttributeHandle(first), last: AttributeHandle(first + 15)) ?? .all),
            characteristics: nodes.map { handle, uuid, properties, descriptors in
                DiscoveredDatabase.CharacteristicNode(
                    characteristic: Characteristic(
                        uuid: BluetoothUUID(uuid), declarationHandle: AttributeHandle(handle - 1),
                        valueHandle: AttributeHandle(handle),
                        properties: properties, endHandle: AttributeHandle(handle + UInt16(descriptors.count))),
                    descriptors: descriptors.enumerated().map { offset, uuid in
                        Descriptor(
                            uuid: BluetoothUUID(uuid), handle: AttributeHandle(handle + 1 + UInt16(offset)))
                    })
            })
    }

    /// Completes at the `|`, or at the end.
    private func complete(_ line: String, _ database: DiscoveredDatabase? = Self.database) -> ShellCompletion {
        let parts = line.split(separator: "|", omittingEmptySubsequences: false)
        let cursor = parts.first?.utf8.count ?? 0
        return ShellCompletion(
            Array(parts.joined().utf8), cursor: cursor,
            .init(database: database, subscribed: ["180d/2a37", "0x0012"]))
    }

    static let insertions: [(String, String)] = [
        ("disc", "over "), ("|isc", ""), ("disc|xyz", "over "), ("sub", "scribe "), ("  rea", "d "), ("# rea", ""),
        ("read # x", ""), ("help mt", "u "), ("--js", "on "), ("read --j", "son "), ("--json rea", "d "),
        ("services --uu", "id "), ("services --uuid heart_", "rate "), ("services --uuid=heart_", "rate "),
        ("characteristics --uuid ", ""), ("characteristics --uuid heart_rate_m", ""), ("read -- --j", ""),
        // Paths: a step at a time.
        ("read h", "eart_rate/"), ("read heart_rate/", "body_sensor_location "),
        ("subscribe heart_rate/", "heart_rate_measurement "),
        ("read 180d", "/"), ("read 180d/", "body_sensor_location "), ("read 180d/2", "a38 "),
        ("descriptors 180d/h", "eart_rate_measurement "),
        ("read 'h", "eart_rate/"), ("read '180d/2", "a38' "), ("read \"180d/2", "a38\" "),
        ("read bat", "tery_service["), ("read 180f[2]/", "battery_level "), ("read battery_service[1]/2", "a19 "),
        ("read 180f[1]/2a19/", "c"), ("read 180f[2]/2a19/", "client_characteristic_configuration "),
        ("read 180f[1]/2a19/29", "0"), ("read fff0/", "fff1[2] "), ("write fff0/", "fff1[1] "),
        ("read fff0/fff1[", "2] "),
        ("read body", "_sensor_location "), ("read 0x0034", " "), ("read 0x001", ""), ("read 20 180d/2", "a38 "),
        ("write fff0/fff1[1] x", ""), ("write 1 2 3 ", ""), ("nothing 180", ""), ("read /", ""), ("read a/b/c/d", ""),
        ("read 180d/2a38/2901/", ""), ("read nothing/", ""),
        // Capitals are taken for what they mean.
        ("unsubscribe 1", "80d/2a37 "), ("unsubscribe 0", "x0012 "),
        // As far as it is the same.
        ("in", "cludes "), ("d", ""), ("read --", ""), ("e", "xit "),
    ]

    @Test(arguments: insertions)
    func whatIsClearIsPutIn(_ line: String, _ insertion: String) {
        let completion = complete(line)
        #expect(completion.insertion == insertion)
        #expect(completion.deletion == 0)
        if !insertion.isEmpty { #expect(completion.candidates.isEmpty) }
    }

    @Test func capitalsAreReplaced() {
        #expect(complete("services --uuid Heart_R") == ShellCompletion(deletion: 7, insertion: "heart_rate "))
        #expect(complete("read Bo") == ShellCompletion(deletion: 2, insertion: "body_sensor_location "))
    }

    static let lists: [(String, [String])] = [
        ("d", ["descriptors", "discover"]),
        ("read 180f[1]/2a19/c", ["characteristic_presentation_format", "client_characteristic_configuration"]),
        ("read ", ["battery_service[1]/", "battery_service[2]/", "fff0/", "heart_rate/"]),
        ("unsubscribe ", ["0x0012", "180d/2a37"]), ("subscribe 0x001", ["0x0012", "0x0013", "0x0014"]),
        ("characteristics --uuid ", ["battery_level", "body_sensor_location", "fff1", "heart_rate_measurement"]),
        ("wait ", []), ("read --offset ", []), ("mtu ", []), ("quit ", []),
    ]

    @Test(arguments: lists)
    func whatIsNotIsListed(_ line: String, _ candidates: [String]) {
        let completion = complete(line)
        #expect(completion.candidates == candidates)
        #expect(completion.insertion.isEmpty)
        #expect(completion.hint == nil)
    }

    @Test func withoutADiscoveryAssignedNamesAreOffered() {
        #expect(complete("read heart_rate/body_s", nil).insertion == "ensor_location ")
        #expect(complete("read 180d/2902/client_c", nil).insertion == "haracteristic_configuration ")
        #expect(complete("read body_sens", nil).insertion == "or_location ")
        #expect(complete("read user_da", nil).insertion == "ta/")
        for line in ["read ", "read heart_rate/", "subscribe zzz"] {
            let completion = complete(line, nil)
            #expect(completion.candidates.isEmpty && completion.insertion.isEmpty)
            #expect(completion.hint?.contains("discover") == true)
        }
        #expect(complete("read 0x", nil).hint != nil)
        #expect(complete("wait ", nil).hint == nil)
    }

    /// Whatever is typed, what is put in makes a line of which the old one is the beginning, capitals apart.
    @Test func anyLineIsTaken() {
        var seed: UInt64 = 7
        let alphabet = Array("read sub180df/[]'\"\\#-=x \tHüa".utf8)
        for _ in 0..<2_000 {
            var line: [UInt8] = Array("read ".utf8)
            for _ in 0..<Int(seed % 17) {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                line.append(alphabet[Int(seed >> 33) % alphabet.count])
            }
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let cursor = Int(seed >> 40) % (line.count + 1)
            let completion = ShellCompletion(line, cursor: cursor, .init(database: Self.database))
            #expect(completion.deletion <= cursor)
            #expect(completion.insertion.isEmpty || completion.candidates.isEmpty)
        }
    }
}
