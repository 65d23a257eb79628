// Read Multiple Characteristic Values (Core Specification, Vol 3, Part G, 4.8.4): the values stand one after the other
// with nothing between them, so that only who knows their lengths can take them apart. Read Multiple Variable Length
// Characteristic Values (4.8.5) puts a length before each; where the response is full the last value is cut, or values
// are missing, and those are read one by one.

/// Several values of fixed length in one response.
struct ReadMultiple: ProcedureMachine {
    private let handles: [AttributeHandle]

    init(_ handles: [AttributeHandle]) {
        self.handles = handles
    }

    mutating func start(_ client: inout ClientState) -> ProcedureStep {
        if let refusal = refusal(of: handles, mtu: client.mtu) { return .fail(refusal) }
        return .ask(ReadMultipleRequest(handles: handles.span), about: handles.first ?? .none)
    }

    mutating func receive(_ response: RawSpan, _ client: inout ClientState) throws(MalformedError) -> ProcedureStep {
        .finish(.value([UInt8](octets: try ReadMultipleResponse(parsing: response).value)))
    }
}

/// Several values of any length.
struct ReadMultipleVariable: ProcedureMachine {
    private let handles: [AttributeHandle]
    /// The values that are whole, in the order of the handles.
    private var values: [[UInt8]] = []
    /// Reads the value after those, once the common response has been used up.
    private var rest: ReadValue?
    /// ATT_MTU when the common request was made.
    private var mtu = 23

    init(_ handles: [AttributeHandle]) {
        self.handles = handles
    }

    mutating func start(_ client: inout ClientState) -> ProcedureStep {
        if let refusal = refusal(of: handles, mtu: client.mtu) { return .fail(refusal) }
        mtu = client.mtu
        return .ask(ReadMultipleVariableRequest(handles: handles.span), about: handles.first ?? .none)
    }

    mutating func receive(_ response: RawSpan, _ client: inout ClientState) throws(MalformedError) -> ProcedureStep {
        if var read = rest {
            let step = try read.receive(response, &client)
            rest = read
            return goOn(after: step, &client)
        }
        let isFull = response.byteCount >= min(mtu, client.mtu)
        let length = response.byteCount
        let response = try ReadMultipleVariableResponse(parsing: response)
        var part: [UInt8] = []
        var entries = response.values.makeIterator()
        while let entry = entries.next() {
            guard values.count < handles.count else { throw MalformedError(.trailingOctets, at: length) }
            if entry.isCutShort {
                part = [UInt8](octets: entry.value)
            } else {
                values.append([UInt8](octets: entry.value))
            }
        }
        guard values.count < handles.count else { return .finish(.values(values)) }
        guard isFull else { throw MalformedError(.truncated, at: length) }
        return read(after: part, &client)
    }

    mutating func receive(_ error: AttributeError, _ client: inout ClientState) -> ProcedureStep {
        guard var read = rest else { return .fail(error.failure) }
        let step = read.receive(error, &client)
        rest = read
        return goOn(after: step, &client)
    }

    /// Reads the first value that is not whole; `part` is its beginning.
    private mutating func read(after part: [UInt8], _ client: inout ClientState) -> ProcedureStep {
        var read = ReadValue(handles[values.count], after: part)
        let step = read.start(&client)
        rest = read
        return step
    }

    private mutating func goOn(after step: ProcedureStep, _ client: inout ClientState) -> ProcedureStep {
        guard case .finish(.value(let value)) = step else { return step }
        values.append(value)
        return values.count < handles.count ? read(after: [], &client) : .finish(.values(values))
    }
}

/// Why a list of handles cannot be asked for in one request; nil when it can.
private func refusal(of handles: [AttributeHandle], mtu: Int) -> GATTError? {
    guard handles.count >= 2 else { return .invalidArgument("reading multiple values takes at least two handles") }
    let maximum = (mtu - 1) / 2
    guard handles.count <= maximum else {
        return .invalidArgument("one request can name \(maximum) handles, not \(handles.count)")
    }
    return nil
}
