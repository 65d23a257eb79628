import Glibc
import Sockets
import Wire

/// A file, or standard input, read piece by piece: memory is that of one buffer, whatever the length.
final class CaptureInput {
    /// For messages: the path, or `standard input`.
    let name: String

    private let descriptor: Int32
    private let isOwned: Bool
    /// A pipe or a terminal may keep one waiting, which only a wait on the event loop can be called back from.
    private let mayBlock: Bool
    private let watcher: FileWatcher?
    private let progress: (@Sendable (Double) -> Void)?
    /// How long the file is, where that means something.
    private let length: Int?
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)
    /// What was read and not yet used up.
    private var filled = 0
    private var total = 0

    /// Opens a file.
    /// - Parameters:
    ///   - path: the file, or `-` for standard input.
    ///   - isFollowed: whether to wait for more at the end of the file.
    ///   - progress: told from time to time which part of the file was read.
    init(
        _ path: String, isFollowed: Bool = false, progress: (@Sendable (Double) -> Void)? = nil
    ) throws(Failure) {
        isOwned = path != "-"
        name = isOwned ? path : "standard input"
        if isOwned {
            // The path is a C string for the time of the call.
            descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Failure(.usage, "cannot read \(path): \(lastErrorText())") }
        } else {
            descriptor = STDIN_FILENO
        }
        var status = stat()
        // The structure is filled for the time of the call.
        let isKnown = unsafe fstat(descriptor, &status) == 0
        let isFile = isKnown && status.st_mode & S_IFMT == S_IFREG
        mayBlock = !isFile
        length = isFile && status.st_size > 0 ? Int(status.st_size) : nil
        self.progress = length.map { $0 > 4 << 20 } == true ? progress : nil
        // A pipe's end is the end; only a file can grow.
        watcher = isFollowed && isFile && isOwned ? try FileWatcher(path) : nil
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// Reads to the end, or until the task is cancelled.
    /// - Parameter take: is given what was read and not used up, and whether nothing comes after it; returns how much of
    ///   it was used up.
    func readAll(_ take: (_ octets: RawSpan, _ isLast: Bool) throws(Failure) -> Int) async throws(Failure) {
        // What was peeked at does not wait for more.
        if filled > 0 { discard(try Self.hand(buffer, filled, false, to: take)) }
        while true {
            if filled == buffer.count { buffer += [UInt8](repeating: 0, count: buffer.count) }
            let count = try await readMore()
            if count == 0, let watcher {
                guard await watcher.nextChange() else { throw .interrupted }
                continue
            }
            filled += count
            total += count
            let isLast = count == 0
            let used = try Self.hand(buffer, filled, isLast, to: take)
            if isLast { return }
            discard(used)
            if let progress, let length { progress(min(1, Double(total) / Double(length))) }
            guard !Task.isCancelled else { throw .interrupted }
        }
    }

    /// A view of a property of an object cannot leave it; of an argument it can.
    private static func hand(
        _ buffer: [UInt8], _ count: Int, _ isLast: Bool, to take: (RawSpan, Bool) throws(Failure) -> Int
    ) throws(Failure) -> Int {
        try take(buffer.octets.extracting(first: count), isLast)
    }

    /// The beginning, without using it up: as many octets as there are up to `count`.
    func peek(_ count: Int) async throws(Failure) -> [UInt8] {
        while filled < count {
            let more = try await readMore()
            if more == 0 { break }
            filled += more
            total += more
        }
        return Array(buffer.prefix(min(filled, count)))
    }

    /// How many octets were read; 0 at the end.
    private func readMore() async throws(Failure) -> Int {
        while true {
            if mayBlock {
                guard await becomesReadable(descriptor) else { throw .interrupted }
            }
            let start = filled
            // In bounds: `start` is at most the count, and so many octets are free behind it.
            let count = unsafe buffer.withUnsafeMutableBytes { buffer in
                unsafe read(descriptor, buffer.baseAddress?.advanced(by: start), buffer.count - start)
            }
            if count >= 0 { return count }
            guard errno == EINTR || errno == EAGAIN else {
                throw Failure(.usage, "cannot read \(name): \(lastErrorText())")
            }
        }
    }

    private func discard(_ used: Int) {
        guard used > 0 else { return }
        filled -= used
        let left = filled
        // In bounds: what is left lies behind what was used, both within what was filled.
        unsafe buffer.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            unsafe memmove(base, base + used, left)
        }
    }
}

/// Waits until a descriptor can be read; `false` when the task is cancelled before.
private func becomesReadable(_ descriptor: Int32) async -> Bool {
    let (events, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let source = try? DescriptorSource(descriptor, on: .shared, interest: .readable) { _ in continuation.yield() }
    guard let source else { return true }
    defer { source.cancel() }
    for await _ in events { return true }
    return false
}

/// Tells when a file has grown (inotify).
final class FileWatcher: Sendable {
    private let descriptor: Int32
    private let source: DescriptorSource
    private let changes: AsyncStream<Void>

    init(_ path: String) throws(Failure) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { throw Failure(.usage, "cannot watch \(path): \(lastErrorText())") }
        self.descriptor = descriptor
        // The path is a C string for the time of the call.
        guard unsafe inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) >= 0 else {
            let reason = lastErrorText()
            close(descriptor)
            throw Failure(.usage, "cannot watch \(path): \(reason)")
        }
        let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        do throws(Errno) {
            source = try DescriptorSource(descriptor, on: .shared, interest: .readable) { _ in
                var events = [UInt8](repeating: 0, count: 4_096)
                // What exactly happened does not matter; reading makes room for the next event.
                _ = unsafe events.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
                continuation.yield()
            }
        } catch {
            close(descriptor)
            throw Failure(.usage, "cannot watch \(path): \(error)")
        }
    }

    deinit {
        source.cancel()
        close(descriptor)
    }

    /// Waits for the next change; `false` when the task is cancelled before.
    func nextChange() async -> Bool {
        for await _ in changes { return true }
        return false
    }
}
