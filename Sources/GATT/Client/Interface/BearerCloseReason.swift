/// Why an ATT bearer was closed, or has to be.
///
/// A bearer that broke a rule cannot be used again (Core Specification, Vol 3, Part F, 3.3.3): whoever waits on it is told,
/// and nothing more is sent on it.
public enum BearerCloseReason: Hashable, Sendable {
    /// No answer came within 30 s (Vol 3, Part F, 3.3.3).
    case requestTimedOut(Opcode)
    /// The peer sent a PDU of `length` octets although at most `maximum` were agreed (Vol 3, Part F, 3.2.8).
    case oversizedPDU(length: Int, maximum: Int)
    /// The peer sent another request although its last one was not answered yet (Vol 3, Part F, 3.3.2).
    case requestBeforeResponse(Opcode)
    /// The program closed the connection.
    case closedLocally
    /// The link went down; `reason` is the controller's code (Vol 1, Part F), 0x08 for a supervision timeout and 0x13
    /// for a peer that disconnected.
    case disconnected(reason: UInt8)
    /// The transport failed; the text says how, for people.
    case transportFailed(String)
}

extension BearerCloseReason: CustomStringConvertible {
    /// One clause for people, as in `the peer disconnected (0x13)`.
    public var description: String {
        switch self {
        case .requestTimedOut(let opcode): "no answer to \(opcode.name) within 30 seconds"
        case .oversizedPDU(let length, let maximum):
            "the peer sent a PDU of \(length) octets where the MTU allows \(maximum)"
        case .requestBeforeResponse(let opcode):
            "the peer sent \(opcode.name) before its last request was answered"
        case .closedLocally: "the connection was closed here"
        case .disconnected(let reason):
            switch reason {
            case 0x05: "authentication failed (0x05)"
            case 0x06: "the peer has lost the key (0x06)"
            case 0x08: "the connection timed out (0x08)"
            case 0x13: "the peer disconnected (0x13)"
            case 0x14: "the peer disconnected: low resources (0x14)"
            case 0x15: "the peer disconnected: power off (0x15)"
            case 0x16: "the connection was closed here (0x16)"
            case 0x22: "the link layer got no answer (0x22)"
            case 0x3B: "the connection parameters were refused (0x3b)"
            case 0x3D: "the encryption check failed (0x3d)"
            case 0x3E: "the connection was never established (0x3e)"
            default: "the link went down (0x\([reason].hexadecimal))"
            }
        case .transportFailed(let text): text
        }
    }
}
