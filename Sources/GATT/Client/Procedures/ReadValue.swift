// Read Characteristic Value and Read Long Characteristic Values (Core Specification, Vol 3, Part G, 4.8.1 and 4.8.3; of
// descriptors 4.12.1 and 4.12.2). A response holds at most ATT_MTU − 1 octets; a full one may be all of the value or not,
// and only Read Blob tells. A value of exactly that length answers it with nothing, with Invalid Offset or with Attribute
// Not Long: all three mean the end.

/// One value, read in as many parts as it takes.
struct ReadValue: ProcedureMachine {
    /// The longest value an attribute may have (Vol 3, Part F, 3.2.9).
    static let longest = 512

    private let handle: AttributeHandle
    /// Where in the attribute's value the first octet of `value` stands.
    private let offset: Int
    private let readsOn: Bool
    private var value: [UInt8]
    private var hasPart: Bool
    /// ATT_MTU when the last request was made. The peer may have changed it before it answered.
    private var mtu = 23

    init(_ handle: AttributeHandle, offset: Int, readsOn: Bool) {
        self.handle = handle
        self.offset = offset
        self.readsOn = readsOn
        value = []
        hasPart = false
    }

    /// The rest of a value of which `part` is known.
    init(_ handle: AttributeHandle, after part: [UInt8]) {
        self.handle = handle
        offset = 0
        readsOn = true
        value = part
        hasPart = !part.isEmpty
    }

    mutating func start(_ client: inout ClientState) -> ProcedureStep { ask(client) }

    private mutating func ask(_ client: ClientState) -> ProcedureStep {
        mtu = client.mtu
        let (next, overflow) = offset.addingReportingOverflow(value.count)
        guard !overflow, let next = UInt16(exactly: next) else {
            return .fail(.invalidArgument("no value has an offset \(offset)"))
        }
        guard next > 0 else { return .ask(ReadRequest(handle: handle), about: handle) }
        return .ask(ReadBlobRequest(handle: handle, valueOffset: next), about: handle)
    }

    mutating func receive(_ response: RawSpan, _ client: inout ClientState) throws(MalformedError) -> ProcedureStep {
        let part: RawSpan
        if offset + value.count > 0 {
            part = try ReadBlobResponse(parsing: response).value
        } else {
            part = try ReadResponse(parsing: response).value
        }
        hasPart = true
        value.append(contentsOf: [UInt8](octets: part))
        let isFull = part.byteCount >= min(mtu, client.mtu) - 1
        guard readsOn, isFull, offset + value.count < Self.longest else { return finish() }
        return ask(client)
    }

    mutating func receive(_ error: AttributeError, _ client: inout ClientState) -> ProcedureStep {
        let isEnd = error.code == .attributeNotLong || error.code == .invalidOffset
        return hasPart && isEnd ? finish() : .fail(error.failure)
    }

    private func finish() -> ProcedureStep {
        // A server that goes on beyond the longest value there can be is not followed.
        let excess = readsOn ? max(0, min(offset, Self.longest) + value.count - Self.longest) : 0
        return .finish(.value(excess == 0 ? value : Array(value.dropLast(excess))))
    }

    var progress: Progress? { hasPart ? Progress(done: value.count, total: nil) : nil }
}
