import Central
public import Dispatch
public import Foundation
import GAP
import GATT
import Sockets

/// Finds peripherals and connects to them.
///
/// All its calls can be made on any thread, inside a callback too. They return at once; what comes of them is told to the
/// delegate on the manager's queue. Letting go of a manager ends its scan and its connections, without a callback.
open class CBCentralManager: CBManager, @unchecked Sendable {
    // Sendable: what changes is behind a lock.

    /// What an adapter may be able to do.
    public struct Feature: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Scanning and connecting with extended advertising.
        public static var extendedScanAndConnect: Feature { Feature(rawValue: 1) }
    }

    struct State {
        var manager = CBManagerState.unknown
        weak var delegate: (any CBCentralManagerDelegate)?
        /// There while the radio is on.
        var central: Central?
        var scan: ScanRun?
        /// The peripherals that somebody holds.
        var peripherals: [DeviceAddress: Held] = [:]
        /// What `registerForConnectionEvents` selects; `nil` for nothing.
        var connectionEvents: ConnectionEventFilter?
        /// Who follows the state.
        var stateFollowers: [UInt64: AsyncStream<CBManagerState>.Continuation] = [:]
    }

    struct Held {
        weak var peripheral: CBPeripheral?
        /// Tells two objects of one address apart.
        var number: UInt64
    }

    struct ConnectionEventFilter {
        var services: [BluetoothUUID]
        var identifiers: [UUID]
    }

    let guarded = Locked(State())
    /// Where all callbacks run, in order also when the program's queue is concurrent.
    let queue: DispatchQueue
    let host: Host
    let store: IdentifierStore
    private let member = Membership()

    /// A manager without a delegate, on the main queue.
    public convenience init() {
        self.init(delegate: nil, queue: nil, options: nil)
    }

    /// A manager that tells its delegate on a queue; `nil` is the main queue.
    public convenience init(delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?) {
        self.init(delegate: delegate, queue: queue, options: nil)
    }

    /// A manager that tells its delegate on a queue; `nil` is the main queue, which has to run: `RunLoop.main.run()` or
    /// `dispatchMain()`.
    /// - Parameters:
    ///   - delegate: whom to tell.
    ///   - queue: where.
    ///   - options: see `CBCentralManagerOptionAdapterKey` and its neighbours.
    public init(
        delegate: (any CBCentralManagerDelegate)?, queue: DispatchQueue?, options: [String: Any]? = nil
    ) {
        let environment = ProcessInfo.processInfo.environment
        self.queue = DispatchQueue(label: "CoreBluetooth.manager", target: queue ?? .main)
        host = Host.shared(
            RadioChoice(option: options?[CBCentralManagerOptionAdapterKey], environment: environment))
        store = IdentifierStore.shared(
            in: IdentifierStore.directory(
                options?[CBCentralManagerOptionStateDirectoryKey], environment: environment))
        super.init(forSubclass: ())
        guarded.withLock { $0.delegate = delegate }
        member.manager = self
        host.add(member)
    }

    deinit {
        host.remove(ObjectIdentifier(member))
        let (scan, peripherals, followers) = guarded.withLock { state in
            (state.scan, state.peripherals.values.compactMap(\.peripheral), state.stateFollowers.values)
        }
        for follower in followers { follower.finish() }
        scan?.cancel()
        for peripheral in peripherals { peripheral.abandon() }
    }

    /// Whom to tell; not held.
    open var delegate: (any CBCentralManagerDelegate)? {
        get { guarded.withLock { $0.delegate } }
        set { guarded.withLock { $0.delegate = newValue } }
    }

    open override var state: CBManagerState { guarded.withLock { $0.manager } }

    /// Whether a scan goes on.
    open var isScanning: Bool { guarded.withLock { $0.scan != nil } }

    /// Whether this machine can do that. Scans and connections use extended advertising as soon as the controller has it.
    open class func supports(_ features: CBCentralManager.Feature) -> Bool {
        features.isSubset(of: .extendedScanAndConnect)
    }

    /// `<CBCentralManager: 0x…>`
    open override var description: String { "<CBCentralManager: \(address(of: self))>" }

    /// What the manager is to its host: something that does not keep it.
    private final class Membership: HostMember, @unchecked Sendable {
        // Sendable: set once, before anybody else knows it.
        weak var manager: CBCentralManager?

        func radioChanged(_ state: CBManagerState, _ central: Central?) {
            guard let manager else { return }
            manager.queue.async { [weak manager] in manager?.enter(state, central) }
        }

        func connectionEvent(
            _ event: CBConnectionEvent, _ address: DeviceAddress, _ services: Set<BluetoothUUID>
        ) {
            guard let manager else { return }
            manager.queue.async { [weak manager] in manager?.connectionEvent(event, address, services) }
        }
    }

    // MARK: State

    /// The radio is in another state. On the queue.
    private func enter(_ new: CBManagerState, _ central: Central?) {
        let (isChange, scan, peripherals, followers) = guarded.withLock { state in
            let isChange = state.manager != new
            state.manager = new
            state.central = central
            guard isChange, new != .poweredOn else {
                return (isChange, nil as ScanRun?, [CBPeripheral](), Array(state.stateFollowers.values))
            }
            defer {
                state.scan = nil
                // Below poweredOff every peripheral has to be found again.
                if new.rawValue < CBManagerState.poweredOff.rawValue { state.peripherals = [:] }
            }
            return (
                isChange, state.scan, state.peripherals.values.compactMap(\.peripheral),
                Array(state.stateFollowers.values)
            )
        }
        guard isChange else { return }
        scan?.cancel()
        for peripheral in peripherals {
            peripheral.radioLost(isValid: new.rawValue >= CBManagerState.poweredOff.rawValue)
        }
        delegate?.centralManagerDidUpdateState(self)
        for follower in followers { follower.yield(new) }
    }

    /// Whether commands are accepted; says so when they are not.
    func acceptsCommands() -> Bool {
        if guarded.withLock({ $0.manager == .poweredOn }) { return true }
        Diagnostics.misuse(self, "can only accept this command while in the powered on state")
        return false
    }

    // MARK: Peripherals

    /// The object of a device: the one that somebody holds, or a new one.
    func peripheral(at address: DeviceAddress) -> CBPeripheral {
        let record = store.record(of: address)
        let identifier = store.identifier(of: address)
        return guarded.withLock { state in
            if let peripheral = state.peripherals[address]?.peripheral { return peripheral }
            let peripheral = CBPeripheral(
                address: address, identifier: identifier, name: record?.name ?? record?.advertisedName, of: self)
            state.peripherals[address] = Held(peripheral: peripheral, number: peripheral.number)
            return peripheral
        }
    }

    /// Nobody holds this object any more.
    func forget(_ address: DeviceAddress, _ number: UInt64) {
        guarded.withLock { state in
            if state.peripherals[address]?.number == number { state.peripherals[address] = nil }
        }
    }

    /// The peripherals with these identifiers, in that order, as far as any program of this user has ever seen them.
    open func retrievePeripherals(withIdentifiers identifiers: [UUID]) -> [CBPeripheral] {
        guard acceptsCommands() else { return [] }
        var told: Set<UUID> = []
        return identifiers.compactMap { identifier in
            guard told.insert(identifier).inserted, let record = store.record(of: identifier) else { return nil }
            return peripheral(at: record.address)
        }
    }

    /// The peripherals that some manager of this program is connected to and that are known to have one of these services.
    /// They are not connected for this manager until it connects them, which is then done at once.
    open func retrieveConnectedPeripherals(withServices serviceUUIDs: [CBUUID]) -> [CBPeripheral] {
        guard acceptsCommands() else { return [] }
        return host.connectedDevices(with: serviceUUIDs.map(\.uuid)).map { peripheral(at: $0) }
    }

    // MARK: Scanning and connecting

    /// Scans for peripherals that list one of the services; for all when there are none in the list. A scan that goes on is
    /// replaced.
    /// - Parameters:
    ///   - serviceUUIDs: the services.
    ///   - options: see `CBCentralManagerScanOptionAllowDuplicatesKey` and its neighbour.
    open func scanForPeripherals(withServices serviceUUIDs: [CBUUID]?, options: [String: Any]? = nil) {
        guard acceptsCommands() else { return }
        startScan(serviceUUIDs, options)
    }

    /// Ends the scan.
    open func stopScan() {
        guard acceptsCommands() else { return }
        endScan()
    }

    /// Connects to a peripheral, whenever it comes into reach: the attempt ends only by
    /// `cancelPeripheralConnection(_:)`, by letting go of the peripheral, or when the adapter is switched off.
    /// - Parameters:
    ///   - peripheral: one of this manager.
    ///   - options: `CBConnectPeripheralOptionStartDelayKey` and `…EnableAutoReconnect` have an effect.
    open func connect(_ peripheral: CBPeripheral, options: [String: Any]? = nil) {
        connect(peripheral, ConnectionWishes(options), call: nil)
    }

    /// Ends a connection or an attempt to connect. The link stays as long as another manager of this program uses it.
    open func cancelPeripheralConnection(_ peripheral: CBPeripheral) {
        guard acceptsCommands(), peripheral.manager === self else { return }
        peripheral.cancelConnection()
    }

    // MARK: Connection events

    /// Tells from now on of peripherals that some manager of this program connects or loses and that one of the options
    /// selects; `nil` for none.
    open func registerForConnectionEvents(options: [CBConnectionEventMatchingOption: Any]? = nil) {
        let filter = options.map { options in
            ConnectionEventFilter(
                services: (options[.serviceUUIDs] as? [CBUUID] ?? []).map(\.uuid),
                identifiers: options[.peripheralUUIDs] as? [UUID] ?? [])
        }
        guarded.withLock { $0.connectionEvents = filter }
    }

    private func connectionEvent(
        _ event: CBConnectionEvent, _ address: DeviceAddress, _ services: Set<BluetoothUUID>
    ) {
        let (filter, isOn) = guarded.withLock { ($0.connectionEvents, $0.manager == .poweredOn) }
        guard let filter, isOn else { return }
        guard filter.identifiers.contains(store.identifier(of: address)) || !services.isDisjoint(with: filter.services)
        else { return }
        let peripheral = peripheral(at: address)
        delegate?.centralManager(self, connectionEventDidOccur: event, for: peripheral)
    }
}
