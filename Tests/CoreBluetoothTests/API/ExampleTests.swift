import CoreBluetooth
import Glibc
import Testing

/// The example programs, as they are, against the virtual radio.
@Suite(.timeLimit(.minutes(2))) struct ExampleTests {
    /// Runs a program to its end and gives what it printed.
    private func run(_ program: String, adapter: String, directory: String) async throws -> (
        status: Int32, lines: [String]
    ) {
        let program = try RunningProgram(program, adapter: adapter, directory: directory)
        return (await program.status(), program.lines)
    }

    @Test func heartRateClient() async throws {
        try await RunningProgram.withDirectory { directory in
            let (status, lines) = try await run("heart-rate-client", adapter: "virtual", directory: directory)
            #expect(status == 0)
            #expect(lines.first == "found Heart Rate, -48 dBm")
            #expect(lines.last == "disconnected")
            #expect(lines.count { $0.hasPrefix("heart rate: ") } >= 5)
            #expect(lines.contains("Battery Level: 57"))
        }
    }

    @Test func writeClient() async throws {
        let device = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/devices/notebook.device").path
        try await RunningProgram.withDirectory { directory in
            let (status, lines) = try await run("write-client", adapter: "virtual:\(device)", directory: directory)
            #expect(status == 0)
            #expect(
                lines == [
                    "connected, 182 octets in a packet", "wrote 512 octets", "read them back", "sent all packets",
                    "disconnected",
                ])
        }
    }

    @Test("The lifecycle client; and identifiers are the same in two processes") func lifecycleClient() async throws {
        try await RunningProgram.withDirectory { directory in
            var identifiers: Set<Substring> = []
            for _ in 0..<2 {
                let (status, lines) = try await run("lifecycle-client", adapter: "virtual", directory: directory)
                #expect(status == 0)
                #expect(lines.contains("disconnected"))
                #expect(lines.contains("lifecycle: discovered"))
                identifiers.insert(try #require(lines.first?.split(separator: " ").last))
            }
            #expect(identifiers.count == 1)
        }
    }

    @Test func stateWatcherWithoutARadio() async throws {
        try await RunningProgram.withDirectory { directory in
            let program = try RunningProgram("state-watcher", adapter: "hci-nonsense", directory: directory)
            #expect(try await program.rest(of: "there is ") == "no Bluetooth")
            program.kill()
            #expect(await program.status() == SIGKILL)
            let wrong = try RunningProgram("state-watcher", ["nonsense"], adapter: "virtual", directory: directory)
            #expect(await wrong.status() == 2)
        }
    }
}
