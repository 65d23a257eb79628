// Discover All Primary Services (Core Specification, Vol 3, Part G, 4.4.1) by Read By Group Type, and Discover Primary
// Service by Service UUID (4.4.2) by Find By Type Value. Both go on after the last service of each answer, and end with
// Attribute Not Found, at the end of the range, or when a service ends at 0xFFFF.

/// All primary, or all secondary, services of a range.
struct DiscoverServices: ProcedureMachine {
    private var cursor: HandleCursor
    private let isPrimary: Bool
    /// Whether it ends with a response that had room for one more service, although services with UUIDs of the other
    /// width may follow.
    private let stopsEarly: Bool
    /// Whether a service may end beyond the range asked for; otherwise the part inside counts.
    private let followsEnds: Bool
    private var found: [Service] = []
    /// The range that was not asked for, because it stopped early.
    private(set) var rest: HandleRange?
    /// The width of the UUIDs of the last response.
    private(set) var lastWidth = BluetoothUUID.Width.bits16
    private var mtu = 23

    init(in range: HandleRange, isPrimary: Bool, stopsEarly: Bool = false, followsEnds: Bool = false) {
        cursor = HandleCursor(range)
        self.isPrimary = isPrimary
        self.stopsEarly = stopsEarly
        self.followsEnds = followsEnds
    }

    mutating func start(_ client: inout ClientState) -> ProcedureStep { ask(client) }

    private mutating func ask(_ client: ClientState) -> ProcedureStep {
        mtu = client.mtu
        return .ask(
            ReadByGroupTypeRequest(
                first: cursor.first, last: cursor.last, groupType: isPrimary ? .primaryService : .secondaryService),
            about: cursor.first)
    }

    mutating func receive(_ response: RawSpan, _ client: inout ClientState) throws(MalformedError) -> ProcedureStep {
        let response = try ReadByGroupTypeResponse(parsing: response)
        guard response.entryLength == 6 || response.entryLength == 20 else {
            throw MalformedError(.invalidLength, at: 1)
        }
        var end = cursor.first
        var offset = 2
        var entries = response.entries.makeIterator()
        while let entry = entries.next() {
            if let refusal = cursor.refusal(of: entry.handle, in: .readByGroupTypeResponse) { return .fail(refusal) }
            // A service may end beyond the range asked for: only the part inside was asked for.
            let last = followsEnds ? entry.endGroup : min(entry.endGroup, cursor.last)
            guard let range = HandleRange(first: entry.handle, last: last) else {
                throw MalformedError(.invalidValue, at: offset + 2)
            }
            let uuid = try BluetoothUUID(value: entry.value, at: offset + 4)
            found.append(Service(uuid: uuid, range: range, isPrimary: isPrimary))
            end = max(end, range.last)
            offset += response.entryLength
        }
        let maximum = client.configuration.maximumAttributes
        guard found.count <= maximum else { return .fail(.tooManyAttributes(maximum: maximum)) }
        guard cursor.advance(past: end) else { return finish() }
        lastWidth = response.entryLength == 6 ? .bits16 : .bits128
        if stopsEarly, offset + response.entryLength <= min(mtu, client.mtu) {
            rest = HandleRange(first: cursor.first, last: cursor.last)
            return finish()
        }
        return ask(client)
    }

    mutating func receive(_ error: AttributeError, _ client: inout ClientState) -> ProcedureStep {
        error.code == .attributeNotFound ? finish() : .fail(error.failure)
    }

    // Whatever changed before, the answer tells of what is there now.
    var usesNoHandles: Bool { true }

    private func finish() -> ProcedureStep { .finish(.services(found.inOrder(of: \.handle))) }
}

/// The primary services of a range that have one UUID.
struct DiscoverServicesByUUID: ProcedureMachine {
    private var cursor: HandleCursor
    private let uuid: BluetoothUUID
    /// Whether a response that had room for one more service is taken for the last.
    private let stopsEarly: Bool
    private var found: [Service] = []
    private var mtu = 23

    init(_ uuid: BluetoothUUID, in range: HandleRange, stopsEarly: Bool = false) {
        cursor = HandleCursor(range)
        self.uuid = uuid
        self.stopsEarly = stopsEarly
    }

    mutating func start(_ client: inout ClientState) -> ProcedureStep { ask(client) }

    private mutating func ask(_ client: ClientState) -> ProcedureStep {
        mtu = client.mtu
        let value = uuid.declarationOctets
        return .ask(
            FindByTypeValueRequest(
                first: cursor.first, last: cursor.last, attributeType: 0x2800, value: value.octets),
            about: cursor.first)
    }

    mutating func receive(_ response: RawSpan, _ client: inout ClientState) throws(MalformedError) -> ProcedureStep {
        let response = try FindByTypeValueResponse(parsing: response)
        var end = cursor.first
        var offset = 1
        var entries = response.entries.makeIterator()
        while let entry = entries.next() {
            if let refusal = cursor.refusal(of: entry.found, in: .findByTypeValueResponse) { return .fail(refusal) }
            guard let range = HandleRange(first: entry.found, last: min(entry.groupEnd, cursor.last)) else {
                throw MalformedError(.invalidValue, at: offset + 2)
            }
            found.append(Service(uuid: uuid, range: range))
            end = max(end, range.last)
            offset += 4
        }
        let maximum = client.configuration.maximumAttributes
        guard found.count <= maximum else { return .fail(.tooManyAttributes(maximum: maximum)) }
        guard cursor.advance(past: end) else { return finish() }
        return stopsEarly && offset + 4 <= min(mtu, client.mtu) ? finish() : ask(client)
    }

    mutating func receive(_ error: AttributeError, _ client: inout ClientState) -> ProcedureStep {
        error.code == .attributeNotFound ? finish() : .fail(error.failure)
    }

    // Whatever changed before, the answer tells of what is there now.
    var usesNoHandles: Bool { true }

    private func finish() -> ProcedureStep { .finish(.services(found.inOrder(of: \.handle))) }
}
