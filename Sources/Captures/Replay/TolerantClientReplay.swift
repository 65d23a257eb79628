import ATT

/// The tolerant order, as the client: requests one after the other, whose answers must be the same.
struct TolerantClientReplay: Sendable {
    /// The next PDU of the client.
    private(set) var position = 0
    /// The answer that is waited for.
    private var awaited: Int?
    private let answers: [Int: Int]
    /// Answers to requests of the server, which may ask for the MTU.
    private var clientMTUResponse: [UInt8]

    init(_ script: ReplayScript) {
        var answers: [Int: Int] = [:]
        var open: Int?
        clientMTUResponse = [0x03, 0x17, 0x00]
        for (index, pdu) in script.pdus.enumerated() {
            switch (pdu.direction, script.opcode(index).kind) {
            case (.fromClient, .request), (.fromClient, .unknown): open = index
            case (.fromServer, .response):
                if let open { answers[open] = index }
                open = nil
            case (.fromClient, .response) where script.opcode(index) == .exchangeMTUResponse:
                clientMTUResponse = pdu.octets
            default: break
            }
        }
        self.answers = answers
    }

    mutating func start(_ script: ReplayScript, _ actions: inout [ReplayAction]) { goOn(script, &actions) }

    func isComplete(_ script: ReplayScript) -> Bool { position == script.pdus.count && awaited == nil }

    /// Sends requests and commands up to the next answer to be waited for.
    private mutating func goOn(_ script: ReplayScript, _ actions: inout [ReplayAction]) {
        while awaited == nil, position < script.pdus.count {
            let index = position
            position += 1
            guard script.pdus[index].direction == .fromClient else { continue }
            switch script.opcode(index).kind {
            // Those are sent when there is something to answer.
            case .confirmation, .response: continue
            default: actions.append(script.send(index))
            }
            awaited = answers[index]
        }
        if isComplete(script), script.closesAtEnd { actions.append(.close) }
    }

    mutating func receive(
        _ pdu: [UInt8], _ script: ReplayScript, _ actions: inout [ReplayAction]
    ) throws(ReplayDifference) {
        let opcode = Opcode(pdu.first ?? 0)
        switch opcode.kind {
        case .notification: break
        case .indication: actions.append(.send([Opcode.handleValueConfirmation.rawValue], microseconds: 0))
        case .request:
            let refusal = [0x01, opcode.rawValue, 0x00, 0x00, ErrorCode.requestNotSupported.rawValue]
            let answer = opcode == .exchangeMTURequest ? clientMTUResponse : refusal
            actions.append(.send(answer, microseconds: 0))
        case .command: break
        default:
            guard let awaited else {
                throw ReplayDifference(
                    "no answer was waited for", at: position, script, expected: nil, received: pdu)
            }
            guard script.pdus[awaited].octets == pdu else {
                throw ReplayDifference(
                    "another answer was expected", at: awaited, script, expected: awaited, received: pdu)
            }
            self.awaited = nil
            goOn(script, &actions)
        }
    }

    func differenceAtEnd(_ script: ReplayScript) -> ReplayDifference? {
        guard let awaited else { return nil }
        return ReplayDifference(
            "the connection ended before this PDU came", at: awaited, script, expected: awaited, received: nil)
    }
}
