/// The part of a handle range that a list procedure has still to ask for.
///
/// A server lists what it has in ascending order, as much as fits into a response, and the client goes on after the
/// last handle. Two mistakes here have made clients loop for ever: a next handle of 0xFFFF + 1, and a server that
/// answers with handles it was not asked for.
struct HandleCursor: Sendable {
    /// The first handle to ask for.
    private(set) var first: AttributeHandle
    /// The last handle to ask for.
    let last: AttributeHandle

    init(_ range: HandleRange) {
        first = range.first
        last = range.last
    }

    /// Why an entry with this handle cannot be an answer to what was asked; nil when it can.
    func refusal(of handle: AttributeHandle, in response: Opcode) -> GATTError? {
        handle < first || handle > last ? .serverDoesNotAdvance(response, handle: handle) : nil
    }

    /// Goes on after `handle`, which was part of an answer.
    /// - Returns: whether anything is left to ask for.
    mutating func advance(past handle: AttributeHandle) -> Bool {
        guard handle < last, let next = handle.next else { return false }
        first = max(first, next)
        return true
    }

    /// Goes on at `handle`, when that skips handles of which enough is known.
    mutating func skip(to handle: AttributeHandle) {
        first = max(first, min(handle, last))
    }
}

extension Array {
    /// The elements in the order of their handles. A handle names one attribute: of several elements with the same one,
    /// which only a broken server sends, the first is kept.
    func inOrder(of handle: (Element) -> AttributeHandle) -> [Element] {
        // Nearly always there is nothing to do.
        guard !zip(self, dropFirst()).allSatisfy({ handle($0) < handle($1) }) else { return self }
        var known: Set<AttributeHandle> = []
        return filter { known.insert(handle($0)).inserted }.sorted { handle($0) < handle($1) }
    }
}

extension BluetoothUUID {
    /// The UUID that stands, in 2 or 16 octets, at `offset` of a PDU.
    /// - Throws: `invalidLength` at that offset for any other number of octets.
    init(value: RawSpan, at offset: Int) throws(MalformedError) {
        guard value.byteCount == 2 || value.byteCount == 16 else { throw MalformedError(.invalidLength, at: offset) }
        var reader = OctetReader(value)
        self = try reader.uuid(octetCount: value.byteCount)
    }

    /// The octets by which a server stores the UUID in a declaration: 2 when it has a 16-bit form, otherwise 16.
    var declarationOctets: [UInt8] {
        let form = uint16.map { BluetoothUUID($0) } ?? expanded
        return [UInt8](capacity: form.width.octetCount) { (output: inout OutputRawSpan) in output.append(form) }
    }
}
