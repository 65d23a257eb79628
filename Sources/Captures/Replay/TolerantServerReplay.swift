import ATT

/// The tolerant order, as the server: a table of requests and their answers.
struct TolerantServerReplay: Sendable {
    /// What a client sent, and what the server answered.
    private struct Exchange: Sendable {
        var index: Int
        var answer: Int?
        var isUsed = false
    }

    /// What the server sends by itself.
    private struct Initiated: Sendable {
        var index: Int
        /// The last write before it, by its place among the exchanges; it comes after that was made.
        var prerequisite: Int?
    }

    private var exchanges: [Exchange] = []
    private var initiated: [Initiated] = []
    /// Answers of the client to requests of the server, by their index.
    private var clientAnswers: [Int] = []
    private var awaitsConfirmation = false
    private var awaitsAnswer = false
    private var hasClosed = false
    private var mtu: Int

    init(_ script: ReplayScript) {
        mtu = script.mtu
        var open: Int?
        var lastWrite: Int?
        for (index, pdu) in script.pdus.enumerated() {
            let opcode = script.opcode(index)
            switch (pdu.direction, opcode.kind) {
            case (.fromClient, .request), (.fromClient, .unknown):
                exchanges.append(Exchange(index: index))
                open = exchanges.count - 1
                if Self.mayChangeSomething(opcode) { lastWrite = exchanges.count - 1 }
            case (.fromClient, .command):
                exchanges.append(Exchange(index: index))
                lastWrite = exchanges.count - 1
            case (.fromClient, .response): clientAnswers.append(index)
            case (.fromClient, _): break
            case (.fromServer, .response):
                if let open { exchanges[open].answer = index }
                open = nil
            case (.fromServer, _): initiated.append(Initiated(index: index, prerequisite: lastWrite))
            }
        }
    }

    private static func mayChangeSomething(_ opcode: Opcode) -> Bool {
        opcode == .writeRequest || opcode == .executeWriteRequest
    }

    mutating func start(_ script: ReplayScript, _ actions: inout [ReplayAction]) { goOn(script, &actions) }

    func remaining(_ script: ReplayScript) -> [Transcript.PDU] {
        let indices = exchanges.filter { !$0.isUsed }.map(\.index) + initiated.map(\.index)
        return indices.sorted().map { script.pdus[$0] }
    }

    mutating func receive(
        _ pdu: [UInt8], _ script: ReplayScript, _ actions: inout [ReplayAction]
    ) throws(ReplayDifference) {
        let opcode = Opcode(pdu.first ?? 0)
        switch opcode.kind {
        case .confirmation:
            guard awaitsConfirmation else {
                throw difference("a confirmation of nothing came", script, received: pdu)
            }
            awaitsConfirmation = false
        case .response: try receiveAnswer(pdu, script)
        default: try answer(pdu, opcode, script, &actions)
        }
        goOn(script, &actions)
    }

    private mutating func receiveAnswer(_ pdu: [UInt8], _ script: ReplayScript) throws(ReplayDifference) {
        guard awaitsAnswer else { throw difference("a response to nothing came", script, received: pdu) }
        awaitsAnswer = false
        guard let index = clientAnswers.first else { return }
        clientAnswers.removeFirst()
        guard script.pdus[index].octets == pdu else {
            throw ReplayDifference(
                "another response was expected", at: index, script, expected: index, received: pdu)
        }
    }

    private mutating func answer(
        _ pdu: [UInt8], _ opcode: Opcode, _ script: ReplayScript, _ actions: inout [ReplayAction]
    ) throws(ReplayDifference) {
        let same = exchanges.indices.filter { index in
            let known = script.pdus[exchanges[index].index].octets
            return known == pdu || (opcode == .exchangeMTURequest && known.first == pdu.first)
        }
        guard let found = same.first(where: { !exchanges[$0].isUsed }) ?? same.last else {
            guard opcode != .exchangeMTURequest else { return agree(on: pdu, script, &actions) }
            throw unknown(pdu, opcode, script)
        }
        exchanges[found].isUsed = true
        guard let answer = exchanges[found].answer else { return }
        let octets = script.pdus[answer].octets
        if opcode == .exchangeMTURequest {
            agree(pdu, octets)
        } else if octets.count > mtu {
            throw ReplayDifference(
                "the answer has \(octets.count) octets, more than the MTU of \(mtu) that was agreed on", at: answer,
                script, expected: answer, received: nil)
        }
        actions.append(script.send(answer))
    }

    /// An exchange that the transcript does not have, because it begins later or the client never asked.
    private mutating func agree(on request: [UInt8], _ script: ReplayScript, _ actions: inout [ReplayAction]) {
        let mtu = UInt16(clamping: max(23, script.mtu))
        let response = [0x03, UInt8(truncatingIfNeeded: mtu), UInt8(truncatingIfNeeded: mtu >> 8)] as [UInt8]
        agree(request, response)
        actions.append(.send(response, microseconds: 0))
    }

    private mutating func agree(_ request: [UInt8], _ response: [UInt8]) {
        guard let asked = try? ExchangeMTURequest(parsing: request.octets),
            let offered = try? ExchangeMTUResponse(parsing: response.octets)
        else { return }
        mtu = max(23, min(Int(asked.clientReceiveMTU), Int(offered.serverReceiveMTU)))
    }

    /// A request that the transcript does not have, beside the one that is most like it.
    private func unknown(_ pdu: [UInt8], _ opcode: Opcode, _ script: ReplayScript) -> ReplayDifference {
        let alike = exchanges.map(\.index).filter { script.opcode($0) == opcode }
        let nearest = alike.max {
            Self.likeness(script.pdus[$0].octets, pdu) < Self.likeness(script.pdus[$1].octets, pdu)
        }
        return ReplayDifference(
            nearest == nil ? "the transcript has no \(opcode.name)" : "the transcript has no such \(opcode.name)",
            at: nearest ?? script.pdus.count, script, expected: nearest, received: pdu)
    }

    private static func likeness(_ a: [UInt8], _ b: [UInt8]) -> Int { zip(a, b).count { $0 == $1 } }

    private func difference(_ reason: String, _ script: ReplayScript, received: [UInt8]) -> ReplayDifference {
        ReplayDifference(reason, at: script.pdus.count, script, expected: nil, received: received)
    }

    /// Sends what the server sends by itself, as far as its time has come.
    private mutating func goOn(_ script: ReplayScript, _ actions: inout [ReplayAction]) {
        while let next = initiated.first, !awaitsConfirmation, !awaitsAnswer {
            if let prerequisite = next.prerequisite, !exchanges[prerequisite].isUsed { break }
            initiated.removeFirst()
            actions.append(script.send(next.index))
            switch script.opcode(next.index).kind {
            case .indication: awaitsConfirmation = true
            case .request: awaitsAnswer = true
            default: break
            }
        }
        // A link is lost after what was asked last; a peripheral that leaves on purpose has been asked everything.
        let isOver = script.isLost ? exchanges.last?.isUsed ?? true : exchanges.allSatisfy(\.isUsed)
        if script.closesAtEnd, !hasClosed, initiated.isEmpty, isOver {
            hasClosed = true
            actions.append(.close)
        }
    }
}
