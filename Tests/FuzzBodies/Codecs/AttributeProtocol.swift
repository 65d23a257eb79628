// PDUs of the Attribute Protocol: whatever decodes encodes to the same octets, in every type; lists stay inside.

import ATT
import Captures

extension FuzzTarget {
    static let attributeProtocol = FuzzTarget(
        "att", maximumLength: 600,
        seeds: { fixtures in
            Array(Set(fixtures.transcripts.flatMap(\.pdus).map(\.octets))).sorted { $0.lexicographicallyPrecedes($1) }
        },
        run: { (input) throws(Finding) in
            var accepting: [UInt8] = []
            func type<P: PDU & ~Escapable>(_: P.Type, _ input: RawSpan) throws(Finding) {
                if try roundTrips(P.self, input) { accepting.append(P.opcode.rawValue) }
            }
            try type(ErrorResponse.self, input)
            try type(ExchangeMTURequest.self, input)
            try type(ExchangeMTUResponse.self, input)
            try type(FindInformationRequest.self, input)
            try type(FindInformationResponse.self, input)
            try type(FindByTypeValueRequest.self, input)
            try type(FindByTypeValueResponse.self, input)
            try type(ReadByTypeRequest.self, input)
            try type(ReadByTypeResponse.self, input)
            try type(ReadRequest.self, input)
            try type(ReadResponse.self, input)
            try type(ReadBlobRequest.self, input)
            try type(ReadBlobResponse.self, input)
            try type(ReadMultipleRequest.self, input)
            try type(ReadMultipleResponse.self, input)
            try type(ReadByGroupTypeRequest.self, input)
            try type(ReadByGroupTypeResponse.self, input)
            try type(ReadMultipleVariableRequest.self, input)
            try type(ReadMultipleVariableResponse.self, input)
            try type(WriteRequest.self, input)
            try type(WriteResponse.self, input)
            try type(WriteCommand.self, input)
            try type(SignedWriteCommand.self, input)
            try type(PrepareWriteRequest.self, input)
            try type(PrepareWriteResponse.self, input)
            try type(ExecuteWriteRequest.self, input)
            try type(ExecuteWriteResponse.self, input)
            try type(HandleValueNotification.self, input)
            try type(HandleValueIndication.self, input)
            try type(HandleValueConfirmation.self, input)
            try type(MultipleHandleValueNotification.self, input)
            try check(accepting.count <= 1, "several types accept it: \(accepting)")
            try dispatches(input, isValid: !accepting.isEmpty)
            try listsStayInside(input)
            try check(!describe(input).isEmpty, "nothing describes it")
        })

    /// Whether octets are a PDU of a type; then they are what it encodes to.
    private static func roundTrips<P: PDU & ~Escapable>(_: P.Type, _ input: RawSpan) throws(Finding) -> Bool {
        do throws(MalformedError) {
            let pdu = try P(parsing: input)
            let count = pdu.encodedByteCount
            let octets = encoded(pdu, capacity: input.byteCount)
            let tooLittle = input.byteCount > 0 ? encoded(pdu, capacity: input.byteCount - 1) : nil
            guard count == input.byteCount, octets == [UInt8](octets: input), tooLittle == nil else {
                throw MalformedError(.tooLong, at: -1)
            }
            return true
        } catch {
            try check(error.offset != -1, "\(P.opcode.name) does not encode to what it was decoded from")
            try check(
                (0...input.byteCount).contains(error.offset) || error.offset == 0,
                "\(P.opcode.name) is malformed at \(error.offset) of \(input.byteCount)")
            return false
        }
    }

    /// What a PDU encodes to; nil when it does not fit, and then nothing may have been written.
    private static func encoded(_ pdu: some PDU & ~Escapable, capacity: Int) -> [UInt8]? {
        var failed = false
        let octets = [UInt8](capacity: capacity) { output in
            do throws(EncodeError) { try pdu.encode(into: &output) } catch { failed = true }
        }
        return failed && octets.isEmpty ? nil : octets
    }

    private static func dispatches(_ input: RawSpan, isValid: Bool) throws(Finding) {
        // An opcode of the other side, or of nobody, is dispatched as unknown.
        var isKnown = false
        var threw = false
        do throws(MalformedError) {
            switch try ClientPDU(parsing: input) {
            case .unknown: break
            default: isKnown = true
            }
        } catch { threw = true }
        do throws(MalformedError) {
            switch try ServerPDU(parsing: input) {
            case .unknown: break
            default: isKnown = true
            }
        } catch { threw = true }
        try check(isKnown == isValid, "the dispatch knows it: \(isKnown); some type accepts it: \(isValid)")
        try check(!(isKnown && threw), "both dispatches take it for theirs")
    }

    /// Takes every entry of every list, and counts its octets.
    private static func listsStayInside(_ input: RawSpan) throws(Finding) {
        guard let pdu = try? ServerPDU(parsing: input) else { return }
        var taken = 1
        var isCut = false
        switch pdu {
        case .findInformationResponse(let pdu):
            taken = 2
            var entries = pdu.entries.makeIterator()
            while entries.next() != nil { taken += pdu.format.entryByteCount }
            try check(pdu.entries.count * pdu.format.entryByteCount + 2 == taken, "the count of entries is wrong")
        case .findByTypeValueResponse(let pdu):
            var entries = pdu.entries.makeIterator()
            while entries.next() != nil { taken += 4 }
        case .readByTypeResponse(let pdu):
            taken = 2
            var entries = pdu.entries.makeIterator()
            while let entry = entries.next() { taken += 2 + touch(entry.value) }
            try check(pdu.entries.count * pdu.entryLength + 2 == taken, "the count of entries is wrong")
        case .readByGroupTypeResponse(let pdu):
            taken = 2
            var entries = pdu.entries.makeIterator()
            while let entry = entries.next() { taken += 4 + touch(entry.value) }
            try check(pdu.entries.count * pdu.entryLength + 2 == taken, "the count of entries is wrong")
        case .readMultipleVariableResponse(let pdu):
            var values = pdu.values.makeIterator()
            while let value = values.next() { taken += 2 + touch(value.value) }
            // The server may have cut the list in the middle of a length.
            isCut = input.byteCount - taken == 1
        case .multipleHandleValueNotification(let pdu):
            var tuples = pdu.tuples.makeIterator()
            while let tuple = tuples.next() { taken += 4 + touch(tuple.value) }
            isCut = tuples.malformation != nil
        default: return
        }
        try check(
            isCut ? taken < input.byteCount : taken == input.byteCount,
            "the entries take \(taken) of \(input.byteCount) octets")
    }
}

/// Reads every octet, so that one out of bounds is noticed; how many there are.
func touch(_ octets: RawSpan) -> Int {
    [UInt8](octets: octets).count
}
