import Central
import Foundation
import Testing

/// `write --signed` by the built program, against a virtual peripheral that checks signatures with a cipher of its own. The
/// octets are those of "openssl mac" over message and counter, turned round.
@Suite(
    .enabled(if: SigningKey.isAvailable, "OpenSSL's libcrypto is there"), .timeLimit(.minutes(2))
) struct SignedWriteTests {
    private static let key = "3c4fcf098815f7aba6d2ae2816157e2b"

    /// The counters that were kept go on in the next process; with others, used ones come again, which the device ignores.
    @Test func countersGoOnFromProcessToProcess() async throws {
        let programs = Programs()
        let (path, server) = try await programs.serve(Programs.fixture("devices/lock.device"))
        let key = "\(programs.root)/key"
        try Self.key.write(toFile: key, atomically: true, encoding: .utf8)
        func write(_ value: String, _ options: String = "", state: String = "state") async throws -> String {
            let run = try await programs.run(
                "-d unix:\(path) --json --trace write --signed --csrk @\(key) 0x0003 \(value) \(options)",
                state: state)
            #expect(run.status == 0)
            let sent = run.errors.split(separator: "\n").filter { $0.contains(" > ") }.last
            return "\(run.output)\(sent?.split(separator: ">").last ?? "")"
        }
        #expect(
            try await write("0x01", "--sign-counter 7")
                == #"{"kind":"written","handle":3,"length":1,"requests":1,"signed":true,"counter":7}"#
                + "\n Signed Write Command 0x0003 01 signed 07000000beca12935c749fb3")
        #expect(try await write("0x00").hasSuffix("0003 00 signed 08000000cb3db894e24f9361"))
        // A counter that is not fallen short of was passed already.
        #expect(try await write("0x01", "--sign-counter 3").hasSuffix("0003 01 signed 0900000025435f518965d710"))
        #expect(try await write("0x01", state: "elsewhere").hasSuffix("0003 01 signed 00000000c9b2bf277476b586"))
        try await waitUntil { server.text.contains("remark") }
        let lines = server.text.split(separator: "\n")
        let values = lines.filter { $0.contains(#""kind":"written""#) }.map { $0.suffix(13) }
        #expect(values == [#""value":"01"}"#, #""value":"00"}"#, #""value":"01"}"#])
        #expect(lines.filter { $0.contains("was ignored: the signature is wrong, or was used before") }.count == 1)
        let kept = try String(contentsOfFile: "\(programs.root)/state/btatt/signing-counters", encoding: .utf8)
        #expect(kept.hasSuffix(" 10\n") && !kept.contains(Self.key))
    }

    /// However many processes sign at once, none takes a counter that another took.
    @Test func severalProcessesAtOnce() async throws {
        let programs = Programs()
        let (path, server) = try await programs.serve(Programs.fixture("devices/lock.device"))
        let started = try (0..<8).map { _ in
            try programs.start(
                "-d unix:\(path) --json write --signed --csrk \(Self.key) --sign-counter 7 0x0003 0x01")
        }
        var counters: [Substring] = []
        for process in started {
            let run = await process.ended()
            #expect(run.status == 0, "\(run.errors)")
            counters.append(run.output.dropLast(2).split(separator: ":").last ?? "")
        }
        #expect(Set(counters) == Set((7..<15).map { "\($0)" }))
        // Those that came late have counters below that of another, and are ignored.
        try await waitUntil { server.text.components(separatedBy: #""disconnected""#).count == 9 }
        #expect(server.text.contains(#""kind":"written""#))
    }

    @Test(arguments: [
        "nonsense\n", "0123456789abcdef 12", "0123456789abcdef -1\n", "0123456789abcdef 4294967297\n", " 5\n", "\0\0\0",
    ])
    func damagedCountersAreNotGuessed(_ text: String) async throws {
        let programs = Programs()
        let folder = "\(programs.root)/state/btatt"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(
            atPath: "\(folder)/signing-counters", contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        let device = Programs.fixture("devices/lock.device")
        let run = try await programs.run("-d virtual:\(device) write --signed --csrk \(Self.key) 0x0003 0x01")
        #expect(run.status == 2)
        #expect(
            run.errors
                == "btatt: the counter of the key cannot be kept: \(folder)/signing-counters is damaged; put it right, or "
                + "remove it and give a --sign-counter above every one that was used\n")
    }

    /// Encryption says who sends: nothing is signed, and no counter used.
    @Test func onAnEncryptedLinkNothingIsSigned() async throws {
        let programs = Programs()
        let device = Programs.fixture("devices/lock.device")
        let run = try await programs.run(
            "-d virtual:\(device) --security medium --json --trace write --signed --csrk \(Self.key) 0x0003 0x01")
        #expect(run.status == 0)
        #expect(run.output == #"{"kind":"written","handle":3,"length":1,"requests":1,"signed":false}"# + "\n")
        #expect(run.errors.contains("> Write Command 0x0003 01\n"))
        #expect(!FileManager.default.fileExists(atPath: "\(programs.root)/state"))
    }

    /// A device that pairs gives its encrypted characteristic without further ado, like one on the air.
    @Test func theEncryptedCharacteristicOfAVirtualDevice() async throws {
        let programs = Programs()
        let device = Programs.fixture("devices/lock.device")
        let read = try await programs.run("-d virtual:\(device) --json read 0x0005")
        #expect(read.output.hasPrefix(#"{"kind":"value","handle":5,"value":"2a00""#))
        let refused = try await programs.run("-d virtual:\(device) --no-elevate read 0x0005")
        #expect(refused.status == 1)
        let protected = try await programs.run("-d virtual:\(device) --security high read 0x0005")
        #expect(protected.status == 1)
        #expect(protected.errors.contains("no protection against a man in the middle"))
    }
}
