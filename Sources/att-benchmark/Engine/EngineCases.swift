// The client engine alone: octets and time in, actions out, no socket and no peer. The answers of the peer are octets that
// were made before the clock starts.

import CBenchmark
import GATT

/// The client engine.
enum EngineGroup {
    static var all: [Benchmark] {
        [deliveredNotification, notificationAction, read, writeCommand, discovery]
    }

    private static let group = "client engine"
    private static let valueHandle: AttributeHandle = 0x0025

    /// A ring of notifications of 20 octets for one characteristic.
    private static let notifications = Ring(
        [0x1B, 0x25, 0x00] + [UInt8](repeating: 0, count: 20), varying: [3..<23])

    /// A notification for a subscriber, by the path without a copy.
    private static var deliveredNotification: Benchmark {
        Benchmark(group, "notification 20 B to its subscriber", rounds: 100_000) { rounds in
            guard var engine = subscribed() else { return 0 }
            var digest: UInt64 = 1
            var round = 0
            while round < rounds {
                notifications.withPacket(round) { packet in
                    engine.receive(packet, at: time(round)) { handle, value, kind in
                        guard handle == valueHandle, kind == .notification else { return }
                        fold(&digest, value)
                    }
                }
                guard engine.nextAction() == nil else { return 0 }
                round &+= 1
            }
            return digest
        }
    }

    /// A notification as an action, with a value of its own.
    private static var notificationAction: Benchmark {
        Benchmark(group, "notification 20 B as an action", rounds: 100_000) { rounds in
            guard var engine = subscribed() else { return 0 }
            var digest: UInt64 = 1
            var round = 0
            while round < rounds {
                notifications.withPacket(round) { engine.receive($0, at: time(round)) }
                while let action = engine.nextAction() {
                    guard case .valueChanged(valueHandle, let value, .notification) = action else { return 0 }
                    fold(&digest, value.octets)
                }
                round &+= 1
            }
            return digest
        }
    }

    /// A read: the wish, the request, its answer, the value.
    private static var read: Benchmark {
        let responses = Ring([0x0B] + [UInt8](repeating: 0, count: 20), varying: [1..<21])
        return Benchmark(group, "read 20 B, request and answer", rounds: 50_000) { rounds in
            var engine = ClientEngine()
            var digest: UInt64 = 1
            for round in 0..<rounds {
                let id = engine.start(.read(valueHandle), at: time(round))
                guard case .send(let request)? = engine.nextAction(), request == [0x0A, 0x25, 0x00] else { return 0 }
                responses.withPacket(round) { engine.receive($0, at: time(round)) }
                guard case .completed(id, .success(.value(let value)))? = engine.nextAction() else { return 0 }
                fold(&digest, value.octets)
                guard engine.nextAction() == nil else { return 0 }
            }
            return digest
        }
    }

    /// A Write Command: the wish and the PDU.
    private static var writeCommand: Benchmark {
        let value = [UInt8](repeating: 7, count: 20)
        return Benchmark(group, "write command 20 B", rounds: 50_000) { rounds in
            var engine = ClientEngine()
            var digest: UInt64 = 1
            for round in 0..<rounds {
                let id = engine.start(.writeCommand(valueHandle, value), at: time(round))
                guard case .send(let command)? = engine.nextAction() else { return 0 }
                fold(&digest, command.octets)
                guard case .completed(id, .success(.done))? = engine.nextAction() else { return 0 }
                guard engine.nextAction() == nil else { return 0 }
            }
            return digest
        }
    }

    /// Everything a server with 200 attributes has, against the answers a server engine gave.
    private static var discovery: Benchmark {
        let answers = discoveryAnswers()
        return Benchmark(group, "discovery of \(Server.attributeCount) attributes", rounds: 400) { rounds in
            var digest: UInt64 = 1
            for _ in 0..<rounds {
                var engine = ClientEngine()
                var next = 0
                _ = engine.start(.discoverAll(), at: .zero)
                var found: DiscoveredDatabase?
                while let action = engine.nextAction() {
                    switch action {
                    case .send:
                        guard next < answers.count else { return 0 }
                        let answer = answers[next]
                        next += 1
                        engine.receive(answer.octets, at: .zero)
                    case .completed(_, .success(.database(let database))): found = database
                    case .progress: break
                    default: return 0
                    }
                }
                guard let found, found.attributeCount == Server.attributeCount else { return 0 }
                fold(&digest, UInt64(found.services.count))
            }
            return digest
        }
    }

    private static func time(_ round: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: UInt64(truncatingIfNeeded: round) &* 1000)
    }

    /// An engine that subscribes to `valueHandle`; nil when it could not.
    private static func subscribed() -> ClientEngine? {
        var engine = ClientEngine()
        let target = SubscriptionTarget(valueHandle: valueHandle, properties: .notify, configurationHandle: 0x0026)
        _ = engine.start(.subscribe(target), at: .zero)
        guard case .send(let request)? = engine.nextAction(), request == [0x12, 0x26, 0x00, 0x01, 0x00] else {
            return nil
        }
        let response: [UInt8] = [0x13]
        engine.receive(response.octets, at: .zero)
        guard case .completed(_, .success(.subscribed(_)))? = engine.nextAction() else { return nil }
        return engine
    }

    /// What a server engine answers to each request of a full discovery, in order.
    private static func discoveryAnswers() -> [[UInt8]] {
        guard let database = try? AttributeDatabase(services: Server.services) else { return [] }
        var server = ServerEngine(database: database)
        var client = ClientEngine()
        var answers: [[UInt8]] = []
        _ = client.start(.discoverAll(), at: .zero)
        while let action = client.nextAction() {
            guard case .send(let request) = action else { continue }
            server.receive(request.octets, at: .zero)
            while let reply = server.nextAction() {
                guard case .send(let answer) = reply else { continue }
                answers.append(answer)
                client.receive(answer.octets, at: .zero)
            }
        }
        return answers
    }
}

/// A server with 200 attributes: 20 services with three characteristics each, one of them with notifications, and
/// every other service with 128-bit UUIDs.
enum Server {
    static let attributeCount = 200

    static let services = (0..<20).map { service in
        ServiceDefinition(
            uuid: uuid(service, 0),
            characteristics: (1...3).map { characteristic in
                CharacteristicDefinition(
                    uuid: uuid(service, characteristic),
                    properties: characteristic == 1 ? [.read, .notify] : [.read, .write],
                    value: [UInt8](repeating: UInt8(truncatingIfNeeded: service), count: 20),
                    descriptors: characteristic == 1
                        ? [
                            DescriptorDefinition(uuid: .clientCharacteristicConfiguration),
                            DescriptorDefinition(uuid: .characteristicUserDescription, value: Array("Value".utf8)),
                        ]
                        : characteristic == 2
                            ? [
                                DescriptorDefinition(
                                    uuid: .characteristicPresentationFormat, value: [4, 0, 0, 0, 0, 0, 0])
                            ]
                            : [])
            })
    }

    private static func uuid(_ service: Int, _ index: Int) -> BluetoothUUID {
        let short = BluetoothUUID(0xA000 + UInt16(service * 16 + index))
        return service % 2 == 0 ? short : BluetoothUUID(high: short.high, low: 0x1234_5678_9ABC_DEF0)
    }
}
