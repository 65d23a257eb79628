// What a client engine may do, as a model beside it: the harness tells the model everything that goes in, shows it every
// action that comes out, and the model objects. It knows nothing of procedures, only the rules every user of the engine and
// every peer may rely on.

import ATT
import GATT
import Wire

/// The rules of a client engine on one bearer.
struct ClientModel {
    /// How many completions each operation has had; one is right.
    private(set) var completions: [OperationID: Int] = [:]
    private(set) var isClosed = false
    /// The opcode of the request that was sent and not answered.
    private(set) var outstanding: Opcode?
    /// Indications that were delivered and not confirmed yet, and requests of the peer that were not answered yet.
    private var owedConfirmations = 0
    private var owedAnswers: [Opcode] = []
    private var isFull = false
    private var requestCount = 0
    let configuration: ClientConfiguration

    init(_ configuration: ClientConfiguration) { self.configuration = configuration }

    // MARK: What goes in

    mutating func started(_ id: OperationID) throws(Finding) {
        try check(completions[id] == nil, "\(id) is the name of another operation")
        completions[id] = 0
    }

    /// A PDU of the peer; `longest` is the longest that the engine may take.
    mutating func received(_ pdu: [UInt8], longest: Int) {
        guard !isClosed, let first = pdu.first, pdu.count <= longest else { return }
        let opcode = Opcode(first)
        if opcode == .handleValueIndication, pdu.count >= 3 { owedConfirmations += 1 }
        if opcode.kind == .request || opcode.kind == .unknown && (first & 1 == 0 || opcode.hasSignature) {
            // A second one before the answer closes the bearer instead.
            if owedAnswers.isEmpty { owedAnswers.append(opcode) }
        }
        // What may free the slot: the right response, or an Error Response that names the request.
        if let outstanding,
            opcode == outstanding.answer || opcode == .errorResponse && pdu.count >= 2 && pdu[1] == outstanding.rawValue
        {
            self.outstanding = nil
        }
    }

    mutating func transportIsFull(_ isFull: Bool) { self.isFull = isFull }

    mutating func closed() {
        isClosed = true
        outstanding = nil
        owedConfirmations = 0
        owedAnswers = []
    }

    // MARK: What comes out

    mutating func performed(_ action: ClientAction, mtu: Int) throws(Finding) {
        switch action {
        case .send(let pdu): try sent(pdu, mtu: mtu)
        case .completed(let id, let result):
            guard let count = completions[id] else { throw Finding("\(id) was never started, and completes") }
            try check(count == 0, "\(id) completes again")
            completions[id] = count + 1
            if case .success(let outcome) = result { try isBounded(outcome) }
            if case .failure(let error) = result { try check(!error.description.isEmpty, "an error says nothing") }
        case .valueChanged(_, let value, _): try check(value.count <= 512, "a value of \(value.count) octets")
        case .progress(let id, let done, let total):
            try check(completions[id] == 0, "progress of \(id), which has ended or never began")
            try check(done >= 0 && done <= total ?? .max, "progress: \(done) of \(total ?? -1)")
        case .raiseSecurity:
            try check(configuration.elevatesSecurity, "security is raised against the configuration")
            // Again only when the operation it was raised for was cancelled meanwhile.
            try check(!isClosed, "security is raised on a closed bearer")
        case .close:
            try check(!isClosed, "the bearer is closed twice")
            closed()
        case .databaseChanged(let known):
            try check(!isClosed, "a closed bearer finds something out")
            try isBounded(.database(known.database))
        case .servicesChanged, .databaseLost, .log: break
        }
    }

    private mutating func sent(_ pdu: [UInt8], mtu: Int) throws(Finding) {
        guard let first = pdu.first else { throw Finding("an empty PDU is sent") }
        let opcode = Opcode(first)
        try check(!isClosed, "\(opcode) is sent on a closed bearer")
        try check(!isFull, "\(opcode) is sent to a transport that is full")
        try check(pdu.count <= mtu, "\(opcode) of \(pdu.count) octets is sent at an MTU of \(mtu)")
        switch opcode.kind {
        case .request:
            try check(outstanding == nil, "\(opcode) is sent while \(outstanding?.name ?? "") is outstanding")
            outstanding = opcode
            requestCount += 1
            try check((try? ClientPDU(parsing: pdu.octets).opcode) == opcode, "a malformed request is sent")
        case .command: break
        case .confirmation:
            try check(owedConfirmations > 0, "a confirmation too many")
            owedConfirmations -= 1
        case .response:
            guard !owedAnswers.isEmpty else { throw Finding("\(opcode) answers nothing") }
            let request = owedAnswers.removeFirst()
            if opcode == .errorResponse {
                try check(pdu.count == 5 && pdu[1] == request.rawValue, "the error is not about \(request)")
            } else {
                try check(opcode == request.answer, "\(opcode) answers \(request)")
            }
        default: throw Finding("a client sends \(opcode)")
        }
    }

    private func isBounded(_ outcome: Outcome) throws(Finding) {
        let maximum = configuration.maximumAttributes
        switch outcome {
        case .mtu(let mtu): try check((23...65_535).contains(mtu), "an MTU of \(mtu)")
        case .services(let services):
            try check(services.count <= maximum, "\(services.count) services")
            try isAscending(services.map(\.handle))
        case .includes(let includes): try check(includes.count <= maximum, "\(includes.count) includes")
        case .characteristics(let found):
            try check(found.count <= maximum, "\(found.count) characteristics")
            try isAscending(found.map(\.declarationHandle))
        case .descriptors(let found):
            try check(found.count <= maximum, "\(found.count) descriptors")
            try isAscending(found.map(\.handle))
        case .database(let database):
            try check(database.attributeCount <= maximum, "\(database.attributeCount) attributes")
            try isAscending(database.services.map(\.service.handle))
            for service in database.services {
                try isAscending(service.includes.map(\.handle))
                try isAscending(service.characteristics.map(\.characteristic.declarationHandle))
                for node in service.characteristics { try isAscending(node.descriptors.map(\.handle)) }
            }
        case .value(let value): try check(value.count <= 65_535, "a value of \(value.count) octets")
        case .handleValues(let values):
            try check(values.count <= maximum, "\(values.count) values")
            try isAscending(values.map(\.handle))
        case .values, .subscribed, .done: break
        }
    }

    private func isAscending(_ handles: [AttributeHandle]) throws(Finding) {
        for (lower, upper) in zip(handles, handles.dropFirst()) where lower >= upper {
            throw Finding("handle \(upper) comes after \(lower)")
        }
    }

    // MARK: Between and at the end

    /// What holds whenever everything that goes out has gone.
    func isQuiet(_ engine: borrowing ClientEngine) throws(Finding) {
        try check(engine.isClosed == isClosed, "the engine is closed: \(engine.isClosed)")
        try check(engine.mtu >= 23, "an MTU of \(engine.mtu)")
        try check(engine.requestCount == requestCount, "\(engine.requestCount) requests are counted")
        if outstanding != nil {
            try check(engine.nextDeadline != nil, "a request is outstanding for ever")
        }
        guard !isFull, !isClosed else { return }
        try check(owedConfirmations == 0, "\(owedConfirmations) confirmations are missing")
        try check(owedAnswers.isEmpty, "\(owedAnswers) are not answered")
    }

    /// What holds when the bearer has gone: everybody has had an answer.
    func isOver(_ engine: borrowing ClientEngine) throws(Finding) {
        for (id, count) in completions { try check(count == 1, "\(id) completed \(count) times") }
        try check(engine.isClosed && engine.nextDeadline == nil, "a closed engine waits for something")
    }
}

extension Opcode {
    /// The opcode that answers a request.
    fileprivate var answer: Opcode { Opcode(rawValue &+ 1) }
}
