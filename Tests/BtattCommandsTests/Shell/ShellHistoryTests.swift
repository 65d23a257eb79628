import Foundation
import Testing

@testable import BtattCommands

@Suite final class ShellHistoryTests {
    private let folder = "/tmp/btatt-history-\(UUID().uuidString)"
    private var path: String { "\(folder)/state/btatt/shell-history" }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func linesAreKeptForTheirOwnerOnly() async throws {
        let history = ShellHistory(path: path)
        #expect(history.lines.isEmpty)
        for line in ["read 3", "read 3", "", " read 4", "mtu", "read 3"] { #expect(await history.add(line) == nil) }
        #expect(try text() == "read 3\nmtu\nread 3\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(ShellHistory(path: path).lines == ["read 3", "mtu", "read 3"])
        // The last line of the shell before is not repeated either.
        #expect(await ShellHistory(path: path).add("read 3") == nil)
        #expect(try text() == "read 3\nmtu\nread 3\n")
    }

    @Test(arguments: [
        "write --signed --csrk 00112233445566778899aabbccddeeff 3 0x01", "write 3 0x01 --signed --csrk=00",
        "write 3 0x01 '--csrk' 00", "write 3 1 --c\\srk 00", "pair --passkey 123456", " read 3", "\tread 3", "",
        "a\u{1b}b",
        String(repeating: "a", count: 1_025),
    ])
    func secretsAndTheLikeAreNot(_ line: String) async {
        #expect(!ShellHistory.keeps(line))
        #expect(await ShellHistory(path: path).add(line) == nil)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func severalShellsShareTheFile() async throws {
        let path = path
        await withTaskGroup(of: Void.self) { group in
            for shell in 0..<3 {
                group.addTask {
                    let history = ShellHistory(path: path)
                    for line in 0..<10 { #expect(await history.add("read \(shell)\(line)") == nil) }
                }
            }
        }
        let lines = try text().split(separator: "\n")
        #expect(lines.count == 30)
        for shell in 0..<3 {
            #expect(lines.filter { $0.hasPrefix("read \(shell)") } == (0..<10).map { "read \(shell)\($0)" })
        }
    }

    @Test func theNumberOfLinesIsBounded() async throws {
        try FileManager.default.createDirectory(atPath: "\(folder)/state/btatt", withIntermediateDirectories: true)
        let old = (1...1_500).map { "read \($0)\n" }.joined()
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data(old.utf8), attributes: [.posixPermissions: 0o600]))
        let history = ShellHistory(path: path)
        #expect(history.lines.count == 1_000)
        #expect(await history.add("mtu") == nil)
        let lines = try text().split(separator: "\n")
        #expect(lines.count == 1_000)
        #expect(lines.first == "read 502")
        #expect(lines.last == "mtu")
    }

    @Test func aFileThatOthersCanReadIsLeftAlone() async throws {
        try FileManager.default.createDirectory(atPath: "\(folder)/state/btatt", withIntermediateDirectories: true)
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data("mtu\n".utf8), attributes: [.posixPermissions: 0o644]))
        let history = ShellHistory(path: path)
        #expect(history.lines.isEmpty)
        #expect(await history.add("read 3")?.contains("chmod 600") == true)
        // Said once.
        #expect(await history.add("read 4") == nil)
        #expect(try text() == "mtu\n")
    }

    @Test func nothingIsKeptWithoutAPlace() async {
        let history = ShellHistory(path: nil)
        #expect(await history.add("read 3") == nil)
    }
}
