import Central
import Foundation
import GATT
import Sockets

extension CBPeripheral {
    func readRSSI(call: UInt64?) {
        guard let session = session(for: call) else { return }
        session.readRSSI { peripheral, result in
            var failure: (any Error)?
            var number = 127
            switch result {
            case .success(let rssi): number = rssi.map(Int.init) ?? 127
            case .failure(let error): failure = operationError(error)
            }
            let value = NSNumber(value: number)
            if failure == nil { peripheral.guarded.withLock { $0.rssi = value } }
            peripheral.inform { $0.peripheral(peripheral, didReadRSSI: value, error: failure) }
            peripheral.finish(call, failure.map { .failure($0) } ?? .success(.number(number)))
        }
    }

    // MARK: Characteristics

    func readValue(for characteristic: CBCharacteristic, call: UInt64?) {
        guard let session = session(for: characteristic, in: characteristic.service, call) else { return }
        session.perform(.read(characteristic.valueHandle)) { peripheral, result in
            let (data, failure) = Self.value(result)
            if let data { characteristic.set(value: data) }
            peripheral.inform { $0.peripheral(peripheral, didUpdateValueFor: characteristic, error: failure) }
            peripheral.finish(call, failure.map { .failure($0) } ?? .success(.data(data ?? Data())))
        }
    }

    private static func value(_ result: Result<Outcome, CentralError>) -> (Data?, (any Error)?) {
        switch result {
        case .success(.value(let octets)): (Data(octets), nil)
        case .success: (nil, nil)
        case .failure(let error): (nil, operationError(error))
        }
    }

    /// A value came by itself.
    func received(_ octets: [UInt8], of handle: AttributeHandle) {
        let (characteristic, followers) = guarded.withLock { state in
            (state.characteristics[handle], state.valueFollowers.values.filter { $0.handle == handle })
        }
        guard let characteristic else { return }
        let data = Data(octets)
        characteristic.set(value: data)
        for follower in followers { follower.take(data) }
        inform { $0.peripheral(self, didUpdateValueFor: characteristic, error: nil) }
    }

    func writeValue(
        _ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType, call: UInt64?
    ) {
        guard let session = session(for: characteristic, in: characteristic.service, call) else { return }
        switch type {
        case .withoutResponse: writeCommand(data, characteristic, session, call)
        case .withResponse:
            write(data, to: characteristic.valueHandle, session) { peripheral, failure in
                peripheral.inform { $0.peripheral(peripheral, didWriteValueFor: characteristic, error: failure) }
                peripheral.finish(call, failure.map { .failure($0) } ?? .success(.done))
            }
        }
    }

    private func write(
        _ data: Data, to handle: AttributeHandle, _ session: Session,
        then: @escaping @Sendable (CBPeripheral, (any Error)?) -> Void
    ) {
        guard data.count <= Self.longestValue else {
            // No attribute is longer, so the peer need not be asked.
            session.answer { then($0, CBATTError(.invalidAttributeValueLength)) }
            return
        }
        session.perform(.write(handle, [UInt8](data), offset: 0)) { peripheral, result in
            switch result {
            case .success: then(peripheral, nil)
            case .failure(let error): then(peripheral, operationError(error))
            }
        }
    }

    private func writeCommand(
        _ data: Data, _ characteristic: CBCharacteristic, _ session: Session, _ call: UInt64?
    ) {
        guard characteristic.properties.contains(.writeWithoutResponse) else {
            Diagnostics.log(
                "WARNING: Characteristic \(characteristic) does not specify the \"Write Without Response\" property - ignoring response-less write"
            )
            return refuse(call, .operationNotSupported)
        }
        let longest = maximumWriteValueLength(for: .withoutResponse)
        guard data.count <= longest else {
            Diagnostics.log(
                "WARNING: a value of \(data.count) octets is not written to \(characteristic): without response, "
                    + "\(longest) octets are the most")
            return finish(call, .failure(CBATTError(.invalidAttributeValueLength)))
        }
        guard session.takeWritePlace() else {
            Diagnostics.log(
                "WARNING: a value is not written to \(characteristic): \(Session.maximumPendingWrites) others wait "
                    + "already; see canSendWriteWithoutResponse")
            return refuse(call, .outOfSpace)
        }
        let (handle, octets) = (characteristic.valueHandle, [UInt8](data))
        session.onLoop { session in
            session.operations.append(isCommand: true) { done in
                session.start(.writeCommand(handle, octets)) { _ in
                    session.returnWritePlace()
                    done()
                }
            }
        }
        finish(call, .success(.done))
    }

    /// All writes without response were handed over.
    func isReadyToWrite() {
        inform { $0.peripheralIsReady(toSendWriteWithoutResponse: self) }
        finishCalls(of: .readiness, .success(.done))
    }

    func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic, call: UInt64?) {
        guard let session = session(for: characteristic, in: characteristic.service, call) else { return }
        session.setNotifying(enabled, characteristic) { peripheral, failure in
            if failure == nil { characteristic.set(notifying: enabled) }
            peripheral.inform {
                $0.peripheral(peripheral, didUpdateNotificationStateFor: characteristic, error: failure)
            }
            peripheral.finish(call, failure.map { .failure($0) } ?? .success(.done))
        }
    }

    // MARK: Descriptors

    func readValue(for descriptor: CBDescriptor, call: UInt64?) {
        guard let session = session(for: descriptor, in: descriptor.characteristic?.service, call) else { return }
        session.perform(.read(descriptor.handle)) { peripheral, result in
            let (data, failure) = Self.value(result)
            if let data { descriptor.set(octets: data) }
            peripheral.inform { $0.peripheral(peripheral, didUpdateValueFor: descriptor, error: failure) }
            peripheral.finish(call, failure.map { .failure($0) } ?? .success(.data(data ?? Data())))
        }
    }

    func writeValue(_ data: Data, for descriptor: CBDescriptor, call: UInt64?) {
        guard descriptor.uuid.uuid != .clientCharacteristicConfiguration else {
            fatalError(
                "Client Characteristic Configuration descriptors must be configured using "
                    + "setNotifyValue:forCharacteristic:")
        }
        guard let session = session(for: descriptor, in: descriptor.characteristic?.service, call) else { return }
        write(data, to: descriptor.handle, session) { peripheral, failure in
            peripheral.inform { $0.peripheral(peripheral, didWriteValueFor: descriptor, error: failure) }
            peripheral.finish(call, failure.map { .failure($0) } ?? .success(.done))
        }
    }
}
