internal import Wire

/// A small file in which a program keeps something between its runs, and which several of its processes may use at once.
///
/// A reader sees an old or a new version and never a part of one: a version is written beside the file, brought to the
/// disk, and renamed. Writers exclude each other by a lock on the folder, which ends with the process that holds it.
///
/// The file may hold secrets. It is made for its owner only (0600, its folder 0700), and one that others can read, or
/// that belongs to somebody else, is refused.
public struct StateFile: Sendable {
    /// Where it is.
    public let path: String
    /// The folder that it is in.
    public let folder: String

    private let system: any SystemCalls

    /// A file that need not exist.
    public init(path: String, system: any SystemCalls = LinuxSystemCalls()) {
        self.path = path
        self.system = system
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    /// What the file holds; `nil` when there is none.
    /// - Throws: why it cannot be read, or must not be trusted.
    public func read() throws(StateFileError) -> [UInt8]? {
        let file: Int32
        do throws(Errno) {
            file = try system.open(path, flags: LinuxNumbers.openPlainFile, mode: 0)
        } catch .noSuchFile {
            return nil
        } catch {
            throw StateFileError(.system(error), path)
        }
        defer { try? system.close(file) }
        let status: FileStatus
        let contents: [UInt8]
        do throws(Errno) {
            status = try system.fileStatus(file)
            contents = status.isRegular ? try system.contents(of: file) : []
        } catch {
            throw StateFileError(.system(error), path)
        }
        guard status.isRegular else { throw StateFileError(.system(.invalidArgument), path) }
        guard status.owner == system.effectiveUser() || status.owner == 0 else { throw StateFileError(.foreign, path) }
        guard status.permissions & 0o077 == 0 else {
            throw StateFileError(.readableByOthers(permissions: status.permissions), path)
        }
        return contents
    }

    /// Takes the right to write.
    /// - Parameter limit: how long to wait for another process that has it.
    /// - Throws: `busy` when it does not come free; why the folder cannot be used.
    public func lock(waitingAtMost limit: Duration = .seconds(2)) async throws(StateFileError) -> StateFileLock {
        let descriptor = try openFolder()
        var waited: Duration = .zero
        while true {
            do throws(Errno) {
                try system.lock(descriptor)
                return StateFileLock(file: self, folder: descriptor, system: system)
            } catch .wouldBlock where waited < limit {
                // Held for a few milliseconds by those that write; the kernel tells nobody when it comes free.
                let step: Duration = .milliseconds(10)
                try? await Task.sleep(for: step)
                waited += step
            } catch .interrupted {
                continue
            } catch {
                try? system.close(descriptor)
                throw StateFileError(error == .wouldBlock ? .busy : .system(error), path)
            }
        }
    }

    /// Opens the folder, and makes it when it is missing, but not those above it.
    private func openFolder() throws(StateFileError) -> Int32 {
        do throws(Errno) {
            do throws(Errno) {
                try system.makeFolder(folder, mode: 0o700)
            } catch .fileExists {}
            return try system.open(folder, flags: LinuxNumbers.openFolder, mode: 0)
        } catch {
            throw StateFileError(.system(error), path)
        }
    }
}

/// The right to write a state file, until it is let go of.
public struct StateFileLock: ~Copyable, Sendable {
    /// The file.
    public let file: StateFile

    private let folder: Int32
    private let system: any SystemCalls

    init(file: StateFile, folder: Int32, system: any SystemCalls) {
        self.file = file
        self.folder = folder
        self.system = system
    }

    // Closing the descriptor ends the lock.
    deinit { try? system.close(folder) }

    /// Puts another version in the place of the file.
    /// - Throws: why that failed; the file is as before then.
    public func replace(with contents: [UInt8]) throws(StateFileError) {
        let draft = file.path + ".new"
        do throws(Errno) {
            // Left behind by a process that was killed; nobody else writes now.
            do throws(Errno) { try system.unlink(draft) } catch .noSuchFile {}
            let descriptor = try system.open(draft, flags: LinuxNumbers.makeFile, mode: 0o600)
            do throws(Errno) {
                try system.writeAll(contents, to: descriptor)
                try system.synchronise(descriptor)
            } catch {
                try? system.close(descriptor)
                try? system.unlink(draft)
                throw error
            }
            try system.close(descriptor)
            try system.rename(draft, to: file.path)
            try system.synchronise(folder)
        } catch {
            throw StateFileError(.system(error), file.path)
        }
    }
}

/// Why a state file cannot be used.
public struct StateFileError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Cause: Hashable, Sendable {
        /// A system call failed.
        case system(Errno)
        /// The file belongs to somebody else.
        case foreign
        /// Others may read or write the file.
        case readableByOthers(permissions: UInt32)
        /// Another process has the right to write and does not let go of it.
        case busy
        /// What it holds makes no sense.
        case damaged
    }

    /// What is wrong.
    public var cause: Cause
    /// Which file.
    public var path: String

    /// An error of its parts.
    public init(_ cause: Cause, _ path: String) {
        self.cause = cause
        self.path = path
    }
}

extension StateFileError: CustomStringConvertible {
    /// A clause for a person: what is wrong with which file.
    public var description: String {
        switch cause {
        case .system(let errno): "\(path): \(errno)"
        case .foreign: "\(path) belongs to another user"
        case .readableByOthers(let permissions):
            "\(path) holds secrets and can be read by others (mode \(String(permissions, radix: 8))); "
                + "make it private with \"chmod 600 \(path)\""
        case .busy: "\(path) is being written by another process"
        case .damaged: "\(path) is damaged"
        }
    }
}
