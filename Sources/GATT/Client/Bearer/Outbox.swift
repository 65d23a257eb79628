// What waits to be sent on a bearer. Requests wait for responses, everything else overtakes them: an answer to the
// peer's request, a confirmation, a command (Core Specification, Vol 3, Part F, 3.3.2). Nothing is taken out while the
// transport is full, so that back-pressure reaches the callers instead of filling some buffer.

/// The PDUs that wait for the transport, at most one of each kind but commands.
struct Outbox: Sendable {
    /// One PDU to hand to the transport.
    struct Packet: Sendable {
        var octets: [UInt8]
        /// The write command whose caller has waited for this.
        var completes: OperationID?
        var isRequest = false
    }

    /// A Write Command and who waits for it.
    struct PendingCommand: Sendable {
        var id: OperationID
        var octets: [UInt8]
    }

    /// Whether the transport refused the last packet and has not taken it yet.
    var isFull = false
    /// The answer to the peer's request. The peer may have only one request outstanding.
    var reply: [UInt8]?
    /// How many indications are delivered but not yet confirmed.
    var owedConfirmations = 0
    /// The request that fills the request slot, until it is sent.
    var request: [UInt8]?
    private var commands = FIFO<PendingCommand>()

    mutating func append(command octets: [UInt8], for id: OperationID) {
        commands.append(PendingCommand(id: id, octets: octets))
    }

    /// Takes back a command that was not sent.
    mutating func removeCommand(_ id: OperationID) -> Bool {
        commands.removeFirst { $0.id == id } != nil
    }

    /// Takes back the oldest command of more than so many octets.
    mutating func removeCommand(longerThan mtu: Int) -> PendingCommand? {
        commands.removeFirst { $0.octets.count > mtu }
    }

    /// The caller of the oldest command that was not sent, which is taken back.
    mutating func removeOldestCommand() -> OperationID? {
        commands.popFirst()?.id
    }

    /// The next packet to hand to the transport; nil when there is none or the transport is full.
    mutating func next() -> Packet? {
        guard !isFull else { return nil }
        if let octets = reply {
            reply = nil
            return Packet(octets: octets)
        }
        if owedConfirmations > 0 {
            owedConfirmations -= 1
            return Packet(octets: [Opcode.handleValueConfirmation.rawValue])
        }
        if let octets = request {
            request = nil
            return Packet(octets: octets, isRequest: true)
        }
        guard let command = commands.popFirst() else { return nil }
        return Packet(octets: command.octets, completes: command.id)
    }
}
