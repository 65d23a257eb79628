// The recorded fixtures of Fixtures/captures/recorded and Fixtures/transcripts/recorded.

import Captures
import Central
import Foundation
import GATT
import Replay
import Sockets
import TestSupport
import Testing
import Wire

/// A recorded session.
private struct Recording: CustomTestStringConvertible, Sendable {
    static let fixtures = URL(filePath: #filePath).appending(path: "../../../Fixtures").standardized

    static let all: [Recording] = {
        let folder = fixtures.appending(path: "captures/recorded").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".btsnoop") }.sorted().map { Recording(name: String($0.dropLast(8))) }
    }()

    var name: String
    var testDescription: String { name }

    func capture() throws -> [UInt8] {
        try [UInt8](Data(contentsOf: Self.fixtures.appending(path: "captures/recorded/\(name).btsnoop")))
    }

    func transcript() throws -> Transcript {
        let path = Self.fixtures.appending(path: "transcripts/recorded/\(name).txt")
        return try Transcript(parsing: try String(contentsOf: path, encoding: .utf8))
    }
}

@Suite struct RecordedFixtureTests {
    private func connect(_ peripheral: ReplayedPeripheral, mtu: Int = 517) async throws -> Connection {
        let central = try await Central(adapter: .none)
        return try await central.connect(
            to: .socket(try peripheral.connect()), options: ConnectOptions(preferredMTU: mtu, elevatesSecurity: false))
    }

    @Test func thereAreEnough() {
        #expect(
            Set(Recording.all.map(\.name)).isSuperset(of: [
                "heart-rate", "discovery-mtu-23", "discovery-mtu-517", "long-write", "long-read", "reliable-write",
                "errors", "write-refused", "pairing-refused", "service-changed", "link-lost",
            ]))
    }

    @Test(arguments: Recording.all)
    fileprivate func theTranscriptIsThatOfTheCapture(_ recording: Recording) throws {
        let transcript = try recording.transcript()
        let capture = try Transcript(capture: try recording.capture())
        #expect(transcript.pdus.map(\.octets) == capture.pdus.map(\.octets))
        #expect(transcript.pdus.map(\.direction) == capture.pdus.map(\.direction))
        #expect(transcript.pdus.map(\.microseconds) == capture.pdus.map(\.microseconds))
        #expect(transcript[header: "device"] == "F0:F1:F2:F3:F4:F5/random")
    }

    /// A recording played as both sides says what it says.
    @Test(arguments: Recording.all)
    fileprivate func bothSidesPlayTheSame(_ recording: Recording) async throws {
        let transcript = try recording.transcript()
        for order in ReplayOrder.allCases {
            let (near, far) = try SeqPacketSocket.pair()
            let peripheral = ReplayedPeripheral(transcript, order: order)
            try peripheral.serve(far)
            let client = try ReplaySession(transcript, as: .client, order: order, on: near)
            await client.finished()
            #expect(client.difference == nil, "\(order)")
            try peripheral.verify()
        }
    }

    @Test func heartRateSession() async throws {
        let peripheral = ReplayedPeripheral(try Recording(name: "heart-rate").transcript(), order: .tolerant)
        let connection = try await connect(peripheral)
        #expect(await connection.mtu == 517)
        let values = try await connection.subscribe(
            to: SubscriptionTarget(valueHandle: 0x0010, configurationHandle: 0x0011))
        var rates: [UInt8] = []
        for try await update in values {
            rates.append(update.value[1])
            if rates.count == 6 { break }
        }
        #expect(rates == Array(rates[0]..<rates[0] + 6))
        try await values.end()
        try peripheral.verify()
    }

    @Test func longValueAndLongWrite() async throws {
        let value = [UInt8](repeating: 0x4C, count: 512)
        let reader = ReplayedPeripheral(try Recording(name: "long-read").transcript())
        #expect(try await connect(reader, mtu: 23).read(0x0031) == value)
        try reader.verify()
        let writer = ReplayedPeripheral(try Recording(name: "long-write").transcript())
        try await connect(writer, mtu: 23).write(value, to: 0x0031)
        try writer.verify()
        let both = ReplayedPeripheral(try Recording(name: "reliable-write").transcript())
        try await connect(both).writeReliably([
            ReliableWritePart(handle: 0x002B, value: Array("reliably".utf8)),
            ReliableWritePart(handle: 0x0031, value: value),
        ])
        try both.verify()
    }

    @Test(
        arguments: [
            ("errors", 0x003C, 0x81), ("errors", 0x0FFF, 0x01), ("errors", 0x0038, 0x0F),
            ("pairing-refused", 0x0038, 0x0F),
        ] as [(String, UInt16, UInt8)])
    func errorsAreErrors(_ name: String, _ handle: UInt16, _ code: UInt8) async throws {
        let peripheral = ReplayedPeripheral(try Recording(name: name).transcript(), order: .tolerant)
        let connection = try await connect(peripheral)
        let error = await #expect(throws: CentralError.self) {
            try await connection.read(AttributeHandle(rawValue: handle))
        }
        #expect(
            error?.gattError
                == .attributeError(
                    ErrorCode(rawValue: code), request: .readRequest, handle: AttributeHandle(rawValue: handle)))
        try peripheral.verify()
    }

    /// The indication of Service Changed is confirmed like the others, and told of.
    @Test func servicesChange() async throws {
        let peripheral = ReplayedPeripheral(try Recording(name: "service-changed").transcript(), order: .tolerant)
        let connection = try await connect(peripheral)
        let values = await connection.values()
        for handle: UInt16 in [0x0009, 0x0036] {
            try await connection.write([0x02, 0x00], to: AttributeHandle(rawValue: handle))
        }
        var indicated: [String] = []
        for try await update in values {
            indicated.append("\(update.handle) \(update.value.hexadecimal)")
            if indicated.count == 4 { break }
        }
        #expect(indicated.suffix(1) == ["0x0008 c900ffff"])
        #expect(indicated.count { $0.hasPrefix("0x0035 ") } == 3)
        try peripheral.verify()
    }

    /// The link goes after the last value of the recording, and whoever waits for more is told.
    @Test func aLostLinkFails() async throws {
        let peripheral = ReplayedPeripheral(try Recording(name: "link-lost").transcript(), order: .tolerant)
        let connection = try await connect(peripheral)
        let values = try await connection.subscribe(
            to: SubscriptionTarget(valueHandle: 0x0010, configurationHandle: 0x0011))
        var count = 0
        do throws(CentralError) {
            for try await _ in values { count += 1 }
            Issue.record("the subscription ended without an error")
        } catch {
            #expect(error.category == .linkLost)
        }
        #expect(count == peripheral.transcript.pdus.count { $0.octets.first == 0x1B })
        try peripheral.verify()
    }
}
