import ATT
import TestSupport
import Testing

/// What a server sends unasked, octet by octet.
@Suite struct ServerInitiatedTests {
    @Test(arguments: ["", "06 48", "48 65 61 72 74"])
    func notificationAndIndication(_ text: String) throws {
        let value = hex(text)
        let notified = hex("1b 25 01" + text)
        let notification = try HandleValueNotification(parsing: notified.octets)
        #expect(notification.handle == 0x0125)
        #expect([UInt8](octets: notification.value) == value)
        #expect(try encoded(HandleValueNotification(handle: 0x0125, value: value.octets)) == notified)
        let indicated = hex("1d 25 01" + text)
        let indication = try HandleValueIndication(parsing: indicated.octets)
        #expect(indication.handle == 0x0125)
        #expect([UInt8](octets: indication.value) == value)
        #expect(try encoded(HandleValueIndication(handle: 0x0125, value: value.octets)) == indicated)
    }

    @Test func confirmation() throws {
        #expect(try HandleValueConfirmation(parsing: hex("1e").octets) == HandleValueConfirmation())
        #expect(try encoded(HandleValueConfirmation()) == hex("1e"))
    }

    /// Lists of tuples, and the offset of the tuple that is cut short.
    @Test(
        arguments: [
            ("23 0300 0200 aabb 0500 0100 cc", ["0x0003 aabb", "0x0005 cc"], nil),
            ("23 0300 0000 0500 0000", ["0x0003 ", "0x0005 "], nil),
            ("23 0300 0100 dd", ["0x0003 dd"], nil),
            ("23 0300 0100 dd 0500 0000", ["0x0003 dd", "0x0005 "], nil),
            ("23 0300 0100 dd 0500 0400 ee", ["0x0003 dd"], 6),
            ("23 0300 0100 dd 0500 04", ["0x0003 dd"], 6),
            ("23 0300 0100 dd 05", ["0x0003 dd"], 6),
            ("23 0300 0100", [], 1),
            ("23 0300 ffff dd", [], 1),
        ] as [(String, [String], Int?)])
    func multipleHandleValueNotification(_ text: String, _ expected: [String], _ broken: Int?) throws {
        let octets = hex(text)
        let pdu = try MultipleHandleValueNotification(parsing: octets.octets)
        var iterator = pdu.tuples.makeIterator()
        var tuples: [String] = []
        while let tuple = iterator.next() { tuples.append("\(tuple.handle) \(tuple.value.hexadecimal)") }
        let malformation = broken.map { MalformedError(.truncated, at: $0) }
        #expect(tuples == expected)
        #expect(pdu.tuples.count == expected.count)
        #expect(iterator.malformation == malformation)
        #expect(pdu.tuples.malformation == malformation)
        let isAtEnd = iterator.next() == nil
        #expect(isAtEnd)
        #expect(try encoded(pdu) == octets)
    }
}
