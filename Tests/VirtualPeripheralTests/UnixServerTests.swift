import Foundation
import Sockets
import TestSupport
import Testing
import VirtualPeripheral

@Suite(.timeLimit(.minutes(1))) struct UnixServerTests {
    private func path() -> String {
        FileManager.default.temporaryDirectory.appending(path: "virtual-\(UInt64.random(in: 0...UInt64.max)).sock")
            .path()
    }

    @Test func manyClientsAtOnce() async throws {
        let path = path()
        let address = try UnixAddress(path: path)
        let device = try VirtualDevice(BuiltInDevice.heartRate.description)
        let server = try UnixServer(device, at: address)
        let clients = try (0..<20).map { _ in try SocketClient(try SeqPacketSocket.connect(to: address)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in clients {
                group.addTask { try await Self.discover(client) }
            }
            try await group.waitForAll()
        }
        #expect(await device.clientCount == 20)
        #expect(throws: Errno.addressInUse) { try UnixServer(device, at: address) }
        await server.close()
        for client in clients { #expect(await client.next() == "closed") }
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(throws: Errno.noSuchFile) { try SeqPacketSocket.connect(to: address) }
    }

    private static func discover(_ client: SocketClient) async throws {
        #expect(try await client.ask("02 0502") == "030502")
        #expect(try await client.ask("0a 0f00") == "0b01")
        let services = hex("11 06 0100 0500 0018 0600 0900 0118 0a00 1100 0d18 1200 1600 0f18 1700 2100 0a18")
        #expect(try await client.ask("10 0100 ffff 0028") == services.hexadecimal)
    }

    @Test func theHeartBeats() async throws {
        let address = try UnixAddress(path: path())
        let server = try UnixServer(try VirtualDevice(BuiltInDevice.heartRate.description), at: address)
        let client = try SocketClient(try SeqPacketSocket.connect(to: address))
        #expect(try await client.ask("12 0d00 0100") == "13")
        // A second after the connection, or more where the machine is busy: 61 beats a minute and 1014/1024 s between
        // two, or what follows.
        let beats = ["1b0c00163df603", "1b0c00163eec03", "1b0c00163fe203", "1b0c001640d803", "1b0c001641ce03"]
        let first = try #require(beats.dropLast().firstIndex(of: await client.next()))
        #expect(await client.next() == beats[first + 1])
        await server.close()
        #expect(await client.next() == "closed")
    }
}
