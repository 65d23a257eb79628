/// Command flow control (Core Specification, Vol 4, Part E, 4.4): commands wait until the controller takes them, and
/// answers find the command they belong to.
///
/// No I/O: commands go in, packets to send and outcomes come out. A controller says with each answer how many commands
/// it takes; before its first it takes one. Two commands of one opcode are never in flight together, since answers name
/// only the opcode.
///
/// ```swift
/// let id = flow.enqueue(ResetCommand())
/// while let packet = flow.nextPacket() { socket.send(packet) }
/// …
/// if let outcome = flow.receive(event) { … }
/// ```
public struct CommandFlow: ~Copyable, Sendable {
    /// Names one command given to a flow.
    @frozen
    public struct ID: Hashable, Sendable {
        @usableFromInline let number: UInt64

        @inlinable
        init(number: UInt64) { self.number = number }
    }

    /// How a command was answered.
    @frozen
    public struct Outcome: ~Escapable {
        /// The command.
        public let id: ID
        /// Its opcode.
        public let opcode: CommandOpcode
        /// Whether it succeeded, or, when Command Status answered, was begun. When it is no success, no event of its own
        /// follows.
        public let status: StatusCode
        /// What Command Complete returned, the status first; empty when Command Status answered.
        public let returnParameters: RawSpan

        @inlinable
        @_lifetime(copy returnParameters)
        init(id: ID, opcode: CommandOpcode, status: StatusCode, returnParameters: RawSpan) {
            self.id = id
            self.opcode = opcode
            self.status = status
            self.returnParameters = returnParameters
        }
    }

    private struct Entry {
        let id: ID
        let opcode: CommandOpcode
        let isAnsweredByStatus: Bool
        let packet: [UInt8]
    }

    /// How many commands the controller takes now.
    public private(set) var credits = 1
    /// How many commands may wait to be sent.
    public let maximumQueueCount: Int

    private var waiting: [Entry] = []
    private var pending: [Entry] = []
    private var nextNumber: UInt64 = 1

    /// A flow to a controller that was just opened or reset.
    public init(maximumQueueCount: Int = 256) {
        self.maximumQueueCount = maximumQueueCount
    }

    /// How many commands wait to be sent.
    public var waitingCount: Int { waiting.count }

    /// How many commands were sent and not yet answered.
    public var pendingCount: Int { pending.count }

    /// Adds a command at the end of the queue.
    /// - Returns: its name; `nil` when the queue is full.
    public mutating func enqueue<Command: HCICommand>(_ command: Command) -> ID? {
        guard waiting.count < maximumQueueCount else { return nil }
        let id = ID(number: nextNumber)
        nextNumber &+= 1
        waiting.append(
            Entry(
                id: id, opcode: Command.opcode, isAnsweredByStatus: Command.isAnsweredByStatus, packet: command.packet))
        return id
    }

    /// The next packet to send, type octet first; `nil` when there is none or the controller takes none. Send each.
    public mutating func nextPacket() -> [UInt8]? {
        guard credits > 0, let next = waiting.first, !pending.contains(where: { $0.opcode == next.opcode }) else {
            return nil
        }
        credits &-= 1
        pending.append(waiting.removeFirst())
        return next.packet
    }

    /// Takes an event; all but Command Complete and Command Status are left alone.
    /// - Returns: the command it answers and how; `nil` when it answers none of ours.
    @_lifetime(copy event)
    public mutating func receive(_ event: EventPacket) -> Outcome? {
        switch event.code {
        case .commandComplete:
            guard let complete = try? CommandComplete(parsing: event.parameters) else { return nil }
            return receive(complete)
        case .commandStatus:
            guard let status = try? CommandStatus(parsing: event.parameters) else { return nil }
            return receive(status, in: event)
        default: return nil
        }
    }

    @_lifetime(copy complete)
    private mutating func receive(_ complete: CommandComplete) -> Outcome? {
        credits = Int(complete.credits)
        guard complete.opcode != .nop, let index = pending.firstIndex(where: { $0.opcode == complete.opcode }) else {
            return nil
        }
        let entry = pending.remove(at: index)
        // A command that returns nothing at all has succeeded.
        return Outcome(
            id: entry.id, opcode: entry.opcode, status: complete.status ?? .success,
            returnParameters: complete.returnParameters)
    }

    @_lifetime(copy event)
    private mutating func receive(_ status: CommandStatus, in event: EventPacket) -> Outcome? {
        credits = Int(status.credits)
        guard status.opcode != .nop, let index = pending.firstIndex(where: { $0.opcode == status.opcode }) else {
            return nil
        }
        // "Begun" does not answer a command whose Command Complete is still to come.
        if status.status.isSuccess, !pending[index].isAnsweredByStatus { return nil }
        let entry = pending.remove(at: index)
        return Outcome(
            id: entry.id, opcode: entry.opcode, status: status.status,
            returnParameters: event.parameters.extracting(first: 0))
    }

    /// Forgets everything, as after a Hardware Error or before a Reset: the controller takes one command again, and the
    /// next one given should be Reset.
    /// - Returns: the commands that will never be answered.
    public mutating func reset() -> [ID] {
        let lost = pending.map(\.id) + waiting.map(\.id)
        pending.removeAll()
        waiting.removeAll()
        credits = 1
        return lost
    }
}
