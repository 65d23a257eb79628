import CommandLineParsing
import TestSupport
import Testing

@testable import BtattCommands

@Suite struct ValueSyntaxTests {
    @Test(arguments: [
        ("0x0102ff", "0102ff"), ("0XAB", "ab"), ("hex:01 02 ff", "0102ff"), ("hex:01:02:FF", "0102ff"),
        ("hex:01-02-FF", "0102ff"), ("hex:01,02", "0102"), ("hex:", ""), ("text:hello", "68656c6c6f"), ("text:", ""),
        ("text:a:b", "613a62"), ("text:é", "c3a9"), ("on", "6f6e"), ("hello world", "68656c6c6f20776f726c64"),
        ("u8:5", "05"), ("u8:1,2,0xff", "0102ff"), ("u8:1, 2", "0102"), ("u16:0x0102", "0201"),
        ("u16:300,1", "2c010100"),
        ("u24:0x010203", "030201"), ("u32:1", "01000000"), ("u64:18446744073709551615", "ffffffffffffffff"),
        ("i8:-1", "ff"), ("i8:-128,127", "807f"), ("i16:-2", "feff"), ("i24:-1", "ffffff"), ("i32:-0x10", "f0ffffff"),
        ("i64:-1", "ffffffffffffffff"), ("f32:1.5", "0000c03f"), ("f32:-0.25,1", "000080be0000803f"),
        ("f64:1.5", "000000000000f83f"),
    ])
    func valuesAreOctets(_ text: String, _ octets: String) throws {
        #expect(try ValueSource(text) == .octets(hex(octets)))
    }

    @Test func valuesComeFromElsewhere() throws {
        #expect(try ValueSource("file:/tmp/a b") == .file("/tmp/a b"))
        #expect(try ValueSource("-") == .standardInput)
    }

    @Test(
        arguments: [
            (
                "0102",
                "could be octets (hex:0102), a number (such as u8:0102 or u16:0102) or text (text:0102): say which", nil
            ),
            ("beef", "could be octets (hex:beef) or text (text:beef): say which", nil),
            ("5", "could be a number (such as u8:5 or u16:5) or text (text:5): say which", nil),
            ("-5", "could be a number (such as u8:-5 or u16:-5) or text (text:-5): say which", nil),
            ("1.5", "could be a number (f32:1.5) or text (text:1.5): say which", nil),
            ("01 02", "could be octets (hex:01 02) or text (text:01 02): say which", nil),
            ("", "is empty; an empty value is hex:", nil),
            ("0x", "has no digits; an empty value is hex:", 2),
            ("0x012", "has an odd number of digits, half an octet", 4),
            ("0x01g2", "has \"g\", which is no hexadecimal digit", 4),
            ("0x01 02", "has \" \", which is no hexadecimal digit", 4),
            ("hex:0 1", "has half an octet", 4),
            ("hex:01 0z", "has \"z\", which is no hexadecimal digit", 8),
            ("u8:256", "has 256, which u8 cannot hold (0 to 255)", 3),
            ("u8:1,2,300", "has 300, which u8 cannot hold (0 to 255)", 7),
            ("u8:-1", "has -1, which u8 cannot hold (0 to 255)", 3),
            ("i8:128", "has 128, which i8 cannot hold (-128 to 127)", 3),
            ("u16:1,,2", "lacks a number", 6), ("u16:", "lacks a number", 4),
            ("u16:1,x", "has \"x\", no whole number", 6), ("u16:0x", "has \"0x\", no whole number", 4),
            (
                "u64:18446744073709551616",
                "has 18446744073709551616, which u64 cannot hold (0 to 18446744073709551615)", 4
            ),
            ("f32:1.5,z", "has \"z\", no number", 8), ("file:", "names no file", 5),
            ("u17:5", "has an unknown prefix \"u17:\"; did you mean \"u16:\"? The text itself is text:u17:5", 0),
            ("http://x", "has an unknown prefix \"http:\"; The text itself is text:http://x", 0),
        ] as [(String, String, Int?)])
    func whatIsNoValueIsExplained(_ text: String, _ message: String, _ position: Int?) {
        #expect(throws: ValueError(message, at: position)) { try ValueSource(text) }
    }
}
