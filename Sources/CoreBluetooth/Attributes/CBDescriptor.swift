import Foundation
import GATT
import Sockets

/// A descriptor of a characteristic.
open class CBDescriptor: CBAttribute, @unchecked Sendable {
    // Sendable: what changes is behind a lock.

    private struct State {
        weak var characteristic: CBCharacteristic?
        var octets: Data?
    }

    private let state: Locked<State>
    /// Its handle.
    let handle: AttributeHandle

    init(_ descriptor: Descriptor, of characteristic: CBCharacteristic) {
        handle = descriptor.handle
        state = Locked(State(characteristic: characteristic))
        super.init(uuid: CBUUID(descriptor.uuid), session: characteristic.session)
    }

    /// The characteristic it describes.
    open var characteristic: CBCharacteristic? { state.withLock { $0.characteristic } }

    /// The value that was read last; `nil` before.
    ///
    /// An `NSNumber` for Characteristic Extended Properties (2900) and the two configurations (2902, 2903), a `String` for
    /// Characteristic User Description (2901), `Data` for every other, also for one of those whose octets do not fit.
    open var value: Any? {
        guard let octets = state.withLock({ $0.octets }) else { return nil }
        switch uuid.uuid {
        case .characteristicExtendedProperties, .clientCharacteristicConfiguration, .serverCharacteristicConfiguration:
            guard (1...2).contains(octets.count) else { return octets }
            return NSNumber(value: octets.reversed().reduce(UInt16(0)) { $0 << 8 | UInt16($1) })
        case .characteristicUserDescription:
            return String(data: octets, encoding: .utf8) ?? octets
        default:
            return octets
        }
    }

    /// `<CBDescriptor: 0x…, UUID = Characteristic User Description>`
    open override var description: String { "<CBDescriptor: \(address(of: self)), UUID = \(uuid)>" }

    func set(octets: Data) { state.withLock { $0.octets = octets } }
}
