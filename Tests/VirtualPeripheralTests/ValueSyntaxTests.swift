import TestSupport
import Testing
import VirtualPeripheral

@Suite struct ValueSyntaxTests {
    /// The value of a characteristic written this way.
    static func value(_ text: String) throws -> [UInt8] {
        let file = "device X\nservice 180D\n  characteristic 2A37\n    properties read\n    value \(text)\n"
        return try DeviceDescription(parsing: file).services[0].characteristics[0].value
    }

    @Test(arguments: [
        ("hex: 01 02 ff", "0102ff"), ("hex:0102 FF", "0102ff"), ("0x0102ff", "0102ff"), ("empty", ""),
        ("text: Hello, you", "48656c6c6f2c20796f75"), ("text:a  # a comment", "61"), ("text: a#b", "612362"),
        ("text: \"a # b\", u8: 1", "612023206201"), (#"text: "\"\\\n\t\r\0\x7f\xff""#, "225c0a090d007fff"),
        ("text: ü", "c3bc"), ("text: \"\"", ""),
        ("u8: 0 255 0x10", "00ff10"), ("u16: 1 0xABCD", "0100cdab"), ("u24: 0x123456", "563412"),
        ("u32: 1", "01000000"), ("u48: 1", "010000000000"), ("u64: 1", "0100000000000000"),
        ("i8: -1 127 -128", "ff7f80"), ("i16: -2", "feff"), ("i24: -3", "fdffff"), ("i32: -4", "fcffffff"),
        ("i64: -5", "fbffffffffffffff"), ("f32: 1.5 -2", "0000c03f000000c0"), ("f64: 1", "000000000000f03f"),
        ("pattern: 3", "000102"), ("pattern: 0", ""), ("u8: 1, u16: 2,hex: 03", "01020003"),
        ("empty, u8: 1", "01"),
    ])
    func valuesAreOctets(_ text: String, _ octets: String) throws {
        #expect(try Self.value(text).hexadecimal == octets)
    }

    @Test func patternsCountUp() throws {
        let value = try Self.value("pattern: 512")
        #expect(value.count == 512)
        #expect(value[0...2] == [0, 1, 2])
        #expect(value[255...257] == [255, 0, 1])
    }

    /// What is written, the column in the line, and the sentence.
    @Test(arguments: [
        ("", 10, "the line ends too early; expected a value: "),
        ("hello", 11, "\"hello\" is not a value; expected a value: "),
        ("u8: 256", 15, "256 is out of range; expected a number, 0 to 255"),
        ("u8: -1", 15, "-1 is out of range; expected a number, 0 to 255"),
        ("i8: 128", 15, "128 is out of range; expected a number, -128 to 127"),
        ("u8:", 14, "the line ends too early; expected a number, 0 to 255"),
        ("u8: 1 x", 17, "\"x\" is not a number; expected a number, 0 to 255"),
        ("u12: 1", 11, "\"u12:\" begins no value; expected a value: "),
        ("v8: 1", 11, "\"v8:\" begins no value; expected a value: "),
        ("hex: 0", 16, "\"0\" is not octets; expected two hexadecimal digits for each octet"),
        ("hex: 00 zz", 19, "\"zz\" is not octets; expected two hexadecimal digits for each octet"),
        ("0x", 11, "\"0x\" is not octets; expected two hexadecimal digits for each octet"),
        ("f32: one", 16, "\"one\" is not a number; expected a number such as 36.6"),
        ("text: \"abc", 17, "the quotation mark is never closed; expected \" at the end of the text"),
        (#"text: "a\q""#, 20, #"the text after \ means nothing; expected one of \" \\ \n \r \t \0 \xNN"#),
        ("text: \"a\" b", 21, "\"b\" is more than the line needs; expected the end of the line"),
        ("u8: 1,", 17, "the line ends too early; expected a value: "),
        ("u8: 1,,u8: 2", 17, "a comma stands where it does not belong; expected a value: "),
        ("pattern: 513", 20, "513 is out of range; expected a length, 0 to 512"),
        ("pattern: 512, u8: 1", 11, "the value has 513 octets; expected 512 octets at most"),
        ("u64: 99999999999999999999", 16, "\"99999999999999999999\" is not a number; expected a number, 0 to "),
    ])
    func errorsNamePlaceCauseAndRemedy(_ text: String, _ column: Int, _ sentence: String) throws {
        let error = try #require(throws: DeviceFileError.self) { try Self.value(text) }
        #expect(error.line == 5)
        #expect(error.column == column)
        #expect(error.description.hasPrefix("line 5, column \(column): \(sentence)"), "\(error)")
    }
}
