import ATT
import TestSupport
import Testing

/// The lines of `describe(_:)`, one PDU of every type at least.
@Suite struct DescribeTests {
    @Test(arguments: [
        ("", "Empty PDU"),
        ("01 0a 25 00 0a", "Error Response to Read Request (0x0a) 0x0025 Attribute Not Found (0x0a)"),
        ("01 12 05 00 90", "Error Response to Write Request (0x12) 0x0005 Application Error (0x90)"),
        ("02 05 02", "Exchange MTU Request 517"),
        ("03 17 00", "Exchange MTU Response 23"),
        ("04 01 00 ff ff", "Find Information Request 0x0001…0xffff"),
        ("05 01 03 00 02 29 04 00 01 29", "Find Information Response 0x0003=2902 0x0004=2901"),
        (
            "05 02 03 00 33c3695141abaab2484cd69001004a42",
            "Find Information Response 0x0003=424a0001-90d6-4c48-b2aa-ab415169c333"
        ),
        ("06 01 00 ff ff 00 28 0d 18", "Find By Type Value Request 0x0001…0xffff 2800 0d18"),
        ("07 10 00 1a 00 20 00 ff ff", "Find By Type Value Response 0x0010…0x001a 0x0020…0xffff"),
        ("08 01 00 ff ff 03 28", "Read By Type Request 0x0001…0xffff 2803"),
        ("09 03 02 00 aa 03 00 bb", "Read By Type Response 0x0002=aa 0x0003=bb"),
        ("09 02 02 00", "Read By Type Response 0x0002=empty"),
        ("0a 25 00", "Read Request 0x0025"),
        ("0b 01 02", "Read Response 0102"),
        ("0b", "Read Response"),
        ("0c 25 00 16 00", "Read Blob Request 0x0025 from 22"),
        ("0d ff", "Read Blob Response ff"),
        ("0e 03 00 05 00", "Read Multiple Request 0x0003 0x0005"),
        ("0f 01 02 03", "Read Multiple Response 010203"),
        ("10 01 00 ff ff 00 28", "Read By Group Type Request 0x0001…0xffff 2800"),
        ("11 06 01 00 07 00 0d 18", "Read By Group Type Response 0x0001…0x0007=0d18"),
        ("12 25 00 01 00", "Write Request 0x0025 0100"),
        ("13", "Write Response"),
        ("16 25 00 12 00 aa", "Prepare Write Request 0x0025 from 18 aa"),
        ("17 25 00 12 00 aa", "Prepare Write Response 0x0025 from 18 aa"),
        ("18 00", "Execute Write Request cancel"),
        ("18 01", "Execute Write Request write"),
        ("18 07", "Execute Write Request flags 0x07"),
        ("19", "Execute Write Response"),
        ("1b 25 00 06 48", "Handle Value Notification 0x0025 0648"),
        ("1d 25 00", "Handle Value Indication 0x0025"),
        ("1e", "Handle Value Confirmation"),
        ("20 03 00 05 00", "Read Multiple Variable Request 0x0003 0x0005"),
        ("21 02 00 aa bb 00 00 03 00 cc", "Read Multiple Variable Response aabb empty cc (cut short, of 3)"),
        ("23 03 00 02 00 aa bb 05 00 00 00", "Multiple Handle Value Notification 0x0003=aabb 0x0005=empty"),
        (
            "23 03 00 01 00 dd 05 00 04 00 ee",
            "Multiple Handle Value Notification 0x0003=dd, malformed: the octets end too early (at offset 6)"
        ),
        ("52 25 00 ff", "Write Command 0x0025 ff"),
        (
            "d2 25 00 ff 00 01 02 03 04 05 06 07 08 09 0a 0b",
            "Signed Write Command 0x0025 ff signed 000102030405060708090a0b"
        ),
        ("24 01", "Unknown PDU 0x24 01"),
        ("7e", "Unknown Command 0x7e"),
        ("09 00", "Read By Type Response, malformed: a length does not fit (at offset 1): 0900"),
        ("1b 03", "Handle Value Notification, malformed: the octets end too early (at offset 1): 1b03"),
    ])
    func line(_ octets: String, _ line: String) {
        #expect(describe(hex(octets).octets) == line)
    }
}
