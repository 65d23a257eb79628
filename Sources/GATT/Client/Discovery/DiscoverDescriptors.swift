// Discover All Characteristic Descriptors (Core Specification, Vol 3, Part G, 4.7.1) by Find Information, which gives
// the type of every attribute of a range. The caller leaves out what it knows: the range begins after a characteristic's
// value and ends with the characteristic, and when it is empty there is nothing to ask.

/// The types of the attributes of a range.
struct DiscoverDescriptors: ProcedureMachine {
    private var cursor: HandleCursor
    private let firstOnly: Bool
    private var found: [Descriptor] = []

    /// - Parameter firstOnly: ends after the first answer.
    init(in range: HandleRange, firstOnly: Bool = false) {
        cursor = HandleCursor(range)
        self.firstOnly = firstOnly
    }

    mutating func start(_ client: inout ClientState) -> ProcedureStep { ask() }

    private func ask() -> ProcedureStep {
        .ask(FindInformationRequest(first: cursor.first, last: cursor.last), about: cursor.first)
    }

    mutating func receive(_ response: RawSpan, _ client: inout ClientState) throws(MalformedError) -> ProcedureStep {
        let response = try FindInformationResponse(parsing: response)
        var end = cursor.first
        var entries = response.entries.makeIterator()
        while let entry = entries.next() {
            if let refusal = cursor.refusal(of: entry.handle, in: .findInformationResponse) { return .fail(refusal) }
            found.append(Descriptor(uuid: entry.uuid, handle: entry.handle))
            end = max(end, entry.handle)
        }
        let maximum = client.configuration.maximumAttributes
        guard found.count <= maximum else { return .fail(.tooManyAttributes(maximum: maximum)) }
        return cursor.advance(past: end) && !firstOnly ? ask() : finish()
    }

    mutating func receive(_ error: AttributeError, _ client: inout ClientState) -> ProcedureStep {
        error.code == .attributeNotFound ? finish() : .fail(error.failure)
    }

    private func finish() -> ProcedureStep { .finish(.descriptors(found.inOrder(of: \.handle))) }
}
