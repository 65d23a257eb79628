internal import BlueZSockets
public import GAP
public import HCI
public import Sockets

/// A Bluetooth adapter of this machine.
public struct AdapterDescription: Hashable, Sendable {
    /// The number in its name.
    public var index: Int
    /// `hci0`.
    public var name: String
    /// Its public address; `nil` when it has none, or was never up.
    public var address: DeviceAddress?
    /// `up`, `down`, `raw` or `initialising`.
    public var state: String
    /// How it is attached: `USB`, `UART`, `virtual`, …
    public var bus: String
    /// Whether it can do Bluetooth LE; known once it was up.
    public var supportsLE: Bool
    /// The version of the Core Specification, as `5.3`; `nil` when the controller could not be asked.
    public var coreVersion: String?
    /// The company identifier of the controller's maker; `nil` when the controller could not be asked.
    public var manufacturer: UInt16?
    /// What the controller can do; `nil` when it could not be asked.
    public var leFeatures: LEFeatures?
    /// Why something is not known; `nil` when everything is.
    public var missing: CentralError?

    /// Whether it is switched on.
    public var isUp: Bool { state == "up" }
}

extension Central {
    /// The adapters of this machine, those that are down too, in order of their number; empty when there are none.
    /// - Throws: `noAdapter` when the kernel has no Bluetooth, `missingRights` when it must not be asked.
    public static func adapters(on loop: EventLoop = .shared) async throws(CentralError) -> [AdapterDescription] {
        let adapters: [Adapter]
        do throws(BluetoothSocketError) {
            adapters = try AdapterList(system: loop.system).all()
        } catch {
            throw CentralError(error)
        }
        var descriptions: [AdapterDescription] = []
        for adapter in adapters {
            let details = await adapter.details(on: loop)
            descriptions.append(
                AdapterDescription(
                    index: Int(adapter.index), name: adapter.name, address: adapter.address,
                    state: adapter.state.description, bus: adapter.bus.description, supportsLE: adapter.supportsLE,
                    coreVersion: details.coreVersion, manufacturer: details.version?.company,
                    leFeatures: details.leFeatures, missing: details.missing.map { CentralError($0) }))
        }
        return descriptions
    }
}
