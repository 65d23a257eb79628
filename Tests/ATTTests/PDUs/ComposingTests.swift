import ATT
import TestSupport
import Testing

/// How a server composes lists in a buffer of ATT_MTU octets: what does not fit changes nothing.
@Suite struct ComposingTests {
    /// Calls `body` with a buffer of `capacity` octets; gives the octets written and the error, if one was thrown.
    private func compose(
        _ capacity: Int, _ body: (inout OutputRawSpan) throws -> Void
    ) -> ([UInt8], EncodeError?) {
        var failure: EncodeError?
        let octets = [UInt8](capacity: capacity) { output in
            do { try body(&output) } catch { failure = error as? EncodeError }
        }
        return (octets, failure)
    }

    @Test func entryThatDoesNotFitIsNotBegun() {
        let value = hex("aa bb cc")
        let (byType, byTypeError) = compose(23) { output in
            try ReadByTypeResponse.begin(entryLength: 5, into: &output)
            while true { try ReadByTypeResponse.append(handle: 0x0102, value: value.octets, into: &output) }
        }
        #expect(byType == hex("09 05" + String(repeating: "0201aabbcc", count: 4)))
        #expect(byTypeError == .noRoom(needed: 5, available: 1))

        let (byGroup, byGroupError) = compose(23) { output in
            try ReadByGroupTypeResponse.begin(entryLength: 7, into: &output)
            while true {
                try ReadByGroupTypeResponse.append(
                    handle: 0x0102, endGroup: 0x0304, value: value.octets, into: &output)
            }
        }
        #expect(byGroup == hex("11 07" + String(repeating: "02010403aabbcc", count: 3)))
        #expect(byGroupError == .noRoom(needed: 7, available: 0))

        let (found, foundError) = compose(23) { output in
            try FindByTypeValueResponse.begin(into: &output)
            while true { try FindByTypeValueResponse.append(found: 0x0102, groupEnd: 0x0304, into: &output) }
        }
        #expect(found == hex("07" + String(repeating: "02010403", count: 5)))
        #expect(foundError == .noRoom(needed: 4, available: 2))

        let (information, informationError) = compose(23) { output in
            try FindInformationResponse.begin(format: .uuid128, into: &output)
            while true {
                try FindInformationResponse.append(handle: 0x0102, uuid: 0x2902, format: .uuid128, into: &output)
            }
        }
        #expect(information.count == 20)
        #expect(informationError == .noRoom(needed: 18, available: 3))

        let (tuples, tuplesError) = compose(23) { output in
            try MultipleHandleValueNotification.begin(into: &output)
            while true { try MultipleHandleValueNotification.append(handle: 1, value: value.octets, into: &output) }
        }
        #expect(tuples == hex("23" + String(repeating: "01000300aabbcc", count: 3)))
        #expect(tuplesError == .noRoom(needed: 7, available: 1))
    }

    @Test func entryLengthsThatNoOctetHolds() {
        #expect(compose(23) { try ReadByTypeResponse.begin(entryLength: 1, into: &$0) } == ([], .invalidValue))
        #expect(compose(23) { try ReadByTypeResponse.begin(entryLength: -1, into: &$0) } == ([], .invalidValue))
        #expect(compose(23) { try ReadByTypeResponse.begin(entryLength: 2, into: &$0) } == (hex("09 02"), nil))
        #expect(compose(23) { try ReadByTypeResponse.begin(entryLength: 255, into: &$0) } == (hex("09 ff"), nil))
        #expect(
            compose(23) { try ReadByTypeResponse.begin(entryLength: 256, into: &$0) }
                == ([], .tooLong(length: 256, maximum: 255)))
        #expect(compose(23) { try ReadByGroupTypeResponse.begin(entryLength: 3, into: &$0) } == ([], .invalidValue))
        #expect(compose(23) { try ReadByGroupTypeResponse.begin(entryLength: 4, into: &$0) } == (hex("11 04"), nil))
        #expect(
            compose(23) { try ReadByGroupTypeResponse.begin(entryLength: 300, into: &$0) }
                == ([], .tooLong(length: 300, maximum: 255)))
    }

    @Test func beginNeedsRoom() {
        #expect(
            compose(1) { try ReadByTypeResponse.begin(entryLength: 7, into: &$0) }
                == ([], .noRoom(needed: 2, available: 1)))
        #expect(
            compose(0) { try ReadMultipleVariableResponse.begin(into: &$0) } == ([], .noRoom(needed: 1, available: 0)))
    }

    /// The joined values of a Read Multiple Response are cut to ATT_MTU − 1 octets.
    @Test func joinedValuesAreCutShort() {
        let value = hex("aa bb cc")
        var fitted: [Bool] = []
        let (octets, error) = compose(6) { output in
            try ReadMultipleResponse.begin(into: &output)
            fitted.append(ReadMultipleResponse.append(value: value.octets, into: &output))
            fitted.append(ReadMultipleResponse.append(value: value.octets, into: &output))
            fitted.append(ReadMultipleResponse.append(value: value.octets, into: &output))
        }
        #expect(octets == hex("0f aa bb cc aa bb"))
        #expect(error == nil)
        #expect(fitted == [true, false, false])
    }

    /// A list of values with lengths is cut to ATT_MTU − 1 octets, wherever that falls.
    @Test(arguments: [
        (11, "21 0300 aabbcc 0300 aabbcc", [true, true]),
        (10, "21 0300 aabbcc 0300 aabb", [true, false]),
        (8, "21 0300 aabbcc 0300", [true, false]),
        (7, "21 0300 aabbcc 03", [true, false]),
        (6, "21 0300 aabbcc", [true, false]),
        (5, "21 0300 aabb", [false, false]),
    ])
    func valuesWithLengthsAreCutShort(_ capacity: Int, _ expected: String, _ expectedFitted: [Bool]) {
        let value = hex("aa bb cc")
        var fitted: [Bool] = []
        let (octets, error) = compose(capacity) { output in
            try ReadMultipleVariableResponse.begin(into: &output)
            fitted.append(try ReadMultipleVariableResponse.append(value: value.octets, into: &output))
            fitted.append(try ReadMultipleVariableResponse.append(value: value.octets, into: &output))
        }
        #expect(octets == hex(expected))
        #expect(error == nil)
        #expect(fitted == expectedFitted)
    }

    @Test func valuesLongerThanTheirLengthFieldAreRefused() {
        let value = [UInt8](repeating: 0, count: 65_536)
        let tooLong = EncodeError.tooLong(length: 65_536, maximum: 65_535)
        let (values, valuesError) = compose(70_000) { output in
            _ = try ReadMultipleVariableResponse.append(value: value.octets, into: &output)
        }
        #expect(values.isEmpty)
        #expect(valuesError == tooLong)
        let (tuples, tuplesError) = compose(70_000) { output in
            try MultipleHandleValueNotification.append(handle: 1, value: value.octets, into: &output)
        }
        #expect(tuples.isEmpty)
        #expect(tuplesError == tooLong)
    }

    /// An encoder appends behind what the caller has already written.
    @Test func pdusFollowEachOther() throws {
        let octets = try [UInt8](capacity: 6) { output in
            try ReadRequest(handle: 0x0025).encode(into: &output)
            try ReadRequest(handle: 0x0026).encode(into: &output)
        }
        #expect(octets == hex("0a 25 00 0a 26 00"))
    }
}
