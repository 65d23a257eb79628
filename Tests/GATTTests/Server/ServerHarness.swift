import GATT
import TestSupport

/// A server engine with a clock of its own and octets on both sides.
final class ServerHarness {
    var engine: ServerEngine
    var now = MonotonicTime.zero
    /// Actions other than sending, in order, since they were last taken.
    var others: [ServerAction] = []

    init(
        _ database: AttributeDatabase = .test, configuration: ServerConfiguration = ServerConfiguration(),
        security: LinkSecurity = .none, mtu: Int = 23
    ) {
        engine = ServerEngine(database: database, configuration: configuration, security: security)
        if mtu != 23 {
            _ = send("02 " + [UInt8(truncatingIfNeeded: mtu), UInt8(truncatingIfNeeded: mtu >> 8)].hexadecimal)
            others = []
        }
    }

    /// What the server sends after this PDU, one hexadecimal text for each PDU.
    func send(_ pdu: String) -> [String] {
        send(hex(pdu))
    }

    func send(_ pdu: [UInt8]) -> [String] {
        engine.receive(pdu.octets, at: now)
        return sent()
    }

    /// What the server wants to send now.
    func sent() -> [String] {
        var pdus: [String] = []
        while let action = engine.nextAction() {
            if case .send(let pdu) = action { pdus.append(pdu.hexadecimal) } else { others.append(action) }
        }
        return pdus
    }

    /// What the server sends as time passes.
    func wait(_ duration: Duration) -> [String] {
        now = now + duration
        engine.advance(to: now)
        return sent()
    }

    // What `#expect` cannot ask an engine, which is not copyable.
    var mtu: Int { engine.mtu }
    var isClosed: Bool { engine.isClosed }
    var security: LinkSecurity { engine.security }
    var isChangeAware: Bool { engine.isChangeAware }
    var nextDeadline: MonotonicTime? { engine.nextDeadline }

    func notify(_ handle: AttributeHandle, value: [UInt8]) -> Bool { engine.notify(handle, value: value) }

    func notify(_ values: [(handle: AttributeHandle, value: [UInt8])]) -> Int { engine.notify(values) }

    func indicate(_ handle: AttributeHandle, value: [UInt8]) -> Bool {
        engine.indicate(handle, value: value, at: now)
    }

    func replace(_ database: AttributeDatabase, changed range: HandleRange) -> Bool {
        engine.replace(database, changed: range, at: now)
    }

    /// The actions other than sending and logging since this was last asked.
    func happened() -> [ServerAction] {
        defer { others = [] }
        return others.filter { if case .log = $0 { false } else { true } }
    }
}

extension AttributeDatabase {
    static let testUUID = BluetoothUUID(high: 0xB7A7_0000_1D00_4C1E, low: 0x9F00_00A7_7A77_A77A)

    /// The attributes the tests ask for. Handles are fixed where a test writes them down.
    static let test: AttributeDatabase = {
        func uuid(_ number: UInt64) -> BluetoothUUID {
            BluetoothUUID(high: testUUID.high | number << 32, low: testUUID.low)
        }
        let long = (0..<50).map { UInt8($0) }
        let services = [
            ServiceDefinition(
                uuid: 0x1801,
                characteristics: [
                    CharacteristicDefinition(uuid: 0x2A05, properties: .indicate, value: [0, 0, 0, 0]),
                    CharacteristicDefinition(uuid: 0x2B29, properties: [.read, .write], value: [0]),
                ]),
            ServiceDefinition(
                uuid: 0x180D, handle: 0x0010, includes: [.init(service: 3), .init(service: 0)],
                characteristics: [
                    CharacteristicDefinition(uuid: 0x2A37, properties: .notify, value: hex("00 48"), handle: 0x0013),
                    CharacteristicDefinition(uuid: 0x2A38, properties: .read, value: [1]),
                    CharacteristicDefinition(
                        uuid: 0x2A39, properties: .write, value: [0],
                        behaviour: AttributeBehaviour(writeError: ErrorCode(rawValue: 0x80), acceptedValues: [[1]])),
                ]),
            ServiceDefinition(
                uuid: uuid(1), handle: 0x0020,
                characteristics: [
                    CharacteristicDefinition(
                        uuid: uuid(0x10), properties: [.read, .write], value: long,
                        descriptors: [
                            DescriptorDefinition(uuid: 0x2901, value: Array("Long".utf8)),
                            DescriptorDefinition(uuid: uuid(0x11), value: [0x11]),
                        ]),
                    // 0x0025, value 0x0026
                    CharacteristicDefinition(
                        uuid: 0x2A00, properties: .read,
                        permissions: AttributePermissions(read: .encrypted), value: Array("secret".utf8)),
                    // 0x0027, value 0x0028, configuration 0x0029
                    CharacteristicDefinition(
                        uuid: uuid(0x12), properties: [.notify, .indicate, .write], value: [],
                        behaviour: AttributeBehaviour(sendsValueBeforeWriteResponse: true)),
                    // 0x002a, value 0x002b
                    CharacteristicDefinition(
                        uuid: uuid(0x13), properties: .read, value: [7],
                        behaviour: AttributeBehaviour(readDelay: .seconds(2))),
                    // 0x002c, value 0x002d
                    CharacteristicDefinition(
                        uuid: 0x2A38, properties: .read, value: [2],
                        behaviour: AttributeBehaviour(readError: ErrorCode(rawValue: 0x81))),
                    // 0x002e, value 0x002f
                    CharacteristicDefinition(
                        uuid: 0x2A01, properties: [.read, .write], value: [1, 2, 3], length: .fixed),
                ]),
            ServiceDefinition(
                uuid: uuid(2), isPrimary: false, handle: 0xFFF0, end: 0xFFFF,
                characteristics: [CharacteristicDefinition(uuid: 0x2A38, properties: .read, value: [3])]),
        ]
        do {
            return try AttributeDatabase(services: services)
        } catch {
            fatalError("\(error)")
        }
    }()
}
