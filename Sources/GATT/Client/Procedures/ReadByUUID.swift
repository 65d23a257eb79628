// Read Using Characteristic UUID (Core Specification, Vol 3, Part G, 4.8.2) by Read By Type. A response holds values of
// one length only, and as many as fit, so that it takes several to get all.

/// The values of all attributes of a range that have one UUID.
struct ReadByUUID: ProcedureMachine {
    private let uuid: BluetoothUUID
    private var cursor: HandleCursor
    private let firstOnly: Bool
    let usesNoHandles: Bool
    private var found: [HandleValue] = []
    /// ATT_MTU when the last request was made.
    private var mtu = 23

    init(_ uuid: BluetoothUUID, in range: HandleRange, firstOnly: Bool) {
        self.uuid = uuid
        self.firstOnly = firstOnly
        usesNoHandles = range == .all
        cursor = HandleCursor(range)
    }

    mutating func start(_ client: inout ClientState) -> ProcedureStep { ask(client) }

    private mutating func ask(_ client: ClientState) -> ProcedureStep {
        mtu = client.mtu
        return .ask(
            ReadByTypeRequest(first: cursor.first, last: cursor.last, attributeType: uuid), about: cursor.first)
    }

    mutating func receive(_ response: RawSpan, _ client: inout ClientState) throws(MalformedError) -> ProcedureStep {
        let response = try ReadByTypeResponse(parsing: response)
        let longest = min(min(mtu, client.mtu) - 4, 253)
        var end = cursor.first
        var entries = response.entries.makeIterator()
        while let entry = entries.next() {
            if let refusal = cursor.refusal(of: entry.handle, in: .readByTypeResponse) { return .fail(refusal) }
            found.append(
                HandleValue(
                    handle: entry.handle, value: [UInt8](octets: entry.value),
                    mayContinue: entry.value.byteCount >= longest))
            end = max(end, entry.handle)
        }
        let maximum = client.configuration.maximumAttributes
        guard found.count <= maximum else { return .fail(.tooManyAttributes(maximum: maximum)) }
        guard !firstOnly, cursor.advance(past: end) else { return finish() }
        return ask(client)
    }

    mutating func receive(_ error: AttributeError, _ client: inout ClientState) -> ProcedureStep {
        error.code == .attributeNotFound && !found.isEmpty ? finish() : .fail(error.failure)
    }

    private func finish() -> ProcedureStep { .finish(.handleValues(found.inOrder(of: \.handle))) }
}
