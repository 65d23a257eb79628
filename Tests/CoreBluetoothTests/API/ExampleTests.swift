import CoreBluetooth
import Testing

/// The example programs, as they are, against the virtual radio.
@Suite(.timeLimit(.minutes(2))) struct ExampleTests {
    /// Runs a program of this package and gives what it printed.
    private func run(_ program: String, adapter: String, directory: String) async throws -> (
        status: Int32, lines: [String]
    ) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent(program)
        process.environment = ProcessInfo.processInfo.environment.merging([
            "BLUETOOTH_ADAPTER": adapter, "BLUETOOTH_STATE_DIRECTORY": directory,
        ]) { _, new in new }
        let output = Pipe()
        process.standardOutput = output
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        return (status, text.split(separator: "\n").map(String.init))
    }

    private func withDirectory<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let directory = World.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        return try await body(directory)
    }

    @Test func heartRateClient() async throws {
        try await withDirectory { directory in
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
        try await withDirectory { directory in
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
        try await withDirectory { directory in
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
}
