import Foundation
import Glibc
import Testing

/// Kept attributes with several processes at once, and with files that somebody else made of them.
@Suite(.timeLimit(.minutes(3))) struct AttributeStoreProcessTests {
    private struct Total: Decodable {
        var count: Int
        var requests: Int
        var kept: Bool?
    }

    /// The last object of a discovery.
    private func total(_ output: String) throws -> Total {
        let line = try #require(output.split(separator: "\n").last)
        return try JSONDecoder().decode(Total.self, from: Data(line.utf8))
    }

    private func folder(_ programs: Programs) -> String { "\(programs.root)/cache/btatt/attributes" }

    private func files(_ programs: Programs) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder(programs)).sorted()
    }

    /// Writers of the same file and of others in the same folder: all of them succeed, and what they leave is whole.
    @Test func severalProcessesAtOnce() async throws {
        let programs = Programs()
        var paths: [String] = []
        for _ in 0..<2 { paths.append(try await programs.serve("torture").path) }
        let started = try (0..<12).map { number in
            try programs.start("-d unix:\(paths[number % 2]) --json discover\(number % 3 == 0 ? " --refresh" : "")")
        }
        var totals: [Total] = []
        for process in started {
            let run = await process.ended()
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.errors.isEmpty)
            totals.append(try total(run.output))
        }
        #expect(Set(totals.map(\.count)).count == 1)
        let names = try files(programs)
        #expect(names.count == 2 && names.allSatisfy { $0.hasSuffix(".attributes") }, "\(names)")
        for path in paths {
            let again = try await programs.run("-d unix:\(path) --json discover --cached")
            #expect(try total(again.output).kept == true)
            #expect(try total(again.output).requests == 2)
        }
    }

    /// Processes that are killed at any moment leave a whole file or none, and nothing that others wait for.
    @Test func killedWriters() async throws {
        let programs = Programs()
        let path = try await programs.serve("torture").path
        var delay: UInt64 = 2
        for _ in 0..<8 {
            let started = try (0..<2).map { _ in try programs.start("-d unix:\(path) --json discover --refresh") }
            try await Task.sleep(for: .milliseconds(delay))
            for process in started { kill(process.process.processIdentifier, SIGKILL) }
            for process in started { _ = await process.ended() }
            delay += 15
        }
        let first = try await programs.run("-d unix:\(path) --json discover")
        #expect(first.status == 0, "\(first.errors)")
        let second = try await programs.run("-d unix:\(path) --json discover")
        #expect(try total(second.output).kept == true)
        // What a killed writer left beside it goes with the next version.
        _ = FileManager.default.createFile(
            atPath: "\(folder(programs))/\(try files(programs)[0]).new", contents: Data("left".utf8))
        let third = try await programs.run("-d unix:\(path) --json discover --refresh")
        #expect(third.status == 0 && third.errors.isEmpty)
        #expect(try files(programs).count == 1)
    }

    /// A process that holds the lock and never lets go costs two seconds, and the attributes are only not kept.
    @Test func aLockThatIsHeld() async throws {
        let programs = Programs()
        let path = try await programs.serve("torture").path
        try FileManager.default.createDirectory(atPath: folder(programs), withIntermediateDirectories: true)
        // The path is a C string for the time of the call.
        let descriptor = unsafe open(folder(programs), O_RDONLY | O_DIRECTORY)
        defer { close(descriptor) }
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        let start = ContinuousClock.now
        let run = try await programs.run("-d unix:\(path) --json discover")
        #expect(run.status == 0)
        #expect(try total(run.output).kept == false)
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(try files(programs).isEmpty)
    }

    enum Damage: String, CaseIterable {
        case empty, halved, oneOctet, notText, zeros, anotherVersion, anotherDevice, anotherHash, repeated
        case huge, endless, folder, pipe, link, readableByOthers
    }

    /// Puts something else in the place of the file.
    private func damage(_ path: String, _ damage: Damage) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        var octets = Data(text.utf8)
        switch damage {
        case .empty: octets = Data()
        case .halved: octets = octets.prefix(octets.count / 2)
        case .oneOctet: octets[octets.count / 2] ^= 1
        case .notText: octets = Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 128) })
        case .zeros: octets = Data(count: 65_536)
        case .anotherVersion: octets = Data(text.replacing("attributes 1\n", with: "attributes 2\n").utf8)
        case .anotherDevice: octets = Data(text.replacing("device unix:", with: "device unix:/x").utf8)
        case .anotherHash: octets = Data(text.replacing("hash ", with: "hash 00").utf8)
        case .repeated: octets = Data(String(repeating: text, count: 400).utf8)
        case .huge, .endless, .folder, .pipe, .link, .readableByOthers: break
        }
        try FileManager.default.removeItem(atPath: path)
        switch damage {
        case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case .pipe: try #require(Self.makePipe(path))
        case .endless: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
        case .link:
            _ = FileManager.default.createFile(
                atPath: path + ".real", contents: octets, attributes: [.posixPermissions: 0o600])
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".real")
        default:
            let mode = damage == .readableByOthers ? 0o644 : 0o600
            _ = FileManager.default.createFile(atPath: path, contents: octets, attributes: [.posixPermissions: mode])
        }
        // Sixteen gigabytes without a block on the disk.
        if damage == .huge { try #require(Self.lengthen(path, to: 16 << 30)) }
    }

    // The paths are C strings for the time of the calls.
    private static func makePipe(_ path: String) -> Bool { unsafe mkfifo(path, 0o600) == 0 }
    private static func lengthen(_ path: String, to length: Int) -> Bool { unsafe truncate(path, length) == 0 }

    /// Whatever stands there is not believed, does not keep a discovery from its end, and is replaced where it can be.
    @Test(arguments: Damage.allCases) func damagedFiles(_ kind: Damage) async throws {
        let programs = Programs()
        let path = try await programs.serve("torture").path
        let first = try await programs.run("-d unix:\(path) --json discover")
        let file = "\(folder(programs))/\(try #require(try files(programs).first))"
        try damage(file, kind)
        let start = ContinuousClock.now
        let second = try await programs.run("-d unix:\(path) --json discover")
        #expect(second.status == 0, "\(second.errors)")
        #expect(try total(second.output).kept == false)
        #expect(second.output.split(separator: "\n").dropLast() == first.output.split(separator: "\n").dropLast())
        #expect(ContinuousClock.now - start < .seconds(20))
        // A folder is not replaced by a file; then the attributes are not kept.
        let third = try await programs.run("-d unix:\(path) --json discover")
        #expect(try total(third.output).kept == (kind != .folder))
    }
}
