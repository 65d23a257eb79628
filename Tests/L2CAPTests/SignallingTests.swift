import L2CAP
import TestSupport
import Testing
import Wire

/// Signalling commands as literal payloads of channel 5.
@Suite struct SignallingTests {
    private func data(_ octets: String) throws -> [UInt8] {
        let octets = hex(octets)
        let packet = try SignallingPacket(parsing: octets.octets)
        return [UInt8](octets: packet.data)
    }

    /// Reads the data of a command and writes the payload again.
    private func roundTrip<Command: SignallingCommand>(_ type: Command.Type, _ payload: String) throws -> Command {
        let octets = try data(payload)
        let command = try Command(parsing: octets.octets)
        #expect(command.payload(identifier: hex(payload)[1]) == hex(payload))
        return command
    }

    @Test func commandsAndTheirOctets() throws {
        #expect(try roundTrip(CommandReject.self, "01 02 02 00 00 00").reason == .notUnderstood)
        #expect(
            try roundTrip(CommandReject.self, "01 02 04 00 01 00 17 00").reason == .signallingMTUExceeded(maximum: 23))
        #expect(
            try roundTrip(CommandReject.self, "01 02 06 00 02 00 40 00 41 00").reason
                == .invalidChannel(local: 0x40, remote: 0x41))
        #expect(
            try roundTrip(ConnectionParameterUpdateRequest.self, "12 01 08 00 06 00 0c 00 01 00 f4 01")
                == ConnectionParameterUpdateRequest(intervalMinimum: 6, intervalMaximum: 12, latency: 1, timeout: 500))
        #expect(try roundTrip(ConnectionParameterUpdateResponse.self, "13 01 02 00 00 00").isAccepted)
        #expect(try !roundTrip(ConnectionParameterUpdateResponse.self, "13 01 02 00 01 00").isAccepted)
        let disconnection = try roundTrip(DisconnectionRequest.self, "06 05 04 00 40 00 41 00")
        #expect(disconnection.destination.rawValue == 0x40)
        #expect(disconnection.source.rawValue == 0x41)
        #expect(try roundTrip(DisconnectionResponse.self, "07 05 04 00 40 00 41 00").source.rawValue == 0x41)
        let request = try roundTrip(LECreditBasedConnectionRequest.self, "14 05 0a 00 25 00 40 00 00 02 f7 00 0a 00")
        #expect(request.spsm == 0x25)
        #expect(request.mtu == 512)
        #expect(request.mps == 247)
        #expect(request.initialCredits == 10)
        let response = try roundTrip(LECreditBasedConnectionResponse.self, "15 05 0a 00 41 00 00 02 f7 00 0a 00 00 00")
        #expect(response.result == .success)
        #expect(response.destination.rawValue == 0x41)
        #expect(try roundTrip(FlowControlCreditIndication.self, "16 05 04 00 40 00 0a 00").credits == 10)
        let several = try roundTrip(
            CreditBasedConnectionRequest.self, "17 05 0c 00 27 00 40 00 40 00 05 00 40 00 41 00")
        #expect(several.sources.map(\.rawValue) == [0x40, 0x41])
        let opened = try roundTrip(
            CreditBasedConnectionResponse.self, "18 05 0c 00 40 00 40 00 05 00 04 00 50 00 00 00")
        #expect(opened.result == .noResources)
        #expect(opened.destinations.map(\.rawValue) == [0x50, 0])
        #expect(try roundTrip(CreditBasedReconfigureRequest.self, "19 05 06 00 00 02 f7 00 40 00").mtu == 512)
        #expect(try roundTrip(CreditBasedReconfigureResponse.self, "1a 05 02 00 01 00").result == 1)
    }

    @Test(arguments: ["12", "12 01 08", "12 01 08 00 06 00"])
    func aPacketThatEndsTooEarly(_ payload: String) {
        #expect(throws: MalformedError.self) { try data(payload) }
    }

    @Test func dataOfTheWrongLength() {
        let seven = hex("06 00 0c 00 01 00 f4")
        #expect(throws: MalformedError(.truncated, at: 6)) {
            try ConnectionParameterUpdateRequest(parsing: seven.octets)
        }
        let nine = hex("06 00 0c 00 01 00 f4 01 00")
        #expect(throws: MalformedError(.trailingOctets, at: 8)) {
            try ConnectionParameterUpdateRequest(parsing: nine.octets)
        }
        let sixChannels = hex("27 00 40 00 40 00 05 00 40 00 41 00 42 00 43 00 44 00 45 00")
        #expect(throws: MalformedError(.invalidLength, at: 8)) {
            try CreditBasedConnectionRequest(parsing: sixChannels.octets)
        }
        let halfAChannel = hex("27 00 40 00 40 00 05 00 40")
        #expect(throws: MalformedError(.invalidLength, at: 8)) {
            try CreditBasedConnectionRequest(parsing: halfAChannel.octets)
        }
    }

    /// Intervals 6–3200, in order; latency up to 499; timeout 10–3200 and longer than (1 + latency) × maximum × 2.
    @Test(
        arguments: [
            (6, 6, 0, 500, true), (6, 3200, 0, 3200, true), (5, 6, 0, 500, false), (6, 3201, 0, 3200, false),
            (8, 6, 0, 500, false), (6, 6, 499, 3200, true), (6, 6, 500, 3200, false), (6, 6, 0, 9, false),
            (6, 6, 0, 3201, false), (16, 32, 10, 10, false), (40, 40, 0, 10, false), (39, 39, 0, 10, true),
            (40, 40, 0, 11, true), (65535, 65535, 65535, 65535, false),
        ] as [(UInt16, UInt16, UInt16, UInt16, Bool)])
    func parameterRules(minimum: UInt16, maximum: UInt16, latency: UInt16, timeout: UInt16, isValid: Bool) {
        let request = ConnectionParameterUpdateRequest(
            intervalMinimum: minimum, intervalMaximum: maximum, latency: latency, timeout: timeout)
        #expect(request.isValid == isValid)
    }

    @Test(arguments: [
        ("06 05 04 00 40 00 41 00", "01 05 06 00 02 00 40 00 41 00"),
        ("14 05 0a 00 25 00 40 00 00 02 f7 00 0a 00", "15 05 0a 00 00 00 00 00 00 00 00 00 02 00"),
        ("17 05 0c 00 27 00 40 00 40 00 05 00 40 00 41 00", "18 05 0c 00 00 00 00 00 00 00 02 00 00 00 00 00"),
        ("19 05 06 00 00 02 f7 00 40 00", "01 05 02 00 00 00"), ("77 09 00 00", "01 09 02 00 00 00"),
        ("12 01 08 00 06 00 06 00 00 00 f4 01 aa", "01 01 02 00 00 00"), ("12 01 02 00 06 00", "01 01 02 00 00 00"),
        // Valid, but this central keeps its parameters.
        ("12 01 08 00 06 00 06 00 00 00 f4 01", "13 01 02 00 01 00"),
    ])
    func whatACentralWithoutChannelsAnswers(request: String, reply: String) {
        let octets = hex(request)
        let reaction = CentralSignalling(acceptsParameterUpdates: false).receive(octets.octets)
        #expect(reaction == .reply(hex(reply)))
    }

    @Test(arguments: [
        "", "12", "12 01", "12 01 08", "12 00 08 00 06 00 06 00 00 00 f4 01", "01 02 02 00 00 00", "13 01 02 00 00 00",
        "07 05 04 00 40 00 41 00", "15 05 0a 00 41 00 00 02 f7 00 0a 00 00 00", "16 05 04 00 40 00 0a 00",
        "18 05 02 00 00 00", "1a 05 02 00 01 00", "0b 02 02 00 02 00", "13 01 09 00 00 00",
    ])
    func whatIsNeverAnswered(_ payload: String) {
        let octets = hex(payload)
        #expect(CentralSignalling().receive(octets.octets) == .ignore)
    }

    @Test(arguments: [
        ("0b 01", "05 05"), ("0b", "05 05"), ("01 04 00 01 10 07 07", "05 05"), ("05 08", nil), ("7f 00", nil),
        ("", nil),
        ("02 04 00 01 10 07 07", nil),
    ])
    func pairingIsRefused(payload: String, reply: String?) {
        let octets = hex(payload)
        #expect(PairingRefusal().receive(octets.octets) == reply.map(hex))
    }

    @Test func codesHaveNames() {
        #expect(SignallingCode.connectionParameterUpdateRequest.description == "Connection Parameter Update Request")
        #expect(SignallingCode(rawValue: 0x77).description == "signalling code 0x77")
        #expect(SecurityManagerCode.securityRequest.description == "Security Request")
        #expect(SecurityManagerCode(rawValue: 0x7F).description == "Security Manager code 0x7f")
    }

    @Test func randomPayloadsAreAnsweredOnceOrNotAtAll() {
        var random = SeededGenerator.printingItsSeed(for: "random signalling")
        for _ in 0..<20_000 {
            let payload = random.octets(0...24)
            let identifier = payload.count > 1 ? payload[1] : 0
            switch CentralSignalling().receive(payload.octets) {
            case .ignore: break
            case .reply(let reply), .update(_, let reply):
                #expect(reply[1] == identifier)
                #expect(CentralSignalling().receive(reply.octets) == .ignore)
            }
            if let reply = PairingRefusal().receive(payload.octets) {
                #expect(PairingRefusal().receive(reply.octets) == nil)
            }
        }
    }
}
