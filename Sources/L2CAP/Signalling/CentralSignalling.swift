/// How a central without connection-oriented channels answers the LE signalling channel (Core Specification, Vol 3,
/// Part A, 4). Payloads in, payloads and wishes out; no state, no I/O.
@frozen
public struct CentralSignalling: Sendable {
    /// What a message calls for.
    @frozen
    public enum Reaction: Hashable, Sendable {
        /// Nothing: it was an answer, an indication, or not even a command.
        case ignore
        /// Send this payload on the LE signalling channel.
        case reply([UInt8])
        /// Send this payload, then have the controller change the connection (LE Connection Update).
        case update(ConnectionParameterUpdateRequest, reply: [UInt8])
    }

    /// Whether a peripheral gets the connection parameters it wants when they are valid.
    public var acceptsParameterUpdates: Bool

    @inlinable
    public init(acceptsParameterUpdates: Bool = true) {
        self.acceptsParameterUpdates = acceptsParameterUpdates
    }

    /// What the payload of a frame on the LE signalling channel calls for.
    public func receive(_ payload: RawSpan) -> Reaction {
        var header = OctetReader(payload)
        guard let octet = try? header.uint8(), let identifier = try? header.uint8(), identifier != 0 else {
            return .ignore
        }
        let code = SignallingCode(rawValue: octet)
        // Answers are never answered, not even broken ones; credits of a channel that is not there neither.
        if code.isAnswer || code == .flowControlCreditIndication { return .ignore }
        let notUnderstood = CommandReject(reason: .notUnderstood).payload(identifier: identifier)
        do throws(MalformedError) {
            let packet = try SignallingPacket(parsing: payload)
            switch code {
            case .connectionParameterUpdateRequest:
                let request = try ConnectionParameterUpdateRequest(parsing: packet.data)
                let accepts = acceptsParameterUpdates && request.isValid
                let reply = ConnectionParameterUpdateResponse(isAccepted: accepts).payload(identifier: identifier)
                return accepts ? .update(request, reply: reply) : .reply(reply)
            case .disconnectionRequest:
                let request = try DisconnectionRequest(parsing: packet.data)
                let reason = CommandReject.Reason.invalidChannel(
                    local: request.destination.rawValue, remote: request.source.rawValue)
                return .reply(CommandReject(reason: reason).payload(identifier: identifier))
            case .leCreditBasedConnectionRequest:
                _ = try LECreditBasedConnectionRequest(parsing: packet.data)
                let response = LECreditBasedConnectionResponse(refusing: .spsmNotSupported)
                return .reply(response.payload(identifier: identifier))
            case .creditBasedConnectionRequest:
                let request = try CreditBasedConnectionRequest(parsing: packet.data)
                let response = CreditBasedConnectionResponse(
                    mtu: 0, mps: 0, initialCredits: 0, result: .spsmNotSupported,
                    destinations: request.sources.map { _ in .null })
                return .reply(response.payload(identifier: identifier))
            default: return .reply(notUnderstood)
            }
        } catch {
            // Shorter than a header: no command at all. Otherwise it has an identifier and can be rejected.
            return payload.byteCount < SignallingPacket.headerByteCount ? .ignore : .reply(notUnderstood)
        }
    }
}
