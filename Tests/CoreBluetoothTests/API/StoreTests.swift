import Foundation
import GAP
import Testing

@testable import CoreBluetooth

/// The store of identifiers.
@Suite struct StoreTests {
    private func withDirectory(_ body: (String) throws -> Void) throws {
        let directory = World.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try body(directory)
    }

    private func address(_ number: UInt64) -> DeviceAddress { DeviceAddress(value: number, type: .random) }

    @Test("SipHash-2-4-128 by its reference vectors") func hash() {
        let hash = KeyedHash(key: (0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908))
        #expect(hash.hash([]) == (0xE6A8_25BA_047F_81A3, 0x9302_55C7_1472_F66D))
        #expect(hash.hash([0]) == (0x44AF_996B_D8C1_87DA, 0x45FC_229B_1159_7634))
    }

    @Test func identifiersLastAndDevicesAreRemembered() throws {
        try withDirectory { directory in
            let first = IdentifierStore(in: directory)
            first.saw(address(1), advertisedName: "One")
            first.named(address(1), "Own")
            first.save()
            let second = IdentifierStore(in: directory)
            let identifier = first.identifier(of: address(1))
            #expect(second.identifier(of: address(1)) == identifier)
            #expect(second.record(of: identifier)?.name == "Own")
            #expect(second.record(of: second.identifier(of: address(2))) == nil)
            let attributes = try FileManager.default.attributesOfItem(atPath: directory + "/peripherals.json")
            #expect(attributes[.posixPermissions] as? NSNumber == 0o600)
        }
    }

    @Test func manyWritersLoseNothing() throws {
        try withDirectory { directory in
            DispatchQueue.concurrentPerform(iterations: 8) { writer in
                let store = IdentifierStore(in: directory)
                for number in 0..<10 {
                    store.saw(address(UInt64(writer * 100 + number)), advertisedName: nil)
                    store.save()
                }
            }
            let store = IdentifierStore(in: directory)
            for writer in 0..<8 {
                for number in 0..<10 {
                    let identifier = store.identifier(of: address(UInt64(writer * 100 + number)))
                    #expect(store.record(of: identifier) != nil)
                }
            }
        }
    }

    @Test func aDamagedFileIsKeptAndALaterOneLeftAlone() throws {
        try withDirectory { directory in
            _ = IdentifierStore(in: directory)
            let path = directory + "/peripherals.json"
            try Data("{".utf8).write(to: URL(fileURLWithPath: path))
            _ = IdentifierStore(in: directory)
            #expect(FileManager.default.contents(atPath: path + ".damaged") == Data("{".utf8))
            let later = Data(#"{"version": 2, "other": true}"#.utf8)
            try later.write(to: URL(fileURLWithPath: path))
            let store = IdentifierStore(in: directory)
            store.saw(address(1), advertisedName: nil)
            store.save()
            #expect(FileManager.default.contents(atPath: path) == later)
        }
    }

    @Test func theFolder() {
        let home = ["HOME": "/home/me"]
        #expect(IdentifierStore.directory(nil, environment: home) == "/home/me/.local/state/corebluetooth")
        let state = home.merging(["XDG_STATE_HOME": "/state"]) { $1 }
        #expect(IdentifierStore.directory(nil, environment: state) == "/state/corebluetooth")
        let own = state.merging(["BLUETOOTH_STATE_DIRECTORY": "/own"]) { $1 }
        #expect(IdentifierStore.directory(nil, environment: own) == "/own")
        #expect(IdentifierStore.directory("/option", environment: own) == "/option")
    }
}
