import ATT
import TestSupport
import Testing

@Suite struct HandleTests {
    @Test func handleIsItsNumber() {
        let handle: AttributeHandle = 0x0025
        #expect(handle.rawValue == 0x25)
        #expect(handle.description == "0x0025")
        #expect(AttributeHandle(0xBEEF).description == "0xbeef")
        #expect(AttributeHandle.none == 0x0000)
        #expect(AttributeHandle.maximum == 0xFFFF)
        #expect(handle < 0x0026)
        #expect(!(handle < 0x0025))
    }

    @Test func nothingFollowsTheLastHandle() {
        #expect(AttributeHandle(0x0000).next == 0x0001)
        #expect(AttributeHandle(0xFFFE).next == 0xFFFF)
        #expect(AttributeHandle(0xFFFF).next == nil)
    }

    private static let ends: [(AttributeHandle, AttributeHandle, Bool)] = [
        (0x0001, 0x0001, true), (0x0001, 0xFFFF, true), (0xFFFF, 0xFFFF, true), (0x0010, 0x001A, true),
        (0x0000, 0x0000, false), (0x0000, 0xFFFF, false), (0x0002, 0x0001, false), (0xFFFF, 0x0001, false),
    ]

    @Test(arguments: ends)
    func rangeNeedsOrderedEnds(_ first: AttributeHandle, _ last: AttributeHandle, _ isValid: Bool) throws {
        let range = HandleRange(first: first, last: last)
        #expect((range != nil) == isValid)
        #expect(range.map(\.first) == (isValid ? first : nil))
        #expect(range.map(\.last) == (isValid ? last : nil))
        #expect(range.map(\.count) == (isValid ? Int(last.rawValue) - Int(first.rawValue) + 1 : nil))
    }

    @Test func all() {
        #expect(HandleRange.all == HandleRange(first: 0x0001, last: 0xFFFF))
        #expect(HandleRange.all.count == 65535)
        #expect(HandleRange.all.description == "0x0001…0xffff")
        #expect(!HandleRange.all.contains(AttributeHandle.none))
    }

    @Test func containsBothEnds() throws {
        let range = try #require(HandleRange(first: 0x0010, last: 0x001A))
        let contained = (0..<0x30).filter { range.contains(AttributeHandle(UInt16($0))) }
        #expect(contained == Array(0x10...0x1A))
    }

    /// Another range against 0x0010…0x001a: whether the two overlap, whether it lies inside, what both hold.
    private static let others: [(UInt16, UInt16, Bool, Bool, ClosedRange<UInt16>?)] = [
        (0x0001, 0x000F, false, false, nil),
        (0x0001, 0x0010, true, false, 0x0010...0x0010),
        (0x0012, 0x0014, true, true, 0x0012...0x0014),
        (0x0010, 0x001A, true, true, 0x0010...0x001A),
        (0x001A, 0xFFFF, true, false, 0x001A...0x001A),
        (0x001B, 0xFFFF, false, false, nil),
        (0x0001, 0xFFFF, true, false, 0x0010...0x001A),
    ]

    @Test(arguments: others)
    func rangesAgainstEachOther(
        _ first: UInt16, _ last: UInt16, _ overlaps: Bool, _ isInside: Bool, _ common: ClosedRange<UInt16>?
    ) throws {
        let range = try #require(HandleRange(first: 0x0010, last: 0x001A))
        let other = try #require(HandleRange(first: AttributeHandle(first), last: AttributeHandle(last)))
        let expected = common.flatMap {
            HandleRange(first: AttributeHandle($0.lowerBound), last: AttributeHandle($0.upperBound))
        }
        #expect(range.overlaps(other) == overlaps)
        #expect(other.overlaps(range) == overlaps)
        #expect(range.contains(other) == isInside)
        #expect(range.clamped(to: other) == expected)
        #expect(other.clamped(to: range) == expected)
    }
}
