import Sockets
import TestSupport
import Testing

@testable import Central
@testable import VirtualPeripheral

/// Connecting without a time limit on a radio whose own attempts end, in a test's hands.
@Suite(.timeLimit(.minutes(1))) struct ConnectorTests {
    private static let address = DeviceAddress("C0:DE:00:00:18:0D/random")!

    /// Hears what a virtual radio does, and connects as a test says.
    private final class TestRadio: Radio {
        typealias Attempt = @Sendable (_ number: Int) async throws(CentralError) -> Bearer

        let air: VirtualRadio
        let attempts = Locked<[MonotonicTime]>([])
        private let scanner: InProcessRadio
        private let scanError: CentralError?
        private let attempt: Attempt

        var name: String { "a test" }
        var isUp: Bool { true }

        init(
            heard devices: [BuiltInDevice], scanError: CentralError? = nil,
            _ attempt: @escaping Attempt
        ) throws {
            air = try VirtualRadio(devices.map { try #require(DeviceDescription(builtIn: $0.name)) })
            scanner = InProcessRadio(air, on: .shared)
            self.scanError = scanError
            self.attempt = attempt
        }

        func scan(
            _ mode: ScanMode, report: @escaping @Sendable (RadioEvent) -> Void
        ) async throws(CentralError) -> any RadioScan {
            if let scanError { throw scanError }
            return try await scanner.scan(mode, report: report)
        }

        func connect(to address: DeviceAddress, _ options: ConnectOptions) async throws(CentralError) -> Bearer {
            let number = attempts.withLock { attempts in
                attempts.append(EventLoop.shared.time)
                return attempts.count
            }
            return try await attempt(number)
        }
    }

    private static func failure(
        _ category: CentralError.Category = .noConnection, _ errno: Errno? = nil
    ) -> CentralError {
        CentralError(category, failure: "cannot connect", reason: "the radio gave up", errno: errno)
    }

    /// Waits until the task is cancelled.
    private static func hang() async throws(CentralError) -> Bearer {
        await Promise<Void>().value(whenCancelled: ())
        throw .cancelled("cannot connect")
    }

    private static func bearer() throws(CentralError) -> Bearer {
        do throws(Errno) {
            let (near, far) = try SeqPacketSocket.pair()
            return Bearer(socket: near, peer: "a test", owner: far)
        } catch {
            throw failure(.noConnection, error)
        }
    }

    private func connect(
        _ radio: TestRadio, _ pace: Connector.Pace = Connector.Pace()
    ) -> Task<CentralError?, Never> {
        attempt { () throws(CentralError) -> Connection in
            let connector = Connector(loop: .shared, hub: ScanHub(radio: radio, loop: .shared), pace: pace)
            return try await connector.connect(
                to: .address(Self.address), ConnectOptions(preferredMTU: 23, timeout: nil)
            ).get()
        }
    }

    private func until(_ isSo: () async -> Bool) async throws {
        while await !isSo() { try await Task.sleep(for: .milliseconds(2)) }
    }

    private static let quick = Connector.Pace(
        turn: .milliseconds(40), shortestAttempt: .zero, firstPause: .milliseconds(1))

    @Test("It tries again whenever the radio gives up, in whatever words") func triesAgain() async throws {
        let words = [
            Self.failure(.timedOut), Self.failure(.noConnection, .timedOut), Self.failure(.noConnection, .hostDown),
        ]
        let radio = try TestRadio(heard: []) { number throws(CentralError) in
            guard number > words.count else { throw words[number - 1] }
            return try Self.bearer()
        }
        #expect(await connect(radio, Self.quick).value == nil)
        let attempts = radio.attempts.withLock { $0 }
        #expect(attempts.count == words.count + 1)
        // In between the device is listened for, a turn long.
        for (former, next) in zip(attempts, attempts.dropFirst()) { #expect(next >= former + Self.quick.turn) }
    }

    @Test("A device that is heard is tried at once") func triesWhatIsHeard() async throws {
        let radio = try TestRadio(heard: [.heartRate]) { number throws(CentralError) in
            guard number > 3 else { throw Self.failure(.timedOut) }
            return try Self.bearer()
        }
        // A turn that would outlast the test.
        let pace = Connector.Pace(turn: .seconds(3600), shortestAttempt: .zero, firstPause: .seconds(3600))
        #expect(await connect(radio, pace).value == nil)
        #expect(await radio.air.listenerCount == 0)
    }

    @Test("Another failure ends it") func anotherFailure() async throws {
        let refusal = Self.failure(.noConnection, .connectionRefused)
        let radio = try TestRadio(heard: [.heartRate]) { number throws(CentralError) in
            throw number < 3 ? Self.failure(.timedOut) : refusal
        }
        #expect(await connect(radio, Self.quick).value == refusal)
        #expect(radio.attempts.withLock { $0.count } == 3)
    }

    enum Stage: CaseIterable { case attempting, listening, pausing }

    @Test("Cancelling ends it at once, wherever it is", arguments: Stage.allCases)
    func cancelling(stage: Stage) async throws {
        let radio = try TestRadio(heard: []) { _ throws(CentralError) in
            if stage == .attempting { return try await Self.hang() }
            throw Self.failure(.timedOut)
        }
        var pace = Connector.Pace(turn: .seconds(3600), shortestAttempt: .zero, firstPause: .seconds(3600))
        if stage == .pausing { pace.shortestAttempt = .seconds(3600) }
        let connecting = connect(radio, pace)
        try await until {
            guard radio.attempts.withLock({ $0.count }) == 1 else { return false }
            guard stage == .listening else { return true }
            return await radio.air.listenerCount == 1
        }
        let start = EventLoop.shared.time
        connecting.cancel()
        #expect(await connecting.value?.category == .cancelled)
        #expect(EventLoop.shared.time < start + .seconds(10))
        try await until { await radio.air.listenerCount == 0 }
        #expect(radio.attempts.withLock { $0.count } == 1)
    }

    @Test("A radio that gives up at once is not asked all the time", arguments: [true, false])
    func pauses(canScan: Bool) async throws {
        // The device is heard at once, or nothing can be heard: listening takes no time in both cases.
        let radio = try TestRadio(
            heard: canScan ? [.heartRate] : [], scanError: canScan ? nil : Self.failure(.missingRights)
        ) { number throws(CentralError) in
            guard number == 6 else { throw Self.failure(.noConnection, .hostDown) }
            return try Self.bearer()
        }
        let pace = Connector.Pace(
            turn: .milliseconds(80), shortestAttempt: .seconds(3600), firstPause: .milliseconds(20))
        #expect(await connect(radio, pace).value == nil)
        let attempts = radio.attempts.withLock { $0 }
        #expect(attempts.count == 6)
        for ((former, next), pause) in zip(zip(attempts, attempts.dropFirst()), [20, 40, 80, 80, 80]) {
            #expect(next >= former + .milliseconds(pause))
        }
    }

    @Test("An attempt that took its time is followed by the shortest pause again") func pausesAnew() async throws {
        let radio = try TestRadio(heard: [], scanError: Self.failure(.missingRights)) { number throws(CentralError) in
            // The third one tries for long enough.
            if number == 3 { await sleep(.milliseconds(120), on: .shared) }
            guard number == 5 else { throw Self.failure(.timedOut) }
            return try Self.bearer()
        }
        let pace = Connector.Pace(
            turn: .seconds(3600), shortestAttempt: .milliseconds(100), firstPause: .milliseconds(400))
        #expect(await connect(radio, pace).value == nil)
        let attempts = radio.attempts.withLock { $0.map(\.nanoseconds) }
        #expect(attempts.count == 5)
        let waits = zip(attempts, attempts.dropFirst()).map { $1 - $0 }
        #expect(waits[1] >= 800_000_000)
        // Three times as long it would be otherwise.
        #expect(waits[3] < waits[1])
    }
}
