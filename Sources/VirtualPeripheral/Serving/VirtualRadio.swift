// A radio without radio waves: peripherals that advertise and can be connected inside one process. A scan gets the same
// advertising reports a controller would give, a connection is one end of a pair of sockets whose other end the
// peripheral's server answers. What lies above cannot tell it from an adapter.

public import GAP
public import GATT
public import Sockets
import Wire

/// Peripherals in reach of each other and of who scans, inside this process.
public actor VirtualRadio {
    /// Why a connection could not be made.
    public enum ConnectError: Error, Hashable, Sendable {
        /// No device in reach has this address and type.
        case notInReach(DeviceAddress)
        /// The device does not accept connections.
        case notConnectable(DeviceAddress)
        /// The radio is switched off, or whatever else its condition is.
        case radioUnusable(VirtualRadioCondition)
        /// The radio has as many connections as it can have.
        case tooManyConnections(Int)
        /// The caller's task was cancelled.
        case cancelled
        /// There is no socket to be had.
        case system(Errno)
    }

    /// A scan that runs.
    public struct Scan: Hashable, Sendable {
        fileprivate let number: Int
    }

    /// The loop everything runs on.
    public nonisolated let loop: EventLoop

    private struct Station {
        let device: VirtualDevice
        var timer: LoopTimer?
    }

    private struct Listener {
        let isActive: Bool
        let report: @Sendable (borrowing AdvertisingReport) -> Void
    }

    /// What can be asked from any thread, in the midst of a callback.
    private nonisolated let facts = Locked(Facts())
    /// Those who wait until a device comes into reach.
    var arrivals: [Int: CheckedContinuation<Void, Never>] = [:]
    var arrivalCount = 0

    private struct Facts {
        var condition = VirtualRadioCondition.on
        var vanished: Set<DeviceAddress> = []
        /// Devices in reach that pair.
        var pairing: Set<DeviceAddress> = []
        /// Devices with which there is a bond, and what comes of encrypting a link to them.
        var bonds: [DeviceAddress: VirtualEncryption] = [:]
        /// Why the last links to a device were ended, where that was said.
        var endReasons: [DeviceAddress: UInt8] = [:]
        var maximumConnections = Int.max
        var watchers: [Int: @Sendable (VirtualRadioCondition) -> Void] = [:]
        var watcherCount = 0
    }

    private var stations: [DeviceAddress: Station] = [:]
    private var listeners: [Int: Listener] = [:]
    private var scanCount = 0

    /// The loop: it outlives the actor, which holds it.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// A radio that reaches these devices. Of devices with the same address and type the last is reached.
    /// - Throws: What is wrong with the services of one; descriptions that were parsed have nothing wrong.
    public init(
        _ devices: [DeviceDescription] = DeviceDescription.builtIn, on loop: EventLoop = .shared
    ) throws(DatabaseError) {
        self.loop = loop
        for description in devices {
            stations[description.address] = Station(device: try VirtualDevice(description, on: loop))
            if description.acceptsPairing {
                facts.withLock { _ = $0.pairing.insert(description.address) }
            }
        }
    }

    /// The devices in reach, by address.
    public var devices: [VirtualDevice] {
        stations.sorted { $0.key.packed < $1.key.packed }.map(\.value.device)
    }

    /// Lets a device come into reach. It takes the place of one with the same address and type.
    public func add(_ device: VirtualDevice) async {
        let address = device.description.address
        await remove(address)
        stations[address] = Station(device: device)
        let pairs = device.description.acceptsPairing
        facts.withLock { facts in
            facts.vanished.remove(address)
            if pairs { facts.pairing.insert(address) }
        }
        if !listeners.isEmpty { startAdvertising(address) }
        resumeArrivals()
    }

    /// Lets a device vanish: it stops advertising and all its connections break, as by a supervision timeout.
    /// - Returns: Whether it was in reach.
    @discardableResult
    public func remove(_ address: DeviceAddress) async -> Bool {
        guard let station = stations.removeValue(forKey: address) else { return false }
        station.timer?.invalidate()
        facts.withLock { facts in
            facts.vanished.insert(address)
            facts.pairing.remove(address)
        }
        await station.device.disconnectAll()
        return true
    }

    // MARK: The radio itself

    /// What the radio is doing. When it is no longer on, every connection breaks and nothing is heard; scans go on once
    /// it is on again.
    public nonisolated var condition: VirtualRadioCondition { facts.withLock { $0.condition } }

    /// Switches the radio off, takes it away, or brings it back, as may happen to an adapter.
    public func setCondition(_ condition: VirtualRadioCondition) async {
        let watchers = facts.withLock { facts in
            guard facts.condition != condition else { return [Int: @Sendable (VirtualRadioCondition) -> Void]() }
            facts.condition = condition
            return facts.watchers
        }
        if condition == .on {
            if !listeners.isEmpty {
                for address in stations.keys { startAdvertising(address) }
            }
            resumeArrivals()
        } else {
            for station in stations.values {
                station.timer?.disarm()
                await station.device.disconnectAll()
            }
        }
        for (_, watcher) in watchers.sorted(by: { $0.key < $1.key }) { watcher(condition) }
    }

    /// Tells of every change of the condition, on the loop.
    /// - Returns: what `stopWatching` needs.
    public nonisolated func watch(_ watcher: @escaping @Sendable (VirtualRadioCondition) -> Void) -> Int {
        facts.withLock { facts in
            facts.watcherCount += 1
            facts.watchers[facts.watcherCount] = watcher
            return facts.watcherCount
        }
    }

    /// Ends a watch.
    public nonisolated func stopWatching(_ watch: Int) {
        facts.withLock { $0.watchers[watch] = nil }
    }

    /// How many connections there can be at once, as controllers have a limit; at first there is none.
    public nonisolated var maximumConnections: Int {
        get { facts.withLock { $0.maximumConnections } }
        set { facts.withLock { $0.maximumConnections = newValue } }
    }

    /// Ends all links to a device, for a reason that a controller might give (Core Specification, Vol 1, Part F), such as
    /// 0x06 for a key that is missing. On the loop it is done at once.
    public nonisolated func endLinks(to address: DeviceAddress, reason: UInt8) {
        facts.withLock { $0.endReasons[address] = reason }
        onLoop { radio in
            guard let device = radio.stations[address]?.device else { return }
            device.assumeIsolated { $0.disconnectAll() }
        }
    }

    /// Why the last links to a device ended, as a controller says it: 0x08 when it vanished, what was said when they were
    /// ended here, and else 0x13, by the device.
    public nonisolated func endReason(of address: DeviceAddress) -> UInt8 {
        facts.withLock { $0.vanished.contains(address) ? 0x08 : $0.endReasons[address] ?? 0x13 }
    }

    /// The signal strength with which a device in reach is heard, in dBm; `nil` when it is not known, which its description
    /// says by 127.
    public func signalStrength(of address: DeviceAddress) -> Int8? {
        stations[address]?.device.description.advertising?.knownRSSI
    }

    private nonisolated func onLoop(_ body: @escaping @Sendable (isolated VirtualRadio) -> Void) {
        if loop.isCurrent { assumeIsolated(body) } else { loop.execute { self.assumeIsolated(body) } }
    }

    private func resumeArrivals() {
        let waiting = arrivals.values
        arrivals = [:]
        for continuation in waiting { continuation.resume() }
    }

    // MARK: Scanning

    /// Starts a scan: `report` gets what the devices in reach advertise, on the loop, from now on. Each device is heard
    /// at once and then at its own interval.
    /// - Parameters:
    ///   - isActive: Whether scan responses are asked for; each comes right after its advertisement.
    ///   - report: Gets one report after another; they are valid during the call.
    /// - Returns: What `stop` needs.
    public func scan(
        isActive: Bool, report: @escaping @Sendable (borrowing AdvertisingReport) -> Void
    ) -> Scan {
        scanCount += 1
        listeners[scanCount] = Listener(isActive: isActive, report: report)
        for address in stations.keys { startAdvertising(address) }
        return Scan(number: scanCount)
    }

    /// Ends a scan; nothing is reported to it from now on.
    public func stop(_ scan: Scan) {
        listeners[scan.number] = nil
        guard listeners.isEmpty else { return }
        for address in stations.keys { stations[address]?.timer?.disarm() }
    }

    /// How many scans there are.
    var listenerCount: Int { listeners.count }

    private func startAdvertising(_ address: DeviceAddress) {
        guard condition == .on, let station = stations[address], station.device.description.advertising != nil
        else { return }
        let timer =
            station.timer
            ?? LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.advertise(address) } }
        stations[address]?.timer = timer
        timer.arm(at: loop.now())
    }

    private func advertise(_ address: DeviceAddress) {
        guard let station = stations[address], let advertising = station.device.description.advertising else { return }
        station.timer?.arm(at: loop.now() &+ advertising.interval.wholeNanoseconds)
        let isExtended = !advertising.properties.contains(.legacy)
        func report(
            _ data: [UInt8], _ properties: AdvertisingEventProperties, to listeners: some Sequence<Listener>
        ) {
            for listener in listeners {
                let report = AdvertisingReport(
                    properties: properties, addressTypeCode: address.type.rawValue, addressOctets: address.octets,
                    secondaryPHY: isExtended ? .le1M : nil, advertisingSID: isExtended ? 0 : nil,
                    rssi: advertising.knownRSSI, data: data.octets)
                listener.report(report)
            }
        }
        report(advertising.data, advertising.properties, to: listeners.values)
        guard let response = advertising.scanResponse, advertising.properties.contains(.scannable) else { return }
        report(
            response, advertising.properties.union(.scanResponse), to: listeners.values.filter(\.isActive))
    }

    // MARK: Connecting

    /// Connects a device in reach.
    /// - Parameters:
    ///   - address: Its address and type.
    ///   - loop: The loop the client's socket is to run on; `nil`: that of the radio.
    /// - Returns: The client's end; not started.
    public func connect(
        to address: DeviceAddress, on loop: EventLoop? = nil
    ) throws(ConnectError) -> SeqPacketSocket {
        let condition = condition
        guard condition == .on else { throw .radioUnusable(condition) }
        guard let device = stations[address]?.device else { throw .notInReach(address) }
        if let advertising = device.description.advertising, !advertising.properties.contains(.connectable) {
            throw .notConnectable(address)
        }
        let limit = maximumConnections
        let count = stations.values.reduce(0) { $0 + $1.device.assumeIsolated { $0.clientCount } }
        guard count < limit else { throw .tooManyConnections(limit) }
        facts.withLock { $0.endReasons[address] = nil }
        do throws(Errno) {
            let (server, client) = try SeqPacketSocket.pair(on: self.loop, and: loop ?? self.loop)
            try device.serveNow(server)
            return client
        } catch {
            throw .system(error)
        }
    }
}

/// What a virtual radio is doing, as an adapter might.
public enum VirtualRadioCondition: Hashable, Sendable {
    /// It works.
    case on
    /// It is switched off.
    case off
    /// It is unplugged.
    case absent
    /// The program may not use it.
    case forbidden
}

// MARK: - Security

/// What comes of encrypting the link to a device with which there is a bond.
public enum VirtualEncryption: Hashable, Sendable {
    /// The link is encrypted.
    case works
    /// The device has lost its key.
    case keyMissing
}

extension VirtualRadio {
    /// Pairs with a device in reach, from any thread: what is sent to it afterwards finds its links encrypted, and there is
    /// a bond with it.
    /// - Returns: Whether the device does that.
    public nonisolated func pair(with address: DeviceAddress) -> Bool {
        let pairs = facts.withLock { facts in
            guard facts.pairing.contains(address) else { return false }
            facts.bonds[address] = .works
            return true
        }
        if pairs { encryptLinks(to: address) }
        return pairs
    }

    /// Whether there is a bond with a device, from any thread.
    public nonisolated func isBonded(with address: DeviceAddress) -> Bool {
        facts.withLock { $0.bonds[address] != nil }
    }

    /// Says what comes of encrypting links to a device: there is a bond with it from now on. `nil` forgets the bond.
    public nonisolated func setBond(_ encryption: VirtualEncryption?, with address: DeviceAddress) {
        facts.withLock { $0.bonds[address] = encryption }
    }

    /// Encrypts the links to a device by the key of its bond, from any thread. A device without the key has its links
    /// ended, for the reason that a controller would give.
    /// - Returns: What came of it; `nil` without a bond.
    public nonisolated func encrypt(_ address: DeviceAddress) -> VirtualEncryption? {
        let encryption = facts.withLock { $0.bonds[address] }
        switch encryption {
        case .works: encryptLinks(to: address)
        case .keyMissing: endLinks(to: address, reason: 0x06)
        case nil: break
        }
        return encryption
    }

    private nonisolated func encryptLinks(to address: DeviceAddress) {
        onLoop { radio in
            guard let device = radio.stations[address]?.device else { return }
            device.assumeIsolated { $0.encryptLinks() }
        }
    }
}

// MARK: - Waiting for a device

extension VirtualRadio {
    /// Connects a device once it is in reach, however long that takes. Cancelling the task ends the waiting.
    /// - Throws: as `connect(to:on:)`, but not that the device is out of reach.
    public func connectWhenInReach(
        of address: DeviceAddress, on loop: EventLoop? = nil
    ) async throws(ConnectError) -> SeqPacketSocket {
        while true {
            guard !Task.isCancelled else { throw .cancelled }
            do throws(ConnectError) {
                return try connect(to: address, on: loop)
            } catch .notInReach {
                await waitForArrival(of: address)
            }
        }
    }

    private func waitForArrival(of address: DeviceAddress) async {
        arrivalCount += 1
        let number = arrivalCount
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Cancelled already: its handler found nothing to resume. Or it has come: an `await` may let other work of
                // the actor go first, the arrival too.
                if Task.isCancelled || stations[address] != nil { return continuation.resume() }
                arrivals[number] = continuation
            }
        } onCancel: {
            self.loop.execute {
                self.assumeIsolated { $0.arrivals.removeValue(forKey: number)?.resume() }
            }
        }
    }
}

extension VirtualRadio.ConnectError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .notInReach(let address): "no device in reach has the address \(address)"
        case .notConnectable(let address): "the device \(address) does not accept connections"
        case .radioUnusable(let condition): "the radio is \(condition)"
        case .tooManyConnections(let limit): "the radio has \(limit) connections, and can have no more"
        case .cancelled: "it was cancelled"
        case .system(let error): error.description
        }
    }
}
