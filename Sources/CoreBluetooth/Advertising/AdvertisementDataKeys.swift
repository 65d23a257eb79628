// Apple's names begin with a capital.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The keys of the dictionary that `centralManager(_:didDiscover:advertisementData:rssi:)` gives. Their values are
// Apple's, since programs store them.

/// The name that is advertised, a `String`.
public let CBAdvertisementDataLocalNameKey = "kCBAdvDataLocalName"
/// The transmit power in dBm, an `NSNumber`.
public let CBAdvertisementDataTxPowerLevelKey = "kCBAdvDataTxPowerLevel"
/// The services that are listed, `[CBUUID]`.
public let CBAdvertisementDataServiceUUIDsKey = "kCBAdvDataServiceUUIDs"
/// Data of services, `[CBUUID: Data]`.
public let CBAdvertisementDataServiceDataKey = "kCBAdvDataServiceData"
/// Data of the manufacturer, `Data`, that begins with the company identifier, least significant octet first.
public let CBAdvertisementDataManufacturerDataKey = "kCBAdvDataManufacturerData"
/// Services in Apple's overflow area, `[CBUUID]`; never on Linux.
public let CBAdvertisementDataOverflowServiceUUIDsKey = "kCBAdvDataHashedServiceUUIDs"
/// Whether the device accepts connections, an `NSNumber`; always there.
public let CBAdvertisementDataIsConnectable = "kCBAdvDataIsConnectable"
/// The services that the device looks for, `[CBUUID]`.
public let CBAdvertisementDataSolicitedServiceUUIDsKey = "kCBAdvDataSolicitedServiceUUIDs"
