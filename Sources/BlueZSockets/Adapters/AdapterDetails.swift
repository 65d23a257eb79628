public import HCI
public import Sockets

/// What only the controller itself can tell about an adapter.
public struct AdapterDetails: Hashable, Sendable {
    /// Versions and manufacturer; `nil` when the controller could not be asked.
    public var version: ReadLocalVersionInformationCommand.Answer?
    /// The LE features; `nil` when the controller could not be asked.
    public var leFeatures: LEFeatures?
    /// Why something is missing; `nil` when nothing is.
    public var missing: BluetoothSocketError?

    /// Details of their parts.
    public init(
        version: ReadLocalVersionInformationCommand.Answer? = nil, leFeatures: LEFeatures? = nil,
        missing: BluetoothSocketError? = nil
    ) {
        self.version = version
        self.leFeatures = leFeatures
        self.missing = missing
    }

    /// Whether the controller can hear and send extended advertising; `nil` when that is not known.
    public var supportsExtendedAdvertising: Bool? { leFeatures?.contains(.extendedAdvertising) }

    /// The version of the Core Specification, such as `5.3`; `nil` when unknown.
    public var coreVersion: String? { version.flatMap { Self.coreVersion($0.hciVersion) } }

    /// The version of the Core Specification that a version number stands for (Assigned Numbers, 2.1); `nil` for a
    /// number that is not assigned yet.
    public static func coreVersion(_ number: UInt8) -> String? {
        let names = [
            "1.0b", "1.1", "1.2", "2.0", "2.1", "3.0", "4.0", "4.1", "4.2", "5.0", "5.1", "5.2", "5.3", "5.4", "6.0",
            "6.1",
        ]
        return Int(number) < names.count ? names[Int(number)] : nil
    }
}

extension Adapter {
    /// Asks the controller what it is. Never fails: what is not known is left out, with the reason. The version can be
    /// asked by everybody, the LE features with CAP_NET_RAW only, both of an adapter that is up.
    public func details(
        on loop: EventLoop = .shared, system: (any SystemCalls)? = nil
    ) async -> AdapterDetails {
        var details = AdapterDetails()
        let failure = "cannot ask \(name) what it is"
        do throws(BluetoothSocketError) {
            guard isUp else {
                throw BluetoothSocketError(
                    .noAdapter, .adapterDown, failure: failure, reason: "\(name) is down",
                    remedy: Remedy.switchOn(name))
            }
            let socket = try await HCISocket.open(adapter: index, on: loop, system: system)
            do throws(BluetoothSocketError) {
                details.version = try await socket.send(ReadLocalVersionInformationCommand(), failure: failure)
                if supportsLE {
                    details.leFeatures = try await socket.send(
                        LEReadLocalSupportedFeaturesCommand(), failure: failure
                    ).features
                }
            } catch {
                details.missing = error
            }
            await socket.close()
        } catch {
            details.missing = error
        }
        return details
    }
}
