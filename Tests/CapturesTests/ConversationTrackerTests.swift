import ATT
import Captures
import TestSupport
import Testing

@Suite struct ConversationTrackerTests {
    /// A discovery and its use, as a central's host sees it.
    private func discovered() -> ConversationTracker {
        var tracker = ConversationTracker()
        let exchange: [(String, CaptureDirection)] = [
            ("020502", .sent), ("03f700", .received),
            ("100100ffff0028", .sent), ("110601000900001810000e000d18", .received),
            ("081000ffff0328", .sent), ("0907110010120037 2a", .received),
            ("0413000e00", .sent), ("050113000229", .received),
        ]
        for (index, (pdu, direction)) in exchange.enumerated() {
            _ = tracker.observe(
                hex(pdu).octets, direction, at: CaptureTime(nanoseconds: Int64(index) * 10_000_000))
        }
        return tracker
    }

    @Test func discoveryNamesTheHandles() {
        let tracker = discovered()
        #expect(tracker.mtu == 247)
        #expect(tracker.peerAttributes.entries.map(\.handle) == [0x0001, 0x0010, 0x0011, 0x0012, 0x0013])
        #expect(tracker.peerAttributes[0x0012]?.uuid == 0x2A37)
        #expect(tracker.peerAttributes[0x0013]?.uuid == 0x2902)
        #expect(tracker.peerAttributes[0x0010]?.role == .service(end: 0x000E, isPrimary: true))
        #expect(tracker.localAttributes.count == 0)
    }

    @Test func responsesFindTheirRequests() {
        var tracker = ConversationTracker()
        let asked = tracker.observe(hex("0a1200").octets, .sent, at: CaptureTime(nanoseconds: 1_000_000))
        #expect(asked.handle == 0x0012)
        let answered = tracker.observe(hex("0b01").octets, .received, at: CaptureTime(nanoseconds: 31_000_000))
        #expect(answered.handle == 0x0012)
        #expect(answered.latency == .milliseconds(30))
        #expect(answered.answers?.opcode == .readRequest)
    }

    /// Both sides ask at once; each answer goes to the other side's request.
    @Test func bothSidesMayBeClients() {
        var tracker = ConversationTracker()
        _ = tracker.observe(hex("0a1200").octets, .sent, at: nil)
        _ = tracker.observe(hex("0a0300").octets, .received, at: nil)
        #expect(tracker.observe(hex("0bff").octets, .sent, at: nil).handle == 0x0003)
        #expect(tracker.observe(hex("0b01").octets, .received, at: nil).handle == 0x0012)
    }

    @Test func strayAnswersAreTold() {
        var tracker = ConversationTracker()
        #expect(tracker.observe(hex("0b01").octets, .received, at: nil).isUnasked)
        #expect(tracker.observe(hex("1e").octets, .received, at: nil).isUnasked)
        _ = tracker.observe(hex("100100ffff0028").octets, .sent, at: nil)
        #expect(tracker.observe(hex("010801000a").octets, .received, at: nil).isUnasked)
        #expect(!tracker.observe(hex("011001000a").octets, .received, at: nil).isUnasked)
    }

    @Test(arguments: ["", "11", "1106", "0900", "0907", "05", "0501", "01", "0110", "03", "1b", "1d00"])
    func malformedAnswersTeachNothing(_ pdu: String) {
        var tracker = ConversationTracker()
        _ = tracker.observe(hex("100100ffff0028").octets, .sent, at: nil)
        _ = tracker.observe(hex(pdu).octets, .received, at: nil)
        #expect(tracker.peerAttributes.count == 0)
    }
}
