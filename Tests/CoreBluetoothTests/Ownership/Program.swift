import CoreBluetooth
import Sockets
import Testing
import VirtualPeripheral

/// A program as a test plays it: what it holds, and can let go of at any moment and on any thread.
final class Program: Sendable {
    /// What a program can let go of.
    enum Thing: CaseIterable {
        case manager, peripheral, delegates, everything
    }

    struct Holdings {
        var manager: CBCentralManager?
        var peripheral: CBPeripheral?
        /// The delegate of both.
        var recorder: Recorder?
    }

    let air: Air
    let holdings: Locked<Holdings>
    let identifier: UUID
    private let directory: String

    /// A manager that has found the first device of the air.
    /// - Parameter directory: where identifiers are kept.
    init(_ air: Air, directory: String = World.temporaryDirectory()) async throws {
        self.air = air
        self.directory = directory
        let recorder = Recorder(holdsPeripherals: false)
        let found = Locked<CBPeripheral?>(nil)
        recorder.hook = { _, peripheral in
            guard let peripheral else { return }
            found.withLock { if $0 == nil { $0 = peripheral } }
        }
        let manager = CBCentralManager(
            delegate: recorder, queue: DispatchQueue(label: "program"), options: World.options(air.radio, directory))
        await recorder.expect("state poweredOn")
        manager.scanForPeripherals(withServices: nil)
        await recorder.skip(to: "discover Probe -40")
        manager.stopScan()
        // The hook runs before the line is there.
        let peripheral = try #require(found.withLock { $0 })
        recorder.hook = nil
        peripheral.delegate = recorder
        identifier = peripheral.identifier
        holdings = Locked(Holdings(manager: manager, peripheral: peripheral, recorder: recorder))
        found.withLock { $0 = nil }
    }

    deinit {
        // Each error that is thrown is remembered by the test library, which would look like growth.
        guard FileManager.default.fileExists(atPath: directory) else { return }
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Lets go, on the thread of the caller.
    func letGo(of thing: Thing) {
        // The last reference goes outside the lock.
        let gone = holdings.withLock { holdings in
            let former = holdings
            switch thing {
            case .manager: holdings.manager = nil
            case .peripheral: holdings.peripheral = nil
            case .delegates: holdings.recorder = nil
            case .everything: holdings = Holdings()
            }
            return former
        }
        withExtendedLifetime(gone) {}
    }

    /// Uses what is held, which a test must not hold itself.
    func use<Result>(_ body: (CBCentralManager, CBPeripheral, Recorder) async throws -> Result) async throws -> Result {
        let holdings = holdings.withLock { $0 }
        return try await body(
            try #require(holdings.manager), try #require(holdings.peripheral), try #require(holdings.recorder))
    }

    /// The same on the loop, where nothing else goes on meanwhile.
    func useOnLoop(
        _ body: @escaping @Sendable (CBCentralManager, CBPeripheral, Recorder) throws -> Void
    ) async throws {
        try await withCheckedThrowingContinuation { continuation in
            air.radio.loop.execute {
                let holdings = self.holdings.withLock { $0 }
                continuation.resume(
                    with: Result {
                        try body(
                            try #require(holdings.manager), try #require(holdings.peripheral),
                            try #require(holdings.recorder))
                    })
            }
        }
    }

    /// References that keep nothing.
    struct Traces: @unchecked Sendable {
        // Sendable: weak references can be used on any thread.

        weak var manager: CBCentralManager?
        weak var host: AnyObject?
        weak var peripheral: CBPeripheral?
        weak var session: AnyObject?
        weak var service: CBService?
        weak var characteristic: CBCharacteristic?
        weak var recorder: Recorder?

        /// Waits until nothing is left.
        func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) async {
            await eventually("the delegate is freed", sourceLocation: sourceLocation) { recorder == nil }
            await eventually("the manager is freed", sourceLocation: sourceLocation) { manager == nil }
            await eventually("the peripheral is freed", sourceLocation: sourceLocation) { peripheral == nil }
            await eventually("the session is freed", sourceLocation: sourceLocation) { session == nil }
            await eventually("the radio is given back", sourceLocation: sourceLocation) { host == nil }
            await eventually("the attributes are freed", sourceLocation: sourceLocation) {
                service == nil && characteristic == nil
            }
        }
    }

    /// What there is now.
    var traces: Traces {
        let holdings = holdings.withLock { $0 }
        let service = holdings.peripheral?.services?.first
        return Traces(
            manager: holdings.manager, host: holdings.manager?.hostForTests, peripheral: holdings.peripheral,
            session: holdings.peripheral?.sessionForTests, service: service,
            characteristic: service?.characteristics?.first, recorder: holdings.recorder)
    }
}
