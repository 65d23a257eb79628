import ATT
import TestSupport
import Testing

/// PDUs that peers sent, or could send, and that are malformed: what is wrong with each, and at which octet.
@Suite struct MalformedTests {
    private static let server: [(String, MalformedError.Kind, Int)] = [
        // Nothing, and less than the fixed fields.
        ("", .truncated, 0),
        ("01", .truncated, 1), ("01 0a", .truncated, 2), ("01 0a 25", .truncated, 2), ("01 0a 25 00", .truncated, 4),
        ("03", .truncated, 1), ("03 17", .truncated, 1),
        ("17", .truncated, 1), ("17 25 00 12", .truncated, 3),
        ("1b", .truncated, 1), ("1b 03", .truncated, 1),
        ("1d", .truncated, 1), ("1d 14", .truncated, 1),
        // More than the fixed fields.
        ("01 0a 25 00 0a 00", .trailingOctets, 5), ("03 17 00 00", .trailingOctets, 3),
        ("13 00", .trailingOctets, 1), ("19 00", .trailingOctets, 1),
        // Find Information: no format, no entry, other formats, entries cut short, entries of the other format.
        ("05", .truncated, 1), ("05 01", .truncated, 2), ("05 02", .truncated, 2),
        ("05 03", .invalidValue, 1), ("05 00 0a 00 02 29", .invalidValue, 1), ("05 ff", .invalidValue, 1),
        ("05 03 0a 00 02 29", .invalidValue, 1),
        ("05 02 0a 00 02 29 0b 00 01 29", .invalidLength, 2), ("05 02 0a", .invalidLength, 2),
        ("05 01 0a 00 02 29 0b 00", .invalidLength, 6),
        // Find By Type Value: no entry, entries cut short.
        ("07", .truncated, 1), ("07 10", .invalidLength, 1), ("07 10 00 1a", .invalidLength, 1),
        ("07 10 00 1a 00 20 00", .invalidLength, 5),
        // Read By Type: no length, lengths 0 and 1, no entry, lengths beyond the end, entries of mixed sizes.
        ("09", .truncated, 1), ("09 00", .invalidLength, 1), ("09 01", .invalidLength, 1),
        ("09 01 02", .invalidLength, 1), ("09 01 02 00", .invalidLength, 1),
        ("09 02", .truncated, 2), ("09 07", .truncated, 2),
        ("09 15 02 00 02 03 00 00", .invalidLength, 2), ("09 07 02 00 02 03 00 00 2a 04", .invalidLength, 9),
        ("09 ff 00", .invalidLength, 2),
        // Read By Group Type: the same, and lengths without room for two handles.
        ("11", .truncated, 1), ("11 00", .invalidLength, 1), ("11 01 00", .invalidLength, 1),
        ("11 02 01 00", .invalidLength, 1), ("11 03 01 00 07", .invalidLength, 1),
        ("11 06", .truncated, 2), ("11 06 01 00 07 00 0d", .invalidLength, 2),
        ("11 06 01 00 07 00 0d 18 08 00", .invalidLength, 8),
        // Lists of values with lengths: not even the first length.
        ("21", .truncated, 1), ("21 00", .truncated, 1),
        ("23", .truncated, 1), ("23 03 00 01", .truncated, 3),
    ]

    @Test(arguments: server)
    func fromServer(_ octets: String, _ kind: MalformedError.Kind, _ offset: Int) {
        let octets = hex(octets)
        #expect(throws: MalformedError(kind, at: offset)) { _ = try ServerPDU(parsing: octets.octets) }
    }

    private static let client: [(String, MalformedError.Kind, Int)] = [
        ("", .truncated, 0),
        ("02", .truncated, 1), ("02 05", .truncated, 1), ("02 05 02 00", .trailingOctets, 3),
        ("04", .truncated, 1), ("04 01 00", .truncated, 3), ("04 01 00 ff", .truncated, 3),
        ("04 01 00 ff ff 00", .trailingOctets, 5),
        ("06 01 00 ff ff", .truncated, 5), ("06 01 00 ff ff 00", .truncated, 5),
        ("08", .truncated, 1), ("08 01 00 ff ff", .truncated, 5), ("08 01 00 ff ff 03", .truncated, 5),
        ("08 01 00 ff ff 03 28 00", .invalidLength, 5), ("08 01 00 ff ff 03 28 00 00", .invalidLength, 5),
        ("08 01 00 ff ff 00112233445566778899aabbccddeeff 00", .trailingOctets, 21),
        ("0a", .truncated, 1), ("0a 25", .truncated, 1), ("0a 25 00 00", .trailingOctets, 3),
        ("0c 25 00 16", .truncated, 3), ("0c 25 00 16 00 00", .trailingOctets, 5),
        ("0e", .truncated, 1), ("0e 03 00", .truncated, 3), ("0e 03 00 05 00 07", .invalidLength, 5),
        ("10 01 00", .truncated, 3), ("10 01 00 ff ff 00 28 00 00", .invalidLength, 5),
        ("12", .truncated, 1), ("12 25", .truncated, 1),
        ("16 25 00", .truncated, 3), ("16 25 00 12", .truncated, 3),
        ("18", .truncated, 1), ("18 01 00", .trailingOctets, 2),
        ("1e 00", .trailingOctets, 1),
        ("20", .truncated, 1), ("20 03 00", .truncated, 3), ("20 03 00 05 00 07", .invalidLength, 5),
        ("52", .truncated, 1), ("52 25", .truncated, 1),
        ("d2 25", .truncated, 1), ("d2 25 00 0102030405060708090a0b", .truncated, 3),
    ]

    @Test(arguments: client)
    func fromClient(_ octets: String, _ kind: MalformedError.Kind, _ offset: Int) {
        let octets = hex(octets)
        #expect(throws: MalformedError(kind, at: offset)) { _ = try ClientPDU(parsing: octets.octets) }
    }

    /// ATT_MTU is a number of 16 bits, so that no PDU is longer than 65535 octets.
    @Test func listsLongerThanAnyBearerCarries() {
        let octets = [0x09, 0x03] + [UInt8](repeating: 0x01, count: 65_535)
        #expect(malformation(ReadByTypeResponse.self, octets) == nil)
        #expect(malformation(ReadByTypeResponse.self, octets + [1, 1, 1]) == MalformedError(.tooLong, at: 2))
    }
}
