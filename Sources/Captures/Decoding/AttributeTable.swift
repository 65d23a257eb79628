// What the traffic of a connection tells about the server's attributes: a discovery that was captured names handles,
// and later PDUs that carry only a handle can then be shown with the UUID of their attribute.

public import ATT

/// The attributes of one server, as far as the traffic told.
public struct AttributeTable: Hashable, Sendable {
    /// What an attribute is.
    public enum Role: Hashable, Sendable {
        /// A service declaration, with the end of the service.
        case service(end: AttributeHandle, isPrimary: Bool)
        /// An include declaration.
        case include(first: AttributeHandle, last: AttributeHandle)
        /// A characteristic declaration, with the handle of the value and the properties' octet.
        case characteristic(value: AttributeHandle, properties: UInt8)
        /// A characteristic value.
        case value
        /// A descriptor, or an attribute of which only the type is known.
        case other
    }

    /// One attribute.
    public struct Entry: Hashable, Sendable {
        public var handle: AttributeHandle
        /// The service's, included service's or characteristic's UUID; the attribute's type for all others.
        public var uuid: BluetoothUUID
        public var role: Role
    }

    private var byHandle: [AttributeHandle: Entry] = [:]

    public init() {}

    /// The attributes in the order of their handles. There are at most 65,535 handles, so memory is bounded.
    public var entries: [Entry] { byHandle.values.sorted { $0.handle < $1.handle } }

    /// How many attributes are known.
    public var count: Int { byHandle.count }

    /// The UUID of an attribute: the characteristic's for a value, the attribute's type for others.
    public subscript(handle: AttributeHandle) -> Entry? { byHandle[handle] }

    /// The characteristic that a descriptor belongs to: the value before it, with nothing but known descriptors between.
    public func characteristic(of handle: AttributeHandle) -> Entry? {
        var number = handle.rawValue
        while number > 1 {
            number &-= 1
            guard let entry = byHandle[AttributeHandle(rawValue: number)] else { return nil }
            if entry.role == .value { return entry }
            // Find Information tells of declarations too, by their types.
            let isDeclaration = (0x2800...0x2803).contains(entry.uuid.uint16 ?? 0)
            guard entry.role == .other, !isDeclaration else { return nil }
        }
        return nil
    }

    /// Forgets the attributes of a range, but for one.
    mutating func forget(_ range: ClosedRange<AttributeHandle>, keeping kept: AttributeHandle) {
        byHandle = byHandle.filter { $0.key == kept || !range.contains($0.key) }
    }

    mutating func note(_ handle: AttributeHandle, _ uuid: BluetoothUUID, _ role: Role) {
        // Find Information names types only; what a declaration told before is worth more.
        let known = byHandle[handle]
        if role == .other, let known, known.role != .other { return }
        let entry = Entry(handle: handle, uuid: uuid, role: role)
        // Tables are shared by the connections to a peer as long as they tell the same.
        if known != entry { byHandle[handle] = entry }
    }
}

extension AttributeTable {
    /// Learns from a response to a request.
    mutating func learn(from response: RawSpan, to request: ConversationTracker.Pending) {
        guard let pdu = try? ServerPDU(parsing: response) else { return }
        switch pdu {
        case .readByGroupTypeResponse(let response):
            let isPrimary = request.attributeType == 0x2800
            guard isPrimary || request.attributeType == 0x2801 else { return }
            var entries = response.entries.makeIterator()
            while let entry = entries.next() {
                guard let uuid = uuid(entry.value) else { continue }
                note(entry.handle, uuid, .service(end: entry.endGroup, isPrimary: isPrimary))
            }
        case .readByTypeResponse(let response):
            var entries = response.entries.makeIterator()
            while let entry = entries.next() {
                learnDeclaration(entry.handle, type: request.attributeType, value: entry.value)
            }
        case .findByTypeValueResponse(let response):
            guard request.attributeType == 0x2800, let uuid = request.soughtUUID else { return }
            var entries = response.entries.makeIterator()
            while let entry = entries.next() {
                note(entry.found, uuid, .service(end: entry.groupEnd, isPrimary: true))
            }
        case .findInformationResponse(let response):
            var entries = response.entries.makeIterator()
            while let entry = entries.next() { note(entry.handle, entry.uuid, .other) }
        default: break
        }
    }

    private mutating func learnDeclaration(_ handle: AttributeHandle, type: BluetoothUUID?, value: RawSpan) {
        guard let type else { return }
        var reader = OctetReader(value)
        switch type {
        case 0x2803:
            guard let properties = try? reader.uint8(), let valueHandle = try? reader.uint16(),
                let uuid = uuid(reader.rest())
            else { return }
            let handleOfValue = AttributeHandle(rawValue: valueHandle)
            note(handle, uuid, .characteristic(value: handleOfValue, properties: properties))
            note(handleOfValue, uuid, .value)
        case 0x2802:
            guard let first = try? reader.uint16(), let last = try? reader.uint16() else { return }
            note(
                handle, uuid(reader.rest()) ?? 0x2802,
                .include(first: AttributeHandle(rawValue: first), last: AttributeHandle(rawValue: last)))
        default: note(handle, type, .other)
        }
    }

    private func uuid(_ octets: RawSpan) -> BluetoothUUID? {
        var reader = OctetReader(octets)
        return try? reader.uuid(octetCount: octets.byteCount)
    }
}
