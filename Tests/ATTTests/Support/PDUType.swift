import ATT
import TestSupport
import Testing

/// One type of PDU as a row of a table: what the tests that hold for every type need to know about it.
struct PDUType: Sendable, CustomTestStringConvertible {
    let opcode: Opcode
    /// A valid PDU with as many entries or octets as make its truncations interesting.
    let sample: [UInt8]
    /// Which prefixes of the sample are valid PDUs too.
    let isValidLength: @Sendable (Int) -> Bool
    /// Parses octets as this type and encodes what was parsed into a buffer of a capacity.
    let roundTrip: @Sendable ([UInt8], _ capacity: Int) -> RoundTrip

    var testDescription: String { "\(opcode.name) \(sample.hexadecimal)" }

    /// What came of parsing and encoding again.
    enum RoundTrip: Equatable {
        case malformed(MalformedError)
        case notEncoded(EncodeError, appended: Int)
        case encoded([UInt8], claimed: Int)

        var isMalformed: Bool {
            if case .malformed = self { true } else { false }
        }
    }

    init<P: PDU & ~Escapable>(_: P.Type, _ sample: String, isValidLength: @escaping @Sendable (Int) -> Bool) {
        opcode = P.opcode
        self.sample = hex(sample)
        self.isValidLength = isValidLength
        roundTrip = { octets, capacity in
            do throws(MalformedError) {
                let pdu = try P(parsing: octets.octets)
                var failure: EncodeError?
                let encoded = [UInt8](capacity: capacity) { output in
                    do throws(EncodeError) { try pdu.encode(into: &output) } catch { failure = error }
                }
                if let failure { return .notEncoded(failure, appended: encoded.count) }
                return .encoded(encoded, claimed: pdu.encodedByteCount)
            } catch {
                return .malformed(error)
            }
        }
    }

    /// A type whose PDUs all have the same size.
    init<P: PDU>(_ type: P.Type, _ sample: String) {
        let size = hex(sample).count
        self.init(type, sample) { $0 == size }
    }

    /// Every type of PDU; those with several layouts several times.
    static let all = client + server

    static let client = [
        PDUType(ExchangeMTURequest.self, "02 05 02"),
        PDUType(FindInformationRequest.self, "04 01 00 ff ff"),
        PDUType(FindByTypeValueRequest.self, "06 01 00 ff ff 00 28 0d 18 aa") { $0 >= 7 },
        PDUType(ReadByTypeRequest.self, "08 01 00 ff ff 00112233445566778899aabbccddeeff") { $0 == 7 || $0 == 21 },
        PDUType(ReadRequest.self, "0a 25 00"),
        PDUType(ReadBlobRequest.self, "0c 25 00 16 00"),
        PDUType(ReadMultipleRequest.self, "0e 03 00 05 00 07 00 09 00") { $0 >= 5 && $0 % 2 == 1 },
        PDUType(ReadByGroupTypeRequest.self, "10 01 00 ff ff 00112233445566778899aabbccddeeff") { $0 == 7 || $0 == 21 },
        PDUType(WriteRequest.self, "12 25 00 01 02 03") { $0 >= 3 },
        PDUType(PrepareWriteRequest.self, "16 25 00 12 00 01 02 03") { $0 >= 5 },
        PDUType(ExecuteWriteRequest.self, "18 01"),
        PDUType(HandleValueConfirmation.self, "1e"),
        PDUType(ReadMultipleVariableRequest.self, "20 03 00 05 00 07 00 09 00") { $0 >= 5 && $0 % 2 == 1 },
        PDUType(WriteCommand.self, "52 25 00 01 02 03") { $0 >= 3 },
        PDUType(SignedWriteCommand.self, "d2 25 00 aa bb 000102030405060708090a0b") { $0 >= 15 },
    ]

    static let server = [
        PDUType(ErrorResponse.self, "01 0a 25 00 0a"),
        PDUType(ExchangeMTUResponse.self, "03 17 00"),
        PDUType(FindInformationResponse.self, "05 01 0300 0229 0400 0129 0500 0328") { $0 >= 6 && ($0 - 2) % 4 == 0 },
        PDUType(
            FindInformationResponse.self,
            "05 02 0300 00112233445566778899aabbccddeeff 0400 00112233445566778899aabbccddeef0"
        ) { $0 == 20 || $0 == 38 },
        PDUType(FindByTypeValueResponse.self, "07 1000 1a00 2000 2f00 3000 ffff") { $0 >= 5 && ($0 - 1) % 4 == 0 },
        PDUType(ReadByTypeResponse.self, "09 05 0200 aabbcc 0300 ddeeff 0400 001122") { $0 >= 7 && ($0 - 2) % 5 == 0 },
        PDUType(ReadByTypeResponse.self, "09 02 0200 0300") { $0 == 4 || $0 == 6 },
        PDUType(ReadResponse.self, "0b 01 02 03") { $0 >= 1 },
        PDUType(ReadBlobResponse.self, "0d 01 02 03") { $0 >= 1 },
        PDUType(ReadMultipleResponse.self, "0f 01 02 03") { $0 >= 1 },
        PDUType(ReadByGroupTypeResponse.self, "11 06 0100 0700 0d18 0800 0a00 0f18") { $0 == 8 || $0 == 14 },
        PDUType(ReadByGroupTypeResponse.self, "11 04 0100 0700") { $0 == 6 },
        PDUType(WriteResponse.self, "13"),
        PDUType(PrepareWriteResponse.self, "17 25 00 12 00 01 02 03") { $0 >= 5 },
        PDUType(ExecuteWriteResponse.self, "19"),
        PDUType(HandleValueNotification.self, "1b 25 00 06 48") { $0 >= 3 },
        PDUType(HandleValueIndication.self, "1d 25 00 06 48") { $0 >= 3 },
        PDUType(ReadMultipleVariableResponse.self, "21 0200 aabb 0000 0300 ccddee") { $0 >= 3 },
        PDUType(MultipleHandleValueNotification.self, "23 0300 0200 aabb 0500 0100 cc") { $0 >= 5 },
    ]
}
