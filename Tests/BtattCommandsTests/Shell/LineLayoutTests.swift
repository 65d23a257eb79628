import CEditLine
import Foundation
import Testing

@testable import BtattCommands

@Suite struct LineLayoutTests {
    private func place(_ text: String, width: Int = 10, height: Int = 5) -> [Int] {
        // The name is a C string, and what comes back is not looked at.
        _ = unsafe setlocale(LC_CTYPE, "C.UTF-8")
        let place = CursorPlace(after: text, width: width, height: height)
        return [place.row, place.column]
    }

    @Test func rowsAreCountedAsLibeditDrawsThem() {
        #expect(place("") == [0, 0])
        #expect(place("123456789") == [0, 9])
        #expect(place("1234567890") == [1, 0])
        #expect(place("12345678901") == [1, 1])
        #expect(place("ab\ncd") == [1, 2])
        #expect(place("\u{01}") == [0, 2])
        #expect(place("12345678\t") == [1, 0])
        #expect(place("日本語日本") == [1, 0])
        // A wide character does not fit into the last column.
        #expect(place("123456789日") == [1, 2])
        #expect(place("e\u{301}") == [0, 1])
        #expect(place("\u{200E}", width: 80) == [0, 0] || place("\u{200E}", width: 80) == [0, 7])
        #expect(place(String(repeating: "x", count: 200)) == [4, 0])
        #expect(place("abc", width: 1) == [3, 0])
    }

    @Test func columnsAreFilledDownwards() {
        #expect(columnLines(["a", "bb", "ccc", "d", "e"], width: 15) == ["a    ccc  e", "bb   d"])
        #expect(columnLines(["a", "b"], width: 1) == ["a", "b"])
        #expect(columnLines([], width: 80) == [])
        #expect(columnLines((1...30).map { "\($0)" }, width: 8, limit: 4) == ["1  3", "2  4", "and 26 more"])
    }

    @Test func charactersAreMadeOfOctets() {
        var decoder = ScalarDecoder()
        let octets: [UInt8] = Array("aü€😀".utf8) + [0xC3, 0x28, 0xFF, 0x80, 0x80, 0x80, 0x80, 0x80, 0x62, 0x00]
        let scalars = octets.compactMap { decoder.append($0) }
        #expect(scalars == ["a", "ü", "€", "😀", "(", "b", "\u{04}"])
    }
}
