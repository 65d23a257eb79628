import Central
import Foundation
import GAP
import GATT
import Sockets
import VirtualPeripheral

/// What a host tells the managers that use it. On the loop.
protocol HostMember: AnyObject, Sendable {
    /// The radio is in another state; with a central when it can be used.
    func radioChanged(_ state: CBManagerState, _ central: Central?)
    /// Some manager of this process connected or lost a device.
    func connectionEvent(_ event: CBConnectionEvent, _ address: DeviceAddress, _ services: Set<BluetoothUUID>)
}

/// One radio, as the managers of this process share it: its state, and the connections over it. It lives on the loop.
actor Host {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    private let choice: RadioChoice
    private var monitor: RadioMonitor?
    private var state = CBManagerState.unknown
    private var central: Central?
    /// Counts what the monitor told, so that what is late is known to be.
    private var turn = 0
    private var resettingTimer: LoopTimer?
    private var members: [ObjectIdentifier: Member] = [:]
    private var links: [DeviceAddress: Link] = [:]
    /// Devices that are connected, and what services are known of them; asked from any thread.
    private nonisolated let connected = Locked<[DeviceAddress: Set<BluetoothUUID>]>([:])

    private struct Member {
        weak var manager: (any HostMember)?
    }

    /// How long a request may stay unanswered (Core Specification, Vol 3, Part F, 3.3.3); tests have less time.
    nonisolated let requestTimeout = Locked(Duration.seconds(30))

    /// How long an adapter that was lost may take to come back before it counts as gone.
    private static let resettingTime: Duration = .seconds(2)
    private static let hosts = Locked<[String: WeakHost]>([:])

    private struct WeakHost {
        weak var host: Host?
    }

    /// The host of a radio: one for all managers that use it.
    static func shared(_ choice: RadioChoice) -> Host {
        hosts.withLock { hosts in
            if let host = hosts[choice.key]?.host { return host }
            hosts = hosts.filter { $0.value.host != nil }
            let host = Host(choice)
            hosts[choice.key] = WeakHost(host: host)
            return host
        }
    }

    private init(_ choice: RadioChoice) {
        self.choice = choice
        loop = if case .virtual(let radio) = choice { radio.loop } else { .shared }
    }

    deinit { monitor?.cancel() }

    /// Takes a manager in and tells it the state, now and whenever it changes.
    nonisolated func add(_ member: any HostMember) {
        onLoop { $0.take(member) }
    }

    nonisolated func remove(_ member: ObjectIdentifier) {
        onLoop { $0.members[member] = nil }
    }

    /// Does something on the loop, in the order of the calls.
    private nonisolated func onLoop(_ body: @escaping @Sendable (isolated Host) -> Void) {
        loop.execute { self.assumeIsolated { body($0) } }
    }

    private func take(_ member: any HostMember) {
        members[ObjectIdentifier(member)] = Member(manager: member)
        if state != .unknown { member.radioChanged(state, central) }
        guard monitor == nil else { return }
        let handler: @Sendable (RadioState) -> Void = { [weak self] state in
            self?.assumeIsolated { $0.monitorTold(state) }
        }
        switch choice {
        case .adapter(let selection): monitor = RadioMonitor(selection, on: loop, handler: handler)
        case .virtual(let radio): monitor = RadioMonitor(radio: radio, on: loop, handler: handler)
        case .nonsense(let text):
            Diagnostics.log("there is no adapter \"\(text)\": hciN, virtual or virtual:NAME is expected")
            monitor = RadioMonitor(.none, on: loop, handler: handler)
        }
    }

    // MARK: The radio

    private func monitorTold(_ radio: RadioState) {
        turn += 1
        resettingTimer?.invalidate()
        resettingTimer = nil
        switch radio {
        case .up:
            let turn = turn
            Task { await makeCentral(turn) }
        case .down: enter(.poweredOff)
        case .missingRights: enter(.unauthorized)
        case .absent where state.rawValue >= CBManagerState.poweredOff.rawValue:
            // It was there just now: adapters on USB go away and come back when they are reset.
            enter(.resetting)
            let timer = LoopTimer(on: loop) { [weak self] in
                self?.assumeIsolated { $0.enter(.unsupported) }
            }
            timer.arm(at: loop.now() + 1_000_000_000 * UInt64(Self.resettingTime.components.seconds))
            resettingTimer = timer
        case .absent: enter(.unsupported)
        }
    }

    private func makeCentral(_ turn: Int) async {
        let made: Central
        do throws(CentralError) {
            switch choice {
            case .adapter(let selection): made = try await Central(adapter: selection, on: loop)
            case .virtual(let radio): made = Central(radio: radio, on: loop)
            case .nonsense: return
            }
        } catch {
            guard turn == self.turn else { return }
            Diagnostics.log("\(error)")
            enter(error.category == .missingRights ? .unauthorized : .unsupported)
            return
        }
        guard turn == self.turn else { return }
        enter(.poweredOn, made)
    }

    private func enter(_ state: CBManagerState, _ central: Central? = nil) {
        guard state != self.state else { return }
        self.state = state
        self.central = central
        CBManager.isDenied.withLock { $0 = state == .unauthorized }
        if state != .poweredOn { endAllLinks() }
        for member in members.values { member.manager?.radioChanged(state, central) }
    }

    /// The connections went with the radio; the managers tell that by their state alone.
    private func endAllLinks() {
        for link in links.values {
            link.attempt?.cancel()
            for session in link.sessions { session.end() }
            if let connection = link.connection { Task { await connection.disconnect() } }
        }
        links = [:]
        connected.withLock { $0 = [:] }
    }

    // MARK: Connections

    /// Lets a session take part in the connection to its device, which is made when there is none.
    nonisolated func join(_ session: Session) {
        onLoop { $0.admit(session) }
    }

    private func admit(_ session: Session) {
        guard !session.hasEnded else { return }
        guard session.startDelay > 0, session.startTimer == nil else { return take(session) }
        let timer = LoopTimer(on: loop) { [weak self, weak session] in
            guard let session else { return }
            self?.assumeIsolated { $0.take(session) }
        }
        // A delay of more than a year is a mistake that need not stop the program.
        timer.arm(at: loop.now() + UInt64(min(session.startDelay, 3e7) * 1e9))
        session.startTimer = timer
    }

    private func take(_ session: Session) {
        guard !session.hasEnded else { return }
        if let link = links[session.address] {
            link.sessions.append(session)
            if let connection = link.connection { tell(session, connection) }
            return
        }
        // Without a radio the session is ended by what the managers are told.
        guard let central else { return }
        let link = Link(to: session.address)
        link.sessions = [session]
        links[session.address] = link
        let (address, options) = (session.address, options)
        link.attempt = Task { [weak self, number = link.number] in
            let result: Result<Connection, CentralError>
            do throws(CentralError) {
                result = .success(try await central.connect(to: .address(address), options: options))
            } catch {
                result = .failure(error)
            }
            await self?.attempted(address, number, result)
        }
    }

    /// Never gives up, as on Apple's systems.
    private var options: ConnectOptions {
        ConnectOptions(timeout: nil, engine: ClientConfiguration(requestTimeout: requestTimeout.withLock { $0 }))
    }

    private func attempted(
        _ address: DeviceAddress, _ number: UInt64, _ result: Result<Connection, CentralError>
    ) async {
        // Whoever wanted the connection may have left meanwhile, and another attempt may be under way.
        guard let link = links[address], link.number == number else {
            if case .success(let connection) = result { await connection.disconnect() }
            return
        }
        switch result {
        case .success(let connection): opened(link, connection)
        case .failure(let error):
            links[address] = nil
            // The radio went: that is told otherwise.
            guard central?.isRadioUp == true else { return }
            for session in link.sessions { session.failed(CBError(connecting: error)) }
        }
    }

    private func opened(_ link: Link, _ connection: Connection) {
        let address = link.address
        link.connection = connection
        connected.withLock { $0[address] = [] }
        for session in link.sessions { tell(session, connection) }
        connection.assumeIsolated { connection in
            connection.listen { [weak self, number = link.number] event in
                self?.assumeIsolated { $0.receive(event, from: address, number) }
            }
        }
        guard link.connection != nil else { return }
        link.readName { [weak self] name in
            self?.assumeIsolated { $0.named(address, name) }
        }
        guard links[address] === link else { return }
        tellMembers(.peerConnected, address)
    }

    private func tell(_ session: Session, _ connection: Connection) {
        session.connected(connection, mtu: connection.assumeIsolated { $0.mtu })
        if let name = links[session.address]?.name { session.deliver { $0.named(name) } }
    }

    private func named(_ address: DeviceAddress, _ name: String) {
        guard let link = links[address] else { return }
        link.name = name
        for session in link.sessions { session.deliver { $0.named(name) } }
    }

    private func receive(_ event: ConnectionEvent, from address: DeviceAddress, _ number: UInt64) {
        guard let link = links[address], link.number == number else { return }
        switch event {
        case .value(let value, let handle, _):
            for session in link.sessions { session.received(value, of: handle) }
        case .mtuChanged(let mtu):
            for session in link.sessions { session.facts.withLock { $0.mtu = mtu } }
        case .servicesChanged(let range):
            connected.withLock { $0[address] = [] }
            for session in link.sessions { session.deliver { $0.servicesChanged(range) } }
        case .ended(let disconnection):
            links[address] = nil
            link.connection = nil
            // The radio went, and took the connection along: that is told otherwise.
            if central?.isRadioUp == true {
                for session in link.sessions { session.lost(CBError(losing: disconnection)) }
                tellMembers(.peerDisconnected, address)
            } else {
                for session in link.sessions { session.end() }
            }
            connected.withLock { $0[address] = nil }
        }
    }

    /// Ends a session. The connection stays as long as somebody else uses it.
    /// - Parameter tells: whether the peripheral is told once it has ended.
    nonisolated func leave(_ session: Session, tells: Bool) {
        session.facts.withLock { $0.isLeaving = true }
        onLoop { $0.dismiss(session, tells: tells) }
    }

    private func dismiss(_ session: Session, tells: Bool) {
        let handles = session.notifying
        session.end()
        if let link = links[session.address], link.sessions.contains(where: { $0 === session }) {
            link.sessions.removeAll { $0 === session }
            if link.sessions.isEmpty {
                close(link)
            } else {
                for handle in handles { link.connection?.onLoop(.unsubscribe(valueHandle: handle)) { _ in } }
            }
        }
        if tells { session.left() }
    }

    private func close(_ link: Link) {
        links[link.address] = nil
        link.attempt?.cancel()
        guard let connection = link.connection else { return }
        link.connection = nil
        tellMembers(.peerDisconnected, link.address)
        connected.withLock { $0[link.address] = nil }
        Task { await connection.disconnect() }
    }

    private func tellMembers(_ event: CBConnectionEvent, _ address: DeviceAddress) {
        let services = connected.withLock { $0[address] ?? [] }
        for member in members.values { member.manager?.connectionEvent(event, address, services) }
    }

    // MARK: Services

    /// A discovery found these services; `isAll` when there are no others. On the loop.
    func found(_ services: [Service], isAll: Bool, on address: DeviceAddress) {
        connected.withLock { $0[address]?.formUnion(services.map(\.uuid)) }
        links[address]?.watchServiceChanges(isAll ? services : nil)
    }

    /// The connected devices that are known to have one of these services.
    nonisolated func connectedDevices(with services: [BluetoothUUID]) -> [DeviceAddress] {
        connected.withLock { connected in
            connected.filter { !$0.value.isDisjoint(with: services) }.keys.sorted { $0.packed < $1.packed }
        }
    }
}
