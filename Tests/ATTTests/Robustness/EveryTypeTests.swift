import ATT
import TestSupport
import Testing

/// What holds for every type of PDU.
@Suite struct EveryTypeTests {
    @Test func tableIsComplete() {
        let opcodes = Set(PDUType.all.map(\.opcode.rawValue))
        #expect(
            opcodes.sorted() == [
                0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x11,
                0x12, 0x13, 0x16, 0x17, 0x18, 0x19, 0x1B, 0x1D, 0x1E, 0x20, 0x21, 0x23, 0x52, 0xD2,
            ])
    }

    @Test(arguments: PDUType.all)
    func sampleEncodesToItself(_ type: PDUType) {
        #expect(type.roundTrip(type.sample, 600) == .encoded(type.sample, claimed: type.sample.count))
        #expect(type.roundTrip(type.sample, type.sample.count) == .encoded(type.sample, claimed: type.sample.count))
    }

    @Test(arguments: PDUType.all)
    func everyTruncationDecodesOrThrows(_ type: PDUType) {
        for length in 0..<type.sample.count {
            let octets = Array(type.sample[..<length])
            let result = type.roundTrip(octets, 600)
            guard case .malformed(let error) = result else {
                #expect(type.isValidLength(length), "length \(length) was accepted")
                #expect(result == .encoded(octets, claimed: length))
                continue
            }
            #expect(!type.isValidLength(length), "length \(length): \(error)")
            #expect(error.kind == .truncated || error.kind == .invalidLength, "length \(length): \(error)")
            #expect(error.offset <= length, "length \(length): \(error)")
        }
    }

    @Test(arguments: PDUType.all)
    func noOctetAtAllIsTruncated(_ type: PDUType) {
        #expect(type.roundTrip([], 600) == .malformed(MalformedError(.truncated, at: 0)))
    }

    @Test(arguments: PDUType.all)
    func everyOtherOpcodeIsRefused(_ type: PDUType) {
        for opcode in UInt8.min...UInt8.max where opcode != type.opcode.rawValue {
            var octets = type.sample
            octets[0] = opcode
            #expect(type.roundTrip(octets, 600) == .malformed(MalformedError(.wrongOpcode, at: 0)))
        }
    }

    @Test(arguments: PDUType.all)
    func trailingOctetIsRefusedAfterFixedFields(_ type: PDUType) {
        let octets = type.sample + [0x00]
        let size = type.sample.count
        // A type is of fixed size when no shorter prefix and no longer one is valid; a value or a list goes on.
        guard type.isValidLength(size), !type.isValidLength(size + 1) else { return }
        guard case .malformed(let error) = type.roundTrip(octets, 600) else {
            Issue.record("the octet after the end was accepted")
            return
        }
        #expect(error.kind == .trailingOctets || error.kind == .invalidLength)
        if error.kind == .trailingOctets { #expect(error.offset == size) }
    }

    @Test(arguments: PDUType.all)
    func bufferThatIsTooShortStaysAsItWas(_ type: PDUType) {
        for capacity in 0..<type.sample.count {
            #expect(
                type.roundTrip(type.sample, capacity)
                    == .notEncoded(.noRoom(needed: type.sample.count, available: capacity), appended: 0))
        }
    }

    @Test(arguments: PDUType.client)
    func clientDispatchParsesWhatTheTypeParses(_ type: PDUType) throws {
        #expect(try ClientPDU(parsing: type.sample.octets).opcode == type.opcode)
        #expect(try ServerPDU(parsing: type.sample.octets).isUnknown)
    }

    @Test(arguments: PDUType.server)
    func serverDispatchParsesWhatTheTypeParses(_ type: PDUType) throws {
        #expect(try ServerPDU(parsing: type.sample.octets).opcode == type.opcode)
        #expect(try ClientPDU(parsing: type.sample.octets).isUnknown)
    }

    @Test(arguments: PDUType.all)
    func dispatchAndDescriptionTakeEveryTruncation(_ type: PDUType) {
        for length in 0..<type.sample.count {
            let octets = Array(type.sample[..<length])
            let isValid = type.isValidLength(length)
            // A list of tuples is parsed although its last tuple is cut short, and the line says so.
            if type.opcode != .multipleHandleValueNotification {
                #expect(describe(octets.octets).contains("malformed") == (length > 0 && !isValid))
            }
            #expect((try? ClientPDU(parsing: octets.octets).opcode) == dispatched(octets, by: .client, isValid))
            #expect((try? ServerPDU(parsing: octets.octets).opcode) == dispatched(octets, by: .server, isValid))
        }
    }

    private enum Side { case client, server }

    /// The opcode that a side's dispatch gives for octets; `nil` when it must throw.
    private func dispatched(_ octets: [UInt8], by side: Side, _ isValid: Bool) -> Opcode? {
        guard let first = octets.first else { return nil }
        let types = side == .client ? PDUType.client : PDUType.server
        let isKnown = types.contains { $0.opcode.rawValue == first }
        return isKnown && !isValid ? nil : Opcode(first)
    }
}

extension ClientPDU {
    fileprivate var isUnknown: Bool {
        if case .unknown = self { true } else { false }
    }
}

extension ServerPDU {
    fileprivate var isUnknown: Bool {
        if case .unknown = self { true } else { false }
    }
}
