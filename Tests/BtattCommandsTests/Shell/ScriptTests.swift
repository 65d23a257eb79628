import Foundation
import Testing

@testable import BtattCommands

/// Scripts of the shell against the built-in peripherals, and against one that goes away.
@Suite struct ScriptTests {
    /// Runs a script from a file.
    private func script(_ text: String, _ options: String = "-d virtual:heart-rate") async throws -> Run {
        try await script(Data(text.utf8), options)
    }

    private func script(_ octets: Data, _ options: String = "-d virtual:heart-rate") async throws -> Run {
        let path = "/tmp/btatt-script-\(UUID().uuidString)"
        try octets.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        var run = await btatt("\(options) shell \(path)")
        run.error = run.error.replacingOccurrences(of: path, with: "FILE")
        return run
    }

    @Test func linesRunOneAfterTheOther() async throws {
        let run = try await script(
            """
            # the battery, twice
            read 180f/2a19

            mtu   # what was agreed on
              read 'battery/battery_level' 180a/2a29
            """)
        #expect(run.status == .done)
        #expect(run.error.isEmpty)
        #expect(
            run.lines == [
                "0x0014  57  87 %", "MTU 517  (client 517, server 517)", "0x0014  57  87 %",
                "0x0019  6274617474  \"btatt\"",
            ])
    }

    @Test func linesMayEndAsOnOtherSystemsAndTheLastOneNotAtAll() async throws {
        let run = try await script("read 0x0014\r\n\r\nread 0x0014")
        #expect(run.status == .done)
        #expect(run.lines == ["0x0014  57", "0x0014  57"])
    }

    @Test(arguments: [
        (
            "read 20\n\nread 0x9999\nread 20\n", ExitStatus.refused,
            "cannot read 0x9999 on virtual:heart-rate: Invalid Handle"
        ),
        ("\nread 20\nraed 20", .usage, "unknown command \"raed\"; did you mean \"read\"?\n"),
        (
            "read 20\n#\nscan", .usage,
            "\"scan\" does not work on an open connection: run \"btatt scan\" beside the shell\n"
        ),
        ("read 20\n#\nshell", .usage, "this is a shell already\n"),
        ("read 20\n#\nunpair", .usage, "\"unpair\" does not work on an open connection"),
        ("read 20\n#\nread -d virtual:torture 3", .usage, "option \"--device\" is about the connection"),
        ("read 20\n#\nread --timeout=3 3", .usage, "option \"--timeout\" is about the connection"),
        ("read 20\n#\nread '3", .usage, "the quote ' is not closed\n"),
        ("read 20\n#\nunsubscribe 180d/2a37", .usage, "0x000c 2a37 Heart Rate Measurement is not subscribed to\n"),
        ("read 20\n#\nread 180f/2a99", .refused, "the device has no characteristic 2a99\n"),
        ("read 20\n#\nread 0x9999 20", .refused, "cannot read 0x9999"),
    ])
    func theFirstFailureEndsTheScript(_ text: String, _ status: ExitStatus, _ message: String) async throws {
        let run = try await script(text)
        #expect(run.status == status)
        #expect(run.lines.first == "0x0014  57")
        #expect(run.lines.count <= 2)
        #expect(run.error.hasPrefix("btatt: FILE:3: \(message)"), "\(run.error)")
        #expect(run.error.split(separator: "\n").count == 1)
    }

    @Test func failuresAreObjectsWithTheirLine() async throws {
        let refused = try await script("mtu\nread 0x9999", "-d virtual:heart-rate --json")
        #expect(refused.status == .refused)
        #expect(refused.lines.last?.contains(#""line":2,"error":{"code":1,"#) == true)
        let unknown = try await script("raed", "-d virtual:heart-rate --json")
        #expect(unknown.lines.last?.hasSuffix(#""line":1}"#) == true)
        let binary = try await script(Data("mtu\nmtu\n".utf8) + [0xFF], "-d virtual:heart-rate --json")
        #expect(binary.lines.last?.hasSuffix(#""message":"the line is not UTF-8","line":3}"#) == true)
        #expect(binary.lines.count == 3)
    }

    @Test func requestsAreCountedByCommand() async throws {
        let run = try await script(
            "services\nread 20\nread 20 3\nwrite 0x0011 0x01\ndiscover\nread 180f/2a19", "-d virtual:heart-rate --json")
        #expect(run.status == .done)
        let counts = run.lines.compactMap { line in
            line.firstMatch(of: #/"requests":([0-9]+)/#).flatMap { Int($0.1) }
        }
        // A read by path after a discovery needs no other request than its own.
        #expect(counts.count == 7)
        #expect(Array(counts.prefix(5)) == [2, 1, 1, 1, 1])
        #expect(counts.last == 1)
    }

    @Test func whatIsNoTextIsRefused() async throws {
        let invalid = try await script(Data("read 20\n".utf8) + [0x72, 0xC3, 0x28])
        #expect(invalid.status == .usage)
        #expect(invalid.error == "btatt: FILE:2: the line is not UTF-8\n")
        let zero = try await script("read 20\nread\u{0} 20")
        #expect(zero.status == .usage)
        #expect(zero.error == "btatt: FILE:2: the line has a NUL in it: it is no text\n")
        let long = try await script("read 20\n" + String(repeating: "a", count: ScriptLines.longestLine + 1))
        #expect(long.status == .usage)
        #expect(long.error == "btatt: FILE:2: the line is longer than 65536 octets\n")
        let fits = try await script("read 20 #" + String(repeating: "a", count: ScriptLines.longestLine - 9) + "\nmtu")
        #expect(fits.status == .done)
    }

    @Test func endlessLinesAreNotReadToTheirEnd() async {
        let run = await btatt("-d virtual:heart-rate shell /dev/zero")
        #expect(run.status == .usage)
        #expect(run.error == "btatt: /dev/zero:1: the line is longer than 65536 octets\n")
    }

    @Test func aFileThatCannotBeReadIsSaidFirst() async {
        let absent = await btatt("-d virtual:no-such-device shell /nowhere/at/all")
        #expect(absent.status == .usage)
        #expect(absent.error == "btatt: cannot read /nowhere/at/all: No such file or directory\n")
        let folder = await btatt("-d virtual:no-such-device shell /tmp")
        #expect(folder.error == "btatt: cannot read /tmp: it is a folder\n")
    }

    @Test func optionsOfALineAddToThoseOfTheShell() async throws {
        let run = try await script("read 20 --json\nread 20\nread -v 20 --json")
        #expect(run.lines.map { $0.hasPrefix("{") } == [true, false, true])
        let json = try await script("read 20", "-d virtual:heart-rate --json")
        #expect(json.lines.first?.hasPrefix("{") == true)
    }

    @Test func helpIsThatOfTheShell() async throws {
        let run = try await script("help\nhelp read\nread --help\nquit\nraed")
        #expect(run.status == .done)
        #expect(run.output.hasPrefix("commands on one connection\n\nUsage: [OPTION...] COMMAND [ARGUMENT...]\n"))
        #expect(run.output.contains("\nread: read values\n\nUsage: read [OPTION...] [ATTRIBUTE...]\n"))
        #expect(run.output.contains("  read 180f/2a19\n      the battery level\n"))
        for text in ["btatt -d", "--device", "completion", "scan "] { #expect(!run.output.contains(text), "\(text)") }
        #expect(run.output.components(separatedBy: "Usage: read").count == 3)
    }

    // MARK: Subscriptions

    @Test func aLimitedSubscriptionIsWaitedFor() async throws {
        let run = try await script("subscribe 180d/2a37 --count 1\nread 20\nsubscribe 180d/2a37 --duration 0.01\nmtu")
        #expect(run.status == .done)
        #expect(run.lines.count == 3)
        #expect(run.lines.first?.contains("61 bpm") == true)
        #expect(run.lines.last?.hasPrefix("MTU") == true)
    }

    @Test func anUnlimitedOneGoesOnUntilItIsEnded() async throws {
        let run = try await script(
            "subscribe 180d/2a37\nread 20\nwait 1.2\nunsubscribe 180d/2a37\nread 0x000d\nwait 1.1\nmtu")
        #expect(run.status == .done)
        #expect(run.error.isEmpty)
        #expect(run.lines.count == 4, "\(run.output)")
        #expect(run.lines.first == "0x0014  57")
        #expect(run.lines.dropFirst().first?.contains("61 bpm") == true)
        // The device was told.
        #expect(run.lines.dropFirst(2).first == "0x000d  0000")
    }

    @Test func oneOfSeveralSubscriptionsCanBeEnded() async throws {
        let run = try await script(
            """
            subscribe 180d/2a37 180f/2a19
            subscribe 0x000c
            """)
        #expect(run.status == .usage)
        #expect(run.error == "btatt: FILE:2: 0x000c is subscribed to already; \"unsubscribe\" ends that\n")
        let ended = try await script(
            """
            subscribe 180d/2a37 180f/2a19
            unsubscribe 0x0014
            read 0x000d 0x0015
            unsubscribe
            read 0x000d 0x0015
            subscribe 180f/2a19
            """)
        #expect(ended.status == .done)
        #expect(ended.lines == ["0x000d  0100", "0x0015  0000", "0x000d  0000", "0x0015  0000"])
    }

    @Test func standardInputCannotBeAValueToo() async throws {
        let pipe = Pipe()
        let saved = dup(STDIN_FILENO)
        dup2(pipe.fileHandleForReading.fileDescriptor, STDIN_FILENO)
        defer {
            dup2(saved, STDIN_FILENO)
            close(saved)
        }
        let running = Task { await btatt("-d virtual:heart-rate shell") }
        pipe.fileHandleForWriting.write(Data("read 20\nwri".utf8))
        try await Task.sleep(for: .milliseconds(50))
        pipe.fileHandleForWriting.write(Data("te 0x0011 -\nmtu\n".utf8))
        try pipe.fileHandleForWriting.close()
        let run = await running.value
        #expect(run.status == .usage)
        #expect(run.output == "0x0014  57\n")
        #expect(
            run.error
                == "btatt: standard input:2: standard input has the commands: it cannot have the value too\n")
    }

    // MARK: The end

    /// The device of `btatt serve` goes away a moment after something was written to it.
    private func losingTheLink(_ run: (_ options: String) async throws -> Run) async throws -> Run {
        let path = "/tmp/btatt-lost-\(UUID().uuidString.prefix(8))"
        let recorder = Recorder()
        let serving = Task {
            await Btatt.run(["--json", "serve", "heart-rate", "--on", "unix:\(path)"], .none) {
                recorder.console(.none, $0)
            }
        }
        while recorder.output.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        let ending = Task {
            while !recorder.output.contains("\"written\"") { try await Task.sleep(for: .milliseconds(5)) }
            try await Task.sleep(for: .milliseconds(50))
            serving.cancel()
        }
        defer { ending.cancel() }
        let result = try await run("-d unix:\(path)")
        serving.cancel()
        _ = await serving.value
        return result
    }

    @Test func aLostLinkEndsAWait() async throws {
        let began = ContinuousClock.now
        let run = try await losingTheLink { options in
            try await script("subscribe 180d/2a37\nwrite 0x0011 0x01\nwait 60\nmtu", options)
        }
        #expect(run.status == .linkLost)
        #expect(run.error.contains(":3: ") && run.error.split(separator: "\n").count == 1, "\(run.error)")
        #expect(ContinuousClock.now - began < .seconds(30))
        #expect(!run.output.contains("MTU"))
    }

    /// Nobody has written the next line yet.
    @Test func aLostLinkEndsTheWaitForALine() async throws {
        let path = "/tmp/btatt-pipe-\(UUID().uuidString.prefix(8))"
        // The path is a C string for the time of the call.
        #expect(unsafe mkfifo(path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let run = try await losingTheLink { options in
            let running = Task { await btatt("\(options) shell \(path)") }
            // The pipe is opened when it is read.
            let pipe = try #require(FileHandle(forUpdatingAtPath: path))
            defer { try? pipe.close() }
            pipe.write(Data("write 0x0011 0x01\n".utf8))
            return await running.value
        }
        #expect(run.status == .linkLost)
        #expect(run.output.isEmpty)
        #expect(run.error.hasPrefix("btatt: cannot receive anything more from unix:"), "\(run.error)")
        #expect(run.error.split(separator: "\n").count == 1)
    }

    /// What a device sends after the failure is nobody's business any more.
    @Test func aFailureIsTheLastThingThatIsShown() async throws {
        let run = try await script(
            "subscribe 180d/2a37\nwait 1.2\nread 0x9999\nmtu", "-d virtual:heart-rate --json")
        #expect(run.status == .refused)
        #expect(run.lines.first?.hasPrefix(#"{"kind":"notification""#) == true)
        #expect(run.lines.last?.hasPrefix(#"{"kind":"error""#) == true)
    }

    @Test func interruptingEndsTheScript() async throws {
        let path = "/tmp/btatt-script-\(UUID().uuidString)"
        try Data("read 20\nsubscribe 180d/2a37\nwait 60\n".utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let running = Task { await btatt("-d virtual:heart-rate shell \(path)") }
        try await Task.sleep(for: .milliseconds(300))
        running.cancel()
        let run = await running.value
        #expect(run.status == .interrupted)
        #expect(run.error.isEmpty)
    }
}
