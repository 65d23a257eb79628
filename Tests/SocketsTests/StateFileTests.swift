import Glibc
import Sockets
import SocketsTestSupport
import Testing

@Suite struct StateFileTests {
    /// A folder that does not exist yet, in one that is removed afterwards.
    private final class Place: Sendable {
        let root: String
        let file: StateFile

        init() {
            root = "/tmp/btatt-state-\(getpid())-\(UInt64.random(in: 0 ... .max))"
            file = StateFile(path: root + "/folder/file")
            // The path is a C string for the time of the call.
            _ = unsafe mkdir(root, 0o700)
        }

        deinit {
            for path in ["/folder/file", "/folder/file.new", "/folder/target"] { _ = unsafe unlink(root + path) }
            _ = unsafe rmdir(root + "/folder")
            _ = unsafe rmdir(root)
        }

        /// Type and permissions.
        func mode(_ path: String) -> UInt32 {
            var status = stat()
            return unsafe lstat(root + path, &status) == 0 ? status.st_mode : 0
        }
    }

    @Test func aFileIsMadeForItsOwnerOnly() async throws {
        let place = Place()
        #expect(try place.file.read() == nil)
        let lock = try await place.file.lock()
        try lock.replace(with: [1, 2, 3])
        #expect(try place.file.read() == [1, 2, 3])
        try lock.replace(with: [])
        #expect(try place.file.read() == [])
        #expect(place.mode("/folder") == 0o040700)
        #expect(place.mode("/folder/file") == 0o100600)
        #expect(place.mode("/folder/file.new") == 0)
    }

    @Test func aWriterWaitsForAnother() async throws {
        let place = Place()
        do {
            let lock = try await place.file.lock()
            await #expect(throws: StateFileError(.busy, place.file.path)) {
                _ = try await place.file.lock(waitingAtMost: .milliseconds(20))
            }
            try lock.replace(with: [1])
        }
        try await place.file.lock(waitingAtMost: .zero).replace(with: [2])
        #expect(try place.file.read() == [2])
    }

    /// Each of many writers adds one octet to what it finds.
    @Test func nothingIsLostBetweenWriters() async throws {
        let place = Place()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    let lock = try await place.file.lock(waitingAtMost: .seconds(20))
                    let before = try place.file.read() ?? []
                    try lock.replace(with: before + [UInt8(number)])
                }
            }
            try await group.waitForAll()
        }
        let octets = try place.file.read()
        #expect(Set(octets ?? []) == Set(0..<20))
    }

    @Test func whatOthersCanReadIsNotTrusted() async throws {
        let place = Place()
        try await place.file.lock().replace(with: [1])
        for mode: mode_t in [0o640, 0o604, 0o660, 0o602] {
            #expect(unsafe chmod(place.file.path, mode) == 0)
            #expect(throws: StateFileError(.readableByOthers(permissions: mode), place.file.path)) {
                try place.file.read()
            }
        }
        #expect(unsafe chmod(place.file.path, 0o400) == 0)
        #expect(try place.file.read() == [1])
    }

    @Test func aLinkIsNotFollowed() async throws {
        let place = Place()
        try await place.file.lock().replace(with: [1])
        #expect(unsafe rename(place.file.path, place.root + "/folder/target") == 0)
        #expect(unsafe symlink(place.root + "/folder/target", place.file.path) == 0)
        #expect(throws: StateFileError.self) { try place.file.read() }
        // Writing puts a file in the place of the link.
        try await place.file.lock().replace(with: [2])
        #expect(try place.file.read() == [2])
    }

    @Test func aDraftThatWasLeftBehindIsNoObstacle() async throws {
        let place = Place()
        try await place.file.lock().replace(with: [1])
        #expect(unsafe link(place.file.path, place.file.path + ".new") == 0)
        try await place.file.lock().replace(with: [2])
        #expect(try place.file.read() == [2])
        #expect(place.mode("/folder/file.new") == 0)
    }

    /// O_DIRECTORY and O_CLOEXEC; O_WRONLY, O_CREAT, O_EXCL and O_CLOEXEC.
    private static let folderFlags: Int32 = 0x9_0000
    private static let draftFlags: Int32 = 0x8_00C1

    @Test func aDraftThatCannotBeWrittenGoes() async throws {
        let system = ScriptedSystemCalls([
            (.makeFolder("/var/x", mode: 0o700), .error(.fileExists)),
            (.open("/var/x", flags: Self.folderFlags, mode: 0), .value(3)),
            (.lock(3), .error(.interrupted)), (.lock(3), .done),
            (.unlink("/var/x/f.new"), .error(.noSuchFile)),
            (.open("/var/x/f.new", flags: Self.draftFlags, mode: 0o600), .value(4)),
            (.write(4, [7, 8, 9]), .error(.interrupted)), (.write(4, [7, 8, 9]), .value(2)),
            (.write(4, [9]), .value(1)),
            (.synchronise(4), .error(.ioError)), (.close(4), .done), (.unlink("/var/x/f.new"), .done),
            (.close(3), .done),
        ])
        do {
            let lock = try await StateFile(path: "/var/x/f", system: system).lock()
            #expect(throws: StateFileError(.system(.ioError), "/var/x/f")) { try lock.replace(with: [7, 8, 9]) }
        }
        #expect(system.mismatches == [])
        #expect(system.remaining == [])
    }

    @Test(arguments: [
        (StateFileError.Cause.system(.permissionDenied), "/f: Permission denied (EACCES)"),
        (.foreign, "/f belongs to another user"),
        (.readableByOthers(permissions: 0o644), "chmod 600 /f"),
        (.busy, "another process"),
    ])
    func errorsAreSentences(cause: StateFileError.Cause, text: String) {
        #expect(StateFileError(cause, "/f").description.contains(text))
    }
}
