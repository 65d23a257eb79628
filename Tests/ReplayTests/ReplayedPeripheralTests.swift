// An example of what `ReplayedPeripheral` is for: a client of one's own, tested without a device.

import Captures
import Central
import Foundation
import GATT
import Replay
import Sockets
import TestSupport
import Testing
import Wire

/// A client of an application: it reads a sensor's location and two heart rates.
private func readSensor(_ connection: Connection) async throws -> (location: UInt8?, rates: [UInt8]) {
    let location = try await connection.read(0x0013)
    let values = try await connection.subscribe(
        to: SubscriptionTarget(valueHandle: 0x0010, configurationHandle: 0x0011))
    var rates: [UInt8] = []
    for try await update in values {
        if update.value.count > 1 { rates.append(update.value[1]) }
        if rates.count == 2 { break }
    }
    try await values.end()
    return (location.first, rates)
}

@Suite struct ReplayedPeripheralTests {
    /// What the client and a sensor said to each other once.
    static let sensor = """
        description: the location of a sensor and two heart rates
        mtu: 23

        > 0a 1300        # Read Request: Body Sensor Location
        < 0b 01          # chest
        > 12 1100 0100   # notifications on
        < 13
        < 1b 1000 0048   # 72 bpm
        < 1b 1000 0049   # 73 bpm
        > 12 1100 0000   # notifications off
        < 13

        """

    private func connect(_ peripheral: ReplayedPeripheral) async throws -> Connection {
        let central = try await Central(adapter: .none)
        return try await central.connect(
            to: .socket(try peripheral.connect()), options: ConnectOptions(preferredMTU: 23))
    }

    @Test func aClientIsTestedWithoutADevice() async throws {
        let peripheral = ReplayedPeripheral(try Transcript(parsing: Self.sensor))
        let connection = try await connect(peripheral)
        let (location, rates) = try await readSensor(connection)
        #expect(location == 1)
        #expect(rates == [72, 73])
        try peripheral.verify()
    }

    @Test func aClientThatDoesSomethingElseIsToldAt() async throws {
        let peripheral = ReplayedPeripheral(try Transcript(parsing: Self.sensor))
        let connection = try await connect(peripheral)
        _ = try await connection.read(0x0013)
        // The client forgot to subscribe, and reads the wrong handle.
        await #expect(throws: CentralError.self) { try await connection.read(0x0014) }
        let difference = #expect(throws: ReplayDifference.self) { try peripheral.verify() }
        #expect(difference?.position == 2)
        #expect(difference?.received == hex("0a1400"))
        #expect(peripheral.remaining.count == 6)
    }

    @Test func aClientThatStopsTooEarlyIsToldOf() async throws {
        let peripheral = ReplayedPeripheral(try Transcript(parsing: Self.sensor))
        let connection = try await connect(peripheral)
        _ = try await connection.read(0x0013)
        let difference = #expect(throws: ReplayDifference.self) { try peripheral.verify() }
        #expect(difference?.reason == "the connection ended before this PDU came")
        #expect(difference?.position == 2)
    }

    /// The tolerant order does not care what the client does first, or leaves out.
    @Test func aTolerantPeripheralServesInAnyOrder() async throws {
        let peripheral = ReplayedPeripheral(try Transcript(parsing: Self.sensor), order: .tolerant)
        let connection = try await connect(peripheral)
        let values = try await connection.subscribe(
            to: SubscriptionTarget(valueHandle: 0x0010, configurationHandle: 0x0011))
        var iterator = values.makeAsyncIterator()
        #expect(try await iterator.next()?.value == hex("0048"))
        #expect(try await connection.read(0x0013) == hex("01"))
        #expect(try await connection.read(0x0013) == hex("01"))
        #expect(try await iterator.next()?.value == hex("0049"))
        try peripheral.verify()
        #expect(peripheral.remaining.map(\.octets) == [hex("1211000000")])
    }

    /// The link of the recording went down, so it goes down here.
    @Test func aLostLinkIsLostAgain() async throws {
        let peripheral = ReplayedPeripheral(
            try Transcript(parsing: "mtu: 23\n\n> 0a1300\nclosed: 0x08 Connection Timeout\n"))
        let connection = try await connect(peripheral)
        let error = await #expect(throws: CentralError.self) { try await connection.read(0x0013) }
        #expect(error?.category == .linkLost)
        try peripheral.verify()
    }

    /// Answers take as long as they took.
    @Test func theTimingMayBeThatOfTheRecording() async throws {
        let transcript = try Transcript(parsing: "mtu: 23\n\n0.0 > 0a1300\n0.15 < 0b01\n")
        let peripheral = ReplayedPeripheral(transcript, timing: .recorded)
        let connection = try await connect(peripheral)
        let clock = ContinuousClock()
        let start = clock.now
        _ = try await connection.read(0x0013)
        #expect(clock.now - start >= .milliseconds(149))
    }

    /// The other way round: a recorded client against a server.
    @Test func aServerIsComparedWithARecording() async throws {
        let transcript = try Transcript(parsing: Self.sensor)
        let (near, far) = try SeqPacketSocket.pair()
        let peripheral = ReplayedPeripheral(transcript)
        try peripheral.serve(far)
        let client = try ReplaySession(transcript, as: .client, on: near)
        await client.finished()
        #expect(client.isComplete)
        #expect(client.difference == nil)
        client.close()
        try peripheral.verify()
    }

    @Test func aServerThatAnswersDifferentlyIsTold() async throws {
        let other = Self.sensor.replacing("< 0b 01", with: "< 0b 02")
        for order in ReplayOrder.allCases {
            let (near, far) = try SeqPacketSocket.pair()
            let peripheral = ReplayedPeripheral(try Transcript(parsing: other))
            try peripheral.serve(far)
            let client = try ReplaySession(try Transcript(parsing: Self.sensor), as: .client, order: order, on: near)
            await client.finished()
            #expect(client.difference?.position == 1)
            #expect(client.difference?.expected?.octets == hex("0b01"))
            #expect(client.difference?.received == hex("0b02"))
        }
    }
}
