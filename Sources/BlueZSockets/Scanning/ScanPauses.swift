internal import Sockets

/// The scans of this process, and who needs them to be quiet.
///
/// A connection is found by the kernel's own scan, which the controller refuses while a raw one runs. Whoever connects
/// calls `begin` before and `end` after; in between the scans of that adapter are off, and scans that are started wait.
public final class ScanPauses: Sendable {
    /// The scans of the program.
    public static let shared = ScanPauses()

    private let state = Locked(State())

    private struct State {
        var nextNumber = 0
        var scans: [Int: Scan] = [:]
        /// How many pauses there are for each adapter, and under `nil` for all of them.
        var counts: [UInt16?: Int] = [:]

        func isPaused(_ adapter: UInt16) -> Bool { counts[adapter] ?? 0 > 0 || counts[nil] ?? 0 > 0 }
    }

    private struct Scan {
        var adapter: UInt16
        weak var scanner: Scanner?
    }

    /// A registry of its own, for tests.
    public init() {}

    /// Switches off the scans of an adapter, `nil` for all, and returns when they are off.
    public func begin(adapter: UInt16?) async {
        state.withLock { $0.counts[adapter, default: 0] += 1 }
        await update(adapter)
    }

    /// Lets the scans go on, once every `begin` has had its `end`.
    public func end(adapter: UInt16?) async {
        state.withLock { state in
            let left = (state.counts[adapter] ?? 0) - 1
            state.counts[adapter] = left > 0 ? left : nil
        }
        await update(adapter)
    }

    private func update(_ adapter: UInt16?) async {
        let scanners = state.withLock { state in
            state.scans.values.filter { adapter == nil || $0.adapter == adapter }.compactMap(\.scanner)
        }
        for scanner in scanners { await scanner.pausesChanged() }
    }

    func isPaused(_ adapter: UInt16) -> Bool { state.withLock { $0.isPaused(adapter) } }

    func add(_ scanner: Scanner, adapter: UInt16) -> Int {
        state.withLock { state in
            defer { state.nextNumber += 1 }
            state.scans[state.nextNumber] = Scan(adapter: adapter, scanner: scanner)
            return state.nextNumber
        }
    }

    func remove(_ number: Int) { state.withLock { $0.scans[number] = nil } }
}
