import BlueZSockets
import GAP
import Glibc
import TestSupport
import Testing

@testable import Central

@Suite struct BondStoreTests {
    private static let adapter = AddressOctets(value: 0x00AA_0100_0000)
    private static let scale = DeviceAddress(value: 0xF0F1_F2F3_F4F5, type: .random)
    private static let lamp = DeviceAddress(value: 0x0123_4567_89AB, type: .public)

    private static func key(
        _ address: DeviceAddress, _ kind: LongTermKey.Kind, central: Bool = false, value: UInt128 = 1
    ) -> LongTermKey {
        LongTermKey(
            address: address, kind: kind, isForCentral: central, size: 16, diversifier: central ? 0x12 : 0,
            random: central ? 0x34 : 0, value: value)
    }

    /// A store in a folder that does not exist yet.
    private final class Place: Sendable {
        let folder = "/tmp/btatt-bonds-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        let store: BondStore

        init() { store = BondStore(path: folder + "/bonds") }

        deinit {
            // The paths are C strings for the time of the calls.
            _ = unsafe unlink(folder + "/bonds")
            _ = unsafe rmdir(folder)
        }

        func write(_ text: String) {
            _ = unsafe mkdir(folder, 0o700)
            let file = unsafe open(store.path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            // As many octets as the text has.
            _ = unsafe Array(text.utf8).withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            close(file)
        }

        var text: String {
            get throws { String(decoding: try LinuxSystemCallsText.contents(of: store.path), as: UTF8.self) }
        }
    }

    private enum LinuxSystemCallsText {
        static func contents(of path: String) throws -> [UInt8] {
            let file = unsafe open(path, O_RDONLY)
            defer { close(file) }
            var octets = [UInt8](repeating: 0, count: 4096)
            // The call writes no more than the array holds.
            let count = unsafe octets.withUnsafeMutableBytes { unsafe Glibc.read(file, $0.baseAddress, $0.count) }
            return Array(octets.prefix(max(0, count)))
        }
    }

    /// The format, to the letter: later versions have to read what this one wrote.
    private static let file = """
        btatt-bonds 1
        device 00:AA:01:00:00:00 F0:F1:F2:F3:F4:F5/random 1700000000
        ltk 3 0 16 0000 0000000000000000 000102030405060708090a0b0c0d0e0f
        irk 9b7d390aa610103405adc857a33402ec
        device 00:AA:01:00:00:00 01:23:45:67:89:AB/public 1700000001
        ltk 0 1 7 1234 8877665544332211 ff000000000000000000000000000000
        ltk 0 0 7 0000 0000000000000000 00000000000000000000000000000000

        """

    @Test func theFormatIsReadAndWritten() throws {
        let contents = try BondFile(parsing: Array(Self.file.utf8))
        #expect(contents.records.map(\.address) == [Self.scale, Self.lamp])
        let first = try #require(contents.records.first)
        #expect(first.adapter == Self.adapter)
        #expect(first.keys.map(\.kind) == [.authenticatedP256])
        #expect(first.keys.first?.value == 0x0F0E_0D0C_0B0A_0908_0706_0504_0302_0100)
        #expect(first.identityKey?.value == 0xEC02_34A3_57C8_AD05_3410_10A6_0A39_7D9B)
        let second = try #require(contents.records.last?.usableKey)
        #expect(second.isForCentral && second.size == 7 && second.diversifier == 0x1234)
        #expect(second.random == 0x8877_6655_4433_2211)
        #expect(String(decoding: contents.octets, as: UTF8.self) == Self.file)
    }

    @Test(arguments: [
        ("", BondFile.FormatError.notAStore), ("btatt-cache 1\n", .notAStore), ("btatt-bonds\n", .notAStore),
        ("btatt-bonds 2\nanything\n", .laterVersion("2")),
        ("btatt-bonds 1", .line(1)),
        ("btatt-bonds 1\nirk 9b7d390aa610103405adc857a33402ec\n", .line(2)),
        ("btatt-bonds 1\ndevice 00:AA:01:00:00:00 F0:F1:F2:F3:F4:F5 1\n", .line(2)),
        ("btatt-bonds 1\ndevice 00:AA:01:00:00:00 F0:F1:F2:F3:F4:F5/random x\n", .line(2)),
        ("btatt-bonds 1\ndevice 00:AA:01:00:00:00 F0:F1:F2:F3:F4:F5/random 1\nirk 9b\n", .line(3)),
        ("btatt-bonds 1\ndevice 00:AA:01:00:00:00 F0:F1:F2:F3:F4:F5/random 1\nfoo\n", .line(3)),
        ("btatt-bonds 1\ndevice 00:AA:01:00:00:00 F0:F1:F2:F3:F4:F5/random 1\nltk 3 2 16 0 0 0\n", .line(3)),
        ("btatt-bonds 1\ndevice 00:AA:01:00:00:00 F0:F1:F2:F3:F4:F5/random 1", .line(2)),
    ])
    func damageIsSaidAndNotPassedOver(text: String, error: BondFile.FormatError) {
        #expect(throws: error) { try BondFile(parsing: Array(text.utf8)) }
    }

    /// Every file that is cut short anywhere is damaged, but where whole lines are missing.
    @Test func aFileThatIsCutShortIsDamaged() {
        let octets = Array(Self.file.utf8)
        for count in 0..<octets.count where count == 0 || octets[count - 1] != UInt8(ascii: "\n") {
            #expect(throws: BondFile.FormatError.self, "\(count)") {
                try BondFile(parsing: Array(octets.prefix(count)))
            }
        }
    }

    @Test func keysAreKeptAndReplaced() async throws {
        let place = Place()
        #expect(try place.store.all() == [])
        let identity = Keyring.Identity(address: Self.scale, key: IdentityResolvingKey(value: 7))
        try await place.store.add(
            [
                (Self.scale, .identity(identity)),
                (Self.scale, .longTerm(Self.key(Self.scale, .unauthenticated, central: true))),
                (Self.scale, .longTerm(Self.key(Self.scale, .unauthenticated))),
            ], adapter: Self.adapter)
        try await place.store.add(
            [(Self.lamp, .longTerm(Self.key(Self.lamp, .authenticatedP256)))], adapter: Self.adapter)
        var bonds = try place.store.all()
        #expect(bonds.map(\.address) == [Self.scale, Self.lamp])
        #expect(bonds[0].hasIdentityKey && !bonds[0].isAuthenticated && !bonds[0].isSecureConnections)
        #expect(bonds[1].isAuthenticated && bonds[1].isSecureConnections && !bonds[1].hasIdentityKey)
        #expect(bonds[1].description.contains("LE Secure Connections, protected, key of 16 octets"))
        // Another pairing, in another way, makes the keys of the first worthless.
        try await place.store.add(
            [(Self.scale, .longTerm(Self.key(Self.scale, .unauthenticatedP256, value: 2)))], adapter: Self.adapter)
        let records = try place.store.records(of: Self.adapter)
        #expect(records[0].keys.map(\.value) == [2])
        #expect(records[0].identityKey?.value == 7)
        // The same device, paired with another adapter, is another bond.
        try await place.store.add(
            [(Self.scale, .longTerm(Self.key(Self.scale, .unauthenticatedP256)))], adapter: AddressOctets(value: 1))
        bonds = try place.store.all()
        #expect(bonds.count == 3)
        #expect(try await place.store.remove(Self.scale, adapter: Self.adapter).count == 1)
        #expect(try await place.store.remove(Self.scale).count == 1)
        #expect(try await place.store.remove(Self.scale) == [])
        #expect(try place.store.all().map(\.address) == [Self.lamp])
    }

    @Test func aDamagedFileIsNeverOverwritten() async throws {
        let place = Place()
        place.write("btatt-bonds 1\nnonsense\n")
        #expect(throws: CentralError.self) { try place.store.all() }
        await #expect(throws: CentralError.self) {
            try await place.store.add(
                [(Self.lamp, .longTerm(Self.key(Self.lamp, .authenticatedP256)))], adapter: Self.adapter)
        }
        #expect(try place.text == "btatt-bonds 1\nnonsense\n")
    }

    @Test func whatOthersCanReadIsRefused() throws {
        let place = Place()
        place.write(Self.file)
        #expect(unsafe chmod(place.store.path, 0o644) == 0)
        do throws(CentralError) {
            _ = try place.store.all()
            Issue.record("it was read")
        } catch {
            #expect(error.description.contains("chmod 600 \(place.store.path)"))
            #expect(error.exitStatus == 1)
        }
    }

    @Test func keysOfALinkAreKeptInTheirOrder() async throws {
        let place = Place()
        let keeper = BondKeeper(store: place.store, adapter: Self.adapter, known: nil)
        let identity = Keyring.Identity(address: Self.scale, key: IdentityResolvingKey(value: 7))
        keeper.keep(.identity(identity))
        for value in UInt128(1)...20 {
            keeper.keep(.longTerm(Self.key(Self.scale, .unauthenticatedP256, value: value)))
        }
        let outcome = await keeper.settle()
        #expect(outcome.isKept && outcome.isNew && outcome.identity == Self.scale)
        #expect(try place.store.records(of: Self.adapter).first?.keys.map(\.value) == [20])
    }

    @Test func keysThatCannotBeKeptAreSaidToBeLost() async throws {
        let keeper = BondKeeper(
            store: BondStore(path: "/proc/no/such/folder/bonds"), adapter: Self.adapter, known: nil)
        keeper.keep(.longTerm(Self.key(Self.scale, .unauthenticatedP256)))
        let outcome = await keeper.settle()
        #expect(!outcome.isKept && outcome.isNew && outcome.error != nil)
        // Without a store nothing is kept, on purpose.
        let none = BondKeeper(store: nil, adapter: Self.adapter, known: nil)
        none.keep(.longTerm(Self.key(Self.scale, .unauthenticatedP256)))
        #expect(await none.settle().error == nil)
    }
}
