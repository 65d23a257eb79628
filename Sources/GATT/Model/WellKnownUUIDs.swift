/// The UUIDs that GATT itself needs (Core Specification, Vol 3, Part G, 3 and 7; numbers from the Assigned Numbers).
extension BluetoothUUID {
    // Declarations.

    /// Primary Service (0x2800), the type of a service declaration.
    @inlinable public static var primaryService: BluetoothUUID { 0x2800 }
    /// Secondary Service (0x2801), the type of the declaration of a service that is only of use when included.
    @inlinable public static var secondaryService: BluetoothUUID { 0x2801 }
    /// Include (0x2802), the type of a reference to another service.
    @inlinable public static var include: BluetoothUUID { 0x2802 }
    /// Characteristic (0x2803), the type of a characteristic declaration.
    @inlinable public static var characteristic: BluetoothUUID { 0x2803 }

    // Descriptors.

    /// Characteristic Extended Properties (0x2900).
    @inlinable public static var characteristicExtendedProperties: BluetoothUUID { 0x2900 }
    /// Characteristic User Description (0x2901), a UTF-8 text.
    @inlinable public static var characteristicUserDescription: BluetoothUUID { 0x2901 }
    /// Client Characteristic Configuration (0x2902), which switches notifications and indications on.
    @inlinable public static var clientCharacteristicConfiguration: BluetoothUUID { 0x2902 }
    /// Server Characteristic Configuration (0x2903), which switches broadcasts on.
    @inlinable public static var serverCharacteristicConfiguration: BluetoothUUID { 0x2903 }
    /// Characteristic Presentation Format (0x2904).
    @inlinable public static var characteristicPresentationFormat: BluetoothUUID { 0x2904 }
    /// Characteristic Aggregate Format (0x2905), a list of handles of presentation formats.
    @inlinable public static var characteristicAggregateFormat: BluetoothUUID { 0x2905 }

    // The services every server has, and their characteristics.

    /// Generic Access service (0x1800).
    @inlinable public static var genericAccess: BluetoothUUID { 0x1800 }
    /// Generic Attribute service (0x1801).
    @inlinable public static var genericAttribute: BluetoothUUID { 0x1801 }
    /// Device Name (0x2A00).
    @inlinable public static var deviceName: BluetoothUUID { 0x2A00 }
    /// Appearance (0x2A01).
    @inlinable public static var appearance: BluetoothUUID { 0x2A01 }
    /// Service Changed (0x2A05): the handles whose meaning changed.
    @inlinable public static var serviceChanged: BluetoothUUID { 0x2A05 }
    /// Client Supported Features (0x2B29).
    @inlinable public static var clientSupportedFeatures: BluetoothUUID { 0x2B29 }
    /// Database Hash (0x2B2A).
    @inlinable public static var databaseHash: BluetoothUUID { 0x2B2A }
    /// Server Supported Features (0x2B3A).
    @inlinable public static var serverSupportedFeatures: BluetoothUUID { 0x2B3A }
}
