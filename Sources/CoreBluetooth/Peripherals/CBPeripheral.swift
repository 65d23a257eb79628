public import Foundation
import GAP
import GATT
import Sockets

/// How a peripheral is connected.
public enum CBPeripheralState: Int, Sendable {
    /// Not at all.
    case disconnected = 0
    /// A connection is being made.
    case connecting = 1
    /// It can be used.
    case connected = 2
    /// The connection is being ended.
    case disconnecting = 3
}

/// How a value is written.
public enum CBCharacteristicWriteType: Int, Sendable {
    /// The peripheral answers, which `peripheral(_:didWriteValueFor:error:)` tells.
    case withResponse = 0
    /// Nobody answers.
    case withoutResponse = 1
}

/// A peripheral, as one manager knows it: found by a scan or retrieved, never made.
///
/// Whoever wants to use it has to hold it: letting go of the last reference ends its connection. Its calls can be made on any
/// thread and return at once; operations run one at a time, in the order of the calls.
open class CBPeripheral: CBPeer, @unchecked Sendable {
    // Sendable: what changes is behind a lock.

    struct State {
        weak var delegate: (any CBPeripheralDelegate)?
        var name: String?
        var peripheral = CBPeripheralState.disconnected
        /// The use of the present connection, or of the attempt; with it everything below begins anew.
        var session: Session?
        var wishes = ConnectionWishes(nil)
        /// What the next connection was asked for while this one is being ended.
        var next: ConnectionWishes?
        var services: [CBService]?
        /// Every service by the handle of its declaration, those that are only included too.
        var known: [AttributeHandle: CBService] = [:]
        var characteristics: [AttributeHandle: CBCharacteristic] = [:]
        var descriptors: [AttributeHandle: CBDescriptor] = [:]
        /// Discoveries under way.
        var discoveries = 0
        var hasDiscovered = false
        /// After a reset of the radio the object has to be retrieved again.
        var isValid = true
        var rssi: NSNumber?
        var lifecycleFollowers: [UInt64: AsyncStream<CBPeripheralLifecycle>.Continuation] = [:]
        var calls: [UInt64: Call] = [:]
        var valueFollowers: [UInt64: ValueFollower] = [:]
        /// Characteristics that notify because a sequence of values wants it.
        var notifyingForFollowers: Set<AttributeHandle> = []
    }

    let guarded: Locked<State>
    let address: DeviceAddress
    /// Tells two objects of one address apart.
    let number = Counter.next()
    weak let manager: CBCentralManager?

    init(address: DeviceAddress, identifier: UUID, name: String?, of manager: CBCentralManager) {
        self.address = address
        self.manager = manager
        guarded = Locked(State(name: name))
        super.init(identifier: identifier)
    }

    deinit {
        let (session, state, lifecycles, values) = guarded.withLock { state in
            (state.session, state.peripheral, state.lifecycleFollowers.values, state.valueFollowers.values)
        }
        for follower in lifecycles { follower.finish() }
        for follower in values { follower.finish(nil) }
        if let session {
            if state == .connecting { Diagnostics.log("Cancelling connection for unused peripheral \(identifier)") }
            session.host.leave(session, tells: false)
        }
        manager?.forget(address, number)
    }

    /// Whom to tell; not held.
    open var delegate: (any CBPeripheralDelegate)? {
        get { guarded.withLock { $0.delegate } }
        set { guarded.withLock { $0.delegate = newValue } }
    }

    /// The name that its attribute server told when it was connected, also in an earlier run; before that the one that it
    /// advertises.
    open var name: String? { guarded.withLock { $0.name } }

    /// The signal strength that was read last.
    @available(*, deprecated, message: "Use peripheral(_:didReadRSSI:error:)")
    open var rssi: NSNumber? { guarded.withLock { $0.rssi } }

    /// How it is connected.
    open var state: CBPeripheralState { guarded.withLock { $0.peripheral } }

    /// Its services, as far as they were discovered on this connection; `nil` before.
    ///
    /// Generic Access (1800) and Generic Attribute (1801) are not among them unless they were asked for.
    open var services: [CBService]? { guarded.withLock { $0.services } }

    /// Whether a value can be written without response and be sure to leave. When it is not,
    /// `peripheralIsReady(toSendWriteWithoutResponse:)` tells that it can again.
    open var canSendWriteWithoutResponse: Bool {
        let (state, session) = guarded.withLock { ($0.peripheral, $0.session) }
        return state == .connected && session?.facts.withLock { !$0.isCongested } == true
    }

    /// Always `false`: Linux has no Apple Notification Center Service.
    open var ancsAuthorized: Bool { false }

    /// `<CBPeripheral: 0x…, identifier = …, name = Heart Rate, mtu = 517, state = connected>`
    open override var description: String {
        let (name, state) = guarded.withLock { ($0.name, $0.peripheral) }
        return "<CBPeripheral: \(CoreBluetooth.address(of: self)), identifier = \(identifier.uuidString), "
            + "name = \(name ?? "(null)"), mtu = \(mtu), state = \(state)>"
    }

    /// ATT_MTU of the connection; 0 without one.
    var mtu: Int {
        guarded.withLock { $0.peripheral == .connected ? $0.session : nil }?.facts.withLock { $0.mtu } ?? 0
    }

    // MARK: Operations

    /// Reads the signal strength; `peripheral(_:didReadRSSI:error:)` tells it.
    open func readRSSI() { readRSSI(call: nil) }

    /// Discovers services: those of the list, or all when there are none in it.
    open func discoverServices(_ serviceUUIDs: [CBUUID]?) { discoverServices(serviceUUIDs, call: nil) }

    /// Discovers the services that a service includes: those of the list, or all when there are none in it.
    open func discoverIncludedServices(_ includedServiceUUIDs: [CBUUID]?, for service: CBService) {
        discoverIncludedServices(includedServiceUUIDs, for: service, call: nil)
    }

    /// Discovers the characteristics of a service: those of the list, or all when there are none in it.
    open func discoverCharacteristics(_ characteristicUUIDs: [CBUUID]?, for service: CBService) {
        discoverCharacteristics(characteristicUUIDs, for: service, call: nil)
    }

    /// Reads a value, all of it; `peripheral(_:didUpdateValueFor:error:)` tells of it.
    open func readValue(for characteristic: CBCharacteristic) { readValue(for: characteristic, call: nil) }

    /// How long a value may be at most: 512 octets with response, what fits one PDU without; 0 while not connected.
    open func maximumWriteValueLength(for type: CBCharacteristicWriteType) -> Int {
        let mtu = mtu
        guard mtu > 0 else { return 0 }
        return type == .withResponse ? Self.longestValue : mtu - 3
    }

    /// Writes a value.
    ///
    /// With response, a value that does not fit one PDU is sent in parts, up to 512 octets; the answer is told. Without, it
    /// has to fit one PDU and the characteristic has to have the property; otherwise it is dropped, and said to standard error.
    open func writeValue(
        _ data: Data, for characteristic: CBCharacteristic, type: CBCharacteristicWriteType
    ) {
        writeValue(data, for: characteristic, type: type, call: nil)
    }

    /// Switches notifications on or off, or indications where there are no notifications.
    open func setNotifyValue(_ enabled: Bool, for characteristic: CBCharacteristic) {
        setNotifyValue(enabled, for: characteristic, call: nil)
    }

    /// Discovers the descriptors of a characteristic.
    open func discoverDescriptors(for characteristic: CBCharacteristic) {
        discoverDescriptors(for: characteristic, call: nil)
    }

    /// Reads a descriptor.
    open func readValue(for descriptor: CBDescriptor) { readValue(for: descriptor, call: nil) }

    /// Writes a descriptor; not the Client Characteristic Configuration (2902), which stops the program.
    open func writeValue(_ data: Data, for descriptor: CBDescriptor) {
        writeValue(data, for: descriptor, call: nil)
    }

    /// The longest value of an attribute (Core Specification, Vol 3, Part F, 3.2.9).
    static let longestValue = 512
}

/// Gives out numbers, each once.
enum Counter {
    private static let last = Locked<UInt64>(0)

    static func next() -> UInt64 {
        last.withLock { last in
            last += 1
            return last
        }
    }
}
