public import Foundation
import GATT
import Sockets

/// A characteristic of a service.
open class CBCharacteristic: CBAttribute, @unchecked Sendable {
    // Sendable: what changes is behind a lock.

    private struct State {
        weak var service: CBService?
        var value: Data?
        var descriptors: [CBDescriptor]?
        var isNotifying = false
    }

    private let state: Locked<State>
    private let declared: CBCharacteristicProperties
    /// The characteristic as the engine knows it.
    let characteristic: Characteristic

    init(_ characteristic: Characteristic, of service: CBService) {
        self.characteristic = characteristic
        declared = CBCharacteristicProperties(rawValue: UInt(characteristic.properties.rawValue))
        state = Locked(State(service: service))
        super.init(uuid: CBUUID(characteristic.uuid), session: service.session)
    }

    /// The handle of its value.
    var valueHandle: AttributeHandle { characteristic.valueHandle }

    /// The service it belongs to.
    open var service: CBService? { state.withLock { $0.service } }

    /// What the peripheral says can be done with it.
    open var properties: CBCharacteristicProperties { declared }

    /// The value that was read or received last; `nil` before. Writing does not change it.
    open var value: Data? { state.withLock { $0.value } }

    /// Its descriptors; `nil` until they were discovered.
    open var descriptors: [CBDescriptor]? { state.withLock { $0.descriptors } }

    /// Whether the value is broadcast; nobody can know, so never.
    @available(*, deprecated, message: "Broadcasts cannot be seen from here")
    open var isBroadcasted: Bool { false }

    /// Whether notifications or indications are switched on.
    open var isNotifying: Bool { state.withLock { $0.isNotifying } }

    /// `<CBCharacteristic: 0x…, UUID = Battery Level, properties = 0x12, value = {length = 1, bytes = 0x57}, notifying = NO>`
    open override var description: String {
        let value = value.map { "{length = \($0.count), bytes = 0x\($0.map { [$0].hexadecimal }.joined())}" }
        return "<CBCharacteristic: \(address(of: self)), UUID = \(uuid), properties = "
            + "0x\(String(properties.rawValue, radix: 16)), value = \(value ?? "(null)"), "
            + "notifying = \(isNotifying ? "YES" : "NO")>"
    }

    /// What to subscribe with: the configuration's handle where the descriptors are known.
    var subscriptionTarget: SubscriptionTarget {
        let configuration = descriptors?.first { $0.uuid.uuid == .clientCharacteristicConfiguration }
        return SubscriptionTarget(
            valueHandle: valueHandle, properties: characteristic.properties,
            configurationHandle: configuration?.handle, endHandle: characteristic.endHandle)
    }

    func set(value: Data) { state.withLock { $0.value = value } }
    func set(notifying: Bool) { state.withLock { $0.isNotifying = notifying } }

    func add(_ descriptors: [CBDescriptor]) {
        state.withLock { $0.descriptors = ($0.descriptors ?? []).adding(descriptors, by: \.handle) }
    }
}
