import Central
import Foundation
import GATT
import Sockets

extension [CBUUID]? {
    /// What to look for; `nil` for everything.
    fileprivate var wanted: Set<BluetoothUUID>? {
        guard let self, !self.isEmpty else { return nil }
        return Set(self.map(\.uuid))
    }
}

extension CBPeripheral {
    /// Services of the system, which Apple's frameworks keep to themselves.
    private static let hidden: Set<BluetoothUUID> = [0x1800, 0x1801]

    func discoverServices(_ uuids: [CBUUID]?, call: UInt64?) {
        guard let session = session(for: call) else { return }
        beginDiscovery()
        let wanted = uuids.wanted
        let procedure: Procedure =
            if let only = wanted?.first, wanted?.count == 1 {
                .discoverPrimaryServicesByUUID(only)
            } else {
                .discoverPrimaryServices()
            }
        let isAll = wanted?.count != 1
        session.perform(
            procedure,
            first: { session, outcome in
                guard case .services(let found) = outcome else { return }
                session.remember(found)
                session.host.assumeIsolated { $0.found(found, isAll: isAll, on: session.address) }
            },
            then: { peripheral, result in
                var failure: (any Error)?
                var found: [CBService] = []
                switch result {
                case .success(.services(let services)):
                    let services = services.filter {
                        wanted?.contains($0.uuid) ?? !Self.hidden.contains($0.uuid)
                    }
                    found = peripheral.objects(for: services, session.number)
                    peripheral.guarded.withLock {
                        $0.services = ($0.services ?? []).adding(found, by: \.range.first)
                    }
                case .success: break
                case .failure(let error): failure = operationError(error)
                }
                peripheral.endDiscovery(ofServices: true, failure == nil)
                peripheral.inform { $0.peripheral(peripheral, didDiscoverServices: failure) }
                peripheral.finish(call, failure.map { .failure($0) } ?? .success(.services(found)))
            })
    }

    func discoverIncludedServices(_ uuids: [CBUUID]?, for service: CBService, call: UInt64?) {
        guard let session = session(for: service, in: service, call) else { return }
        beginDiscovery()
        let wanted = uuids.wanted
        session.findIncludedServices(in: service.range, wanted) { peripheral, result in
            var failure: (any Error)?
            var found: [CBService] = []
            switch result {
            case .success(let services):
                found = peripheral.objects(for: services, session.number)
                service.add(included: found)
            case .failure(let error): failure = operationError(error)
            }
            peripheral.endDiscovery(failure == nil)
            peripheral.inform { $0.peripheral(peripheral, didDiscoverIncludedServicesFor: service, error: failure) }
            peripheral.finish(call, failure.map { .failure($0) } ?? .success(.services(found)))
        }
    }

    func discoverCharacteristics(_ uuids: [CBUUID]?, for service: CBService, call: UInt64?) {
        guard let session = session(for: service, in: service, call) else { return }
        beginDiscovery()
        let wanted = uuids.wanted
        session.perform(.discoverCharacteristics(in: service.range)) { peripheral, result in
            var failure: (any Error)?
            var found: [CBCharacteristic] = []
            switch result {
            case .success(.characteristics(let characteristics)):
                found = peripheral.objects(
                    for: characteristics.filter { wanted?.contains($0.uuid) ?? true }, of: service)
                service.add(found)
            case .success: break
            case .failure(let error): failure = operationError(error)
            }
            peripheral.endDiscovery(failure == nil)
            peripheral.inform {
                $0.peripheral(peripheral, didDiscoverCharacteristicsFor: service, error: failure)
            }
            peripheral.finish(call, failure.map { .failure($0) } ?? .success(.characteristics(found)))
        }
    }

    func discoverDescriptors(for characteristic: CBCharacteristic, call: UInt64?) {
        guard let session = session(for: characteristic, in: characteristic.service, call) else { return }
        beginDiscovery()
        let then: @Sendable (CBPeripheral, Result<Outcome, CentralError>) -> Void = { peripheral, result in
            var failure: (any Error)?
            var found: [CBDescriptor] = []
            switch result {
            case .success(.descriptors(let descriptors)):
                found = peripheral.objects(for: descriptors.filter { !$0.isDeclaration }, of: characteristic)
                characteristic.add(found)
            case .success: characteristic.add([CBDescriptor]())
            case .failure(let error): failure = operationError(error)
            }
            peripheral.endDiscovery(failure == nil)
            peripheral.inform {
                $0.peripheral(peripheral, didDiscoverDescriptorsFor: characteristic, error: failure)
            }
            peripheral.finish(call, failure.map { .failure($0) } ?? .success(.descriptors(found)))
        }
        if let range = characteristic.characteristic.descriptorRange {
            session.perform(.discoverDescriptors(in: range), then: then)
        } else {
            // The definition ends with the value: there is no handle for a descriptor.
            session.answer { then($0, .success(.done)) }
        }
    }

    // MARK: Objects

    /// The objects of services: those that are known, and new ones.
    private func objects(for services: [Service], _ session: UInt64) -> [CBService] {
        guarded.withLock { state in
            services.map { service in
                if let known = state.known[service.handle], known.range == service.range,
                    known.uuid.uuid == service.uuid
                {
                    return known
                }
                let object = CBService(service, of: self, session: session)
                state.known[service.handle] = object
                return object
            }
        }
    }

    /// The objects of characteristics: those that are known, and new ones.
    private func objects(for characteristics: [Characteristic], of service: CBService) -> [CBCharacteristic] {
        guarded.withLock { state in
            characteristics.map { characteristic in
                let handle = characteristic.valueHandle
                if let known = state.characteristics[handle], known.uuid.uuid == characteristic.uuid { return known }
                let object = CBCharacteristic(characteristic, of: service)
                state.characteristics[handle] = object
                return object
            }
        }
    }

    /// The objects of descriptors: those that are known, and new ones.
    private func objects(for descriptors: [Descriptor], of characteristic: CBCharacteristic) -> [CBDescriptor] {
        guarded.withLock { state in
            descriptors.map { descriptor in
                let handle = descriptor.handle
                if let known = state.descriptors[handle], known.uuid.uuid == descriptor.uuid { return known }
                let object = CBDescriptor(descriptor, of: characteristic)
                state.descriptors[handle] = object
                return object
            }
        }
    }

    /// The peripheral says that what stands at these handles is no longer what it was.
    func servicesChanged(_ range: HandleRange) {
        let invalid: [CBService] = guarded.withLock { state in
            let invalid = state.known.values.filter { $0.range.overlaps(range) }
                .sorted { $0.range.first < $1.range.first }
            for service in invalid {
                state.known[service.range.first] = nil
                state.characteristics = state.characteristics.filter { !service.range.contains($0.key) }
                state.descriptors = state.descriptors.filter { !service.range.contains($0.key) }
            }
            state.services?.removeAll { service in invalid.contains { $0 === service } }
            return invalid
        }
        for service in invalid { service.invalidate() }
        if let session = guarded.withLock({ $0.session }) {
            session.onLoop { session in
                session.forgetServices(in: range)
                for service in invalid { session.stopNotifying(in: service.range) }
            }
        }
        inform { $0.peripheral(self, didModifyServices: invalid) }
    }
}

extension Descriptor {
    /// Whether it is a declaration, where a server lets a characteristic end later than it does.
    fileprivate var isDeclaration: Bool {
        [.primaryService, .secondaryService, .include, .characteristic].contains(uuid)
    }
}
