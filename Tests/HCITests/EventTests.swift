import GAP
import HCI
import TestSupport
import Testing
import Wire

/// Events as literal packets, type octet first.
@Suite struct EventTests {
    private func anotherEvent() { Issue.record("another event") }

    /// Calls `body` with an event.
    private func event(_ octets: String, _ body: (borrowing HCIEvent) -> Void) throws {
        let octets = hex(octets)
        guard case .event(let packet) = try HCIPacket(parsing: octets.octets) else {
            Issue.record("no event")
            return
        }
        body(try HCIEvent(packet))
    }

    /// Calls `body` with an LE event.
    private func leEvent(_ octets: String, _ body: (borrowing LEEvent) -> Void) throws {
        try event(octets) { event in
            guard case .le(let event) = copy event else {
                Issue.record("no LE event")
                return
            }
            body(event)
        }
    }

    @Test func commandComplete() throws {
        try event("04 0e 0a 01 09 10 00 01 00 10 5e 00 02") { event in
            guard case .commandComplete(let complete) = copy event else { return anotherEvent() }
            #expect(complete.credits == 1)
            #expect(complete.opcode == .readBDADDR)
            #expect(complete.status == .success)
            let octets = complete.returnParameters.hexadecimal
            #expect(octets == "000100105e0002")
        }
    }

    /// NOP: the opcode stands at another offset in each of the two events, and there is no status in the first.
    @Test func nopOpcode() throws {
        try event("04 0e 03 01 00 00") { event in
            guard case .commandComplete(let complete) = copy event else { return anotherEvent() }
            #expect(complete.credits == 1)
            #expect(complete.opcode == .nop)
            #expect(complete.status == nil)
        }
        try event("04 0f 04 00 01 00 00") { event in
            guard case .commandStatus(let status) = copy event else { return anotherEvent() }
            #expect(status.credits == 1)
            #expect(status.opcode == .nop)
        }
    }

    @Test func commandStatus() throws {
        try event("04 0f 04 0c 01 0d 20") { event in
            guard case .commandStatus(let status) = copy event else { return anotherEvent() }
            #expect(status.status == .commandDisallowed)
            #expect(status.opcode == .leCreateConnection)
        }
    }

    @Test func disconnectionComplete() throws {
        try event("04 05 04 00 40 00 13") { event in
            guard case .disconnectionComplete(let end) = copy event else { return anotherEvent() }
            #expect(end.status.isSuccess)
            #expect(end.handle == 0x0040)
            #expect(end.reason == .remoteUserTerminated)
        }
    }

    /// Shorter than its length octet says: refused. Longer: read by its length octet.
    @Test func lengthOctetAgainstBuffer() throws {
        let short = hex("04 05 04 00 40 00")
        #expect(throws: MalformedError(.truncated, at: 3)) {
            guard case .event = try HCIPacket(parsing: short.octets) else { return }
        }
        try event("04 05 04 00 40 00 13 99") { event in
            guard case .disconnectionComplete(let end) = copy event else { return anotherEvent() }
            #expect(end.handle == 0x0040)
            #expect(end.reason == .remoteUserTerminated)
        }
    }

    @Test func parametersThatEndTooEarly() {
        let octets = hex("05 03 00 40 00")
        #expect(throws: MalformedError(.truncated, at: 5)) {
            guard case .disconnectionComplete = try HCIEvent(parsing: octets.octets) else { return }
        }
    }

    @Test func encryptionChange() throws {
        try event("04 08 04 06 40 00 00") { event in
            guard case .encryptionChange(let change) = copy event else { return anotherEvent() }
            #expect(change.status == .pinOrKeyMissing)
            #expect(change.status.description == "PIN or Key Missing (0x06)")
            #expect(!change.isEncrypted)
            #expect(change.keySize == nil)
        }
        try event("04 59 05 00 40 00 01 10") { event in
            guard case .encryptionChange(let change) = copy event else { return anotherEvent() }
            #expect(change.isEncrypted)
            #expect(change.keySize == 16)
        }
        // "Enabled" beside a failure is no encryption.
        try event("04 08 04 06 40 00 01") { event in
            guard case .encryptionChange(let change) = copy event else { return anotherEvent() }
            #expect(!change.isEncrypted)
        }
        try event("04 30 03 00 40 00") { event in
            guard case .encryptionKeyRefreshComplete(let refresh) = copy event else { return anotherEvent() }
            #expect(refresh.status.isSuccess)
            #expect(refresh.handle == 0x40)
        }
    }

    @Test func hardwareErrorAndRemoteVersion() throws {
        try event("04 10 01 03") { event in
            guard case .hardwareError(let code) = copy event else { return anotherEvent() }
            #expect(code == 3)
        }
        try event("04 0c 08 00 40 00 0c 0f 00 34 12") { event in
            guard case .readRemoteVersionInformationComplete(let version) = copy event else {
                return anotherEvent()
            }
            #expect(version.version == 12)
            #expect(version.company == 15)
            #expect(version.subversion == 0x1234)
        }
    }

    @Test(arguments: [
        ("04 13 01 00", [String](), false), ("04 13 05 01 40 00 00 00", ["0x0040 0"], false),
        ("04 13 05 02 40 00 01 00", ["0x0040 1"], true),
        ("04 13 09 02 40 00 02 00 41 00 01 00", ["0x0040 2", "0x0041 1"], false),
        ("04 13 08 02 40 00 02 00 41 00 01", ["0x0040 2"], true), ("04 13 01 ff", [], true),
    ])
    func numberOfCompletedPackets(octets: String, entries: [String], isTruncated: Bool) throws {
        try event(octets) { event in
            guard case .numberOfCompletedPackets(var packets) = copy event else { return anotherEvent() }
            #expect(packets.isTruncated == isTruncated)
            var found: [String] = []
            while let entry = packets.next() { found.append("\(entry.handle) \(entry.count)") }
            #expect(found == entries)
        }
    }

    @Test func otherEventsAreKept() throws {
        try event("04 ff 02 01 02") { event in
            guard case .other(let packet) = copy event else { return anotherEvent() }
            #expect(packet.code == .vendorSpecific)
            let octets = packet.parameters.hexadecimal
            #expect(octets == "0102")
        }
        try leEvent("04 3e 04 77 01 02 03") { event in
            guard case .other(let code, let parameters) = copy event else { return anotherEvent() }
            #expect(code.description == "LE subevent 0x77")
            let octets = parameters.hexadecimal
            #expect(octets == "010203")
        }
    }

    @Test func connectionComplete() throws {
        try leEvent("04 3e 13 01 00 40 00 00 01 01 00 00 ee ff c0 18 00 00 00 f4 01 00") { event in
            guard case .connectionComplete(let connection) = copy event else { return anotherEvent() }
            #expect(connection.status.isSuccess)
            #expect(connection.handle == 0x40)
            #expect(connection.isCentral)
            #expect(connection.peerAddress?.description == "C0:FF:EE:00:00:01/random")
            #expect(connection.interval == 24)
            #expect(connection.latency == 0)
            #expect(connection.supervisionTimeout == 500)
            #expect(connection.peerResolvablePrivateAddress == nil)
            #expect(connection.advertisingHandle == nil)
        }
    }

    @Test func enhancedConnectionComplete() throws {
        let fields = "00 40 00 00 03 01 00 00 ee ff c0 00 00 00 00 00 00 55 44 33 22 11 5a 18 00 00 00 f4 01 00"
        for (packet, hasHandles) in [("04 3e 1f 0a \(fields)", false), ("04 3e 22 29 \(fields) ff ff ff", true)] {
            try leEvent(packet) { event in
                guard case .connectionComplete(let connection) = copy event else { return anotherEvent() }
                #expect(connection.peerAddress?.description == "C0:FF:EE:00:00:01/random")
                #expect(connection.localResolvablePrivateAddress == nil)
                #expect(connection.peerResolvablePrivateAddress?.description == "5A:11:22:33:44:55")
                #expect(connection.supervisionTimeout == 500)
                #expect((connection.advertisingHandle == 0xFF) == hasHandles)
                #expect((connection.syncHandle == 0xFFFF) == hasHandles)
            }
        }
    }

    /// What happens on a link while an MTU is exchanged: none of it is the MTU.
    @Test func linkEvents() throws {
        try leEvent("04 3e 0b 07 40 00 68 00 48 08 1b 00 48 01") { event in
            guard case .dataLengthChange(let change) = copy event else { return anotherEvent() }
            #expect(change.handle == 0x40)
            #expect(change.maximumTxOctets == 104)
            #expect(change.maximumTxTime == 2120)
            #expect(change.maximumRxOctets == 27)
            #expect(change.maximumRxTime == 328)
        }
        try leEvent("04 3e 06 0c 00 40 00 02 02") { event in
            guard case .phyUpdateComplete(let update) = copy event else { return anotherEvent() }
            #expect(update.txPHY == .le2M)
            #expect(update.rxPHY.description == "LE 2M")
        }
        try leEvent("04 3e 0a 03 00 40 00 06 00 00 00 f4 01") { event in
            guard case .connectionUpdateComplete(let update) = copy event else { return anotherEvent() }
            #expect(update.interval == 6)
            #expect(update.supervisionTimeout == 500)
        }
        try leEvent("04 3e 0c 04 00 40 00 01 10 00 00 00 00 00 00") { event in
            guard case .readRemoteFeaturesComplete(let complete) = copy event else { return anotherEvent() }
            #expect(complete.features == [.encryption, .extendedAdvertising])
        }
        try leEvent("04 3e 0d 05 40 00 08 07 06 05 04 03 02 01 34 12") { event in
            guard case .longTermKeyRequest(let request) = copy event else { return anotherEvent() }
            #expect(request.randomNumber == 0x0102_0304_0506_0708)
            #expect(request.encryptedDiversifier == 0x1234)
        }
        try leEvent("04 3e 0b 06 40 00 06 00 0c 00 01 00 f4 01") { event in
            guard case .remoteConnectionParameterRequest(let request) = copy event else {
                return anotherEvent()
            }
            #expect(request.intervalMinimum == 6)
            #expect(request.intervalMaximum == 12)
            #expect(request.latency == 1)
        }
        try leEvent("04 3e 01 11") { event in
            guard case .scanTimeout = copy event else { return anotherEvent() }
        }
    }
}
