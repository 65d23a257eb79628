// A program that parses, walks and encodes every PDU as Embedded Swift. `scripts/check-embedded` compiles it with
// `-no-allocations`, so that a parser, an iterator or an encoder that asks for memory does not compile, then links and
// runs it on the machine at hand: a wrong result traps.

import ATT

/// Parses a PDU of either side, walks through its list, if it has one, and encodes it again.
/// - Returns: how many entries the list has; 0 without a list, -1 for octets that are malformed or do not fit.
@inline(never)
func roundTrip(_ pdu: RawSpan, into output: inout OutputRawSpan) -> Int {
    if pdu.byteCount == 0 { return -1 }
    switch Opcode(unsafe pdu.unsafeLoad(fromByteOffset: 0, as: UInt8.self)).kind {
    case .request, .command, .confirmation: return fromClient(pdu, into: &output)
    case .response, .notification, .indication, .unknown: return fromServer(pdu, into: &output)
    }
}

func encode(_ pdu: borrowing some PDU & ~Escapable, into output: inout OutputRawSpan) -> Int {
    do throws(EncodeError) {
        try pdu.encode(into: &output)
        return 0
    } catch {
        return -1
    }
}

func fromClient(_ pdu: RawSpan, into output: inout OutputRawSpan) -> Int {
    let parsed: ClientPDU
    do throws(MalformedError) { parsed = try ClientPDU(parsing: pdu) } catch { return -1 }
    switch parsed {
    case .exchangeMTURequest(let pdu): return encode(pdu, into: &output)
    case .findInformationRequest(let pdu): return encode(pdu, into: &output)
    case .findByTypeValueRequest(let pdu): return encode(pdu, into: &output)
    case .readByTypeRequest(let pdu): return encode(pdu, into: &output)
    case .readRequest(let pdu): return encode(pdu, into: &output)
    case .readBlobRequest(let pdu): return encode(pdu, into: &output)
    case .readMultipleRequest(let pdu): return encode(pdu, into: &output) + count(pdu.handles)
    case .readByGroupTypeRequest(let pdu): return encode(pdu, into: &output)
    case .readMultipleVariableRequest(let pdu): return encode(pdu, into: &output) + count(pdu.handles)
    case .writeRequest(let pdu): return encode(pdu, into: &output)
    case .writeCommand(let pdu): return encode(pdu, into: &output)
    case .signedWriteCommand(let pdu): return encode(pdu, into: &output)
    case .prepareWriteRequest(let pdu): return encode(pdu, into: &output)
    case .executeWriteRequest(let pdu): return encode(pdu, into: &output)
    case .handleValueConfirmation(let pdu): return encode(pdu, into: &output)
    case .unknown: return -1
    }
}

func fromServer(_ pdu: RawSpan, into output: inout OutputRawSpan) -> Int {
    let parsed: ServerPDU
    do throws(MalformedError) { parsed = try ServerPDU(parsing: pdu) } catch { return -1 }
    switch parsed {
    case .errorResponse(let pdu): return encode(pdu, into: &output)
    case .exchangeMTUResponse(let pdu): return encode(pdu, into: &output)
    case .findInformationResponse(let pdu):
        var count = 0
        var iterator = pdu.entries.makeIterator()
        while iterator.next() != nil { count += 1 }
        return encode(pdu, into: &output) + count
    case .findByTypeValueResponse(let pdu):
        var count = 0
        var iterator = pdu.entries.makeIterator()
        while iterator.next() != nil { count += 1 }
        return encode(pdu, into: &output) + count
    case .readByTypeResponse(let pdu):
        var count = 0
        var iterator = pdu.entries.makeIterator()
        while iterator.next() != nil { count += 1 }
        return encode(pdu, into: &output) + count
    case .readResponse(let pdu): return encode(pdu, into: &output)
    case .readBlobResponse(let pdu): return encode(pdu, into: &output)
    case .readMultipleResponse(let pdu): return encode(pdu, into: &output)
    case .readByGroupTypeResponse(let pdu):
        var count = 0
        var iterator = pdu.entries.makeIterator()
        while iterator.next() != nil { count += 1 }
        return encode(pdu, into: &output) + count
    case .readMultipleVariableResponse(let pdu): return encode(pdu, into: &output) + pdu.values.count
    case .writeResponse(let pdu): return encode(pdu, into: &output)
    case .prepareWriteResponse(let pdu): return encode(pdu, into: &output)
    case .executeWriteResponse(let pdu): return encode(pdu, into: &output)
    case .handleValueNotification(let pdu): return encode(pdu, into: &output)
    case .handleValueIndication(let pdu): return encode(pdu, into: &output)
    case .multipleHandleValueNotification(let pdu): return encode(pdu, into: &output) + pdu.tuples.count
    case .unknown: return -1
    }
}

func count(_ handles: HandleList) -> Int {
    var count = 0
    var iterator = handles.makeIterator()
    while iterator.next() != nil { count += 1 }
    return count
}

/// Traps unless the round trip of `pdu` counts `entries` and appends as many octets as `pdu` has, or none.
func expect(_ pdu: RawSpan, entries: Int) {
    unsafe withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { buffer in
        var output = unsafe OutputRawSpan(buffer: buffer, initializedCount: 0)
        let counted = roundTrip(pdu, into: &output)
        let written = unsafe output.finalize(for: buffer)
        precondition(counted == entries)
        precondition(written == (entries < 0 ? 0 : pdu.byteCount))
    }
}

@main
struct NoAllocations {
    static func main() {
        // Initialised octets, which the arrays outlive.
        let notification: [5 of UInt8] = [0x1B, 0x25, 0x00, 0x06, 0x48]
        unsafe expect(notification.span.bytes, entries: 0)
        let attributes: [8 of UInt8] = [0x09, 0x03, 0x02, 0x00, 0xAA, 0x03, 0x00, 0xBB]
        unsafe expect(attributes.span.bytes, entries: 2)
        let handles: [5 of UInt8] = [0x20, 0x03, 0x00, 0x05, 0x00]
        unsafe expect(handles.span.bytes, entries: 2)
        let lengthZero: [2 of UInt8] = [0x09, 0x00]
        unsafe expect(lengthZero.span.bytes, entries: -1)
    }
}
