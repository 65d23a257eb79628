// Typed accessors over AD structures. A field whose structure is too short to hold it is not there; the octets stay
// reachable through the walk. Where the specification allows one structure and there are several, the first that can
// be read counts.

extension AdvertisingData {
    /// The flags; `nil` when there are none, also when the structure is empty (CSS, Part A, 1.3).
    public var flags: AdvertisingFlags? {
        firstOctet(.flags).map(AdvertisingFlags.init(rawValue:))
    }

    /// The octets of the complete local name, UTF-8 when the device follows the rules (CSS, Part A, 1.2).
    @inlinable
    public var completeNameOctets: RawSpan? {
        @_lifetime(copy self)
        get { first(.completeLocalName) }
    }

    /// The octets of the shortened local name (CSS, Part A, 1.2).
    @inlinable
    public var shortenedNameOctets: RawSpan? {
        @_lifetime(copy self)
        get { first(.shortenedLocalName) }
    }

    /// The complete local name, octets that are no UTF-8 replaced by U+FFFD. The length is the structure's: NUL octets
    /// are part of the name (CSS, Part A, 1.2).
    public var completeName: String? {
        guard let octets = completeNameOctets else { return nil }
        return String(repairing: octets)
    }

    /// The shortened local name, octets that are no UTF-8 replaced by U+FFFD (CSS, Part A, 1.2).
    public var shortenedName: String? {
        guard let octets = shortenedNameOctets else { return nil }
        return String(repairing: octets)
    }

    /// The local name: the complete one, else the shortened one.
    public var name: String? { completeName ?? shortenedName }

    /// The transmit power in dBm (CSS, Part A, 1.5).
    public var txPowerLevel: Int8? {
        firstOctet(.txPowerLevel).map(Int8.init(bitPattern:))
    }

    /// The appearance (CSS, Part A, 1.12).
    public var appearance: Appearance? {
        firstNumber(.appearance, octetCount: 2).map { Appearance(rawValue: UInt16(truncatingIfNeeded: $0)) }
    }

    /// The LE role (CSS, Part A, 1.17).
    public var leRole: LERole? {
        firstOctet(.leRole).map(LERole.init(rawValue:))
    }

    /// The LE device address: six octets, then an octet whose least significant bit says random (CSS, Part A, 1.16).
    public var deviceAddress: DeviceAddress? {
        guard let data = first(.leBluetoothDeviceAddress) else { return nil }
        var reader = OctetReader(data)
        guard let octets = try? reader.addressOctets(), let type = try? reader.uint8() else { return nil }
        return DeviceAddress(octets, type: type & 1 == 0 ? .public : .random)
    }

    /// The connection intervals the peripheral likes (CSS, Part A, 1.9).
    public var peripheralConnectionIntervalRange: ConnectionIntervalRange? {
        guard let packed = firstNumber(.peripheralConnectionIntervalRange, octetCount: 4) else { return nil }
        return ConnectionIntervalRange(
            minimum: UInt16(truncatingIfNeeded: packed), maximum: UInt16(truncatingIfNeeded: packed >> 16))
    }

    /// The advertising interval in units of 0.625 ms, from the two-octet or the long form (CSS, Part A, 1.15).
    public var advertisingInterval: UInt32? {
        if let short = firstNumber(.advertisingInterval, octetCount: 2) { return short }
        guard let data = first(.advertisingIntervalLong) else { return nil }
        var reader = OctetReader(data)
        return data.byteCount == 3 ? try? reader.uint24() : try? reader.uint32()
    }

    /// The class of device, 24 bits (CSS, Part A, 1.6).
    public var classOfDevice: UInt32? {
        guard let data = first(.classOfDevice) else { return nil }
        var reader = OctetReader(data)
        return try? reader.uint24()
    }

    /// The security manager's out of band flags (CSS, Part A, 1.7).
    public var securityManagerOutOfBandFlags: UInt8? { firstOctet(.securityManagerOutOfBandFlags) }

    /// The name of a broadcast, octets that are no UTF-8 replaced by U+FFFD (Public Broadcast Profile).
    public var broadcastName: String? {
        guard let octets = first(.broadcastName) else { return nil }
        return String(repairing: octets)
    }

    /// The LE features, as many of the 64 bits as were sent (CSS, Part A, 1.19).
    public var leSupportedFeatures: UInt64? {
        guard let data = first(.leSupportedFeatures), !data.isEmpty else { return nil }
        var reader = OctetReader(data)
        var features: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64, let octet = try? reader.uint8() {
            features |= UInt64(octet) << shift
            shift &+= 8
        }
        return features
    }

    /// The URI (CSS, Part A, 1.18).
    public var uri: AdvertisedURI? {
        guard let octets = first(.uri) else { return nil }
        var text = String(repairing: octets).unicodeScalars[...]
        guard let scheme = text.popFirst() else { return nil }
        return AdvertisedURI(scheme: scheme, rest: String(text))
    }
}

extension AdvertisingData {
    /// The data of the first structure of `type` as a little-endian number, when it holds at least `octetCount` octets.
    func firstNumber(_ type: ADType, octetCount: Int) -> UInt32? {
        guard let data = first(type), data.byteCount >= octetCount else { return nil }
        var reader = OctetReader(data)
        return octetCount == 2 ? (try? reader.uint16()).map(UInt32.init) : try? reader.uint32()
    }

    /// The first octet of the first structure of `type` that has one.
    func firstOctet(_ type: ADType) -> UInt8? {
        var iterator = makeIterator()
        while let structure = iterator.next() {
            guard structure.type == type, !structure.data.isEmpty else { continue }
            // In bounds: there is at least one octet.
            return unsafe structure.data.unsafeLoad(fromUncheckedByteOffset: 0, as: UInt8.self)
        }
        return nil
    }
}

extension String {
    /// Text from UTF-8; octets that are none become U+FFFD.
    init(repairing octets: RawSpan) {
        self = unsafe octets.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
