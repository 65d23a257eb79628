/// Why a GATT procedure failed.
public enum GATTError: Error, Hashable, Sendable {
    /// The server answered with an Error Response (Core Specification, Vol 3, Part F, 3.4.1.1). The code is kept as it
    /// came, whether it has a name or not.
    case attributeError(ErrorCode, request: Opcode, handle: AttributeHandle)
    /// The response could not be decoded, or holds something the request cannot have asked for.
    case malformedResponse(Opcode, MalformedError)
    /// No answer came within 30 s; the bearer is closed (Vol 3, Part F, 3.3.3).
    case timedOut(Opcode, handle: AttributeHandle)
    /// The bearer was closed before the procedure ended, or before it began.
    case bearerClosed(BearerCloseReason)
    /// The caller cancelled the procedure.
    case cancelled
    /// The value is longer than the procedure can carry; nothing was sent.
    case valueTooLong(length: Int, maximum: Int)
    /// The server echoed a Prepare Write Request differently: nothing of the value was written (Vol 3, Part G, 4.9.5).
    case prepareWriteMismatch(handle: AttributeHandle, offset: Int)
    /// The server answers with handles below those that were asked for, which would go on for ever.
    case serverDoesNotAdvance(Opcode, handle: AttributeHandle)
    /// The procedure needed more requests than the configuration allows.
    case tooManyRounds(maximum: Int)
    /// The server has, or claims to have, more attributes than the configuration allows.
    case tooManyAttributes(maximum: Int)
    /// The characteristic's properties allow neither notifications nor indications.
    case cannotSubscribe(valueHandle: AttributeHandle)
    /// There is no subscription to end.
    case notSubscribed(valueHandle: AttributeHandle)
    /// The procedure was asked for something that cannot be sent; the text says what.
    case invalidArgument(String)
}

extension GATTError: CustomStringConvertible {
    /// One sentence for people, without a full stop: the specification's name and number of an error, the request, the
    /// handle.
    public var description: String {
        switch self {
        case .attributeError(let code, let request, let handle):
            "\(code) in answer to \(request), handle \(handle)"
        case .malformedResponse(let opcode, let error):
            "malformed \(opcode): \(error)"
        case .timedOut(let opcode, let handle):
            "no answer to \(opcode), handle \(handle), within 30 seconds; the connection is closed"
        case .bearerClosed(let reason):
            "the connection is closed: \(reason)"
        case .cancelled:
            "cancelled"
        case .valueTooLong(let length, let maximum):
            "a value of \(length) octets is too long: at most \(maximum) can be sent"
        case .prepareWriteMismatch(let handle, let offset):
            "the peer repeated other data than was sent to handle \(handle) at offset \(offset); nothing was written"
        case .serverDoesNotAdvance(let opcode, let handle):
            "the peer gives handle \(handle), which was not asked for, in \(opcode); given up"
        case .tooManyRounds(let maximum):
            "given up after \(maximum) requests: the peer never ends its answers"
        case .tooManyAttributes(let maximum):
            "given up: the peer has more than \(maximum) attributes"
        case .cannotSubscribe(let valueHandle):
            "the characteristic at \(valueHandle) has neither notifications nor indications"
        case .notSubscribed(let valueHandle):
            "there is no subscription to handle \(valueHandle)"
        case .invalidArgument(let text):
            text
        }
    }
}
