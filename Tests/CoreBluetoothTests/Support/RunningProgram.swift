import CoreBluetooth
import Glibc
import Sockets
import Testing

/// A program of this package, in a process of its own, that runs since it was made.
final class RunningProgram: Sendable {
    private let process: Process
    private let output: String
    private let end = Locked<Int32?>(nil)

    /// - Parameters:
    ///   - name: an example.
    ///   - adapter: as in BLUETOOTH_ADAPTER.
    ///   - directory: where identifiers are kept.
    init(_ name: String, _ arguments: [String] = [], adapter: String, directory: String) throws {
        process = Process()
        output = directory + ".\(UUID()).output"
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent(name)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging([
            "BLUETOOTH_ADAPTER": adapter, "BLUETOOTH_STATE_DIRECTORY": directory,
        ]) { _, new in new }
        _ = FileManager.default.createFile(atPath: output, contents: nil)
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
        process.terminationHandler = { [end] process in end.withLock { $0 = process.terminationStatus } }
        try process.run()
    }

    deinit {
        kill()
        // Foundation holds a process for good unless it was waited for.
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: output)
    }

    /// What it has printed.
    var lines: [String] {
        guard let file = FileHandle(forReadingAtPath: output) else { return [] }
        defer { try? file.close() }
        let data = (try? file.readToEnd()) ?? Data()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Waits for a line that begins so, and gives the rest of it.
    func rest(of start: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        var line: String?
        await eventually("the program prints \(start)", sourceLocation: sourceLocation) {
            line = lines.first { $0.hasPrefix(start) }
            return line != nil || end.withLock { $0 } != nil
        }
        let found = try #require(
            line ?? lines.first { $0.hasPrefix(start) }, "there was \(lines)", sourceLocation: sourceLocation)
        return String(found.dropFirst(start.count))
    }

    /// Waits for its end, and gives its status: that of a program that was killed is SIGKILL.
    func status() async -> Int32 {
        await eventually("the program ends") { end.withLock { $0 } != nil }
        return end.withLock { $0 } ?? -1
    }

    /// Kills it. Other signals do not reach it: it was started by a thread that blocks them.
    func kill() {
        if end.withLock({ $0 }) == nil { _ = Glibc.kill(process.processIdentifier, SIGKILL) }
    }

    /// Does something with a folder for identifiers that is gone afterwards.
    static func withDirectory<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let directory = World.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        return try await body(directory)
    }
}
