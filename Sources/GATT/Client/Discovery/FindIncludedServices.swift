// Find Included Services (Core Specification, Vol 3, Part G, 4.5.1) by Read By Type for «Include». The value names the
// first and last handle of the included service and, when it has 16 bits, its UUID. A UUID of 128 bits does not fit into
// the shortest PDU, so that it is left out: it is the value of the included service's declaration and is read there.

/// The services that the services of a range include.
struct FindIncludedServices: ProcedureMachine {
    private var cursor: HandleCursor
    private var found: [IncludedService] = []
    /// Services whose UUIDs are known already and need not be read.
    private let known: [Service]
    /// Whether an include whose UUID cannot be read is left out rather than a failure.
    private let isLenient: Bool
    /// Includes of the last answer whose UUIDs have to be read.
    private var unnamed = FIFO<Unnamed>()
    /// The include whose UUID is being read.
    private var reading: Unnamed?
    /// Where the last answer ended.
    private var end: AttributeHandle

    /// An include without a UUID.
    private struct Unnamed: Sendable {
        var handle: AttributeHandle
        var range: HandleRange
    }

    init(in range: HandleRange, known: [Service] = [], isLenient: Bool = false) {
        cursor = HandleCursor(range)
        end = range.first
        self.known = known
        self.isLenient = isLenient
    }

    mutating func start(_ client: inout ClientState) -> ProcedureStep { ask() }

    private func ask() -> ProcedureStep {
        .ask(
            ReadByTypeRequest(first: cursor.first, last: cursor.last, attributeType: .include), about: cursor.first)
    }

    mutating func receive(_ response: RawSpan, _ client: inout ClientState) throws(MalformedError) -> ProcedureStep {
        if let include = reading {
            let uuid = try BluetoothUUID(value: ReadResponse(parsing: response).value, at: 1)
            found.append(IncludedService(handle: include.handle, range: include.range, uuid: uuid))
            return proceed()
        }
        let response = try ReadByTypeResponse(parsing: response)
        guard response.entryLength == 6 || response.entryLength == 8 else {
            throw MalformedError(.invalidLength, at: 1)
        }
        var offset = 2
        var entries = response.entries.makeIterator()
        while let entry = entries.next() {
            if let refusal = cursor.refusal(of: entry.handle, in: .readByTypeResponse) { return .fail(refusal) }
            var value = OctetReader(entry.value)
            let first = AttributeHandle(try value.uint16())
            guard let range = HandleRange(first: first, last: AttributeHandle(try value.uint16())) else {
                throw MalformedError(.invalidValue, at: offset + 2)
            }
            if value.remaining == 2 {
                let uuid = try value.uuid(octetCount: 2)
                found.append(IncludedService(handle: entry.handle, range: range, uuid: uuid))
            } else if let service = known.first(where: { $0.handle == first }) {
                found.append(IncludedService(handle: entry.handle, range: range, uuid: service.uuid))
            } else {
                unnamed.append(Unnamed(handle: entry.handle, range: range))
            }
            end = max(end, entry.handle)
            offset += response.entryLength
        }
        let maximum = client.configuration.maximumAttributes
        guard found.count <= maximum else { return .fail(.tooManyAttributes(maximum: maximum)) }
        return proceed()
    }

    mutating func receive(_ error: AttributeError, _ client: inout ClientState) -> ProcedureStep {
        if reading != nil { return isLenient ? proceed() : .fail(error.failure) }
        return error.code == .attributeNotFound ? finish() : .fail(error.failure)
    }

    /// Reads the next UUID that is missing, or goes on after the last answer.
    private mutating func proceed() -> ProcedureStep {
        reading = unnamed.popFirst()
        if let reading {
            return .ask(ReadRequest(handle: reading.range.first), about: reading.range.first)
        }
        return cursor.advance(past: end) ? ask() : finish()
    }

    private func finish() -> ProcedureStep { .finish(.includes(found.inOrder(of: \.handle))) }
}
