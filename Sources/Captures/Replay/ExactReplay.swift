/// The exact order: one place in the transcript, for both sides.
struct ExactReplay: Sendable {
    /// The next PDU.
    private(set) var position = 0
    private var hasClosed = false

    mutating func start(_ script: ReplayScript, _ actions: inout [ReplayAction]) {
        goOn(script, &actions)
    }

    /// Sends what is this side's until something of the other side is next.
    private mutating func goOn(_ script: ReplayScript, _ actions: inout [ReplayAction]) {
        while position < script.pdus.count, script.pdus[position].direction == script.side.sends {
            actions.append(script.send(position))
            position += 1
        }
        if position == script.pdus.count, script.closesAtEnd, !hasClosed {
            hasClosed = true
            actions.append(.close)
        }
    }

    mutating func receive(
        _ pdu: [UInt8], _ script: ReplayScript, _ actions: inout [ReplayAction]
    ) throws(ReplayDifference) {
        guard position < script.pdus.count else {
            throw ReplayDifference(
                "nothing more was expected", at: position, script, expected: nil, received: pdu)
        }
        guard script.pdus[position].octets == pdu else {
            throw ReplayDifference(
                "another PDU was expected", at: position, script, expected: position, received: pdu)
        }
        position += 1
        goOn(script, &actions)
    }

    func isComplete(_ script: ReplayScript) -> Bool { position == script.pdus.count }

    func differenceAtEnd(_ script: ReplayScript) -> ReplayDifference? {
        guard position < script.pdus.count else { return nil }
        return ReplayDifference(
            "the connection ended before this PDU came", at: position, script, expected: position, received: nil)
    }
}
