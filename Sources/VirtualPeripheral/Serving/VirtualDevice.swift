// A peripheral that runs: its values, which all its clients share, its clients, and the clock by which its values move.
// It lives on an event loop, where the callbacks of sockets and timers reach it without a hop. It never waits for
// anything: what takes time is a timer.

public import GATT
public import Sockets
import Wire

/// A described peripheral that serves clients, each on a connected socket that carries one PDU a datagram.
public actor VirtualDevice {
    /// What it is.
    public nonisolated let description: DeviceDescription
    /// The loop it runs on.
    public nonisolated let loop: EventLoop

    /// What is told of everything that happens; runs on the loop.
    private let observer: (@Sendable (ServingEvent) -> Void)?

    private var database: AttributeDatabase
    private let behaviours: [BehaviourAtHandle]
    /// Checks signatures, of all clients: a counter that was used on one connection is used on all.
    private var signatureCheck: SignatureCheck?
    private var connections: [Int: ServedConnection] = [:]
    private var connectionCount = 0
    /// The timer of each behaviour that has steps, the steps taken, and when the next is due.
    private var clocks: [Int: Clock] = [:]

    private struct BehaviourAtHandle {
        var handle: AttributeHandle
        var behaviour: CharacteristicBehaviour
        /// Where a written value comes back.
        var echo: AttributeHandle?
    }

    private struct Clock {
        var timer: LoopTimer
        var step = 0
        var due: UInt64 = 0
    }

    /// The loop: it outlives the actor, which holds it.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    /// A device without clients.
    /// - Parameters:
    ///   - description: What it is.
    ///   - loop: The loop it and the sockets of its clients run on.
    ///   - observer: Is told of everything that happens, on the loop.
    /// - Throws: What is wrong with the services; a description that was parsed has nothing wrong.
    public init(
        _ description: DeviceDescription, on loop: EventLoop = .shared,
        observer: (@Sendable (ServingEvent) -> Void)? = nil
    ) throws(DatabaseError) {
        self.description = description
        self.loop = loop
        self.observer = observer
        signatureCheck = description.signingKey.flatMap {
            SignatureCheck(openKey: $0.octets, lastCounter: $0.lastCounter)
        }
        let (database, valueHandles) = try AttributeDatabase.laidOut(description.services)
        self.database = database
        behaviours = description.behaviours.compactMap { place, behaviour in
            guard valueHandles.indices.contains(place.service) else { return nil }
            let handles = valueHandles[place.service]
            guard handles.indices.contains(place.characteristic) else { return nil }
            let characteristics = description.services[place.service].characteristics
            let echo: AttributeHandle? =
                switch behaviour.echo {
                case .itself: handles[place.characteristic]
                case .characteristic(let uuid):
                    characteristics.firstIndex { $0.uuid == uuid }.map { handles[$0] }
                case nil: nil
                }
            return BehaviourAtHandle(handle: handles[place.characteristic], behaviour: behaviour, echo: echo)
        }
    }

    /// How many clients are connected.
    public var clientCount: Int { connections.count }

    /// Serves the client at the other end of this socket, whose loop must be the device's.
    /// - Throws: The error number when the socket cannot be watched.
    public func serve(_ socket: SeqPacketSocket) throws(Errno) {
        connectionCount += 1
        let number = connectionCount
        let engine = ServerEngine(
            database: database, configuration: description.configuration, security: description.security)
        let connection = ServedConnection(number: number, socket: socket, engine: engine)
        connections[number] = connection
        do throws(Errno) {
            try socket.start(
                SeqPacketHandlers(
                    received: { [weak self] batch in self?.assumeIsolated { $0.received(batch, on: number) } },
                    writable: { [weak self] in self?.assumeIsolated { $0.writable(number) } },
                    closed: { [weak self] reason in self?.assumeIsolated { $0.closed(number, reason) } }))
        } catch {
            connections[number] = nil
            throw error
        }
        connection.timer = LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.deadline(number) } }
        if let life = description.disconnectsAfter {
            let timer = LoopTimer(on: loop) { [weak self] in
                self?.assumeIsolated { $0.end(number, "the device broke the connection") }
            }
            timer.arm(at: loop.now() &+ life.wholeNanoseconds)
            connection.endTimer = timer
        }
        observer?(.connected(number))
        fillReadResponses(connection, mtu: connection.engine.mtu)
        startClocks()
    }

    /// The same for callers that run on the device's loop and cannot wait.
    nonisolated func serveNow(_ socket: SeqPacketSocket) throws(Errno) {
        let failure = assumeIsolated { device -> Errno? in
            do throws(Errno) {
                try device.serve(socket)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    /// Gives an attribute a value for all clients; nothing is sent.
    /// - Returns: Whether there is such an attribute.
    @discardableResult
    public func setValue(_ value: [UInt8], at handle: AttributeHandle) -> Bool {
        guard database.setValue(value, at: handle) else { return false }
        for connection in connections.values { connection.engine.setValue(value, at: handle) }
        return true
    }

    /// Gives a characteristic's value to all clients that configured it: as a notification to those who want one,
    /// otherwise as an indication.
    /// - Returns: How many clients get it.
    @discardableResult
    public func publish(_ value: [UInt8], at handle: AttributeHandle) -> Int {
        setValue(value, at: handle)
        var count = 0
        for connection in connections.values where !connection.isCongested {
            if publish(value, at: handle, to: connection) { count += 1 }
            perform(connection)
        }
        return count
    }

    /// Encrypts all links, as after a pairing.
    public func encryptLinks() {
        for connection in connections.values {
            connection.engine.security.isEncrypted = true
            connection.engine.security.hasKey = true
        }
    }

    /// Breaks all connections, as a device does that is switched off or goes out of reach.
    public func disconnectAll() {
        for number in connections.keys.sorted() { end(number, "the device broke the connection") }
    }

    // MARK: Events of connections

    private func received(_ batch: DatagramBatch, on number: Int) {
        for index in 0..<batch.count {
            guard let connection = connections[number] else { return }
            guard !batch.isTruncated(at: index) else {
                return end(number, "the client sent more than any PDU may have")
            }
            let pdu = batch.octets(at: index)
            observer?(.received(number, [UInt8](octets: pdu)))
            connection.engine.signatureCheck = signatureCheck
            connection.engine.receive(pdu, at: now)
            signatureCheck = connection.engine.signatureCheck
            perform(connection)
        }
    }

    private func writable(_ number: Int) {
        guard let failure = connections[number]?.flush() else { return }
        end(number, failure)
    }

    private func deadline(_ number: Int) {
        guard let connection = connections[number] else { return }
        connection.engine.advance(to: now)
        perform(connection)
    }

    private func closed(_ number: Int, _ reason: SocketCloseReason) {
        let text =
            switch reason {
            case .closedHere: "closed here"
            case .closedByPeer: "the client closed it"
            case .failed(let error): "\(error)"
            }
        forget(number, text)
    }

    /// Closes a connection from this side.
    private func end(_ number: Int, _ reason: String) {
        guard let connection = connections[number] else { return }
        forget(number, reason)
        connection.socket.close()
    }

    private func forget(_ number: Int, _ reason: String) {
        guard let connection = connections.removeValue(forKey: number) else { return }
        connection.engine.bearerClosed()
        connection.stopTimers()
        observer?(.disconnected(number, reason))
        if connections.isEmpty { stopClocks() }
    }

    /// Does what the engine wants, and arms the timer for its next deadline.
    private func perform(_ connection: ServedConnection) {
        while let action = connection.engine.nextAction() {
            switch action {
            case .send(let pdu):
                observer?(.sent(connection.number, pdu))
                if let failure = connection.send(pdu) { return end(connection.number, failure) }
            case .written(let handle, let value): written(handle, value, by: connection)
            case .subscriptionChanged(let handle, let configuration):
                observer?(.subscriptionChanged(connection.number, handle, configuration))
            case .mtuChanged(let mtu): fillReadResponses(connection, mtu: mtu)
            case .confirmed: break
            case .close(let reason): return end(connection.number, reason.description)
            case .log(let text): observer?(.remark(connection.number, text))
            }
        }
        if let deadline = connection.engine.nextDeadline {
            connection.timer?.arm(at: deadline.nanoseconds)
        } else {
            connection.timer?.disarm()
        }
    }

    /// A client wrote: the others see the value too, and it comes back where the device echoes.
    private func written(_ handle: AttributeHandle, _ value: [UInt8], by writer: ServedConnection) {
        observer?(.written(writer.number, handle, value))
        database.setValue(value, at: handle)
        for connection in connections.values where connection !== writer {
            connection.engine.setValue(value, at: handle)
        }
        for behaviour in behaviours where behaviour.handle == handle {
            guard let echo = behaviour.echo else { continue }
            if echo != handle { setValue(value, at: echo) }
            _ = publish(value, at: echo, to: writer)
        }
    }

    private func publish(_ value: [UInt8], at handle: AttributeHandle, to connection: ServedConnection) -> Bool {
        connection.engine.notify(handle, value: value)
            || connection.engine.indicate(handle, value: value, at: now)
    }

    private func fillReadResponses(_ connection: ServedConnection, mtu: Int) {
        for behaviour in behaviours where behaviour.behaviour.fillsReadResponse {
            let length = min(mtu - 1, AttributeDatabase.maximumValueLength)
            connection.engine.setValue(CharacteristicBehaviour.pattern(length), at: behaviour.handle)
        }
    }

    private var now: MonotonicTime { MonotonicTime(nanoseconds: loop.now()) }

    // MARK: Values that move

    private func startClocks() {
        for (index, behaviour) in behaviours.enumerated() {
            guard let interval = behaviour.behaviour.interval else { continue }
            if clocks[index] == nil {
                clocks[index] = Clock(
                    timer: LoopTimer(on: loop) { [weak self] in self?.assumeIsolated { $0.step(index) } })
            }
            guard clocks[index]?.timer.deadline == nil else { continue }
            let due = loop.now() &+ interval.wholeNanoseconds
            clocks[index]?.due = due
            clocks[index]?.timer.arm(at: due)
        }
    }

    private func stopClocks() {
        for clock in clocks.values { clock.timer.disarm() }
    }

    private func step(_ index: Int) {
        guard var clock = clocks[index], let interval = behaviours[index].behaviour.interval else { return }
        clock.step &+= 1
        // From the time it was due, so that a late turn of the loop does not add up; but never in the past.
        clock.due = max(clock.due &+ interval.wholeNanoseconds, loop.now())
        clock.timer.arm(at: clock.due)
        clocks[index] = clock
        let (handle, behaviour) = (behaviours[index].handle, behaviours[index].behaviour)
        let value = behaviour.value(after: database[handle]?.value ?? [], step: clock.step)
        publish(value, at: handle)
    }
}

extension Duration {
    /// The duration in nanoseconds, between 0 and what 64 bits hold.
    var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (product, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carried) = product.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
        return overflow || carried ? .max : sum
    }
}
