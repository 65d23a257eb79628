// Client Supported Features (Core Specification, Vol 3, Part G, 7.2). A server refuses to clear a bit that was set before,
// by Value Not Allowed (0x13); a bonded client may have set some in an earlier connection. One Read By Type gives the
// handle and the present value, and a write follows only when it adds something. Reserved bits are written as 0.

/// Tells the server what the client can do.
struct AnnounceFeatures: ProcedureMachine {
    private let features: ClientFeatures
    private var isWriting = false

    init(_ features: ClientFeatures) {
        self.features = features.intersection(.all)
    }

    mutating func start(_ client: inout ClientState) -> ProcedureStep {
        .ask(
            ReadByTypeRequest(first: 0x0001, last: .maximum, attributeType: .clientSupportedFeatures), about: 0x0001)
    }

    mutating func receive(_ response: RawSpan, _ client: inout ClientState) throws(MalformedError) -> ProcedureStep {
        if isWriting {
            _ = try WriteResponse(parsing: response)
            return .finish(.done)
        }
        let response = try ReadByTypeResponse(parsing: response)
        var entries = response.entries.makeIterator()
        guard let entry = entries.next() else { throw MalformedError(.invalidLength, at: 1) }
        var value = OctetReader(entry.value)
        // An empty value is as good as one without bits.
        let present = ClientFeatures(rawValue: (try? value.uint8()) ?? 0).intersection(.all)
        guard !present.isSuperset(of: features) else { return .finish(.done) }
        isWriting = true
        let octets = [present.union(features).rawValue]
        return .ask(WriteRequest(handle: entry.handle, value: octets.octets), about: entry.handle)
    }

    var usesNoHandles: Bool { !isWriting }
}
