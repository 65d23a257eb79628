// A session that is captured and replayed gives the client the same tree and the same values.

import Captures
import Central
import Foundation
import GATT
import Replay
import Sockets
import TestSupport
import Testing
import Wire

@Suite struct CapturedSessionTests {
    /// What a client learns: the tree, and the value of everything that can be read.
    private struct Learned: Equatable {
        var database: DiscoveredDatabase
        var values: [AttributeHandle: [UInt8]] = [:]
        var refused: [AttributeHandle: String] = [:]
    }

    private func learn(_ connection: Connection) async throws -> Learned {
        var learned = Learned(database: try await connection.discoverAll())
        for node in learned.database.characteristics {
            let handles = [node.characteristic.valueHandle] + node.descriptors.map(\.handle)
            for handle in handles {
                do throws(CentralError) {
                    learned.values[handle] = try await connection.read(handle)
                } catch {
                    learned.refused[handle] = "\(error.gattError.map { "\($0)" } ?? error.description)"
                    guard error.category == .refused else { throw error }
                }
            }
        }
        return learned
    }

    /// A session with a virtual peripheral, and its capture.
    private func session(_ name: String, mtu: Int) async throws -> (Learned, capture: [UInt8]) {
        let framing = ATTCaptureFraming()
        let records = Locked(BtsnoopWriter().fileHeader)
        let options = ConnectOptions(
            preferredMTU: mtu,
            observer: { direction, time, octets in
                let time = CaptureTime(nanoseconds: Int64(time.unixNanoseconds))
                let record = framing.pdu(octets, direction == .sent ? .sent : .received, at: time)
                records.withLock { $0 += record }
            })
        let central = try await Central(adapter: .none)
        let connection = try await central.connect(to: .virtual(name), options: options)
        let learned = try await learn(connection)
        await connection.disconnect()
        return (learned, records.withLock { $0 })
    }

    @Test(arguments: ["heart-rate", "thermometer", "torture"], [23, 517])
    func theSameClientLearnsTheSame(_ name: String, _ mtu: Int) async throws {
        let (learned, capture) = try await session(name, mtu: mtu)
        #expect(learned.database.services.count > 2)
        let transcript = try Transcript(capture: capture)
        for order in ReplayOrder.allCases {
            let peripheral = ReplayedPeripheral(transcript, order: order)
            let central = try await Central(adapter: .none)
            let connection = try await central.connect(
                to: .socket(try peripheral.connect()), options: ConnectOptions(preferredMTU: mtu))
            let again = try await learn(connection)
            #expect(again == learned, "\(order)")
            try peripheral.verify()
            #expect(peripheral.remaining.isEmpty, "\(order)")
        }
    }

    /// The text of a transcript says the same as the capture it was made of.
    @Test func theTranscriptSaysTheSame() async throws {
        let (learned, capture) = try await session("heart-rate", mtu: 517)
        let text = try Transcript(capture: capture).description
        let peripheral = ReplayedPeripheral(try Transcript(parsing: text))
        let central = try await Central(adapter: .none)
        let connection = try await central.connect(to: .socket(try peripheral.connect()))
        #expect(try await learn(connection) == learned)
        try peripheral.verify()
    }

    /// A public capture: what the phone of then discovered, our client discovers, by requests of its own where the
    /// capture has them.
    @Test func aPublicCaptureServesItsOwnClient() async throws {
        let path = URL(filePath: #filePath).appending(
            path: "../../../Fixtures/captures/public/treadmill-session.btsnoop")
        let capture = try [UInt8](Data(contentsOf: path.standardized))
        let transcript = try Transcript(capture: capture)
        let (near, far) = try SeqPacketSocket.pair()
        let peripheral = ReplayedPeripheral(transcript, order: .exact)
        try peripheral.serve(far)
        let client = try ReplaySession(transcript, as: .client, on: near)
        await client.finished()
        #expect(client.isComplete)
        try peripheral.verify()
        let tolerant = ReplayedPeripheral(transcript, order: .tolerant)
        let central = try await Central(adapter: .none)
        let connection = try await central.connect(
            to: .socket(try tolerant.connect()), options: ConnectOptions(preferredMTU: 23))
        let services = try await connection.perform(.discoverPrimaryServices(in: .all))
        guard case .services(let found) = services else {
            Issue.record("\(services)")
            return
        }
        #expect(found.map(\.uuid.description) == ["1801", "1800", "fff0", "1826", "fee7"])
        try tolerant.verify()
    }
}
