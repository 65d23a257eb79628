import Captures
import TestSupport
import Testing
import Wire

/// What a player does with what it is given, in words.
struct Played {
    var player: ReplayPlayer
    var log: [String] = []

    init(_ text: String, _ side: ReplaySide, _ order: ReplayOrder) throws {
        player = ReplayPlayer(try Transcript(parsing: text), as: side, order: order)
        note()
    }

    mutating func give(_ pdus: String...) {
        for pdu in pdus {
            player.receive(hex(pdu).octets)
            note()
        }
    }

    private mutating func note() {
        while let action = player.nextAction() {
            switch action {
            case .send(let pdu, _): log.append(pdu.hexadecimal)
            case .close: log.append("close")
            }
        }
    }
}

@Suite struct ReplayPlayerTests {
    static let session = """
        description: a read, a subscription, and what came of it
        mtu: 23

        0.000000 > 020502
        0.010000 < 03f700
        0.020000 > 0a0300
        0.030000 < 0b01
        0.040000 > 12 0500 0100
        0.050000 < 13
        1.000000 < 1b 0400 01
        2.000000 < 1b 0400 02
        2.100000 > 0a0300
        2.200000 < 0b02

        """

    @Test func exactServerAnswersInOrder() throws {
        var played = try Played(Self.session, .server, .exact)
        #expect(played.log.isEmpty)
        played.give("020502", "0a0300", "1205000100", "0a0300")
        #expect(played.log == ["03f700", "0b01", "13", "1b040001", "1b040002", "0b02"])
        #expect(played.player.isComplete)
        #expect(played.player.remaining.isEmpty)
        played.player.peerClosed()
        #expect(played.player.difference == nil)
    }

    @Test func exactClientAsksInOrder() throws {
        var played = try Played(Self.session, .client, .exact)
        #expect(played.log == ["020502"])
        played.give("03f700", "0b01", "13", "1b040001", "1b040002")
        #expect(played.log == ["020502", "0a0300", "1205000100", "0a0300"])
        #expect(!played.player.isComplete)
        played.give("0b02")
        #expect(played.player.isComplete)
    }

    @Test func theDelayIsThatSinceThePDUBefore() throws {
        var player = ReplayPlayer(try Transcript(parsing: Self.session), as: .server)
        for pdu in ["020502", "0a0300", "1205000100"] { player.receive(hex(pdu).octets) }
        var delays: [Int64] = []
        while case .send(_, let microseconds)? = player.nextAction() { delays.append(microseconds) }
        #expect(delays == [10_000, 10_000, 10_000, 950_000, 1_000_000])
    }

    @Test func theFirstDifferenceIsToldWithWhatCameBefore() throws {
        var played = try Played(Self.session, .server, .exact)
        played.give("020502", "0a0300", "1206000100", "0a0300")
        #expect(played.log == ["03f700", "0b01"])
        #expect(
            played.player.difference?.description == """
                PDU 5: another PDU was expected
                    2 < 03 f7 00  # Exchange MTU Response 247
                    3 > 0a 03 00  # Read Request 0x0003
                    4 < 0b 01  # Read Response 01
                -   5 > 12 05 00 01 00  # Write Request 0x0005 0100
                +   5 > 12 06 00 01 00  # Write Request 0x0006 0100
                           ^^
                """)
        #expect(!played.player.isComplete)
    }

    @Test func whatComesTooMuchOrTooLittleIsDifferent() throws {
        var played = try Played("> 0a0300\n< 0b01\n", .server, .exact)
        played.give("0a0300", "0a0400")
        #expect(played.player.difference?.reason == "nothing more was expected")
        #expect(played.player.difference?.received == hex("0a0400"))
        played = try Played("> 0a0300\n< 0b01\n> 0a0400\n", .server, .exact)
        played.give("0a0300")
        played.player.peerClosed()
        #expect(
            played.player.difference?.description == """
                PDU 3: the connection ended before this PDU came
                    1 > 0a 03 00  # Read Request 0x0003
                    2 < 0b 01  # Read Response 01
                -   3 > 0a 04 00  # Read Request 0x0004
                """)
    }

    /// Another order, a repeat, a request left out, an MTU of one's own: all the same to a tolerant server.
    @Test func tolerantServerAnswersInAnyOrder() throws {
        var played = try Played(Self.session, .server, .tolerant)
        played.give("1205000100", "0a0300", "021700")
        #expect(played.log == ["13", "1b040001", "1b040002", "0b01", "03f700"])
        // The same request again is answered by the next answer, and by the last one for ever.
        played.give("0a0300", "0a0300")
        #expect(played.log.suffix(2) == ["0b02", "0b02"])
        #expect(played.player.remaining.isEmpty)
        #expect(played.player.isComplete)
        played.player.peerClosed()
        #expect(played.player.difference == nil)
    }

    @Test func tolerantServerTellsWhatTheTranscriptDoesNotHave() throws {
        var played = try Played(Self.session, .server, .tolerant)
        played.give("0a0400")
        #expect(played.player.difference?.reason == "the transcript has no such Read Request")
        #expect(played.player.difference?.expected?.octets == hex("0a0300"))
        played = try Played(Self.session, .server, .tolerant)
        played.give("0c03001600")
        #expect(played.player.difference?.reason == "the transcript has no Read Blob Request")
        played = try Played(Self.session, .server, .tolerant)
        played.give("1e")
        #expect(played.player.difference?.reason == "a confirmation of nothing came")
    }

    /// An answer that was recorded under a larger MTU cannot be sent under the one agreed on now.
    @Test func tolerantServerKeepsToTheMTU() throws {
        let text = "mtu: 23\n\n> 020502\n< 03f700\n> 0a0300\n< 0b 00..1d\n"
        var played = try Played(text, .server, .tolerant)
        played.give("020502", "0a0300")
        #expect(played.log.last == "0b" + (0...0x1D).map { [UInt8($0)].hexadecimal }.joined())
        played = try Played(text, .server, .tolerant)
        played.give("0a0300")
        #expect(
            played.player.difference?.reason == "the answer has 31 octets, more than the MTU of 23 that was agreed on")
    }

    /// A transcript that begins later has no MTU exchange; its client's connection may have one.
    @Test func tolerantServerAgreesOnTheMTUOfTheHeader() throws {
        var played = try Played("mtu: 185\n\n> 0a0300\n< 0b01\n", .server, .tolerant)
        played.give("020502", "0a0300")
        #expect(played.log == ["03b900", "0b01"])
    }

    /// One indication at a time, and each confirmed; requests of the server are answered as they were.
    @Test func tolerantServerWaitsForConfirmations() throws {
        let text = "< 020002\n> 031700\n> 12 0500 0200\n< 13\n< 1d040001\n> 0a0300\n< 0b01\n> 1e\n< 1d040002\n> 1e\n"
        var played = try Played(text, .server, .tolerant)
        #expect(played.log == ["020002"])
        played.give("031700", "1205000200", "1e", "1e")
        #expect(played.log == ["020002", "13", "1d040001", "1d040002"])
        played.give("0a0300")
        #expect(played.log.last == "0b01")
        played = try Played(text, .server, .tolerant)
        played.give("03ff00")
        #expect(played.player.difference?.reason == "another response was expected")
    }

    /// Notifications, their number and values are the server's affair; answers are not.
    @Test func tolerantClientComparesAnswersOnly() throws {
        var played = try Played(Self.session, .client, .tolerant)
        played.give("03f700", "1b040009", "0b01", "1d050001", "13", "020002", "0b02")
        #expect(played.log == ["020502", "0a0300", "1205000100", "1e", "0a0300", "031700"])
        #expect(played.player.isComplete)
        played = try Played(Self.session, .client, .tolerant)
        played.give("03f700", "0b07")
        #expect(played.player.difference?.reason == "another answer was expected")
        #expect(played.player.difference?.position == 3)
    }

    /// Who ended the connection in the transcript ends it in the replay.
    @Test(arguments: [
        ("0x13 Remote User Terminated Connection", ReplaySide.server, true), ("0x08 Connection Timeout", .server, true),
        ("0x16 Connection Terminated by Local Host", .server, false),
        ("0x16 Connection Terminated by Local Host", .client, true), ("0x08 Connection Timeout", .client, false),
    ])
    func theEndIsPlayed(_ reason: String, _ side: ReplaySide, _ closes: Bool) throws {
        for order in ReplayOrder.allCases {
            var played = try Played("> 0a0300\n< 0b01\nclosed: \(reason)\n", side, order)
            played.give(side == .server ? "0a0300" : "0b01")
            #expect((played.log.last == "close") == closes, "\(order)")
        }
    }

    @Test(arguments: ["", "description: nothing\nmtu: 23\n"])
    func anEmptyTranscriptIsCompleteAtOnce(_ text: String) throws {
        for side in ReplaySide.allCases {
            let played = try Played(text, side, .exact)
            #expect(played.log.isEmpty)
            #expect(played.player.isComplete)
        }
    }
}
