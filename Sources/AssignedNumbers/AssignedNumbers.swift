// The Bluetooth SIG gives out numbers (its "Assigned Numbers" document): 16-bit UUIDs of services, characteristics,
// descriptors, declarations and units; company identifiers, which open manufacturer specific data; appearance values;
// types of advertising data; formats of characteristic values. Members make 128-bit UUIDs of their own, of which the
// best known are here too. This module turns numbers into names and names into UUIDs, for people's eyes and hands.
//
// The tables are in Tables, written by a script. Each is one text literal; see `Table`.

public import Wire

/// Names of the Bluetooth SIG's assigned numbers, and of well-known UUIDs of members.
public enum AssignedNumbers {
    /// What a UUID stands for.
    public enum Kind: Sendable, CaseIterable {
        /// A GATT service.
        case service
        /// A GATT characteristic.
        case characteristic
        /// A GATT descriptor, a characteristic's attribute.
        case descriptor
        /// A type of declaration, such as «Primary Service».
        case declaration
        /// A unit of a characteristic value.
        case unit

        var tables: [Table] {
            switch self {
            case .service: [.services, .vendorServices, .members]
            case .characteristic: [.characteristics, .vendorCharacteristics]
            case .descriptor: [.descriptors]
            case .declaration: [.declarations]
            case .unit: [.units]
            }
        }

        /// Members' names label their UUIDs, but the same name stands at many: none is found by it.
        private var tablesSearchedByName: [Table] {
            self == .service ? [.services, .vendorServices] : tables
        }

        /// The UUIDs by their identifiers, sorted by UUID. Made once: a name is searched for among all of them.
        var identified: [(identifier: String, uuid: BluetoothUUID)] { Self.identified[self] ?? [] }

        private static let identified = Dictionary(
            uniqueKeysWithValues: allCases.map { kind in
                (
                    kind,
                    kind.tablesSearchedByName.flatMap(\.entries).compactMap { entry in
                        BluetoothUUID(entry.key).map { (AssignedNumbers.identifier(entry.name), $0) }
                    }
                )
            })
    }

    // MARK: Number to name

    /// The name of a UUID as a kind of thing: `Heart Rate Measurement`. A service's 16-bit UUID that a member made is
    /// named after its maker. `nil` when the tables do not have it.
    public static func name(of uuid: BluetoothUUID, as kind: Kind) -> String? {
        let short = uuid.uint16
        for table in kind.tables {
            if let short {
                if table.digits == 4, let name = table.name(short) { return name }
            } else if table.digits == 32 {
                let key = Table.key(uuid.high, digits: 16) + Table.key(uuid.low, digits: 16)
                if let name = table.name(key) { return name }
            }
        }
        return nil
    }

    /// The name of a UUID, whatever kind of thing it stands for: the kinds do not overlap.
    public static func name(of uuid: BluetoothUUID) -> String? {
        for kind in Kind.allCases {
            if let name = name(of: uuid, as: kind) { return name }
        }
        return nil
    }

    /// The name of a company identifier: `Nordic Semiconductor ASA`.
    public static func companyName(_ identifier: UInt16) -> String? { Table.companies.name(identifier) }

    /// The name of the member to whom a 16-bit UUID (0xFC00 and above) was given, or of the member's service.
    public static func memberName(_ uuid: UInt16) -> String? { Table.members.name(uuid) }

    /// The name of a type of advertising data: `Complete Local Name` (Core Specification Supplement, Part A).
    public static func advertisingDataTypeName(_ type: UInt8) -> String? {
        Table.advertisingDataTypes.name(UInt16(type))
    }

    /// The name of an appearance: that of its subcategory, `Heart Rate Belt`, else that of its category (the ten
    /// upper bits), `Heart Rate Sensor`.
    public static func appearanceName(_ appearance: UInt16) -> String? {
        Table.appearances.name(appearance) ?? Table.appearances.name(appearance & ~0x3F)
    }

    /// The name of a unit by its 16-bit UUID: `time (second)`.
    public static func unitName(_ uuid: UInt16) -> String? { Table.units.name(uuid) }

    // MARK: Name to number

    /// A name in the form that is convenient to type: lower case, and one underscore for anything between letters and
    /// digits. `Heart Rate Measurement` becomes `heart_rate_measurement`.
    public static func identifier(_ name: String) -> String {
        var result = ""
        var gap = false
        for scalar in name.unicodeScalars {
            if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                if gap, !result.isEmpty { result += "_" }
                gap = false
                result += scalar.properties.lowercaseMapping
            } else {
                gap = true
            }
        }
        return result
    }

    /// The UUIDs with a name, written as a name or as an identifier, with or without the closing word that says the
    /// kind: `Battery Service`, `battery_service` and `battery` are the same. Usually one; none when unknown; several
    /// when members gave the same name.
    public static func uuids(named name: String, as kind: Kind) -> [BluetoothUUID] {
        let wanted = identifier(name)
        guard !wanted.isEmpty else { return [] }
        var exact: [BluetoothUUID] = []
        var loose: [BluetoothUUID] = []
        for (identifier, uuid) in kind.identified where identifier.hasPrefix(wanted) || wanted.hasPrefix(identifier) {
            if identifier == wanted {
                exact.append(uuid)
            } else if stem(identifier) == stem(wanted) {
                loose.append(uuid)
            }
        }
        return exact.isEmpty ? loose : exact
    }

    /// Every identifier of a kind, sorted by UUID: for suggestions and completion.
    public static func identifiers(of kind: Kind) -> [String] {
        kind.identified.map(\.identifier)
    }

    /// An identifier without the closing word that says what kind of thing it names.
    private static func stem(_ identifier: String) -> Substring {
        for suffix in ["_service", "_characteristic", "_descriptor"] where identifier.hasSuffix(suffix) {
            return identifier.dropLast(suffix.count)
        }
        return identifier[...]
    }
}
