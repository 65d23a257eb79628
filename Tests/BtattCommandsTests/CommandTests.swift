import CommandLineParsing
import Foundation
import Sockets
import Testing

@testable import BtattCommands

/// The commands against the built-in peripherals: what they print, to the letter.
@Suite struct CommandTests {
    // MARK: Discovery

    @Test func discoverShowsATree() async {
        let run = await btatt("-d virtual:heart-rate discover --values")
        #expect(run.status == .done)
        #expect(run.error.isEmpty)
        #expect(
            run.output == """
                0x0001  1800 Generic Access  service to 0x0005
                0x0003  ├─ 2a00 Device Name  read  48656172742052617465  "Heart Rate"
                0x0005  └─ 2a01 Appearance  read  4103  Heart Rate Belt
                0x0006  1801 Generic Attribute  service to 0x0009
                0x0008  └─ 2a05 Service Changed  indicate
                0x0009     └─ 2902 Client Characteristic Configuration  0000  none
                0x000a  180d Heart Rate  service to 0x0011
                0x000c  ├─ 2a37 Heart Rate Measurement  notify
                0x000d  │  └─ 2902 Client Characteristic Configuration  0000  none
                0x000f  ├─ 2a38 Body Sensor Location  read  01  chest
                0x0011  └─ 2a39 Heart Rate Control Point  write
                0x0012  180f Battery Service  service to 0x0016
                0x0014  └─ 2a19 Battery Level  read, notify  57  87 %
                0x0015     ├─ 2902 Client Characteristic Configuration  0000  none
                0x0016     └─ 2904 Characteristic Presentation Format  0400ad27010000  uint8, percentage
                0x0017  180a Device Information  service to 0x0021
                0x0019  ├─ 2a29 Manufacturer Name String  read  6274617474  "btatt"
                0x001b  ├─ 2a24 Model Number String  read  5669727475616c2048522d31  "Virtual HR-1"
                0x001d  ├─ 2a25 Serial Number String  read  30303031  "0001"
                0x001f  ├─ 2a26 Firmware Revision String  read  312e30  "1.0"
                0x0021  └─ 2a23 System ID  read  010000feffdec000  manufacturer fffe000001, organisation 00c0de

                """)
    }

    @Test func discoverShowsWhatIsRefusedAndShortensWhatIsLong() async {
        let run = await btatt("-d virtual:torture discover --values")
        #expect(run.status == .done)
        #expect(run.lines.contains { $0.hasPrefix("0x00c2") && $0.hasSuffix("read  Application Error (0x81)") })
        #expect(run.lines.contains { $0.hasPrefix("0x0084") && $0.hasSuffix("1c1d1e1f… (512 octets)") })
        #expect(run.lines.last == "0xffff     └─ 2902 Client Characteristic Configuration  0000  none")
    }

    @Test(arguments: [
        ("services --uuid heart_rate", "0x000a  180d Heart Rate  service to 0x0011\n"),
        ("services --uuid 1809", ""),
        ("services --secondary", ""),
        ("services --start 0x0006 --end 0x0009", "0x0006  1801 Generic Attribute  service to 0x0009\n"),
        ("includes", ""),
        ("characteristics --uuid battery_level", "0x0014  2a19 Battery Level  read, notify\n"),
        ("descriptors 180d/2a37", "0x000d  2902 Client Characteristic Configuration\n"),
        (
            "descriptors --start 10 --end 13",
            """
            0x000a  2800 Primary Service
            0x000b  2803 Characteristic
            0x000c  2a37 Heart Rate Measurement
            0x000d  2902 Client Characteristic Configuration

            """
        ),
    ])
    func singleProceduresShowTheirResults(_ line: String, _ output: String) async {
        let run = await btatt("-d virtual:heart-rate \(line)")
        #expect(run.status == .done)
        #expect(run.output == output)
        #expect(run.error.isEmpty)
    }

    // MARK: Reading and writing

    @Test(arguments: [
        ("0x0014", "0x0014  57\n"), ("20", "0x0014  57\n"), ("180f/2a19", "0x0014  57  87 %\n"),
        ("battery/battery_level", "0x0014  57  87 %\n"), ("2a19", "0x0014  57  87 %\n"),
        ("180f/2a19/2904", "0x0016  0400ad27010000  uint8, percentage\n"),
        ("180f/2a19 180a/2a29", "0x0014  57  87 %\n0x0019  6274617474  \"btatt\"\n"),
        ("180a/2a29 --offset 2", "0x0019  617474  \"att\"\n"), ("180a/2a29 --raw", "btatt"),
        ("--uuid 2a26", "0x001f  312e30  \"1.0\"\n"), ("--multiple 0x0014 0x0019", "576274617474\n"),
        ("--multiple --variable 0x0014 180a/2a29", "0x0014  57\n0x0019  6274617474  \"btatt\"\n"),
    ])
    func readsShowValues(_ arguments: String, _ output: String) async {
        let run = await btatt("-d virtual:heart-rate read \(arguments)")
        #expect(run.status == .done)
        #expect(run.output == output)
        #expect(run.error.isEmpty)
    }

    @Test func equalsAreTakenByTheirNumber() async {
        let values = [
            ("180f[1]/2a19[1]", "0a"), ("180f[1]/2a19[2]", "14"), ("180f[2]/2a19[1]", "1e"), ("180f[2]/2a19[2]", "28"),
        ]
        for (path, value) in values {
            let run = await btatt("-d virtual:torture read \(path)")
            #expect(run.output.contains("  \(value)  "))
        }
        let ambiguous = await btatt("-d virtual:torture read 180f/2a19")
        #expect(ambiguous.status == .usage)
        #expect(
            ambiguous.error
                == "btatt: the device has 2 of service 180f, at 0x0020, 0x0026: say which, as in 180f[1]\n")
        let absent = await btatt("-d virtual:torture read 180f[3]/2a19")
        #expect(absent.status == .refused)
        #expect(absent.error == "btatt: the device has only 2 service 180f, not 180f[3]\n")
    }

    @Test func aRefusalOfOneLeavesTheOthers() async {
        let run = await btatt("-d virtual:torture --json read 0x00c2 0x00c4")
        #expect(run.status == .refused)
        #expect(run.lines.count == 2)
        #expect(
            run.lines.first?.hasSuffix(#""error":{"code":129,"name":"Application Error","opcode":10,"handle":194}}"#)
                == true)
        #expect(run.lines.last?.hasPrefix(#"{"kind":"value","handle":196,"#) == true)
        #expect(run.error.contains("Application Error (0x81)"))
        #expect(run.error.split(separator: "\n").count == 1)
    }

    @Test(arguments: ["", "--reliable ", "--command "])
    func writesSayNothing(_ option: String) async {
        let handle = option == "--command " ? "0x00a2" : "0x0003"
        let run = await btatt("-d virtual:torture write \(option)\(handle) 0x07")
        #expect(run.status == .done)
        #expect(run.output.isEmpty)
        #expect(run.error.isEmpty)
    }

    @Test func longValuesAreWritten() async throws {
        let path = FileManager.default.temporaryDirectory.appending(
            path: "btatt-value-\(UInt64.random(in: 0 ... .max))")
        try Data((0..<512).map { UInt8($0 & 0xFF) }).write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        for mtu in [23, 517] {
            let run = await btatt("-d virtual:torture --mtu \(mtu) --json write 0x0086 file:\(path.path())")
            #expect(run.status == .done)
            // 29 parts of up to 18 octets, or one of 512, and what executes them; above 23 the MTU is agreed on first.
            let requests = mtu == 23 ? 30 : 2
            #expect(
                run.output == "{\"kind\":\"written\",\"handle\":134,\"length\":512,\"requests\":\(requests)}\n")
        }
        try Data(count: 513).write(to: path)
        let tooLong = await btatt("-d virtual:torture write 0x0086 file:\(path.path())")
        #expect(tooLong.status == .usage)
        #expect(tooLong.error == "btatt: the value is too long: an attribute has at most 512 octets\n")
    }

    // MARK: Subscribing, MTU

    @Test func subscriptionsShowValuesWithTheirTime() async throws {
        let run = await btatt("-d virtual:heart-rate subscribe 180d/2a37 --count 1")
        #expect(run.status == .done)
        let line = try #require(run.lines.first)
        #expect(
            line.contains(
                /^[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}  0x000c  16[0-9a-f]{6}  [0-9]+ bpm, contact, RR 0\.[0-9]{3} s$/))
    }

    @Test func durationEndsASubscription() async {
        let run = await btatt("-d virtual:heart-rate subscribe 180f/2a19 --duration 0.1")
        #expect(run.status == .done)
        #expect(run.output.isEmpty)
    }

    @Test func indicationsOfACharacteristicWithBoth() async {
        let run = await btatt("-d virtual:thermometer --json subscribe 1809/2a1c --indicate --count 1")
        #expect(run.output.hasPrefix(#"{"kind":"indication","time":""#))
        let impossible = await btatt("-d virtual:heart-rate subscribe 180d/2a37 --indicate")
        #expect(impossible.status != .done)
        #expect(impossible.error.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        ("", "MTU 517  (client 517, server 517)\n"), ("--mtu 100", "MTU 100  (client 100, server 517)\n"),
        ("--mtu 23", "MTU 23  (client 23, server not asked)\n"),
    ])
    func mtuShowsBothSides(_ option: String, _ output: String) async {
        #expect(await btatt("-d virtual:heart-rate \(option) mtu").output == output)
    }

    @Test func traceShowsEveryPDU() async {
        let run = await btatt("-d virtual:heart-rate --trace read 0x0014")
        let lines = run.error.split(separator: "\n").map { $0.dropFirst(16) }
        #expect(
            lines == [
                "> Exchange MTU Request 517", "< Exchange MTU Response 517", "= agree on an MTU: 1 request",
                "> Read Request 0x0014", "< Read Response 57", "= read 0x0014: 1 request",
            ])
    }

    // MARK: Scanning

    @Test func scanPrintsALineForWhatIsNew() async {
        let run = await btatt("-i virtual scan --count 1 --duration 60 --name heart")
        #expect(run.status == .done)
        #expect(
            run.lines.first
                == "C0:DE:00:00:18:0D/random  -48 dBm  Heart Rate  180d Heart Rate, 180f Battery Service, "
                + "180a Device Information; Heart Rate Belt")
        #expect(run.lines.allSatisfy { $0.hasPrefix("C0:DE:00:00:18:0D/random") })
    }

    @Test func scanStopsAtTheCount() async {
        let run = await btatt("-i virtual --json scan --service 1809 --count 1 --duration 60")
        #expect(run.lines.count == 1)
        #expect(run.output.contains(#""address":"C0:DE:00:00:18:09","addressType":"random","name":"Thermometer""#))
    }

    @Test func onATerminalATableIsKept() async {
        let terminal = Terminal(outputIsTerminal: true, errorIsTerminal: true, noColour: true, width: 60, height: 24)
        let run = await btatt("-i virtual scan --count 5 --duration 60", terminal: terminal)
        #expect(run.output.hasPrefix("ADDRESS"))
        #expect(run.output.contains("\u{1B}[2A\r\u{1B}[J"))
        let last = run.output.components(separatedBy: "\u{1B}[J").last ?? ""
        #expect(last.split(separator: "\n").count == 4)
        #expect(last.split(separator: "\n").allSatisfy { $0.count < 60 })
    }

    // MARK: Failures

    @Test(
        arguments: [
            (
                "read 0x0003", ExitStatus.usage,
                "no device was given: say which with --device, such as -d virtual:heart-rate"
            ),
            ("-d virtual:heart-rate read", .usage, "missing ATTRIBUTE; see \"btatt read --help\""),
            ("-d virtual:heart-rate read --variable 3", .usage, "--variable needs --multiple"),
            ("-d virtual:heart-rate read --multiple 3", .usage, "--multiple needs two attributes or more"),
            ("-d virtual:heart-rate read 180d/2a99", .refused, "the device has no characteristic 2a99"),
            ("-d virtual:heart-rate read 1809/2a37", .refused, "the device has no service 1809"),
            ("-d virtual:heart-rate services --start 9 --end 3", .usage, "--start 0x0009 is after --end 0x0003"),
            ("-d virtual:heart-rate write 3 0x01 4", .usage, "\"4\" has no VALUE"),
            (
                "-d virtual:heart-rate write 3 0x01 4 0x02", .usage,
                "several pairs are written together only with --reliable"
            ),
            (
                "-d virtual:heart-rate write --reliable 3 0x01 4 0x0", .usage,
                "\"0x0\" at character 3 has an odd number of digits, half an octet"
            ),
            ("serve heart-rate", .usage, "where to listen was not said: add --on unix:PATH"),
            (
                "serve nothing-here --on unix:/tmp/x", .usage,
                "there is no file nothing-here and no built-in device of that name (there are heart-rate, thermometer, torture)"
            ),
        ] as [(String, ExitStatus, String)])
    func failuresAreOneSentence(_ line: String, _ status: ExitStatus, _ sentence: String) async {
        let run = await btatt(line)
        #expect(run.status == status)
        #expect(run.output.isEmpty)
        #expect(run.error == "btatt: \(sentence)\n")
    }

    @Test func theLibrarysFailuresKeepTheirStatus() async {
        let refused = await btatt("-d virtual:heart-rate read 0x9999")
        #expect(refused.status == .refused)
        #expect(refused.error.contains("Invalid Handle (0x01) in answer to Read Request (0x0a), handle 0x9999"))
        let absent = await btatt("-d unix:/nowhere/at/all read 3")
        #expect(absent.status == .noConnection)
        #expect(absent.error.contains("unix:/nowhere/at/all: No such file or directory (ENOENT)"))
        #expect(await btatt("-d virtual:nobody read 3").status == .usage)
    }

    @Test func aClosedOutputEndsQuietly() async {
        let status = await Btatt.run(["-d", "virtual:heart-rate", "discover"], .none) {
            Console(terminal: .none, verbosity: $0, output: { _ in .brokenPipe }, error: { _ in nil })
        }
        #expect(status == .done)
    }

    @Test func anInterruptionIsStatus130() async throws {
        let recorder = Recorder()
        let work = Task {
            await Btatt.run(["-d", "virtual:heart-rate", "subscribe", "180d/2a37"], .none) {
                recorder.console(.none, $0)
            }
        }
        while recorder.output.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        work.cancel()
        #expect(await work.value == .interrupted)
        #expect(recorder.error.isEmpty)
    }
}
