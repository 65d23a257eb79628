import Central
import GATT

// Included services: the declarations tell which handles, and whether those are a primary service has to be asked.
extension Session {
    /// Takes note of services that were found. On the loop.
    func remember(_ services: [Service]) {
        for service in services { knownServices[service.handle] = service }
    }

    /// Forgets what is no longer what it was. On the loop.
    func forgetServices(in range: HandleRange) {
        knownServices = knownServices.filter { !$0.value.range.overlaps(range) }
    }

    /// Ends the notifications of a service that is no longer there. On the loop.
    func stopNotifying(in range: HandleRange) {
        for handle in notifying where range.contains(handle) {
            notifying.remove(handle)
            start(.unsubscribe(valueHandle: handle)) { _ in }
        }
    }

    /// Finds the services that the service of a range includes.
    func findIncludedServices(
        in range: HandleRange, _ wanted: Set<BluetoothUUID>?,
        then: @escaping @Sendable (CBPeripheral, Result<[Service], CentralError>) -> Void
    ) {
        onLoop { session in
            session.operations.append { done in
                session.start(.findIncludedServices(in: range)) { result in
                    switch result {
                    case .success(.includes(let includes))?:
                        session.resolve(includes.filter { wanted?.contains($0.uuid) ?? true }[...], []) { services in
                            if let services { session.deliver { then($0, .success(services)) } }
                            done()
                        }
                    case .failure(let error)?:
                        session.deliver { then($0, .failure(error)) }
                        done()
                    case .success?, nil: done()
                    }
                }
            }
        }
    }

    /// Finds out, one after the other, which of the included services are primary ones.
    private func resolve(
        _ includes: ArraySlice<IncludedService>, _ resolved: [Service], _ completion: @escaping ([Service]?) -> Void
    ) {
        guard let next = includes.first else { return completion(resolved) }
        let rest = includes.dropFirst()
        if let known = knownServices[next.range.first], known.range == next.range {
            return resolve(rest, resolved + [known], completion)
        }
        start(.discoverPrimaryServicesByUUID(next.uuid, in: next.range)) { [self] result in
            guard let result else { return completion(nil) }
            var isPrimary = false
            if case .success(.services(let found)) = result {
                isPrimary = found.contains { $0.handle == next.range.first }
            }
            let service = Service(uuid: next.uuid, range: next.range, isPrimary: isPrimary)
            remember([service])
            resolve(rest, resolved + [service], completion)
        }
    }
}
