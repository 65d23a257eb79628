import BlueZSockets
import GAP
import Sockets
import SocketsTestSupport
import TestSupport
import Testing

@Suite struct AdapterListTests {
    private func list(_ rows: [Row]) -> (AdapterList, ScriptedSystemCalls) {
        let system = ScriptedSystemCalls(rows)
        return (AdapterList(system: system), system)
    }

    private func expectDone(_ system: ScriptedSystemCalls, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(system.mismatches == [], sourceLocation: sourceLocation)
        #expect(system.remaining == [], sourceLocation: sourceLocation)
    }

    private static let socket: Row = (.socket(domain: 31, type: 0x80003, protocol: 1), .value(6))

    private func question(_ index: UInt8) -> SystemCall {
        .ioctl(6, request: Script.informationRequest, Script.informationQuestion(index))
    }

    @Test func adaptersAreListedInOrderWithWhatTheKernelKnows() throws {
        // The kernel lists the newest first.
        let (list, system) = list(Script.list(socket: 6, [1, 0]))
        let adapters = try list.all()
        #expect(adapters.map(\.name) == ["hci0", "hci1"])
        #expect(adapters[1].index == 1)
        #expect(adapters[1].address == DeviceAddress("00:AA:01:00:00:00/public"))
        #expect(adapters[1].bus.description == "virtual")
        #expect(adapters[1].state == .up)
        #expect(adapters[1].supportsLE)
        #expect(adapters[1].aclOctets == 192)
        #expect(adapters[1].aclPackets == 1)
        expectDone(system)
    }

    @Test func noAdaptersIsAnEmptyList() throws {
        let (list, system) = list(Script.list(socket: 6, []))
        #expect(try list.all() == [])
        expectDone(system)
    }

    @Test func anAdapterThatGoesMeanwhileIsLeftOut() throws {
        let (list, system) = list([
            Self.socket,
            (
                .ioctl(6, request: Script.listRequest, Script.listQuestion),
                .octets(hex("02000000 00000000 05000000 01000000 05000000"))
            ),
            (question(0), .error(.noDevice)),
            (question(1), .octets(Script.information(index: 1))),
            (.close(6), .done),
        ])
        #expect(try list.all().map(\.index) == [1])
        expectDone(system)
    }

    @Test func aCountBeyondTheBufferIsCutOff() throws {
        var answer = [UInt8](repeating: 0, count: 516)
        answer[0] = 0xFF
        answer[1] = 0xFF
        var rows: [Row] = [
            Self.socket, (.ioctl(6, request: Script.listRequest, Script.listQuestion), .octets(answer)),
        ]
        for _ in 0..<64 { rows.append((question(0), .error(.noDevice))) }
        rows.append((.close(6), .done))
        let (list, system) = list(rows)
        #expect(try list.all() == [])
        expectDone(system)
    }

    @Test(
        arguments: [
            (.addressFamilyNotSupported, .noAdapter), (.protocolNotSupported, .noAdapter),
            (.permissionDenied, .noRights),
            (.tooManyOpenFiles, .protocolError),
        ] as [(Errno, BluetoothSocketError.Category)])
    func withoutASocketThereIsNoList(errno: Errno, category: BluetoothSocketError.Category) {
        let (list, system) = list([(.socket(domain: 31, type: 0x80003, protocol: 1), .error(errno))])
        let error = #expect(throws: BluetoothSocketError.self) { try list.all() }
        #expect(error?.category == category)
        #expect(error?.errno == errno)
        expectDone(system)
    }

    @Test(arguments: [Errno.noMemory, .badAddress, .notPermitted])
    func theSocketIsClosedWhenTheListFails(errno: Errno) {
        let (list, system) = list([
            Self.socket, (.ioctl(6, request: Script.listRequest, Script.listQuestion), .error(errno)),
            (.close(6), .done),
        ])
        #expect(throws: BluetoothSocketError.self) { try list.all() }
        expectDone(system)
    }

    @Test func theSocketIsClosedWhenAnAdapterFails() {
        let (list, system) = list([
            Self.socket, (question(7), .error(.noDevice)), (.close(6), .done),
        ])
        let error = #expect(throws: BluetoothSocketError.self) { try list.adapter(7) }
        #expect(error?.situation == .adapterAbsent)
        #expect(error?.description.hasPrefix("cannot use hci7: hci7 is not there (No such device, ENODEV)") == true)
        expectDone(system)
    }

    @Test func theFirstUsableAdapterIsUpAndHasLE() throws {
        let (list, system) = list([
            Self.socket,
            (
                .ioctl(6, request: Script.listRequest, Script.listQuestion),
                .octets(hex("03000000 00000000 00000000 01000000 05000000 02000000 05000000"))
            ),
            (question(0), .octets(Script.information(index: 0, flags: 0))),
            (question(1), .octets(Script.information(index: 1, features: "a708080018000000"))),
            (question(2), .octets(Script.information(index: 2, bus: 1))),
            (.close(6), .done),
        ])
        let adapter = try list.firstUsable()
        #expect(adapter.index == 2)
        #expect(adapter.bus == .usb)
        expectDone(system)
    }

    @Test(arguments: [(0, "hci0 is down"), (5, "hci0 does not support Bluetooth LE")] as [(UInt8, String)])
    func anUnusableAdapterIsNamed(flags: UInt8, reason: String) {
        let (list, _) = list([
            Self.socket,
            (.ioctl(6, request: Script.listRequest, Script.listQuestion), .octets(hex("01000000 00000000 00000000"))),
            (question(0), .octets(Script.information(index: 0, flags: flags, features: "0000000000000000"))),
            (.close(6), .done),
        ])
        let error = #expect(throws: BluetoothSocketError.self) { try list.firstUsable() }
        #expect(error?.reason == reason)
        #expect(error?.exitStatus == 3)
    }

    @Test func noAdapterAtAllIsSaid() {
        let (list, _) = list(Script.list(socket: 6, []))
        let error = #expect(throws: BluetoothSocketError.self) { try list.firstUsable() }
        #expect(error?.reason == "this machine has none")
        #expect(error?.exitStatus == 3)
    }

    /// `HCIGETCONNLIST` of hci1 for 64 connections.
    private static let linksQuestion: SystemCall = .ioctl(
        6, request: 0x8004_48D4, hex("0100 4000") + [UInt8](repeating: 0, count: 64 * 16))

    private func hasLink(_ reply: SystemReply) throws -> Bool {
        let (list, system) = list([Self.socket, (Self.linksQuestion, reply), (.close(6), .done)])
        defer { expectDone(system) }
        return try list.hasLink(to: #require(DeviceAddress("F0:F1:F2:F3:F4:F5/random")), from: 1)
    }

    @Test func aLinkIsFoundByItsAddressAmongLELinksOnly() throws {
        // Each: handle, address, type, direction, state, mode. Two links of other devices, and one of this.
        let others = "4000 f5f4f3f2f1f1 80 01 0100 00000000 4100 f5f4f3f2f1f0 01 01 0100 00000000"
        #expect(try !hasLink(.octets(hex("0100 0000"))))
        #expect(try !hasLink(.octets(hex("0100 0200 \(others)"))))
        #expect(try hasLink(.octets(hex("0100 0300 \(others) 4200 f5f4f3f2f1f0 80 00 0100 00000000"))))
        // A count beyond the buffer.
        #expect(try !hasLink(.octets(hex("0100 ffff \(others)"))))
    }

    @Test func theLinksOfAnAdapterThatIsGoneAreNotKnown() {
        let error = #expect(throws: BluetoothSocketError.self) { try hasLink(.error(.noDevice)) }
        #expect(error?.situation == .adapterAbsent)
    }

    @Test func statesAndBusesHaveNames() {
        func adapter(_ flags: UInt32, _ bus: UInt8) -> Adapter {
            Adapter(
                index: 0, name: "hci0", addressOctets: AddressOctets(value: 0), bus: Adapter.Bus(rawValue: bus),
                flags: Adapter.Flags(rawValue: flags), lmpFeatures: 0)
        }
        #expect(adapter(0, 1).state == .down)
        #expect(adapter(0b101, 3).state == .up)
        #expect(adapter(0b11, 3).state == .initialising)
        #expect(adapter(0x105, 3).state == .raw)
        #expect(adapter(0, 3).bus.description == "UART")
        #expect(adapter(0, 42).bus.description == "bus 42")
        #expect(adapter(0, 0).address == nil)
        #expect(!adapter(0, 0).supportsLE)
    }
}
