// Every declaration of the central role of Apple's CoreBluetooth that this module has, used once. That this file compiles is
// the test: a member that goes missing or changes its type breaks the build. The article "What is there" lists the members
// that are different or absent.

// Apple's names begin with a capital.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CoreBluetooth
import Testing

/// Conforms to both delegates with every method spelt out.
private final class Client: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {}
    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {}
    func centralManager(
        _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {}
    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {}
    func centralManager(
        _ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?
    ) {}
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
    ) {}
    func centralManager(
        _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, timestamp: CFAbsoluteTime,
        isReconnecting: Bool, error: (any Error)?
    ) {}
    func centralManager(
        _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral
    ) {}
    func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral) {}

    func peripheralDidUpdateName(_ peripheral: CBPeripheral) {}
    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {}
    func peripheralDidUpdateRSSI(_ peripheral: CBPeripheral, error: (any Error)?) {}
    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {}
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {}
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
    ) {}
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
    ) {}
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {}
    func peripheral(
        _ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?
    ) {}
    func peripheral(
        _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {}
    func peripheral(
        _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?
    ) {}
    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {}
    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?) {}
    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {}

    // Never called: compiling it is what counts.

    func managers(_ queue: DispatchQueue?) {
        _ = CBCentralManager()
        _ = CBCentralManager(delegate: self, queue: queue)
        let central = CBCentralManager(delegate: self, queue: queue, options: nil)
        let delegate: (any CBCentralManagerDelegate)? = central.delegate
        central.delegate = delegate
        let state: CBManagerState = central.state
        switch state {
        case .unknown, .resetting, .unsupported, .unauthorized, .poweredOff, .poweredOn: break
        }
        let authorization: CBManagerAuthorization = CBManager.authorization
        switch authorization {
        case .notDetermined, .restricted, .denied, .allowedAlways: break
        }
        let _: Bool = central.isScanning
        let _: Bool = CBCentralManager.supports(.extendedScanAndConnect)
        let _: [CBPeripheral] = central.retrievePeripherals(withIdentifiers: [UUID()])
        let _: [CBPeripheral] = central.retrieveConnectedPeripherals(withServices: [])
        central.scanForPeripherals(withServices: nil)
        central.scanForPeripherals(withServices: nil, options: [:])
        central.stopScan()
        central.registerForConnectionEvents()
        central.registerForConnectionEvents(options: [.serviceUUIDs: [CBUUID](), .peripheralUUIDs: [UUID]()])
    }

    func peripherals(_ central: CBCentralManager, _ peripheral: CBPeripheral) {
        central.connect(peripheral)
        central.connect(peripheral, options: nil)
        central.cancelPeripheralConnection(peripheral)
        let peer: CBPeer = peripheral
        let _: UUID = peer.identifier
        let delegate: (any CBPeripheralDelegate)? = peripheral.delegate
        peripheral.delegate = delegate
        let _: String? = peripheral.name
        switch peripheral.state {
        case .disconnected, .connecting, .connected, .disconnecting: break
        }
        let _: [CBService]? = peripheral.services
        let _: Bool = peripheral.canSendWriteWithoutResponse
        let _: Bool = peripheral.ancsAuthorized
        peripheral.readRSSI()
        peripheral.discoverServices(nil)
        for type in [CBCharacteristicWriteType.withResponse, .withoutResponse] {
            let _: Int = peripheral.maximumWriteValueLength(for: type)
        }
    }

    func attributes(_ peripheral: CBPeripheral, _ descriptor: CBDescriptor) {
        guard let characteristic: CBCharacteristic = descriptor.characteristic else { return }
        guard let service: CBService = characteristic.service else { return }
        let _: CBPeripheral? = service.peripheral
        let _: Bool = service.isPrimary
        let _: [CBService]? = service.includedServices
        let _: [CBCharacteristic]? = service.characteristics
        let _: CBCharacteristicProperties = characteristic.properties
        let _: Data? = characteristic.value
        let _: [CBDescriptor]? = characteristic.descriptors
        let _: Bool = characteristic.isNotifying
        let _: Any? = descriptor.value
        let attribute: CBAttribute = descriptor
        let _: CBUUID = attribute.uuid
        peripheral.discoverIncludedServices(nil, for: service)
        peripheral.discoverCharacteristics(nil, for: service)
        peripheral.discoverDescriptors(for: characteristic)
        peripheral.readValue(for: characteristic)
        peripheral.readValue(for: descriptor)
        peripheral.writeValue(Data(), for: characteristic, type: .withResponse)
        peripheral.writeValue(Data(), for: descriptor)
        peripheral.setNotifyValue(true, for: characteristic)
    }
}

@Suite struct APICheck {
    @Test("Keys are texts with Apple's values") func keys() {
        let keys: [String] = [
            CBCentralManagerOptionShowPowerAlertKey, CBCentralManagerOptionRestoreIdentifierKey,
            CBCentralManagerOptionDeviceAccessForMedia, CBCentralManagerScanOptionAllowDuplicatesKey,
            CBCentralManagerScanOptionSolicitedServiceUUIDsKey, CBConnectPeripheralOptionNotifyOnConnectionKey,
            CBConnectPeripheralOptionNotifyOnDisconnectionKey, CBConnectPeripheralOptionNotifyOnNotificationKey,
            CBConnectPeripheralOptionStartDelayKey, CBConnectPeripheralOptionEnableTransportBridgingKey,
            CBConnectPeripheralOptionRequiresANCS, CBConnectPeripheralOptionEnableAutoReconnect,
            CBCentralManagerRestoredStatePeripheralsKey, CBCentralManagerRestoredStateScanServicesKey,
            CBCentralManagerRestoredStateScanOptionsKey, CBAdvertisementDataLocalNameKey,
            CBAdvertisementDataTxPowerLevelKey, CBAdvertisementDataServiceUUIDsKey,
            CBAdvertisementDataServiceDataKey, CBAdvertisementDataManufacturerDataKey,
            CBAdvertisementDataOverflowServiceUUIDsKey, CBAdvertisementDataIsConnectable,
            CBAdvertisementDataSolicitedServiceUUIDsKey,
        ]
        #expect(Set(keys).count == keys.count)
        #expect(CBAdvertisementDataLocalNameKey == "kCBAdvDataLocalName")
        let uuids: [String] = [
            CBUUIDCharacteristicExtendedPropertiesString, CBUUIDCharacteristicUserDescriptionString,
            CBUUIDClientCharacteristicConfigurationString, CBUUIDServerCharacteristicConfigurationString,
            CBUUIDCharacteristicFormatString, CBUUIDCharacteristicAggregateFormatString,
            CBUUIDCharacteristicValidRangeString, CBUUIDCharacteristicObservationScheduleString,
            CBUUIDL2CAPPSMCharacteristicString,
        ]
        #expect(uuids.map { CBUUID(string: $0).uuidString } == uuids)
    }

    @Test("Numbers are Apple's") func numbers() {
        #expect(CBManagerState.poweredOn.rawValue == 5)
        #expect(CBManagerAuthorization.allowedAlways.rawValue == 3)
        #expect(CBPeripheralState.disconnecting.rawValue == 3)
        #expect(CBConnectionEvent.peerConnected.rawValue == 1)
        #expect(CBCharacteristicWriteType.withoutResponse.rawValue == 1)
        let properties: [CBCharacteristicProperties] = [
            .broadcast, .read, .writeWithoutResponse, .write, .notify, .indicate, .authenticatedSignedWrites,
            .extendedProperties, .notifyEncryptionRequired, .indicateEncryptionRequired,
        ]
        #expect(properties.map(\.rawValue) == (0..<10).map { 1 << $0 })
        #expect(CBError.Code.allCases.map(\.rawValue) == Array(0...18))
        #expect(CBATTError.Code.allCases.map(\.rawValue) == Array(0...17))
    }

    @Test("Errors are caught by type and by code") func errors() {
        let error: any Error = CBError(.connectionFailed, userInfo: ["key": 1])
        #expect((error as? CBError)?.code == .connectionFailed)
        #expect((error as? CBError)?.userInfo["key"] as? Int == 1)
        do {
            throw error
        } catch CBError.notConnected {
            Issue.record("another code")
        } catch CBError.connectionFailed {
        } catch {
            Issue.record("not caught")
        }
        let unnamed: any Error = CBATTError(rawCode: 0xC0)
        if case CBATTError.unlikelyError = unnamed { Issue.record("a code without a name is no other code") }
        #expect((unnamed as NSError).code == 0xC0)
        #expect(CBATTError(.readNotPermitted) == CBATTError(rawCode: 2))
    }
}
