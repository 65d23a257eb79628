import Sockets
import Testing
import Wire

@testable import Central

/// What sort of failure something is, which is the exit status of a command, and how it is said.
@Suite(.timeLimit(.minutes(1))) struct ErrorTests {
    /// Who does not answer in time is not there, for whoever connects. A pairing that does not end is something else, and
    /// so is everything that has another reason.
    @Test(
        arguments: [
            (.timedOut, nil, .noConnection), (.timedOut, .pairingTimedOut, .timedOut), (.linkLost, nil, .linkLost),
            (.noAdapter, nil, .noAdapter), (.refused, .pairingRefused, .refused),
        ] as [(CentralError.Category, SecurityFailure?, CentralError.Category)])
    func whatConnectingFailsWith(
        category: CentralError.Category, security: SecurityFailure?, expected: CentralError.Category
    ) throws {
        let error = CentralError(
            category, failure: "cannot connect", reason: "no answer", remedy: "try", security: security)
        let address = try #require(DeviceAddress("F0:F1:F2:F3:F4:F5/random"))
        let seen = Connector.notReached(error, .address(address))
        #expect(seen.category == expected)
        let isChanged = category != expected
        #expect(seen.remedy == (isChanged ? Self.remedy : "try"))
        #expect(Connector.notReached(error, .unix("/tmp/att")).remedy == "try")
    }

    private static let remedy = "see with \"btatt scan\" whether it advertises, and whether its address type is public"

    /// The request's own thirty seconds, here shorter, are over before the connection is open.
    @Test func aPeerThatDoesNotAnswerTheFirstRequest() async throws {
        let (near, far) = try SeqPacketSocket.pair()
        let peer = try ScriptedPeer(far)
        let central = try await Central(adapter: .none)
        let pending = attempt { () throws(CentralError) in
            try await central.connect(
                to: .socket(near),
                options: ConnectOptions(engine: ClientConfiguration(requestTimeout: .milliseconds(50))))
        }
        await peer.expect("02 05 02")
        let failed = await pending.value
        #expect(failed?.exitStatus == 5)
        #expect(failed?.gattError == .timedOut(.exchangeMTURequest, handle: .none))
    }

    /// A server that has no room for another client in its queue.
    @Test func aSocketThatNobodyAccepts() async throws {
        let path = "/tmp/btatt-full-\(UInt64.random(in: 0 ... .max))"
        let system = LinuxSystemCalls()
        let listener = try system.socket(
            domain: LinuxNumbers.unixDomain, type: LinuxNumbers.seqPacket | LinuxNumbers.closeOnExec, protocol: 0)
        defer {
            try? system.close(listener)
            try? system.unlink(path)
        }
        // AF_UNIX, in the machine's order.
        let address = [1, 0] + Array(path.utf8) + [0]
        try system.bind(listener, to: address.octets)
        try system.listen(listener, backlog: 0)
        let central = try await Central(adapter: .none)
        let options = ConnectOptions(preferredMTU: 23, timeout: .seconds(1))
        // The first waits in the queue, and counts as connected.
        let first = try await central.connect(to: .unix(path), options: options)
        let failed = await attempt { () throws(CentralError) in
            try await central.connect(to: .unix(path), options: options)
        }.value
        #expect(failed?.exitStatus == 5)
        await first.disconnect()
    }

    @Test(arguments: [
        (Duration.seconds(1), "1 second"), (.seconds(2), "2 seconds"), (.milliseconds(1_500), "1.5 seconds"),
        (.milliseconds(100), "0.1 seconds"), (.milliseconds(900), "0.9 seconds"),
        (.milliseconds(99), "99 milliseconds"),
        (.milliseconds(150), "150 milliseconds"), (.milliseconds(1), "1 millisecond"),
        (.microseconds(2_900), "2 milliseconds"), (.microseconds(900), "less than a millisecond"),
        (.zero, "less than a millisecond"), (.seconds(3_600), "3600 seconds"),
    ])
    func timesAreSaid(duration: Duration, text: String) {
        #expect(CentralError.timedOut("cannot read", after: duration).reason == "no answer within \(text)")
    }
}
