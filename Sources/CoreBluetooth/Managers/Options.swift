// Apple's names begin with a capital.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The keys of the dictionaries that managers take and give. Their values are Apple's, since programs store them.

// Of `CBCentralManager.init(delegate:queue:options:)`.

/// Whether to tell the user that Bluetooth is off; nobody is told on Linux.
public let CBCentralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"
/// The name under which the system restores the manager; Linux restores nothing.
public let CBCentralManagerOptionRestoreIdentifierKey = "kCBInitOptionRestoreIdentifier"
/// Whether devices are for media; without effect on Linux.
public let CBCentralManagerOptionDeviceAccessForMedia = "kCBInitOptionDeviceAccessForMedia"

/// Which adapter to use; only on Linux. A text as in the environment variable `BLUETOOTH_ADAPTER`, over which it has
/// precedence: `hci1`, `virtual`, `virtual:heart-rate,my.device`; or, for tests, a `VirtualRadio` of the module
/// VirtualPeripheral. Without both the first adapter that is up and can do Bluetooth LE.
public let CBCentralManagerOptionAdapterKey = "btattInitOptionAdapter"
/// The folder in which identifiers of devices are kept; only on Linux. A path, as in the environment variable
/// `BLUETOOTH_STATE_DIRECTORY`, over which it has precedence. Without both `corebluetooth` in `$XDG_STATE_HOME`, which is
/// `~/.local/state` unless set.
public let CBCentralManagerOptionStateDirectoryKey = "btattInitOptionStateDirectory"

// Of `scanForPeripherals(withServices:options:)`.

/// Whether each packet is told of, as a Bool; otherwise each device once.
public let CBCentralManagerScanOptionAllowDuplicatesKey = "kCBScanOptionAllowDuplicates"
/// Services as `[CBUUID]`: devices that look for one of them are told of, too.
public let CBCentralManagerScanOptionSolicitedServiceUUIDsKey = "kCBScanOptionSolicitedServiceUUIDs"

// Of `connect(_:options:)`.

/// Whether to tell the user of the connection; nobody is told on Linux.
public let CBConnectPeripheralOptionNotifyOnConnectionKey = "kCBConnectOptionNotifyOnConnection"
/// Whether to tell the user of the disconnection; nobody is told on Linux.
public let CBConnectPeripheralOptionNotifyOnDisconnectionKey = "kCBConnectOptionNotifyOnDisconnection"
/// Whether to tell the user of notifications; nobody is told on Linux.
public let CBConnectPeripheralOptionNotifyOnNotificationKey = "kCBConnectOptionNotifyOnNotification"
/// How many seconds to wait before connecting, as a number.
public let CBConnectPeripheralOptionStartDelayKey = "kCBConnectOptionStartDelay"
/// Whether to connect by BR/EDR as well; without effect on Linux.
public let CBConnectPeripheralOptionEnableTransportBridgingKey = "kCBConnectOptionEnableTransportBridging"
/// Whether the Apple Notification Center Service is needed; without effect on Linux.
public let CBConnectPeripheralOptionRequiresANCS = "kCBConnectOptionRequiresANCS"
/// Whether to connect again by itself when the connection was lost, as a Bool.
public let CBConnectPeripheralOptionEnableAutoReconnect = "kCBConnectOptionEnableAutoReconnect"

// Of `centralManager(_:willRestoreState:)`, which Linux never calls.

/// Peripherals as `[CBPeripheral]`.
public let CBCentralManagerRestoredStatePeripheralsKey = "kCBRestoredPeripherals"
/// Services that were scanned for, as `[CBUUID]`.
public let CBCentralManagerRestoredStateScanServicesKey = "kCBRestoredScanServices"
/// Options of the scan, as `[String: Any]`.
public let CBCentralManagerRestoredStateScanOptionsKey = "kCBRestoredScanOptions"

/// What happened to a peripheral that somebody connects, this program or another part of it.
public enum CBConnectionEvent: Int, Sendable {
    /// It was disconnected.
    case peerDisconnected = 0
    /// It was connected.
    case peerConnected = 1
}

/// What `registerForConnectionEvents(options:)` selects peripherals by.
public struct CBConnectionEventMatchingOption: Hashable, RawRepresentable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Peripherals with one of these services, `[CBUUID]`.
    public static let serviceUUIDs = Self(rawValue: "kCBConnectionEventMatchingOptionServiceUUIDs")
    /// Peripherals with one of these identifiers, `[UUID]`.
    public static let peripheralUUIDs = Self(rawValue: "kCBConnectionEventMatchingOptionPeripheralUUIDs")
}
