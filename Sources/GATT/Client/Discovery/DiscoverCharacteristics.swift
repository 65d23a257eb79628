// Discover All Characteristics of a Service (Core Specification, Vol 3, Part G, 4.6.1) by Read By Type for
// «Characteristic». Nothing says where a characteristic ends: it does before the next declaration, or with the service.
// Those with one UUID (4.6.2) are found the same way and picked out at the end, because the others delimit them.

/// The characteristics of a range, which is one service or several.
struct DiscoverCharacteristics: ProcedureMachine {
    private var cursor: HandleCursor
    private let uuid: BluetoothUUID?
    /// The services of the range when they are known, in the order of their handles: handles in which no declaration
    /// can stand are then not asked for.
    private let services: [HandleRange]
    private var found: [Characteristic] = []

    init(in range: HandleRange, uuid: BluetoothUUID? = nil, isWholeService: Bool = false) {
        cursor = HandleCursor(range)
        self.uuid = uuid
        services = isWholeService ? [range] : []
    }

    /// - Parameter services: the services, in the order of their handles, not all of them of one handle.
    init?(ofAll services: [HandleRange]) {
        let roomy = services.filter { $0.count >= 3 }
        guard let first = roomy.first, let last = roomy.map(\.last).max(),
            let range = HandleRange(first: first.first, last: last)
        else { return nil }
        cursor = HandleCursor(range)
        uuid = nil
        self.services = roomy
    }

    mutating func start(_ client: inout ClientState) -> ProcedureStep { ask() }

    private func ask() -> ProcedureStep {
        .ask(
            ReadByTypeRequest(first: cursor.first, last: cursor.last, attributeType: .characteristic),
            about: cursor.first)
    }

    mutating func receive(_ response: RawSpan, _ client: inout ClientState) throws(MalformedError) -> ProcedureStep {
        let response = try ReadByTypeResponse(parsing: response)
        guard response.entryLength == 7 || response.entryLength == 21 else {
            throw MalformedError(.invalidLength, at: 1)
        }
        var end = cursor.first
        var offset = 2
        var entries = response.entries.makeIterator()
        while let entry = entries.next() {
            if let refusal = cursor.refusal(of: entry.handle, in: .readByTypeResponse) { return .fail(refusal) }
            var value = OctetReader(entry.value)
            let properties = CharacteristicProperties(rawValue: try value.uint8())
            let valueHandle = AttributeHandle(try value.uint16())
            guard valueHandle > entry.handle else { throw MalformedError(.invalidValue, at: offset + 3) }
            found.append(
                Characteristic(
                    uuid: try value.uuid(octetCount: value.remaining), declarationHandle: entry.handle,
                    valueHandle: valueHandle, properties: properties, endHandle: valueHandle))
            end = max(end, entry.handle)
            offset += response.entryLength
        }
        let maximum = client.configuration.maximumAttributes
        guard found.count <= maximum else { return .fail(.tooManyAttributes(maximum: maximum)) }
        return goOn(after: end) ? ask() : finish(&client)
    }

    mutating func receive(_ error: AttributeError, _ client: inout ClientState) -> ProcedureStep {
        error.code == .attributeNotFound ? finish(&client) : .fail(error.failure)
    }

    /// Goes on after a declaration; false when no other can follow.
    private mutating func goOn(after declaration: AttributeHandle) -> Bool {
        // A declaration is followed by its value, so that one in the last handle but one is the last.
        guard cursor.advance(past: declaration), cursor.first < cursor.last else { return false }
        guard !services.isEmpty else { return true }
        // Declaration, value, declaration, value: three more handles of the same service, or three of another one.
        for service in services where service.last > declaration {
            if service.contains(declaration) {
                if service.last.rawValue &- declaration.rawValue >= 3 { return true }
            } else if service.first > declaration {
                cursor.skip(to: service.first)
                return true
            }
        }
        return false
    }

    private mutating func finish(_ client: inout ClientState) -> ProcedureStep {
        found = found.inOrder(of: \.declarationHandle)
        for index in found.indices {
            let isLast = index + 1 == found.endIndex
            // A declaration's handle is never 0, because the handles of an answer are in the range asked for.
            let end = isLast ? cursor.last.rawValue : found[index + 1].declarationHandle.rawValue &- 1
            found[index].endHandle = max(found[index].valueHandle, AttributeHandle(end))
        }
        client.note(found)
        return .finish(.characteristics(uuid.map { wanted in found.filter { $0.uuid == wanted } } ?? found))
    }
}
