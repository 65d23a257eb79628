import Central
import Dispatch
import GAP
import GATT

/// One connection to one device, shared by the sessions that use it. Belongs to the host, on the loop.
final class Link {
    let address: DeviceAddress
    /// Tells it from a later one to the same device.
    let number = Counter.next()
    /// Those who use it, in the order in which they came.
    var sessions: [Session] = []
    /// The attempt to connect.
    var attempt: Task<Void, Never>?
    /// The connection, once it stands.
    var connection: Connection?
    /// The name that the device's server tells.
    var name: String?

    private enum Watch { case none, begun }
    private var watch = Watch.none

    init(to address: DeviceAddress) { self.address = address }

    /// Reads the device's name (Core Specification, Vol 3, Part C, 12.1), as Apple's systems do on every connection.
    func readName(_ told: @escaping @Sendable (String) -> Void) {
        start(.readByUUID(0x2A00, first: true)) { [weak self] result in
            guard case .success(.handleValues(let values)) = result, let first = values.first else { return }
            guard first.mayContinue else { return Self.tell(first.value, told) }
            self?.start(.read(first.handle)) { result in
                if case .success(.value(let value)) = result { Self.tell(value, told) }
            }
        }
    }

    private static func tell(_ octets: [UInt8], _ told: (String) -> Void) {
        let name = String(decoding: octets.prefix { $0 != 0 }, as: UTF8.self)
        if !name.isEmpty { told(name) }
    }

    /// Asks the peer to tell of changes of its services, once: after the first discovery, since before it there is nothing
    /// that could change.
    /// - Parameter services: all of the peer's, when they are known; otherwise those with Service Changed are looked for.
    func watchServiceChanges(_ services: [Service]?) {
        guard watch == .none else { return }
        watch = .begun
        if let services {
            if let service = services.first(where: { $0.uuid == 0x1801 }) { subscribeToChanges(in: service.range) }
            return
        }
        start(.discoverPrimaryServicesByUUID(0x1801)) { [weak self] result in
            guard case .success(.services(let services)) = result, let service = services.first else { return }
            self?.subscribeToChanges(in: service.range)
        }
    }

    private func subscribeToChanges(in range: HandleRange) {
        // The engine takes note of the characteristic as it passes by.
        start(.discoverCharacteristics(in: range, uuid: 0x2A05)) { [weak self] result in
            guard case .success(.characteristics(let found)) = result, let characteristic = found.first else { return }
            let target = SubscriptionTarget(
                valueHandle: characteristic.valueHandle, properties: characteristic.properties,
                endHandle: characteristic.endHandle)
            self?.start(.subscribe(target, mode: .indicate)) { _ in }
        }
    }

    /// Starts a procedure whose outcome arrives on the loop.
    private func start(
        _ procedure: Procedure, _ completion: @escaping (Result<Outcome, CentralError>) -> Void
    ) {
        connection?.onLoop(procedure, completion)
    }
}

extension Connection {
    /// Starts a procedure from the loop's thread, and gives its outcome there.
    nonisolated func onLoop(
        _ procedure: Procedure, _ completion: @escaping (Result<Outcome, CentralError>) -> Void
    ) {
        // Both ends are on the loop's thread, so nothing is shared between threads.
        nonisolated(unsafe) let completion = completion
        assumeIsolated { connection in
            connection.start(procedure) { unsafe completion($0) }
        }
    }
}
