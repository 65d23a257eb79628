// Asynchronous calls of a peripheral; see CBCentralManager+Async.swift.
//
// Each throws what the delegate gets as error, `CBError.notConnected` without a connection, the error of the disconnection
// when that comes first (`CBError.operationCancelled` when it was asked for here), and `CancellationError` as soon as its
// task is cancelled; what the peripheral was asked for by then goes on without anybody waiting for it.

public import Foundation
import Sockets

extension CBPeripheral {
    /// Discovers services: those of the list, or all.
    /// - Returns: what this discovery found, which is in `services` too.
    @discardableResult
    public func discoverServices(matching serviceUUIDs: [CBUUID]? = nil) async throws -> [CBService] {
        guard case .services(let found) = try await answer({ discoverServices(serviceUUIDs, call: $0) }) else {
            return []
        }
        return found
    }

    /// Discovers the services that a service includes: those of the list, or all.
    /// - Returns: what this discovery found, which is in `includedServices` too.
    @discardableResult
    public func discoverIncludedServices(
        matching serviceUUIDs: [CBUUID]? = nil, of service: CBService
    ) async throws -> [CBService] {
        let reply = try await answer { discoverIncludedServices(serviceUUIDs, for: service, call: $0) }
        guard case .services(let found) = reply else { return [] }
        return found
    }

    /// Discovers the characteristics of a service: those of the list, or all.
    /// - Returns: what this discovery found, which is in `characteristics` too.
    @discardableResult
    public func discoverCharacteristics(
        matching characteristicUUIDs: [CBUUID]? = nil, of service: CBService
    ) async throws -> [CBCharacteristic] {
        let reply = try await answer { discoverCharacteristics(characteristicUUIDs, for: service, call: $0) }
        guard case .characteristics(let found) = reply else { return [] }
        return found
    }

    /// Discovers the descriptors of a characteristic.
    /// - Returns: them, which are in `descriptors` too.
    @discardableResult
    public func discoverDescriptors(of characteristic: CBCharacteristic) async throws -> [CBDescriptor] {
        let reply = try await answer { discoverDescriptors(for: characteristic, call: $0) }
        guard case .descriptors(let found) = reply else { return [] }
        return found
    }

    /// Reads a value, all of it.
    public func readValue(of characteristic: CBCharacteristic) async throws -> Data {
        guard case .data(let data) = try await answer({ readValue(for: characteristic, call: $0) }) else {
            return Data()
        }
        return data
    }

    /// Reads the octets of a descriptor; its `value` has them in their own type.
    @discardableResult
    public func readValue(of descriptor: CBDescriptor) async throws -> Data {
        guard case .data(let data) = try await answer({ readValue(for: descriptor, call: $0) }) else { return Data() }
        return data
    }

    /// Writes a value. With response it returns when the peripheral has answered; without, when there is room for the value,
    /// so that writing in a loop goes as fast as the link and loses nothing.
    /// - Throws: also `CBATTError.invalidAttributeValueLength` for a value that is too long,
    ///   `CBError.operationNotSupported` when the characteristic cannot be written without response.
    public func writeValue(
        _ data: Data, to characteristic: CBCharacteristic, type: CBCharacteristicWriteType = .withResponse
    ) async throws {
        if type == .withoutResponse { try await waitUntilReadyToWrite() }
        _ = try await answer { writeValue(data, for: characteristic, type: type, call: $0) }
    }

    /// Writes a descriptor; not the Client Characteristic Configuration (2902), which stops the program.
    public func writeValue(_ data: Data, to descriptor: CBDescriptor) async throws {
        _ = try await answer { writeValue(data, for: descriptor, call: $0) }
    }

    /// Switches notifications on or off, or indications where there are no notifications.
    public func setNotifyValue(_ enabled: Bool, of characteristic: CBCharacteristic) async throws {
        _ = try await answer { setNotifyValue(enabled, for: characteristic, call: $0) }
    }

    /// The values that the peripheral notifies or indicates, until the consumer stops.
    ///
    /// Notifications are switched on unless they are; when that was done here, the last consumer switches them off again. The
    /// sequence throws when they cannot be switched on and when the connection ends, unless that was asked for here.
    /// - Parameters:
    ///   - characteristic: whose values.
    ///   - bufferingPolicy: which values are kept for a consumer that is slow.
    public func values(
        for characteristic: CBCharacteristic,
        bufferingPolicy: AsyncThrowingStream<Data, any Error>.Continuation.BufferingPolicy = .bufferingNewest(1024)
    ) -> AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream(bufferingPolicy: bufferingPolicy) { continuation in
            let number = Counter.next()
            let handle = characteristic.valueHandle
            let follower = ValueFollower(
                handle: handle, take: { continuation.yield($0) }, finish: { continuation.finish(throwing: $0) })
            guarded.withLock { state in
                state.valueFollowers[number] = follower
                state.calls[number] = Call(kind: .operation) { result in
                    if case .failure(let error) = result { continuation.finish(throwing: error) }
                }
                if !characteristic.isNotifying { state.notifyingForFollowers.insert(handle) }
            }
            continuation.onTermination = { [weak self] _ in self?.unfollow(number, characteristic) }
            setNotifyValue(true, for: characteristic, call: number)
        }
    }

    /// Ends a sequence of values; with the last one notifications that were switched on for sequences.
    private func unfollow(_ number: UInt64, _ characteristic: CBCharacteristic) {
        let handle = characteristic.valueHandle
        let mustSwitchOff = guarded.withLock { state in
            state.calls[number] = nil
            state.valueFollowers[number] = nil
            guard !state.valueFollowers.values.contains(where: { $0.handle == handle }) else { return false }
            return state.notifyingForFollowers.remove(handle) != nil && state.peripheral == .connected
        }
        if mustSwitchOff { setNotifyValue(false, for: characteristic, call: nil) }
    }

    /// Reads the signal strength, in dBm; 127 when the controller does not know it.
    public func signalStrength() async throws -> Int {
        guard case .number(let number) = try await answer({ readRSSI(call: $0) }) else { return 127 }
        return number
    }

    /// Waits until this peripheral can be written to without response.
    public func waitUntilReadyToWrite() async throws {
        _ = try await answer(of: .readiness) { call in
            guard state == .connected else { return refuse(call, .notConnected) }
            if canSendWriteWithoutResponse { finish(call, .success(.done)) }
        }
    }

    /// Begins something and waits for its end.
    func answer(of kind: Call.Kind = .operation, _ begin: (UInt64) -> Void) async throws -> Call.Reply {
        let number = Counter.next()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guarded.withLock { state in
                    state.calls[number] = Call(kind: kind) { continuation.resume(with: $0) }
                }
                // A task is marked cancelled before its handler runs: either it is seen here, or the handler finds the call.
                guard !Task.isCancelled else { return finish(number, .failure(CancellationError())) }
                begin(number)
            }
        } onCancel: {
            finish(number, .failure(CancellationError()))
        }
    }
}
