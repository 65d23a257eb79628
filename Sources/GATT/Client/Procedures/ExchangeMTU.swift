// Exchange MTU (Core Specification, Vol 3, Part G, 4.3.1): each side says what it can receive, once per connection, and
// the smaller number holds in both directions. Whatever the answer is, the connection goes on: an error leaves the MTU
// where it was, and an answer below 23, which no device may give, counts as 23.

/// Exchange MTU.
struct ExchangeMTU: ProcedureMachine {
    mutating func start(_ client: inout ClientState) -> ProcedureStep {
        guard !client.hasExchangedMTU, client.configuration.isFixedChannel, client.configuration.preferredMTU > 23
        else {
            return .finish(.mtu(client.mtu))
        }
        client.hasExchangedMTU = true
        let own = UInt16(clamping: client.configuration.preferredMTU)
        return .ask(ExchangeMTURequest(clientReceiveMTU: own), about: .none)
    }

    mutating func receive(_ response: RawSpan, _ client: inout ClientState) throws(MalformedError) -> ProcedureStep {
        client.agree(onMTU: Int(try ExchangeMTUResponse(parsing: response).serverReceiveMTU))
        return .finish(.mtu(client.mtu))
    }

    mutating func receive(_ error: AttributeError, _ client: inout ClientState) -> ProcedureStep {
        .finish(.mtu(client.mtu))
    }

    // The MTU holds whether or not somebody still waits for it.
    mutating func abandon() -> Bool { true }

    var mayRaiseSecurity: Bool { false }
    var usesNoHandles: Bool { true }
}
