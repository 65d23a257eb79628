import Foundation
import Glibc
import Synchronization
import Testing

/// The built program as a process of its own, with folders of its own for what it keeps.
final class Programs: Sendable {
    let root: String
    /// Those that were started and may still run.
    private let running = Mutex<[Process]>([])

    init() {
        root = "/tmp/btatt-\(ProcessInfo.processInfo.processIdentifier)-\(UInt64.random(in: 0 ... .max))"
        try? FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    }

    deinit {
        for process in running.withLock({ $0 }) where process.isRunning {
            process.terminate()
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(atPath: root)
    }

    /// A process, and the files of what it prints.
    struct Started: Sendable {
        let process: Process
        let output: String
        let errors: String

        var text: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

        /// What it did, once it has ended; one that has not after a minute is killed.
        func ended() async -> (status: Int32, output: String, errors: String) {
            let limit = Task {
                try await Task.sleep(for: .seconds(60))
                kill(process.processIdentifier, SIGKILL)
            }
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    process.waitUntilExit()
                    continuation.resume()
                }
            }
            limit.cancel()
            return (
                process.terminationStatus, text, (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
            )
        }
    }

    /// Starts the program.
    /// - Parameters:
    ///   - line: its arguments, with spaces between them.
    ///   - state: the folder for what must not be lost, under `root`.
    ///   - redirection: what a shell does to the streams before: `>&-` closes standard output.
    func start(_ line: String, state: String = "state", redirection: String = "") throws -> Started {
        let name = "\(root)/\(UInt64.random(in: 0 ... .max))"
        let started = Started(process: Process(), output: name + ".out", errors: name + ".err")
        let process = started.process
        let program = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("btatt")
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments =
            ["-c", "exec \"$0\" \"$@\" \(redirection)", program.path] + line.split(separator: " ").map(String.init)
        process.environment = ProcessInfo.processInfo.environment.merging([
            "XDG_CACHE_HOME": "\(root)/cache", "XDG_STATE_HOME": "\(root)/\(state)",
        ]) { _, new in new }
        for path in [started.output, started.errors] { _ = FileManager.default.createFile(atPath: path, contents: nil) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: started.output)
        process.standardError = FileHandle(forWritingAtPath: started.errors)
        try process.run()
        running.withLock { $0.append(process) }
        return started
    }

    /// Runs the program to its end.
    func run(
        _ line: String, state: String = "state", redirection: String = ""
    ) async throws -> (status: Int32, output: String, errors: String) {
        await (try start(line, state: state, redirection: redirection)).ended()
    }

    /// Starts `serve` of a device of the fixtures, or a built-in one, and waits until it listens at the path given back.
    func serve(_ device: String) async throws -> (path: String, server: Started) {
        let path = "\(root)/\(UInt64.random(in: 0 ... .max)).att"
        let server = try start("--json serve \(device) --on unix:\(path)")
        try await waitUntil { server.text.contains("serving") }
        return (path, server)
    }

    /// A file of the fixtures.
    static func fixture(_ path: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../Fixtures")
            .appendingPathComponent(path).standardizedFileURL.path
    }
}

/// Waits for something that another process does.
func waitUntil(_ condition: () -> Bool) async throws {
    for _ in 0..<6000 {
        if condition() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    Issue.record("it does not happen")
}
