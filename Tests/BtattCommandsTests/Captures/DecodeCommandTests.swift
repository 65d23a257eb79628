import Captures
import Foundation
import TestSupport
import Testing
import Wire

@testable import BtattCommands

extension Run {
    /// The objects of `--json`.
    func objects() throws -> [[String: Any]] {
        try lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
        }
    }
}

/// A file of `Fixtures`.
func fixture(_ path: String) -> String {
    URL(filePath: #filePath).appending(path: "../../../../Fixtures").appending(path: path).standardized.path
}

/// A file that lives as long as the test.
final class TemporaryFile {
    let path = FileManager.default.temporaryDirectory.appending(path: "btatt-test-\(UUID().uuidString)").path

    init(_ octets: [UInt8]) throws { try Data(octets).write(to: URL(filePath: path)) }
    convenience init(_ text: String) throws { try self.init(Array(text.utf8)) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// What `decode` prints for programs: by command line.
func decodedObjects() async throws -> [(String, [String])] {
    let framing = ATTCaptureFraming()
    let time = CaptureTime(nanoseconds: 1_700_000_000_000_000_000)
    var octets = BtsnoopWriter().fileHeader + framing.connected(to: hex("f5f4f3f2f1f0"), isRandom: true, at: time)
    for (direction, pdu) in [
        (CaptureDirection.sent, "020502"), (.received, "03f700"), (.sent, "0e03000500"), (.received, "0f0102"),
        (.sent, "2003000500"), (.received, "210200010201000a"), (.sent, "0c03001600"), (.received, "0dff"),
        (.sent, "d2030001000102030405060708090a0b"), (.sent, "160300020001"), (.received, "170300020001"),
        (.sent, "1801"), (.received, "19"), (.received, "23030001000a05000900ff"), (.received, "13"), (.sent, ""),
    ] {
        octets += framing.pdu(hex(pdu).octets, direction, at: time)
    }
    octets += framing.disconnected(reason: 0x13, at: time)
    let file = try TemporaryFile(octets)
    let lines = [
        ["decode", file.path], ["decode", fixture("captures/public/battery-monitor-discovery.btsnoop")],
        ["decode", fixture("captures/public/treadmill-session.btsnoop"), "--summary"],
        ["decode", fixture("captures/public/treadmill-advertising.btsnoop"), "--summary"],
        ["decode", file.path, "--summary"], ["decode", "1b10000048"],
    ]
    var objects: [(String, [String])] = []
    for line in lines {
        let run = await btatt(["--json"] + line)
        #expect(run.status == .done)
        objects.append((line.joined(separator: " "), run.lines))
    }
    objects.append(("replay", try await replayedObjects()))
    return objects
}

@Suite struct DecodeCommandTests {
    private let session = fixture("captures/public/treadmill-session.btsnoop")

    @Test func linesTellTimeConnectionNameAttributeAndValue() async {
        let run = await btatt(["decode", session])
        #expect(run.status == .done)
        #expect(run.error.isEmpty)
        #expect(run.lines.count == 1 + 1 + 256)
        #expect(
            run.lines.prefix(4) == [
                "2021-02-01 UTC",
                "03:28:11.738333  #1 * connected to D1:DD:69:15:C8:8F/random as central",
                "03:28:11.850345  #1 > Read By Group Type Request  0x0001…0xffff 2800 Primary Service",
                "03:28:11.934540  #1 < Read By Group Type Response  0x0001…0x0001 1801 Generic Attribute; "
                    + "0x0002…0x0008 1800 Generic Access; 0x0009…0x0019 fff0 Public Key Open Credential (PKOC) "
                    + "(84.19 ms)",
            ])
        #expect(
            run.lines.contains {
                $0.hasSuffix(
                    "< Find Information Response  0x0024 2902 Client Characteristic Configuration; "
                        + "0x0025 2acd Treadmill Data (14.71 ms)")
            })
        #expect(
            run.lines.contains {
                $0.hasSuffix(
                    "> Write Request  0x0015 2902 Client Characteristic Configuration of fff4 0100 notification")
            })
    }

    @Test func objectsHaveTheSameFields() async throws {
        let run = await btatt(["decode", session, "--json", "--opcode", "read_by_type_response", "--to", "13.2"])
        let objects = try run.objects()
        let first = try #require(objects.first)
        #expect(first["kind"] as? String == "pdu")
        #expect(first["time"] as? String == "2021-02-01T03:28:12.166929Z")
        #expect(first["connection"] as? Int == 1)
        #expect(first["address"] as? String == "D1:DD:69:15:C8:8F")
        #expect(first["addressType"] as? String == "random")
        #expect(first["direction"] as? String == "received")
        #expect(first["opcode"] as? Int == 9)
        #expect(first["operation"] as? String == "Read By Type Response")
        #expect(first["latency"] as? Double == 0.014425)
        #expect((first["pdu"] as? String)?.hasPrefix("0907030002") == true)
        let entry = try #require((first["entries"] as? [[String: Any]])?.first)
        #expect(entry["handle"] as? Int == 3)
        #expect((entry["decoded"] as? [String: Any])?["uuid"] as? String == "2a00")
        #expect(entry["value"] as? String == "020400002a")
    }

    @Test(arguments: [
        (["--connection", "2"], 0), (["--device", "D1:DD:69:15:C8:8F"], 256),
        (["--device", "D1:DD:69:15:C8:8F/public"], 0), (["--device", "D1:DD:69:15:C8:8E"], 0),
        (["--opcode", "0x1b"], 86), (["--opcode", "handle_value_notification", "--opcode", "1"], 97),
        (["--errors"], 11), (["--handle", "0x0015"], 3), (["--from", "0.112012", "--to", "0.196207"], 2),
        (["--from", "03:28:11.850345", "--to", "03:28:11.9345400"], 2),
        (["--from", "2021-02-01T03:28:11.850345Z", "--to", "2021-02-01T03:28:12Z"], 5),
        (["--from", "2021-02-02T00:00:00Z"], 0),
    ])
    func filters(_ options: [String], _ count: Int) async {
        let run = await btatt(["decode", session] + options)
        #expect(run.status == .done)
        let lines = run.lines.filter { !$0.hasSuffix("UTC") }
        #expect(lines.count { !$0.contains(" * ") } == count)
    }

    @Test func damageIsToldAfterWhatIsGood() async throws {
        let octets = try [UInt8](Data(contentsOf: URL(filePath: session)))
        let file = try TemporaryFile(Array(octets.dropLast(3)))
        let run = await btatt(["decode", file.path])
        #expect(run.status == .refused)
        #expect(run.lines.count == 1 + 1 + 255)
        #expect(run.error == "btatt: \(file.path): the file is cut off in the record at offset \(octets.count - 38)\n")
        let summary = await btatt(["decode", file.path, "--summary"])
        #expect(summary.status == .refused)
        #expect(summary.lines.count > 50)
        #expect(summary.error == run.error)
    }

    @Test(arguments: [
        ("d4c3b2a1020004000000000000000000ffff0000fb000000", "link type 251 (LE link layer)"),
        ("d4c3b2a1020004000000000000000000ffff000000010000", "link type 256 (LE link layer with a pseudo header)"),
        ("d4c3b2a1020004000000000000000000ffff000010010000", "link type 272 (Nordic sniffer)"),
        ("d4c3b2a1020004000000000000000000ffff0000c0000000", "link type 192 (per-packet information)"),
        ("1f8b0800000000000003", "compressed with gzip"), ("504b0304", "a ZIP archive"),
        ("89504e470d0a1a0a0000000d", "no btsnoop, pcap or pcapng"), ("00", "no btsnoop, pcap or pcapng"),
    ])
    func whatIsNoCaptureIsNamed(_ octets: String, _ sentence: String) async throws {
        let file = try TemporaryFile(hex(octets))
        let run = await btatt(["decode", file.path])
        #expect(run.status == .refused)
        #expect(run.output.isEmpty)
        #expect(run.error.contains(sentence), "\(run.error)")
        #expect(run.error.split(separator: "\n").count == 1)
    }

    /// A pcapng file of a link-layer sniffer: no packet of it can be shown.
    @Test func aFileOfForeignInterfacesOnlyIsRefused() async throws {
        let file = try TemporaryFile(
            hex(
                "0a0d0d0a1c0000004d3c2b1a01000000ffffffffffffffff1c000000" + "0100000014000000fb000000ffff000014000000"
                    + "060000002400000000000000000000000000000004000000040000000102030424000000"))
        let run = await btatt(["decode", file.path])
        #expect(run.status == .refused)
        #expect(run.error.contains("1 packets passed over: link type 251"), "\(run.error)")
    }

    @Test(arguments: [
        (["1b1000", "1648"], "Handle Value Notification  0x0010 1648\n"),
        (["0a0300"], "Read Request  0x0003\n"),
        (
            ["01 10 0100 0a"],
            "Error Response  to Read By Group Type Request 0x0001 Attribute Not Found (0x0a) answers nothing that was captured\n"
        ),
        (["1101"], "Read By Group Type Response  malformed: "),
    ])
    func pdusByThemselves(_ words: [String], _ line: String) async {
        let run = await btatt(["decode"] + words)
        #expect(run.status == .done)
        #expect(run.output.hasPrefix(line), "\(run.output)")
    }

    @Test func whatIsNeitherFileNorPDUIsUsage() async {
        let run = await btatt(["decode", "/nonexistent.log"])
        #expect(run.status == .usage)
        #expect(run.error.contains("/nonexistent.log is no file, and no PDU in hexadecimal"))
    }

    @Test func transcriptOfAConnectionReadsBack() async throws {
        let run = await btatt(["decode", session, "--transcript", "--to", "0.4"])
        #expect(run.status == .done)
        #expect(
            run.lines.prefix(5)
                == [
                    "description: connection 1 of treadmill-session.btsnoop", "device: D1:DD:69:15:C8:8F/random",
                    "mtu: 23",
                    "0.000000 > 100100ffff0028  # Read By Group Type Request 0x0001…0xffff 2800 Primary Service",
                    "0.084195 < 110601000100011802000800001809001900f0ff  # Read By Group Type Response 0x0001…0x0001 "
                        + "1801 Generic Attribute; 0x0002…0x0008 1800 Generic Access; 0x0009…0x0019 fff0 Public Key Open "
                        + "Credential (PKOC)",
                ])
        let file = try TemporaryFile(run.output)
        let again = await btatt(["decode", file.path])
        #expect(again.status == .done)
        let original = await btatt(["decode", session, "--to", "0.4"])
        #expect(
            again.lines.dropFirst().map { $0.drop { $0 != "#" } }
                == original.lines.dropFirst(2).map { $0.drop { $0 != "#" } })
    }

    @Test func severalConnectionsMakeNoTranscript() async throws {
        let first = try [UInt8](
            Data(contentsOf: URL(filePath: fixture("captures/public/battery-monitor-discovery.btsnoop"))))
        let second = try [UInt8](
            Data(contentsOf: URL(filePath: fixture("captures/public/battery-monitor-values.btsnoop"))))
        let file = try TemporaryFile(first + second.dropFirst(16))
        let run = await btatt(["decode", file.path, "--transcript"])
        #expect(run.status == .usage)
        #expect(run.error.contains("2 connections: say which with --connection: 1 (57 PDUs), 2 ("), "\(run.error)")
        let one = await btatt(["decode", file.path, "--transcript", "--connection", "1"])
        #expect(one.status == .done)
    }

    @Test func summaryIsAPage() async throws {
        let run = await btatt(["decode", session, "--summary"])
        #expect(run.status == .done)
        let heading = ": btsnoop, 358 packets, from 2021-02-01T03:28:11.738333Z, 5746.8 ms"
        #expect(run.lines.first?.hasSuffix(heading) == true)
        #expect(
            run.lines.contains {
                $0.hasPrefix("  as central, MTU 23, 256 PDUs of ") && $0.hasSuffix("end not captured")
            })
        #expect(run.lines.contains { $0.hasPrefix("  Write Request                40") })
        #expect(run.lines.contains("  0x0023  ├─ 2acd Treadmill Data  notify"))
        #expect(run.lines.contains { $0.hasPrefix("  0x0014 fff4            46     ") })
        let advertising = await btatt(["decode", fixture("captures/public/treadmill-advertising.btsnoop"), "--summary"])
        #expect(advertising.lines.contains { $0.hasPrefix("D1:DD:69:15:C8:8F/random  ") && $0.contains("Device 01") })
    }

    @Test func summaryForPrograms() async throws {
        let objects = try await btatt(["decode", session, "--summary", "--json"]).objects()
        let kinds = objects.compactMap { $0["kind"] as? String }
        #expect(kinds.prefix(2) == ["summary", "connection"])
        #expect(Set(kinds).isSuperset(of: ["operation", "flow", "failure", "service", "characteristic", "descriptor"]))
        let write = try #require(objects.first { $0["operation"] as? String == "Write Request" })
        #expect(write["count"] as? Int == 40)
        let latency = try #require(write["latency"] as? [String: Any])
        #expect((latency["p50"] as? Double).map { $0 > 0.01 && $0 < 0.1 } == true)
        let part = try await btatt(["decode", session, "--summary", "--json", "--to", "0.2"]).objects()
        #expect(part.first { $0["kind"] as? String == "connection" }?["pdus"] as? Int == 3)
        // What comes after is not counted, but still tells of attributes.
        #expect(part.contains { $0["uuid"] as? String == "2acd" })
    }

    /// A file that grows: what is there at once, the rest as it comes, cut in the middle of a record.
    @Test(.timeLimit(.minutes(1))) func followsAFileThatGrows() async throws {
        let octets = try [UInt8](Data(contentsOf: URL(filePath: session)))
        let file = try TemporaryFile(Array(octets.prefix(7_001)))
        let recorder = Recorder()
        let path = file.path
        let task = Task { await Btatt.run(["decode", "--follow", path], .none) { recorder.console(.none, $0) } }
        func count() -> Int { recorder.output.split(separator: "\n").count }
        while count() < 50 { try await Task.sleep(for: .milliseconds(5)) }
        let before = count()
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(octets.dropFirst(7_001)))
        while count() < 258 { try await Task.sleep(for: .milliseconds(5)) }
        task.cancel()
        #expect(await task.value == .interrupted)
        #expect(before < 200)
        #expect(recorder.error.isEmpty)
    }
}
