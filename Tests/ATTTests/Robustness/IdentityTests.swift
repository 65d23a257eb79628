import ATT
import TestSupport
import Testing

/// Values, encoded and parsed again, are the same values. Each failure prints the seed that repeats it.
@Suite struct IdentityTests {
    /// Encodes a value of fixed size and parses it.
    private func again<P: PDU>(_ pdu: P) throws -> P {
        let octets = try encoded(pdu)
        return try P(parsing: octets.octets)
    }

    @Test func valuesOfFixedSize() throws {
        var generator = SeededGenerator()
        let seed: Comment = "seed \(generator.seed)"
        for _ in 0..<200 {
            let number = UInt16.random(in: 0 ... .max, using: &generator)
            let octet = UInt8.random(in: 0 ... .max, using: &generator)
            let first = AttributeHandle(.random(in: 0 ... .max, using: &generator))
            let last = AttributeHandle(.random(in: 0 ... .max, using: &generator))
            let uuid: BluetoothUUID =
                Bool.random(using: &generator)
                ? BluetoothUUID(number) : BluetoothUUID(high: generator.next(), low: generator.next())

            let error = ErrorResponse(requestOpcode: Opcode(octet), handle: first, code: ErrorCode(octet ^ 0xFF))
            #expect(try again(error) == error, seed)
            let mtuRequest = ExchangeMTURequest(clientReceiveMTU: number)
            #expect(try again(mtuRequest) == mtuRequest, seed)
            let mtuResponse = ExchangeMTUResponse(serverReceiveMTU: number)
            #expect(try again(mtuResponse) == mtuResponse, seed)
            let information = FindInformationRequest(first: first, last: last)
            #expect(try again(information) == information, seed)
            let byType = ReadByTypeRequest(first: first, last: last, attributeType: uuid)
            #expect(try again(byType) == byType, seed)
            let byGroup = ReadByGroupTypeRequest(first: first, last: last, groupType: uuid)
            #expect(try again(byGroup) == byGroup, seed)
            let read = ReadRequest(handle: first)
            #expect(try again(read) == read, seed)
            let blob = ReadBlobRequest(handle: first, valueOffset: number)
            #expect(try again(blob) == blob, seed)
            let execute = ExecuteWriteRequest(flags: .init(rawValue: octet))
            #expect(try again(execute) == execute, seed)
        }
    }

    @Test func valuesOfAnyLength() throws {
        var generator = SeededGenerator()
        let seed: Comment = "seed \(generator.seed)"
        for length in 0...512 {
            let value = generator.octets(length)
            let handle = AttributeHandle(.random(in: 0 ... .max, using: &generator))
            let offset = UInt16.random(in: 0 ... .max, using: &generator)
            let signature = generator.octets(12)

            let write = try encoded(WriteRequest(handle: handle, value: value.octets))
            let writeAgain = try WriteRequest(parsing: write.octets)
            #expect(writeAgain.handle == handle, seed)
            #expect([UInt8](octets: writeAgain.value) == value, seed)

            let prepare = try encoded(PrepareWriteRequest(handle: handle, valueOffset: offset, value: value.octets))
            let prepareAgain = try PrepareWriteRequest(parsing: prepare.octets)
            #expect(prepareAgain.handle == handle, seed)
            #expect(prepareAgain.valueOffset == offset, seed)
            #expect([UInt8](octets: prepareAgain.value) == value, seed)

            let notification = try encoded(HandleValueNotification(handle: handle, value: value.octets))
            let notificationAgain = try HandleValueNotification(parsing: notification.octets)
            #expect(notificationAgain.handle == handle, seed)
            #expect([UInt8](octets: notificationAgain.value) == value, seed)

            let signed = try encoded(
                SignedWriteCommand(handle: handle, value: value.octets, signature: signature.octets))
            let signedAgain = try SignedWriteCommand(parsing: signed.octets)
            #expect(signedAgain.handle == handle, seed)
            #expect([UInt8](octets: signedAgain.value) == value, seed)
            #expect([UInt8](octets: signedAgain.signature) == signature, seed)
        }
    }

    @Test func listsOfAnyEntries() throws {
        var generator = SeededGenerator()
        let seed: Comment = "seed \(generator.seed)"
        for count in 1...20 {
            let length = Int.random(in: 0...20, using: &generator)
            let given = (0..<count).map { index in (AttributeHandle(UInt16(index + 1)), generator.octets(length)) }
            let byType = try [UInt8](capacity: 600) { output in
                try ReadByTypeResponse.begin(entryLength: 2 + length, into: &output)
                for (handle, value) in given {
                    try ReadByTypeResponse.append(handle: handle, value: value.octets, into: &output)
                }
            }
            var taken: [(AttributeHandle, [UInt8])] = []
            let parsed = try ReadByTypeResponse(parsing: byType.octets)
            var iterator = parsed.entries.makeIterator()
            while let entry = iterator.next() { taken.append((entry.handle, [UInt8](octets: entry.value))) }
            #expect(taken.elementsEqual(given, by: ==), seed)
            #expect(parsed.entries.count == count, seed)

            let multiple = try [UInt8](capacity: 600) { output in
                try MultipleHandleValueNotification.begin(into: &output)
                for (handle, value) in given {
                    try MultipleHandleValueNotification.append(handle: handle, value: value.octets, into: &output)
                }
            }
            taken = []
            let tuples = try MultipleHandleValueNotification(parsing: multiple.octets).tuples
            var tupleIterator = tuples.makeIterator()
            while let tuple = tupleIterator.next() { taken.append((tuple.handle, [UInt8](octets: tuple.value))) }
            #expect(taken.elementsEqual(given, by: ==), seed)
            #expect(tupleIterator.malformation == nil, seed)
        }
    }
}
