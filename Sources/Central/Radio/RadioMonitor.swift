internal import BlueZSockets
public import Sockets
public import VirtualPeripheral

/// What the radio that a selection names is doing.
@frozen
public enum RadioState: Hashable, Sendable {
    /// There is no such adapter, or it cannot do Bluetooth LE.
    case absent
    /// The program may not use it (CAP_NET_RAW is missing).
    case missingRights
    /// It is there and switched off.
    case down
    /// It can be used.
    case up
}

/// Watches the radio that a selection names, and tells what it is doing: once at the beginning and then at every change.
///
/// The kernel tells of changes; nothing is polled. When the first usable adapter was asked for and another becomes that,
/// `down` is told between the two. Without CAP_NET_RAW only some changes are told by the kernel.
public final class RadioMonitor: Sendable {
    private let loop: EventLoop
    private let handler: @Sendable (RadioState) -> Void
    private let source: Locked<Source>

    private enum Source {
        case none
        case fixed
        case virtual(VirtualRadio, watch: Int)
        case kernel(AdapterMonitor, index: Int?, told: Told?)
    }

    /// What was told last, and of which adapter.
    private struct Told: Equatable {
        var state: RadioState
        var adapter: String?
    }

    /// Begins to watch; `handler` runs on the loop's thread, for the first time soon after this.
    public init(
        _ selection: AdapterSelection, on loop: EventLoop = .shared,
        handler: @escaping @Sendable (RadioState) -> Void
    ) {
        self.loop = loop
        self.handler = handler
        source = Locked(.none)
        switch selection {
        case .virtual: watchNothing(but: .up)
        case .none: watchNothing(but: .absent)
        case .firstAvailable: watchKernel(nil)
        case .hci(let index): watchKernel(index)
        }
    }

    /// Watches a radio inside this process.
    public init(
        radio: VirtualRadio, on loop: EventLoop? = nil, handler: @escaping @Sendable (RadioState) -> Void
    ) {
        let loop = loop ?? radio.loop
        self.loop = loop
        self.handler = handler
        source = Locked(.none)
        let watch = radio.watch { condition in
            loop.execute { handler(RadioState(condition)) }
        }
        source.withLock { $0 = .virtual(radio, watch: watch) }
        loop.execute { handler(RadioState(radio.condition)) }
    }

    deinit { cancel() }

    /// Ends the watching, from any thread. Idempotent.
    public func cancel() {
        let former = source.withLock { source in
            let former = source
            source = .none
            return former
        }
        switch former {
        case .none, .fixed: break
        case .virtual(let radio, let watch): radio.stopWatching(watch)
        case .kernel(let monitor, _, _): monitor.cancel()
        }
    }

    private func watchNothing(but state: RadioState) {
        source.withLock { $0 = .fixed }
        loop.execute { [handler] in handler(state) }
    }

    private func watchKernel(_ index: Int?) {
        do throws(BluetoothSocketError) {
            let monitor = try AdapterMonitor(on: loop) { [weak self] change in self?.look(after: change) }
            source.withLock { $0 = .kernel(monitor, index: index, told: nil) }
            loop.execute { [weak self] in self?.look() }
        } catch {
            // A kernel without Bluetooth will not get any while this program runs.
            watchNothing(but: error.category == .noRights ? .missingRights : .absent)
        }
    }

    /// Asks the kernel how things are, and tells what is new. On the loop.
    /// - Parameter change: what the kernel told; by the time it is read, the adapter may be back already.
    private func look(after change: AdapterChange? = nil) {
        let list = AdapterList(system: loop.system)
        let news: [RadioState] = source.withLock { source in
            guard case .kernel(let monitor, let index, let told) = source else { return [] }
            let now = Self.state(list, index: index, isPrivileged: monitor.isComplete, current: told?.adapter)
            if now == told {
                guard let change, change.kind == .down || change.kind == .removed, told?.state == .up,
                    told?.adapter == "hci\(change.index)"
                else { return [] }
                return [.down, .up]
            }
            source = .kernel(monitor, index: index, told: now)
            return told?.state == .up && now.state == .up ? [.down, .up] : now.state == told?.state ? [] : [now.state]
        }
        for state in news { handler(state) }
    }

    private static func state(_ list: AdapterList, index: Int?, isPrivileged: Bool, current: String?) -> Told {
        let adapters: [Adapter]
        do throws(BluetoothSocketError) {
            adapters = try list.all().filter { index == nil || Int($0.index) == index }
        } catch {
            return Told(state: error.category == .noRights ? .missingRights : .absent)
        }
        guard !adapters.isEmpty else { return Told(state: .absent) }
        guard isPrivileged else { return Told(state: .missingRights) }
        let usable = adapters.filter { $0.isUp && $0.supportsLE }
        // The one in use stays, also when one with a lower number comes up.
        if let adapter = usable.first(where: { $0.name == current }) ?? usable.first {
            return Told(state: .up, adapter: adapter.name)
        }
        return Told(state: adapters.contains { !$0.isUp } ? .down : .absent)
    }
}

extension RadioState {
    fileprivate init(_ condition: VirtualRadioCondition) {
        self =
            switch condition {
            case .on: .up
            case .off: .down
            case .absent: .absent
            case .forbidden: .missingRights
            }
    }
}
