// Write Long Characteristic Values and Reliable Writes (Core Specification, Vol 3, Part G, 4.9.4 and 4.9.5; of
// descriptors 4.12.4). Prepare Write puts parts into a queue of the server, which echoes each; Execute Write then writes
// all of them or none. The queue belongs to the connection: whoever leaves parts in it would have them written by the
// next Execute Write. A failed, mismatched or cancelled write is therefore ended by an Execute Write that drops them.

/// Values written through the server's queue, in one piece.
struct PreparedWrite: ProcedureMachine {
    private enum Phase {
        /// Parts are being queued, `accepted` so far.
        case preparing(accepted: Int)
        /// The queue is being written.
        case executing
        /// The queue is being dropped, because of this.
        case dropping(GATTError)
    }

    private let writes: [ReliableWritePart]
    private var phase = Phase.preparing(accepted: 0)
    /// The write that is being queued, and how many of its octets are.
    private var index = 0
    private var position = 0
    /// The size of the part that waits for its echo.
    private var partSize = 0
    private var doneOctets = 0
    private var isAbandoned = false

    init(_ writes: [ReliableWritePart]) {
        self.writes = writes
    }

    mutating func start(_ client: inout ClientState) -> ProcedureStep {
        for write in writes {
            guard write.offset >= 0, write.offset <= ReadValue.longest else {
                return .fail(.invalidArgument("no value has an offset \(write.offset)"))
            }
            guard write.offset + write.value.count <= ReadValue.longest else {
                return .fail(
                    .valueTooLong(length: write.offset + write.value.count, maximum: ReadValue.longest))
            }
        }
        return writes.isEmpty ? .finish(.done) : prepare(client)
    }

    /// The octets of the part that waits for its echo, or that is about to be sent.
    private var part: ArraySlice<UInt8> { writes[index].value[position..<(position + partSize)] }

    private mutating func prepare(_ client: ClientState) -> ProcedureStep {
        let write = writes[index]
        partSize = min(write.value.count - position, client.mtu - 5)
        let octets = Array(part)
        return .ask(
            PrepareWriteRequest(
                handle: write.handle, valueOffset: UInt16(clamping: write.offset + position), value: octets.octets),
            about: write.handle)
    }

    mutating func receive(_ response: RawSpan, _ client: inout ClientState) throws(MalformedError) -> ProcedureStep {
        switch phase {
        case .preparing(let accepted):
            phase = .preparing(accepted: accepted + 1)
            if isAbandoned { return drop(because: .cancelled) }
            guard try isEcho(PrepareWriteResponse(parsing: response)) else {
                let write = writes[index]
                return drop(because: .prepareWriteMismatch(handle: write.handle, offset: write.offset + position))
            }
            position += partSize
            doneOctets += partSize
            if position == writes[index].value.count {
                index += 1
                position = 0
            }
            guard index == writes.count else { return prepare(client) }
            phase = .executing
            return .ask(ExecuteWriteRequest(flags: .write), about: writes[0].handle)
        case .executing:
            _ = try ExecuteWriteResponse(parsing: response)
            return .finish(.done)
        case .dropping(let reason):
            return .fail(reason)
        }
    }

    mutating func receive(_ error: AttributeError, _ client: inout ClientState) -> ProcedureStep {
        switch phase {
        case .preparing(accepted: 0), .executing: .fail(error.failure)
        case .preparing: drop(because: error.failure)
        case .dropping(let reason): .fail(reason)
        }
    }

    mutating func receive(undecodable failure: GATTError, _ client: inout ClientState) -> ProcedureStep {
        switch phase {
        case .preparing: drop(because: failure)
        case .executing: .fail(failure)
        case .dropping(let reason): .fail(reason)
        }
    }

    private mutating func drop(because reason: GATTError) -> ProcedureStep {
        phase = .dropping(reason)
        return .ask(ExecuteWriteRequest(flags: .cancel), about: writes[index].handle)
    }

    private func isEcho(_ response: PrepareWriteResponse) -> Bool {
        let write = writes[index]
        return response.handle == write.handle && Int(response.valueOffset) == write.offset + position
            && [UInt8](octets: response.value)[...] == part
    }

    mutating func abandon() -> Bool {
        guard case .preparing = phase else { return false }
        isAbandoned = true
        return true
    }

    var mayRaiseSecurity: Bool {
        // Once the server has parts in its queue, they are dropped rather than kept while somebody types a passkey.
        if case .preparing(accepted: 0) = phase { true } else { false }
    }

    var isBoundedByCaller: Bool { true }

    var progress: Progress? {
        Progress(done: doneOctets, total: writes.reduce(0) { $0 + $1.value.count })
    }
}
