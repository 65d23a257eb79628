import Sockets

/// One wait for something to read, which holds no thread.
final class ReadableWait: Sendable {
    private let state = Locked(State())

    private struct State {
        var caller: CheckedContinuation<Bool, Never>?
        var source: DescriptorSource?
        var isCancelled = false
    }

    /// Waits until a descriptor can be read, which a file always can; `false` when the task is cancelled.
    func wait(for descriptor: Int32) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                let isCancelled = state.withLock { state in
                    state.caller = caller
                    return state.isCancelled
                }
                guard !isCancelled else { return finish(false) }
                do throws(Errno) {
                    let source = try DescriptorSource(descriptor, on: .shared, interest: .readable) { [self] _ in
                        finish(true)
                    }
                    let isOver = state.withLock { state in
                        if state.caller != nil { state.source = source }
                        return state.caller == nil
                    }
                    if isOver { source.cancel() }
                } catch {
                    // A file, which cannot be waited for, or nothing that can be read, which reading will tell.
                    finish(true)
                }
            }
        } onCancel: {
            state.withLock { $0.isCancelled = true }
            finish(false)
        }
    }

    private func finish(_ isReadable: Bool) {
        let (caller, source) = state.withLock { state in
            defer { (state.caller, state.source) = (nil, nil) }
            return (state.caller, state.source)
        }
        source?.cancel()
        caller?.resume(returning: isReadable)
    }
}
