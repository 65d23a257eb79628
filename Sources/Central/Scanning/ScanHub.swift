internal import GAP
internal import GATT
internal import Sockets

/// One scan as the hub knows it. Used on the loop only.
final class ScanListener: @unchecked Sendable {
    // Sendable: `filter`, `timer` and `hasNews` belong to the hub, which runs on one loop.
    let options: ScanOptions
    let queue: BoundedQueue<ScanResult>
    var filter: ScanFilter
    var timer: LoopTimer?
    var hasNews = false

    init(options: ScanOptions, queue: BoundedQueue<ScanResult>) {
        self.options = options
        self.queue = queue
        filter = ScanFilter(options)
    }
}

/// Shares one radio between any number of scans.
///
/// What is wished, scanning or not and how, follows from the listeners. One task at a time brings the radio from what it
/// does to what is wished, so that wishes which change meanwhile never overlap on the controller.
actor ScanHub {
    nonisolated let radio: any Radio
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    private var listeners: [ScanListener] = []
    /// How the radio scans now; `nil` when it does not.
    private var mode: ScanMode?
    private var scan: (any RadioScan)?
    private var isChanging = false
    /// Counts scans of the radio, so that what a former one still reports is told from the present one.
    private var generation = 0
    private var quietWaiters: [CheckedContinuation<Void, Never>] = []

    init(radio: any Radio, loop: EventLoop) {
        self.radio = radio
        self.loop = loop
    }

    /// Whether somebody scans.
    var isScanning: Bool { !listeners.isEmpty }

    private var wish: ScanMode? {
        let modes = listeners.map(\.options.mode)
        return [.active, .passive, .listen].first { modes.contains($0) }
    }

    // MARK: Listeners

    func add(_ listener: ScanListener) {
        listeners.append(listener)
        if let duration = listener.options.duration {
            // The listener holds its timer.
            let timer = LoopTimer(on: loop) { [weak self, weak listener] in
                guard let listener else { return }
                listener.queue.finish()
                self?.assumeIsolated { $0.remove(listener) }
            }
            timer.arm(at: (loop.time + duration).nanoseconds)
            listener.timer = timer
        }
        follow()
    }

    func remove(_ listener: ScanListener) {
        listener.timer?.invalidate()
        listeners.removeAll { $0 === listener }
        follow()
    }

    // MARK: The radio

    private func follow() {
        guard !isChanging, wish != mode else { return }
        isChanging = true
        Task { await change() }
    }

    private func change() async {
        while wish != mode {
            let former = scan
            scan = nil
            mode = nil
            await former?.stop()
            guard let next = wish else { break }
            generation += 1
            let present = generation
            do throws(CentralError) {
                scan = try await radio.scan(next) { [weak self] event in
                    self?.assumeIsolated { $0.receive(event, of: present) }
                }
                mode = next
            } catch {
                fail(error)
            }
        }
        isChanging = false
        for waiter in quietWaiters { waiter.resume() }
        quietWaiters.removeAll()
    }

    private func receive(_ event: RadioEvent, of scan: Int) {
        guard scan == generation else { return }
        switch event {
        case .heard(let advertisements):
            let time = Timestamp(loop)
            for advertisement in advertisements { offer(advertisement, at: time) }
            for listener in listeners where listener.hasNews {
                listener.hasNews = false
                listener.queue.wake()
            }
        case .ended(let error):
            self.scan = nil
            mode = nil
            generation += 1
            fail(error)
        }
    }

    private func offer(_ advertisement: AdvertisementRecord, at time: Timestamp) {
        for listener in listeners {
            guard let isNew = listener.filter.admit(advertisement) else { continue }
            listener.queue.append(ScanResult(advertisement: advertisement, time: time, isNew: isNew))
            listener.hasNews = true
        }
    }

    private func fail(_ error: CentralError) {
        for listener in listeners {
            listener.timer?.invalidate()
            listener.queue.finish(throwing: error)
        }
        listeners.removeAll()
    }

    /// Ends every scan, and returns when the radio is quiet; also in a task that was cancelled.
    func close() async {
        for listener in listeners {
            listener.timer?.invalidate()
            listener.queue.finish()
        }
        listeners.removeAll()
        follow()
        while isChanging {
            await withCheckedContinuation { continuation in
                // Asked here: an `await` may let other work of the actor go first, the end of the change too.
                if isChanging { quietWaiters.append(continuation) } else { continuation.resume() }
            }
        }
    }
}
