import Foundation
import GATT
import Sockets

/// A service that a peripheral declares.
///
/// It belongs to one connection: afterwards, and when the peripheral says that its services changed, it is of no use.
open class CBService: CBAttribute, @unchecked Sendable {
    // Sendable: what changes is behind a lock.

    private struct State {
        weak var peripheral: CBPeripheral?
        /// The peripheral holds them: services may include each other, and themselves.
        var includedServices: [Included]?
        var characteristics: [CBCharacteristic]?
        var isValid = true
    }

    private struct Included {
        weak var service: CBService?
    }

    private let state: Locked<State>
    private let isPrimaryService: Bool
    /// Its handles.
    let range: HandleRange

    init(_ service: Service, of peripheral: CBPeripheral, session: UInt64) {
        isPrimaryService = service.isPrimary
        range = service.range
        state = Locked(State(peripheral: peripheral))
        super.init(uuid: CBUUID(service.uuid), session: session)
    }

    /// The peripheral it is on.
    open var peripheral: CBPeripheral? { state.withLock { $0.peripheral } }

    /// Whether it is a primary service; a secondary one is of use only where it is included.
    open var isPrimary: Bool { isPrimaryService }

    /// The services it includes; `nil` until they were discovered.
    open var includedServices: [CBService]? { state.withLock { $0.includedServices?.compactMap(\.service) } }

    /// Its characteristics, as far as they were discovered; `nil` before.
    open var characteristics: [CBCharacteristic]? { state.withLock { $0.characteristics } }

    /// `<CBService: 0x…, isPrimary = YES, UUID = Battery>`
    open override var description: String {
        "<CBService: \(address(of: self)), isPrimary = \(isPrimary ? "YES" : "NO"), UUID = \(uuid)>"
    }

    /// Whether it can be used; no longer once the peripheral declared it changed.
    var isValid: Bool { state.withLock { $0.isValid } }

    func invalidate() { state.withLock { $0.isValid = false } }

    /// Adds what a discovery found to what is known, in the order of handles.
    func add(included services: [CBService]) {
        // Those of before are held meanwhile, so that none goes inside the lock.
        let former = includedServices ?? []
        let all = former.adding(services, by: \.range.first).map { Included(service: $0) }
        state.withLock { $0.includedServices = all }
        withExtendedLifetime(former) {}
    }

    /// Adds what a discovery found to what is known, in the order of handles.
    func add(_ characteristics: [CBCharacteristic]) {
        state.withLock { $0.characteristics = ($0.characteristics ?? []).adding(characteristics, by: \.valueHandle) }
    }
}

extension Array where Element: AnyObject {
    /// The elements and those of another list, each once, in the order of handles.
    func adding(_ others: [Element], by handle: (Element) -> AttributeHandle) -> [Element] {
        let new = others.filter { other in !contains { $0 === other } }
        return new.isEmpty ? self : (self + new).sorted { handle($0) < handle($1) }
    }
}

/// The address of an object as Apple's descriptions show it.
func address(of object: AnyObject) -> String {
    "0x" + String(UInt(bitPattern: ObjectIdentifier(object)), radix: 16)
}
