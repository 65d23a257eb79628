// Apple's names begin with a capital.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AssignedNumbers
public import Foundation
import Wire

/// A Bluetooth UUID of 16, 32 or 128 bits, as Apple's framework shows it.
///
/// `uuidString` and `data` keep the width in which a UUID was given or received; equality and hashing compare the
/// 128-bit values, so `180D` equals `0000180D-0000-1000-8000-00805F9B34FB`.
open class CBUUID: NSObject, @unchecked Sendable {
    /// The value, as the layers below know it.
    let uuid: BluetoothUUID

    init(_ uuid: BluetoothUUID) { self.uuid = uuid }

    /// A UUID from 4 or 8 hexadecimal digits, or from 32 with hyphens, in either case.
    ///
    /// Anything else stops the program, as the exception does on Apple's systems: such a text is a mistake in the
    /// source, and Swift cannot catch an exception.
    public init(string theString: String) {
        guard [4, 8, 36].contains(theString.utf8.count), !theString.hasPrefix("0x"), !theString.hasPrefix("0X"),
            let uuid = BluetoothUUID(theString)
        else { fatalError("String \(theString) does not represent a valid UUID") }
        self.uuid = uuid
    }

    /// A UUID from 2, 4 or 16 octets, most significant first. Any other number stops the program.
    public init(data theData: Data) {
        let value = theData.reduce((high: UInt64(0), low: UInt64(0))) { value, octet in
            (value.high << 8 | value.low >> 56, value.low << 8 | UInt64(octet))
        }
        switch theData.count {
        case 2: uuid = BluetoothUUID(UInt16(truncatingIfNeeded: value.low))
        case 4: uuid = BluetoothUUID(UInt32(truncatingIfNeeded: value.low))
        case 16: uuid = BluetoothUUID(high: value.high, low: value.low)
        default: fatalError("Data \(theData) does not represent a valid UUID")
        }
    }

    /// The 128-bit UUID of the same value.
    public convenience init(nsuuid theUUID: UUID) {
        self.init(data: unsafe withUnsafeBytes(of: theUUID.uuid) { unsafe Data($0) })
    }

    /// The octets, most significant first, in the width given.
    open var data: Data {
        let octets = [UInt8](capacity: 16) { $0.append(uuid) }
        return Data(octets.reversed())
    }

    /// The digits in upper case, in the width given: `180D`.
    open var uuidString: String { uuid.description.uppercased() }

    /// The assigned name where there is one, else the digits: `Heart Rate`, `FFE0`.
    open override var description: String {
        // Numbers from 0xFC00 on are members' own, which have no name of the SIG's.
        guard let short = uuid.uint16, short < 0xFC00 else { return uuidString }
        if let name = AssignedNumbers.name(of: uuid, as: .service) {
            return name.hasSuffix(" Service") ? String(name.dropLast(8)) : name
        }
        return AssignedNumbers.name(of: uuid) ?? uuidString
    }

    open override func isEqual(_ object: Any?) -> Bool { (object as? CBUUID)?.uuid == uuid }

    open override var hash: Int { uuid.hashValue }
}

/// The descriptors that the specification defines (Vol 3, Part G, 3.3.3, and the Assigned Numbers).
public let CBUUIDCharacteristicExtendedPropertiesString = "2900"
public let CBUUIDCharacteristicUserDescriptionString = "2901"
public let CBUUIDClientCharacteristicConfigurationString = "2902"
public let CBUUIDServerCharacteristicConfigurationString = "2903"
public let CBUUIDCharacteristicFormatString = "2904"
public let CBUUIDCharacteristicAggregateFormatString = "2905"
public let CBUUIDCharacteristicValidRangeString = "2906"
public let CBUUIDCharacteristicObservationScheduleString = "2910"
/// The characteristic that holds the PSM of an L2CAP channel, a little-endian 16-bit number.
public let CBUUIDL2CAPPSMCharacteristicString = "ABDD3056-28FA-441D-A470-55A75A52553A"
