import ATT
import TestSupport
import Testing

/// Octets that nobody would send. Each failure prints the seed that repeats it.
@Suite struct RandomOctetsTests {
    @Test(arguments: PDUType.all)
    func decodeOrThrowAndEncodeToTheInput(_ type: PDUType) {
        var generator = SeededGenerator()
        let seed = generator.seed
        var decoded = 0
        for length in 0...600 {
            var octets = generator.octets(length)
            if length > 0 { octets[0] = type.opcode.rawValue }
            // A random length of entries rarely divides the rest, nor is a random format often known: help some.
            if length > 1, Bool.random(using: &generator) { octets[1] = type.sample.count > 1 ? type.sample[1] : 0 }
            let result = type.roundTrip(octets, 600)
            if case .malformed(let error) = result {
                #expect(error.offset <= length, "seed \(seed), length \(length)")
            } else {
                decoded += 1
                #expect(result == .encoded(octets, claimed: length), "seed \(seed), length \(length)")
            }
            _ = describe(octets.octets)
            walk(octets)
        }
        #expect(decoded > 0, "seed \(seed)")
    }

    @Test func sixHundredOctetsOfAnyOpcode() {
        var generator = SeededGenerator()
        let seed = generator.seed
        for opcode in UInt8.min...UInt8.max {
            var octets = generator.octets(600)
            octets[0] = opcode
            for type in PDUType.all {
                let result = type.roundTrip(octets, 600)
                if opcode == type.opcode.rawValue, !result.isMalformed {
                    #expect(result == .encoded(octets, claimed: 600), "seed \(seed), opcode \(opcode)")
                } else {
                    #expect(result.isMalformed, "seed \(seed), opcode \(opcode)")
                }
            }
            #expect(!describe(octets.octets).isEmpty, "seed \(seed), opcode \(opcode)")
        }
    }

    /// Takes every entry of a list, so that one that lies out of bounds traps here.
    private func walk(_ octets: [UInt8]) {
        guard let pdu = try? ServerPDU(parsing: octets.octets) else { return }
        var taken = 0
        switch pdu {
        case .findInformationResponse(let pdu):
            var iterator = pdu.entries.makeIterator()
            while iterator.next() != nil { taken += pdu.format.entryByteCount }
            #expect(taken == octets.count - 2)
        case .findByTypeValueResponse(let pdu):
            var iterator = pdu.entries.makeIterator()
            while iterator.next() != nil { taken += 4 }
            #expect(taken == octets.count - 1)
        case .readByTypeResponse(let pdu):
            var iterator = pdu.entries.makeIterator()
            while let entry = iterator.next() { taken += 2 + [UInt8](octets: entry.value).count }
            #expect(taken == octets.count - 2)
        case .readByGroupTypeResponse(let pdu):
            var iterator = pdu.entries.makeIterator()
            while let entry = iterator.next() { taken += 4 + [UInt8](octets: entry.value).count }
            #expect(taken == octets.count - 2)
        case .readMultipleVariableResponse(let pdu):
            var iterator = pdu.values.makeIterator()
            while let value = iterator.next() { taken += 2 + [UInt8](octets: value.value).count }
            #expect(taken == octets.count - 1 || taken == octets.count - 2)
        case .multipleHandleValueNotification(let pdu):
            var iterator = pdu.tuples.makeIterator()
            while let tuple = iterator.next() { taken += 4 + [UInt8](octets: tuple.value).count }
            #expect((taken == octets.count - 1) == (iterator.malformation == nil))
        default: break
        }
    }
}
