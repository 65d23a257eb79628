public import GAP
public import HCI
public import Sockets

/// An LE scan on one adapter, from its start to its end.
///
///                      start ─▶ features ─▶ parameters ─▶ enable
///                                              │ Command Disallowed: the other family of commands, once;
///                                              ▼ refused too: scanAlreadyRunning
///     ┌──── on ◀───────────────────────────────┘
///     │      │ ▲
///     │      │ └─ the pause ends, or a second has passed since somebody else switched the scan off
///     │      └──▶ off for a while: a connection is made (ScanPauses), or somebody else switched it off
///     ▼
///   ended: stop, the adapter is down or gone, or nothing holds the scanner any more
///
/// On each way out the scan is switched off, as long as it is this one's: a scan that somebody else has started since is
/// left alone. `CleanUp` does it when a signal ends the program.
public actor Scanner {
    /// What a scan hands out, on the loop's thread.
    public enum Output: Sendable {
        /// What was heard since the last time, in order; never empty.
        case advertisements([AdvertisementRecord])
        /// Somebody else, the kernel for a connection or another program, switched the scan off. It is tried again.
        case interrupted
        /// The scan goes on after an interruption or a pause.
        case resumed
        /// Nothing more comes: `nil` after `stop`.
        case ended(BluetoothSocketError?)
    }

    /// What a scan needs from around it. The defaults are those of a program.
    public struct Environment: Sendable {
        /// Which scans pause for connections.
        public var pauses: ScanPauses
        /// Where the scan is switched off when a signal ends the program.
        public var cleanUp: CleanUp
        /// Who may be scanning already.
        public var holders: BluetoothSocketHolders

        /// An environment of its parts.
        public init(pauses: ScanPauses, cleanUp: CleanUp, holders: BluetoothSocketHolders) {
            self.pauses = pauses
            self.cleanUp = cleanUp
            self.holders = holders
        }

        /// That of a program.
        public static let shared = Environment(pauses: .shared, cleanUp: .shared, holders: .system)
    }

    /// The adapter's index: 0 for `hci0`.
    public nonisolated let adapter: UInt16
    /// How it scans.
    public nonisolated let options: ScanOptions

    private nonisolated let socket: HCISocket
    private nonisolated let environment: Environment
    private let deliver: @Sendable (Output) -> Void

    private var features = LEFeatures()
    private var assembler = AdvertisementAssembler()
    private var gathered: [AdvertisementRecord] = []
    private var subscription: Int?
    private var registration: Int?
    /// Whether there should be a scan, pauses apart.
    private var isWanted = false
    /// Whether the controller scans for this scanner, and with which commands.
    private var running: ScanCommands?
    private var cleanUpToken: CleanUp.Token?
    private var lastStep: Task<BluetoothSocketError?, Never>?
    private var retryTimer: LoopTimer?
    private var retryCount = 0
    private var hasEnded = false

    /// How long to wait after each refusal before a scan that was switched off is switched on again, in nanoseconds.
    private static let retryDelays: [UInt64] = [
        100_000_000, 400_000_000, 1_000_000_000, 2_000_000_000, 4_000_000_000, 8_000_000_000, 8_000_000_000,
    ]

    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe socket.loop.asUnownedSerialExecutor() }

    private init(
        socket: HCISocket, options: ScanOptions, environment: Environment,
        deliver: @escaping @Sendable (Output) -> Void
    ) {
        self.socket = socket
        adapter = socket.adapter
        self.options = options
        self.environment = environment
        self.deliver = deliver
    }

    deinit {
        if let registration { environment.pauses.remove(registration) }
        if let cleanUpToken { environment.cleanUp.withdraw(cleanUpToken) }
        let socket = socket
        let running = running
        socket.loop.execute {
            socket.assumeIsolated { socket in
                if let running { socket.switchOff(running) }
                socket.close()
            }
        }
    }

    /// Starts a scan. Keep the scanner: letting go of it ends the scan.
    ///
    /// - Parameter deliver: called on the loop's thread with what is heard, until `ended`; not called when this throws.
    /// - Throws: `noAdapter`, in the situation `scanAlreadyRunning` when somebody else scans: a scan with the mode `listen`
    ///   then hears what the other hears; `noRights`, `cancelled`. No scan is left behind.
    public static func start(
        adapter: UInt16, options: ScanOptions = ScanOptions(), on loop: EventLoop = .shared,
        system: (any SystemCalls)? = nil, environment: Environment = .shared,
        deliver: @escaping @Sendable (Output) -> Void
    ) async throws(BluetoothSocketError) -> Scanner {
        let failure = "cannot scan on hci\(adapter)"
        let information = try AdapterList(system: system ?? loop.system).adapter(adapter)
        guard information.isUp else {
            throw BluetoothSocketError(
                .noAdapter, .adapterDown, failure: failure, reason: "\(information.name) is down",
                remedy: Remedy.switchOn(information.name))
        }
        let socket = try await HCISocket.open(adapter: adapter, on: loop, system: system)
        let scanner = Scanner(socket: socket, options: options, environment: environment, deliver: deliver)
        do throws(BluetoothSocketError) {
            guard socket.isPrivileged else {
                throw BluetoothSocketError(.notPermitted, in: .opening(adapter: socket.name), failure: failure)
            }
            try await scanner.begin()
            if Task.isCancelled { throw .cancelled(failure) }
        } catch {
            var error = error
            error.failure = failure
            await scanner.end(nil, tells: false)
            throw error
        }
        return scanner
    }

    private func begin() async throws(BluetoothSocketError) {
        subscription = try await socket.subscribe { [weak self] input in
            self?.receive(input)
        }
        guard options.mode != .listen else { return }
        do throws(BluetoothSocketError) {
            features = try await socket.send(LEReadLocalSupportedFeaturesCommand()).features
        } catch {
            // A controller without this command has no extended advertising either.
            guard error.situation == .unknownCommand else { throw error }
        }
        registration = environment.pauses.add(self, adapter: adapter)
        isWanted = true
        if let error = await settle() { throw error }
    }

    /// Ends the scan, and returns when it is off. Idempotent; not cut short when the task is cancelled.
    public func stop() async {
        await end(nil, tells: true)
    }

    /// Whether the controller scans for this scanner right now: not in a pause, not when somebody else switched it off.
    public var isScanning: Bool { running != nil }

    /// The commands in use; `nil` while the scan is off.
    public var commands: ScanCommands? { running }

    /// The controller's LE features; empty when only listening.
    public var controllerFeatures: LEFeatures { features }

    private func end(_ error: BluetoothSocketError?, tells: Bool) async {
        isWanted = false
        _ = await settle()
        guard !hasEnded else { return }
        finish(error, tells: tells)
        await socket.close()
    }

    private func finish(_ error: BluetoothSocketError?, tells: Bool) {
        guard !hasEnded else { return }
        hasEnded = true
        isWanted = false
        forgetRunning()
        retryTimer?.invalidate()
        retryTimer = nil
        if let registration { environment.pauses.remove(registration) }
        registration = nil
        handOut()
        if tells { deliver(.ended(error)) }
    }
}

// MARK: - Switching on and off

extension Scanner {
    /// The pauses of this adapter began or ended; returns when the scan is as it should be.
    func pausesChanged() async {
        guard isWanted else { return }
        let wasRunning = running != nil
        retryCount = 0
        if let error = await settle() { retry(after: error) }
        if !wasRunning, running != nil { deliver(.resumed) }
    }

    /// Brings the controller to what is wanted, one step after the other.
    private func settle() async -> BluetoothSocketError? {
        let before = lastStep
        // On the loop all the way: without a preference, what resumes takes a detour over a thread of the global pool.
        let step = Task(executorPreference: socket.loop.taskExecutor) { () -> BluetoothSocketError? in
            _ = await before?.value
            return await self.takeStep()
        }
        lastStep = step
        return await step.value
    }

    private func takeStep() async -> BluetoothSocketError? {
        let shouldRun = isWanted && !hasEnded && !environment.pauses.isPaused(adapter)
        if shouldRun, running == nil { return await switchOn() }
        if !shouldRun, let commands = running { await switchOff(commands) }
        return nil
    }

    private func switchOn() async -> BluetoothSocketError? {
        let failure = "cannot scan on \(socket.name)"
        let preferred: ScanCommands = features.contains(.extendedAdvertising) ? .extended : .legacy
        do throws(BluetoothSocketError) {
            guard let commands = try await setParameters(preferred, failure: failure) else {
                return alreadyRunning(failure)
            }
            // Registered before the command: a signal may come before its answer.
            let token = environment.cleanUp.register("switch off the scan on \(socket.name)") { [weak self] in
                self?.assumeIsolated { $0.switchOffAtOnce(commands) }
            }
            cleanUpToken = token
            let (opcode, parameters) = commands.enable(true)
            let reply: CommandReply
            do throws(BluetoothSocketError) {
                reply = try await socket.send(opcode, parameters: parameters, failure: failure)
            } catch {
                // It may have been switched on all the same.
                await socket.switchOff(commands)
                forgetRunning()
                return error
            }
            guard reply.status.isSuccess else {
                forgetRunning()
                if reply.status == .commandDisallowed { return alreadyRunning(failure) }
                return BluetoothSocketError(status: reply.status, adapter: socket.name, failure: failure)
            }
            running = commands
            retryCount = 0
            return nil
        } catch {
            return error
        }
    }

    /// Sets the parameters by the preferred family of commands, or by the other one when that is refused.
    /// - Returns: The family that was accepted; `nil` when a scan is running.
    private func setParameters(
        _ preferred: ScanCommands, failure: String
    ) async throws(BluetoothSocketError) -> ScanCommands? {
        var isDisallowed = false
        for commands in [preferred, preferred.other] {
            let (opcode, parameters) = commands.parameters(options, features: features)
            let reply = try await socket.send(opcode, parameters: parameters, failure: failure)
            switch reply.status {
            case .success: return commands
            case .commandDisallowed: isDisallowed = true
            case .unknownCommand: break
            default: throw BluetoothSocketError(status: reply.status, adapter: socket.name, failure: failure)
            }
        }
        if isDisallowed { return nil }
        throw BluetoothSocketError(status: .unknownCommand, adapter: socket.name, failure: failure)
    }

    private func switchOff(_ commands: ScanCommands) async {
        let (opcode, parameters) = commands.enable(false)
        // Nothing can be done about a refusal; an adapter that is down does not scan.
        _ = try? await socket.send(opcode, parameters: parameters, timeout: .seconds(1))
        forgetRunning()
    }

    /// The program ends: no answer is waited for, and the scan is not switched on again.
    private func switchOffAtOnce(_ commands: ScanCommands) {
        isWanted = false
        forgetRunning()
        socket.assumeIsolated { $0.switchOff(commands) }
    }

    private func forgetRunning() {
        running = nil
        if let cleanUpToken { environment.cleanUp.withdraw(cleanUpToken) }
        cleanUpToken = nil
    }

    private func alreadyRunning(_ failure: String) -> BluetoothSocketError {
        .scanAlreadyRunning(adapter: socket.name, failure: failure, holders: environment.holders.names())
    }

    /// Tries again later, when somebody else scans; ends the scan when that goes on or for any other reason.
    private func retry(after error: BluetoothSocketError) {
        guard !hasEnded else { return }
        guard error.situation == .scanAlreadyRunning, retryCount < Self.retryDelays.count else {
            finish(error, tells: true)
            return
        }
        let timer =
            retryTimer
            ?? LoopTimer(on: socket.loop) { [weak self] in
                self?.assumeIsolated { $0.tryAgain() }
            }
        retryTimer = timer
        timer.arm(at: socket.loop.now() &+ Self.retryDelays[retryCount])
        retryCount += 1
    }

    private func tryAgain() {
        Task(executorPreference: socket.loop.taskExecutor) { await self.switchOnAgain() }
    }

    private func switchOnAgain() async {
        guard isWanted, running == nil else { return }
        if let error = await settle() {
            retry(after: error)
        } else if running != nil {
            deliver(.resumed)
        }
    }
}

// MARK: - What is heard

extension Scanner {
    private nonisolated func receive(_ input: borrowing HCISocketInput) {
        switch input {
        case .event(let event): heard(event)
        case .foreignCommand(let command):
            var reader = OctetReader(command.parameters)
            let first = try? reader.uint8()
            let opcode = command.opcode
            assumeIsolated { $0.somebodySent(opcode, first) }
        case .batchEnded: assumeIsolated { $0.handOut() }
        case .ended(let error): assumeIsolated { $0.finish(error, tells: true) }
        }
    }

    private nonisolated func heard(_ event: EventPacket) {
        assumeIsolated { $0.take(event) }
    }

    private func take(_ event: EventPacket) {
        guard event.code == .leMeta, let event = try? LEEvent(parsing: event.parameters) else { return }
        switch event {
        case .advertisingReport(let reports), .extendedAdvertisingReport(let reports),
            .directedAdvertisingReport(let reports):
            let now = socket.loop.now()
            var reports = reports
            while let report = reports.next() {
                assembler.receive(report, at: now) { advertisement in
                    guard options.reportsRepeats || !advertisement.isRepeat else { return }
                    gathered.append(AdvertisementRecord(copying: advertisement))
                }
            }
        default: break
        }
    }

    private func handOut() {
        guard !gathered.isEmpty else { return }
        let batch = gathered
        gathered = []
        deliver(.advertisements(batch))
    }

    /// The kernel or another program has sent a command. A scan that it switches off is no longer this one's.
    private func somebodySent(_ opcode: CommandOpcode, _ first: UInt8?) {
        let switchesOff =
            opcode == .reset
            || (opcode == .leSetScanEnable || opcode == .leSetExtendedScanEnable) && first == 0
        guard switchesOff, running != nil, isWanted else { return }
        forgetRunning()
        deliver(.interrupted)
        retryCount = 0
        retry(after: alreadyRunning("cannot scan on \(socket.name)"))
    }
}

extension HCISocket {
    /// Switches a scan off without waiting for the answer. What cannot be sent any more need not be.
    func switchOff(_ commands: ScanCommands) {
        let (opcode, parameters) = commands.enable(false)
        try? write(opcode, parameters: parameters, failure: "")
    }
}
