import Central
import Foundation
import GAP
import GATT
import Sockets

/// One scan of one manager, from `scanForPeripherals` to its end.
final class ScanRun: @unchecked Sendable {
    // Sendable: `told` belongs to the manager's queue, the rest is constant or behind a lock.

    private let services: [BluetoothUUID]
    private let solicited: [BluetoothUUID]
    private let allowsDuplicates: Bool
    let follower: Follower?

    /// Who takes what is heard as a sequence.
    struct Follower: Sendable {
        var take: @Sendable (CBDiscovery) -> Void
        var finish: @Sendable () -> Void
    }

    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
        /// Reports on their way to the manager's queue.
        var backlog = 0
    }
    private let state = Locked(State())

    /// Devices already told of, and whether their scan response was known then.
    private var told: [DeviceAddress: Bool] = [:]
    private static let maximumTold = 16_384
    /// How many reports may wait while the program's queue is busy; beyond that they are lost, as on the air.
    private static let maximumBacklog = 1024

    init(services: [CBUUID]?, options: [String: Any]?, follower: Follower?) {
        self.follower = follower
        self.services = services?.map(\.uuid) ?? []
        solicited =
            (options?[CBCentralManagerScanOptionSolicitedServiceUUIDsKey] as? [CBUUID] ?? []).map(\.uuid)
        let duplicates = options?[CBCentralManagerScanOptionAllowDuplicatesKey]
        allowsDuplicates = (duplicates as? Bool) ?? (duplicates as? NSNumber)?.boolValue ?? false
    }

    func start(on central: Central, for manager: CBCentralManager) {
        let options = ScanOptions(
            services: solicited.isEmpty ? services : [], duplicates: allowsDuplicates ? .all : .changes)
        let task = Task(executorPreference: central.loop.taskExecutor) { [weak manager, self] in
            do throws(CentralError) {
                for try await result in central.scan(options) {
                    guard let manager else { return }
                    hand(result, to: manager)
                }
            } catch {
                // A radio that was switched off is told of by the state.
                if central.isRadioUp { manager?.ended(self, error) }
            }
        }
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
        follower?.finish()
    }

    private func hand(_ result: ScanResult, to manager: CBCentralManager) {
        let hasRoom = state.withLock { state in
            guard !state.isCancelled, state.backlog < Self.maximumBacklog else { return false }
            state.backlog += 1
            return true
        }
        guard hasRoom else { return }
        manager.queue.async { [weak manager, self] in
            state.withLock { $0.backlog -= 1 }
            manager?.heard(result, by: self)
        }
    }

    /// Whether the program is to be told. On the queue.
    func wants(_ advertisement: AdvertisementRecord, at address: DeviceAddress) -> Bool {
        guard isWanted(advertisement) else { return false }
        if allowsDuplicates { return true }
        let hasResponse = !advertisement.scanResponse.octets.isEmpty
        switch told[address] {
        case nil:
            // Memory is bounded: an arbitrary other one is forgotten, and would be told of once more.
            if told.count >= Self.maximumTold, let other = told.keys.first { told[other] = nil }
            told[address] = hasResponse
            return true
        case false? where hasResponse:
            told[address] = true
            return true
        default: return false
        }
    }

    private func isWanted(_ advertisement: AdvertisementRecord) -> Bool {
        // Without solicited services the radio's side has looked at the services already.
        guard !solicited.isEmpty else { return true }
        let lists = advertisement.serviceUUIDs
        if lists.contains(where: services.contains) { return true }
        for half in [advertisement.advertisingData, advertisement.scanResponse] {
            var uuids = half.view.solicitedServiceUUIDs
            while let uuid = uuids.next() {
                if solicited.contains(uuid) { return true }
            }
        }
        return false
    }
}

extension CBCentralManager {
    /// An advertisement arrived on the queue.
    fileprivate func heard(_ result: ScanResult, by scan: ScanRun) {
        guard guarded.withLock({ $0.scan === scan }), let address = result.address,
            scan.wants(result.advertisement, at: address)
        else { return }
        store.saw(address, advertisedName: result.name)
        let peripheral = peripheral(at: address)
        peripheral.advertised(result.name)
        let data = advertisementData(result)
        let rssi = result.rssi ?? 127
        delegate?.centralManager(
            self, didDiscover: peripheral, advertisementData: data, rssi: NSNumber(value: rssi))
        scan.follower?.take(CBDiscovery(peripheral: peripheral, advertisementData: data, rssi: Int(rssi)))
    }

    /// A scan ended by itself, which nobody can be told but in words.
    fileprivate func ended(_ scan: ScanRun, _ error: CentralError) {
        let isCurrent = guarded.withLock { state in
            guard state.scan === scan else { return false }
            state.scan = nil
            return true
        }
        scan.follower?.finish()
        if isCurrent { Diagnostics.log("the scan ended: \(error)") }
    }
}
