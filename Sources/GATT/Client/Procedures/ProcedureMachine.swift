// Each GATT procedure is a value that knows one thing: which request follows which answer. It has no queue, no clock
// and no bearer. `start` gives the first step; each answer gives the next; a step is a request or the end.

/// One GATT procedure under way.
protocol ProcedureMachine: Sendable {
    /// The first step, taken when the procedure's turn has come.
    mutating func start(_ client: inout ClientState) -> ProcedureStep

    /// The step after the response to the last request.
    /// - Parameter response: the whole PDU; it has the opcode that answers the last request.
    /// - Throws: `MalformedError` when it cannot be decoded.
    mutating func receive(_ response: RawSpan, _ client: inout ClientState) throws(MalformedError) -> ProcedureStep

    /// The step after an Error Response to the last request.
    mutating func receive(_ error: AttributeError, _ client: inout ClientState) -> ProcedureStep

    /// The step after an answer to the last request that could not be decoded, so that nobody knows what the server did.
    mutating func receive(undecodable failure: GATTError, _ client: inout ClientState) -> ProcedureStep

    /// Tells a procedure with an unanswered request that its caller has gone.
    /// - Returns: whether it has to go on all the same, to undo what it began or to take over what the answer says.
    mutating func abandon() -> Bool

    /// Whether an error for want of security is worth raising the link's security for.
    var mayRaiseSecurity: Bool { get }

    /// Whether it needs no handle that was known before, so that it can go on after the server's attributes have changed.
    var usesNoHandles: Bool { get }

    /// Whether the number of requests follows from the caller's argument, not from what the server answers.
    var isBoundedByCaller: Bool { get }

    /// How far the procedure has come, when it is one of many requests.
    var progress: Progress? { get }
}

extension ProcedureMachine {
    mutating func receive(_ error: AttributeError, _ client: inout ClientState) -> ProcedureStep {
        .fail(error.failure)
    }
    mutating func receive(undecodable failure: GATTError, _ client: inout ClientState) -> ProcedureStep {
        .fail(failure)
    }
    mutating func abandon() -> Bool { false }
    var mayRaiseSecurity: Bool { true }
    var usesNoHandles: Bool { false }
    var isBoundedByCaller: Bool { false }
    var progress: Progress? { nil }
}

/// How far a procedure has come.
struct Progress: Sendable {
    var done: Int
    var total: Int?
}

/// What a procedure does next.
enum ProcedureStep: Sendable {
    case request(OutgoingRequest)
    case finish(Outcome)
    case fail(GATTError)

    /// Sends `request`, which concerns `handle`.
    static func ask(_ request: some Request & ~Escapable, about handle: AttributeHandle) -> ProcedureStep {
        OutgoingRequest.encode(request, about: handle)
    }
}

/// A request and what answers it.
struct OutgoingRequest: Sendable {
    var octets: [UInt8]
    var opcode: Opcode
    var responseOpcode: Opcode
    /// The attribute it concerns, or the first of them, for error texts.
    var handle: AttributeHandle

    fileprivate static func encode<R: Request & ~Escapable>(
        _ request: R, about handle: AttributeHandle
    ) -> ProcedureStep {
        guard let octets = encoded(request) else {
            return .fail(.invalidArgument("\(R.opcode.name) cannot carry what was asked for"))
        }
        return .request(
            OutgoingRequest(octets: octets, opcode: R.opcode, responseOpcode: R.responseOpcode, handle: handle))
    }
}

/// The content of an Error Response to a request of ours.
struct AttributeError: Sendable {
    var code: ErrorCode
    var request: Opcode
    var handle: AttributeHandle

    var failure: GATTError { .attributeError(code, request: request, handle: handle) }
}

/// The octets of a PDU; nil when one of its fields cannot be encoded.
func encoded<P: PDU & ~Escapable>(_ pdu: P) -> [UInt8]? {
    do throws(EncodeError) {
        return try [UInt8](capacity: pdu.encodedByteCount) { (output: inout OutputRawSpan) throws(EncodeError) in
            try pdu.encode(into: &output)
        }
    } catch {
        return nil
    }
}

extension RawSpan {
    /// The first octet, of a PDU that has one.
    var unsafeOpcode: UInt8 {
        // In bounds: every caller has checked that there is an octet.
        unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: UInt8.self)
    }
}
