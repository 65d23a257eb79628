import AssignedNumbers
import GATT
import Presentation
import TestSupport
import Testing

@Suite struct PresentationFormatTests {
    @Test(arguments: [
        ("0e fe 2f 27 01 00 00", "34 08", "21.00 °C"), ("04 00 ad 27 01 00 00", "57", "87 %"),
        ("01 00 00 27 01 00 00", "01", "true"), ("02 00 00 27 01 00 00", "07", "3"),
        ("0d 00 00 27 01 00 00", "ff 0f", "-1"),
        ("13 00 00 27 01 00 00", "ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff", "-1"),
        ("14 00 28 27 01 00 00", "00 00 c0 3f", "1.5 V"), ("16 00 00 27 01 00 00", "6e f1", "36.6"),
        ("19 00 00 27 01 00 00", "68 69", "\"hi\""), ("1a 00 00 27 01 00 00", "68 00 69 00", "\"hi\""),
        ("18 00 00 27 01 00 00", "01 00 02 00", "1, 2"),
    ])
    func valuesFollowTheirPresentationFormat(_ format: String, _ octets: String, _ text: String) throws {
        let format = try #require(PresentationFormat(hex(format)))
        #expect(format.decode(hex(octets))?.description == text)
    }

    @Test(arguments: [
        ("0e fe 2f 27 01 00 00", "34"), ("0e fe 2f 27 01 00 00", "34 08 00"), ("1b 00 00 27 01 00 00", "00"),
        ("00 00 00 27 01 00 00", "00"), ("01 00 00 27 01 00 00", "02"), ("1d 00 00 27 01 00 00", "00"),
    ])
    func whatDoesNotFitAFormatStaysOctets(_ format: String, _ octets: String) throws {
        let format = try #require(PresentationFormat(hex(format)))
        #expect(format.decode(hex(octets)) == nil)
    }

    @Test func everyFormatIsSafeOnAnyOctets() throws {
        for code in UInt8.min...UInt8.max {
            let format = try #require(PresentationFormat([code, 0x80, 0, 0x27, 1, 0, 0]))
            for length in 0...17 { _ = format.decode([UInt8](repeating: 0xFF, count: length)) }
        }
    }

    /// Every number of a unit has a name, and a value carries the unit's sign or name.
    @Test func everyUnitHasAName() throws {
        var named = 0
        for unit in UInt16(0x2700)...0x27FF {
            let format = try #require(PresentationFormat([4, 0, UInt8(unit & 0xFF), 0x27, 1, 0, 0]))
            #expect(format.unitName == AssignedNumbers.unitName(unit))
            guard let name = format.unitName else { continue }
            named += 1
            let sign = AssignedNumbers.unitSymbol(unit) ?? name
            #expect(format.decode([5])?.description == (sign.isEmpty ? "5" : "5 \(sign)"))
        }
        #expect(named >= 120)
    }

    /// All exponents, against the same number written out.
    @Test func everyExponent() throws {
        for exponent in Int8.min...Int8.max {
            let format = try #require(PresentationFormat([6, UInt8(bitPattern: exponent), 0, 0x27, 1, 0, 0]))
            #expect(format.exponent == Int(exponent))
            let value = try #require(format.decode([0xD2, 0x04]))
            #expect(value.content == .decimal(.finite(mantissa: 1234, exponent: Int(exponent))))
            let number = try #require(Double(value.description))
            let expected = try #require(Double("1234e\(exponent)"))
            #expect(number == expected)
        }
    }

    @Test func theFieldsOfTheDescriptor() throws {
        let format = try #require(PresentationFormat(hex("0e fe 2f 27 01 0d 01")))
        #expect(format.format.name == "sint16")
        #expect(format.unit == 0x272F)
        #expect(format.nameSpace == 1)
        #expect(format.detail == 0x010D)
        #expect(format.description == "sint16 × 10^-2, Celsius temperature (degree Celsius)")
        #expect(PresentationFormat(hex("0e fe 2f 27 01 0d")) == nil)
        #expect(PresentationFormat(hex("0e fe 2f 27 01 0d 01 00")) == nil)
    }
}
