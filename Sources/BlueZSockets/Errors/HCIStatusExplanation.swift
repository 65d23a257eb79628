public import HCI

extension BluetoothSocketError {
    /// The error that a status of the controller stands for (Core Specification, Vol 1, Part F).
    ///
    /// - Parameters:
    ///   - adapter: The adapter's name, such as `hci0`.
    ///   - failure: What failed, such as `cannot scan on hci0`.
    public init(status: StatusCode, adapter: String, failure: String) {
        let category: Category
        var situation = Situation.general
        var reason = "\(adapter) answered \"\(status.name)\""
        var remedy = ""
        switch status {
        case .unknownCommand, .unsupportedFeatureOrParameterValue, .unsupportedRemoteFeature,
            .unsupportedLLParameterValue:
            category = .noAdapter
            situation = .unknownCommand
            reason += ": it does not support this"
            remedy = "use another adapter"
        case .unknownConnection:
            category = .linkLost
            remedy = "connect again"
        case .hardwareFailure, .unspecifiedError:
            category = .protocolError
            remedy = "take the adapter down and up again: \"hciconfig \(adapter) down\", \"hciconfig \(adapter) up\""
        case .memoryCapacityExceeded, .rejectedLimitedResources, .controllerBusy:
            category = .protocolError
            reason += ": it has no room for it now"
            remedy = "end other connections or scans, and try again"
        case .connectionTimeout, .connectionAcceptTimeout, .llResponseTimeout:
            category = .timedOut
            remedy = "try again"
        case .commandDisallowed:
            category = .noAdapter
            reason += ": it does something that excludes this now"
            remedy = "end other programs that use the adapter (bluetoothd, hcitool), or take it down and up again"
        case .invalidCommandParameters, .parameterOutOfMandatoryRange:
            category = .protocolError
            reason += ": it does not accept the parameters"
        default:
            category = .protocolError
        }
        self.init(category, situation, failure: failure, reason: reason, remedy: remedy, status: status)
    }

    /// Somebody else scans.
    static func scanAlreadyRunning(adapter: String, failure: String, holders: [String]) -> BluetoothSocketError {
        let who =
            switch holders.count {
            case 0: "by another program or by the kernel (bluetoothd, hcitool, btmgmt and bluetoothctl do this)"
            case 1: "most likely by \(holders[0])"
            default: "most likely by one of " + holders.joined(separator: ", ")
            }
        return BluetoothSocketError(
            .noAdapter, .scanAlreadyRunning, failure: failure,
            reason: "a scan is already running on \(adapter), started \(who)",
            remedy: "end that, or listen to what its scan hears (\"btatt scan --listen\")", status: .commandDisallowed)
    }
}
