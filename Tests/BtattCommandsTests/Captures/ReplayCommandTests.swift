import Foundation
import Testing

@testable import BtattCommands

/// A replay as the server that runs while `client` is asked of it, and what both said.
func replaying(
    _ options: [String], _ client: (_ device: String) async throws -> Run
) async throws -> (server: Run, client: Run) {
    let path = FileManager.default.temporaryDirectory.appending(path: "btatt-replay-\(UUID().uuidString.prefix(8))")
        .path
    let recorder = Recorder()
    let serving = Task {
        await Btatt.run(options + ["--as", "server", "--on", "unix:\(path)"], .none) { recorder.console(.none, $0) }
    }
    // The path is there a moment before one can connect to it; the server says when.
    while recorder.output.isEmpty, recorder.error.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
    let run = try await client("unix:\(path)")
    let status = await serving.value
    #expect(!FileManager.default.fileExists(atPath: path))
    return (Run(status: status, output: recorder.output, error: recorder.error), run)
}

/// What `replay` prints for programs.
func replayedObjects() async throws -> [String] {
    let transcript = try TemporaryFile("> 0a0300\n< 0b48\n")
    let (server, _) = try await replaying(["--json", "replay", transcript.path]) { device in
        await btatt(["-d", device, "--mtu", "23", "read", "0x0004"])
    }
    let client = await btatt(["--json", "-d", "virtual:heart-rate", "replay", "--as", "client", transcript.path])
    return server.lines + client.lines
}

@Suite(.timeLimit(.minutes(2))) struct ReplayCommandTests {
    /// A session, as a capture and as the transcript of it.
    private static func session(_ words: String...) async throws -> (capture: TemporaryFile, transcript: TemporaryFile)
    {
        let capture = try TemporaryFile("")
        let run = await btatt(["-d", "virtual:heart-rate", "--capture", capture.path] + words)
        #expect(run.status == .done)
        let transcript = await btatt(["decode", "--transcript", capture.path])
        #expect(transcript.status == .done)
        return (capture, try TemporaryFile(transcript.output))
    }

    /// `discover --values` of a recording prints what it printed of the device.
    @Test(arguments: ["exact", "tolerant"])
    func aRecordingServesAsTheDevice(_ order: String) async throws {
        let original = await btatt("-d virtual:heart-rate discover --values")
        let (capture, transcript) = try await Self.session("discover", "--values")
        for file in [capture, transcript] {
            let (server, client) = try await replaying(["replay", file.path, "--order", order]) { device in
                await btatt(["-d", device, "discover", "--values"])
            }
            #expect(client.status == .done)
            #expect(client.output == original.output)
            #expect(server.status == .done)
            #expect(server.lines.last == "the same in all")
            #expect(server.error.isEmpty)
        }
    }

    @Test func aDifferenceIsShownAndEndsWithOne() async throws {
        let (_, transcript) = try await Self.session("read", "0x0003")
        let (server, client) = try await replaying(["replay", transcript.path]) { device in
            await btatt(["-d", device, "read", "0x0005"])
        }
        #expect(client.status == .linkLost)
        #expect(server.status == .refused)
        #expect(
            server.lines.dropFirst() == [
                "PDU 3: another PDU was expected", "    1 > 02 05 02  # Exchange MTU Request 517",
                "    2 < 03 05 02  # Exchange MTU Response 517", "-   3 > 0a 03 00  # Read Request 0x0003",
                "+   3 > 0a 05 00  # Read Request 0x0005", "           ^^",
            ])
        #expect(server.error == "btatt: the client differs from the recording at PDU 3: another PDU was expected\n")
    }

    @Test func aDeviceIsComparedWithARecording() async throws {
        let (_, transcript) = try await Self.session("discover")
        for order in ["exact", "tolerant"] {
            let words = ["replay", "--as", "client", "--order", order, transcript.path]
            let same = await btatt(["-d", "virtual:heart-rate"] + words)
            #expect(same.status == .done)
            #expect(same.output == "the same in all\n")
            let other = await btatt(["-d", "virtual:thermometer"] + words)
            #expect(other.status == .refused)
            #expect(other.error.hasPrefix("btatt: the device differs from the recording at PDU 4: another "))
        }
    }

    /// A device that is silent where the recording has an answer.
    @Test func silenceIsTimedOut() async throws {
        let transcript = try TemporaryFile("> 52 0300 01\n< 1b 0300 01\n")
        let words = ["replay", "--as", "client", "--timeout", "0.2", transcript.path]
        let run = await btatt(["-d", "virtual:heart-rate"] + words)
        #expect(run.status == .timedOut)
        #expect(run.error.contains("did not send what the recording has next: Handle Value Notification 0x0003 01"))
    }

    @Test(arguments: [
        ("replay FILE", "which side to play was not said"), ("replay FILE --as server", "where to listen was not said"),
        ("replay FILE --as client", "no device was given"),
        ("replay FILE --as client --on unix:/tmp/x", "--on is for --as server"),
        ("-d name:x replay FILE --as client", "replay needs a device by its whole address"),
        ("replay /nowhere --as server", "cannot read /nowhere"),
    ])
    func whatIsMissingIsSaid(_ line: String, _ sentence: String) async throws {
        let transcript = try TemporaryFile("> 0a0300\n< 0b48\n")
        let run = await btatt(line.replacingOccurrences(of: "FILE", with: transcript.path))
        #expect(run.status == .usage)
        #expect(run.error.contains(sentence), "\(run.error)")
    }
}
