// Write Characteristic Value (Core Specification, Vol 3, Part G, 4.9.3; of descriptors 4.12.3): one Write Request, as
// long as the value fits into it. A longer one, or a write into the middle of a value, goes through the server's queue.

/// One value, written with the server's acknowledgement.
struct WriteValue: ProcedureMachine {
    private let handle: AttributeHandle
    private let value: [UInt8]
    private let offset: Int
    /// The write through the queue, when one request is not enough.
    private var prepared: PreparedWrite?

    init(_ handle: AttributeHandle, _ value: [UInt8], offset: Int) {
        self.handle = handle
        self.value = value
        self.offset = offset
    }

    mutating func start(_ client: inout ClientState) -> ProcedureStep {
        if value.count > ReadValue.longest {
            return .fail(.valueTooLong(length: value.count, maximum: ReadValue.longest))
        }
        guard offset != 0 || value.count > client.mtu - 3 else {
            return .ask(WriteRequest(handle: handle, value: value.octets), about: handle)
        }
        var prepared = PreparedWrite([ReliableWritePart(handle: handle, offset: offset, value: value)])
        defer { self.prepared = prepared }
        return prepared.start(&client)
    }

    mutating func receive(_ response: RawSpan, _ client: inout ClientState) throws(MalformedError) -> ProcedureStep {
        if let step = try prepared?.receive(response, &client) { return step }
        _ = try WriteResponse(parsing: response)
        return .finish(.done)
    }

    mutating func receive(_ error: AttributeError, _ client: inout ClientState) -> ProcedureStep {
        prepared?.receive(error, &client) ?? .fail(error.failure)
    }

    mutating func receive(undecodable failure: GATTError, _ client: inout ClientState) -> ProcedureStep {
        prepared?.receive(undecodable: failure, &client) ?? .fail(failure)
    }

    mutating func abandon() -> Bool { prepared?.abandon() ?? false }

    var mayRaiseSecurity: Bool { prepared?.mayRaiseSecurity ?? true }
    var isBoundedByCaller: Bool { true }
    var progress: Progress? { prepared?.progress }
}
